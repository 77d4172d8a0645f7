from __future__ import annotations

import math
import random

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from paimon_bridge.model.types import parse_type
from paimon_bridge.write.order import bounds_of, column_codes, group_code, sort_rows
from paimon_bridge.write.router import values_of
from tests.write.values import KEY_TYPES, column, java_order


@settings(max_examples=200, deadline=None)
@given(
    types=st.lists(st.sampled_from(KEY_TYPES), min_size=1, max_size=3),
    within=st.lists(st.sampled_from(KEY_TYPES), max_size=2),
    count=st.integers(1, 80),
    distinct=st.sampled_from([None, 2, 5]),
    seed=st.integers(0, 10**6),
)
def test_rows_are_sorted_as_python_would(types: list[str], within: list[str], count: int, distinct: int | None, seed: int) -> None:
    dice = random.Random(seed)
    names = [*types, *within]
    columns = [column(dice, paimon, count + 3, distinct=distinct).slice(3) for paimon in names]
    paimon_types = [parse_type(paimon) for paimon in names]
    codes = [column_codes(array, type_) for array, type_ in zip(columns, paimon_types, strict=True)]
    split = len(types)

    order = sort_rows(count, [code for part in codes[:split] for code in part], [code for part in codes[split:] for code in part])

    values = [[java_order(value) for value in values_of(array, type_)] for array, type_ in zip(columns, paimon_types, strict=True)]
    keys = list(zip(*values, strict=True))
    expected = sorted(range(count), key=lambda row: (keys[row], row))
    assert order.rows.tolist() == expected
    runs = [place for place in range(count) if place == 0 or keys[expected[place]][:split] != keys[expected[place - 1]][:split]]
    assert order.starts.tolist() == runs
    assert order.ends.tolist() == [*runs[1:], count]


def test_groups_come_first() -> None:
    groups = np.array([1, 0, 1, 0])
    order = sort_rows(4, [group_code(groups, 2), *column_codes(pa.array([3, 4, 1, 2]), parse_type("BIGINT"))])
    assert order.rows.tolist() == [3, 1, 2, 0]


def test_descending_order_keeps_nulls_first_and_arrival_last() -> None:
    array = pa.array([1, None, 3, 3, 2], pa.int32())
    order = sort_rows(5, [], column_codes(array, parse_type("INT"), descending=True))
    assert order.rows.tolist() == [1, 2, 3, 4, 0]
    assert order.starts.tolist() == [0]


def test_zeros_are_equal_and_nan_is_last() -> None:
    array = pa.array([math.nan, 0.0, -0.0, math.inf, -1.0])
    order = sort_rows(5, column_codes(array, parse_type("DOUBLE")))
    assert order.rows.tolist() == [4, 1, 2, 3, 0]
    assert order.starts.tolist() == [0, 1, 3, 4]


def test_long_keys_with_a_shared_start() -> None:
    words = [f"{'x' * 50}{number:05}{'y' * number}" for number in (7, 3, 3, 900, 1)]
    order = sort_rows(5, column_codes(pa.array(words), parse_type("STRING")))
    assert order.rows.tolist() == [4, 1, 2, 0, 3]
    assert order.starts.tolist() == [0, 1, 3, 4]


def test_a_string_is_below_itself_and_a_zero_byte() -> None:
    order = sort_rows(3, column_codes(pa.array(["a\0", "a", "a\0\0"]), parse_type("STRING")))
    assert order.rows.tolist() == [1, 0, 2]


def test_many_rows_of_wide_keys() -> None:
    dice = np.random.default_rng(3)
    values = dice.integers(-(2**63), 2**63 - 1, 200_000)
    values[::7] = values[0]
    order = sort_rows(len(values), column_codes(pa.array(values), parse_type("BIGINT")))
    assert (values[order.rows] == np.sort(values)).all()
    assert order.rows.tolist() == np.argsort(values, kind="stable").tolist()


def test_bounds_of_unsorted_keys() -> None:
    columns = [pa.array([2, 1, 1, 2]), pa.array(["a", "b", "a", "c"])]
    assert bounds_of(columns, [parse_type("BIGINT"), parse_type("STRING")]) == (2, 3)
