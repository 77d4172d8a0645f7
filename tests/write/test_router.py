from __future__ import annotations

import datetime
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paimon_bridge.binary.row import Timestamp, encode_row
from paimon_bridge.model.types import parse_type
from paimon_bridge.write.filetypes import file_schema
from paimon_bridge.write.router import OneBucket, Router, values_of
from tests.write.tables import spec_of


def grouped(columns: dict[str, str], rows: pa.Table, keys: list[str]) -> dict[bytes, list[int]]:
    """Row numbers by partition, in the order in which they come out."""
    spec = spec_of("/t", {**columns, "row": "BIGINT"}, partition_keys=keys)
    groups: dict[bytes, list[int]] = {}
    for bucket, piece in Router(spec, OneBucket(0, -1)).route(rows):
        partition = bucket.partition
        assert partition.row == encode_row(partition.values, [spec.field_by_name[key].type for key in keys])
        groups.setdefault(partition.row, []).extend(piece.column("row").to_pylist())
    return groups


def table(columns: dict[str, str], values: dict[str, list[Any]]) -> pa.Table:
    logical = file_schema(spec_of("/t", columns).fields).logical
    arrays = {name: pa.array(values[name], logical.field(name).type) for name in columns}
    return pa.table({**arrays, "row": pa.array(range(len(next(iter(values.values())))), pa.int64())})


def test_a_table_without_partitions_is_one_group_as_it_is() -> None:
    rows = table({"a": "INT"}, {"a": [1, 2]})
    ((bucket, piece),) = Router(spec_of("/t", {"a": "INT", "row": "BIGINT"}), OneBucket(0, -1)).route(rows)
    assert bucket.key == (bytes(12), 0)
    assert piece is rows


def test_rows_of_a_partition_keep_their_order() -> None:
    columns = {"k": "STRING", "d": "DATE"}
    rows = table(columns, {"k": ["b", "a", "b", None, "a", ""], "d": [1, 1, 1, 1, 2, 1]})
    types = [parse_type("DATE"), parse_type("STRING")]
    assert grouped(columns, rows, ["d", "k"]) == {
        encode_row((1, "b"), types): [0, 2],
        encode_row((1, "a"), types): [1],
        encode_row((1, None), types): [3],
        encode_row((2, "a"), types): [4],
        encode_row((1, ""), types): [5],
    }


def test_floats_are_told_apart_by_their_bits() -> None:
    rows = table({"k": "DOUBLE"}, {"k": [0.0, -0.0, math.nan, None, math.nan, 0.0]})
    types = [parse_type("DOUBLE")]
    assert grouped({"k": "DOUBLE"}, rows, ["k"]) == {
        encode_row((0.0,), types): [0, 5],
        encode_row((-0.0,), types): [1],
        encode_row((math.nan,), types): [2, 4],
        encode_row((None,), types): [3],
    }


def test_rows_that_lie_together_are_sliced_not_copied() -> None:
    rows = table({"k": "INT"}, {"k": [1] * 500 + [2] * 500})
    spec = spec_of("/t", {"k": "INT", "row": "BIGINT"}, partition_keys=["k"])
    pieces = [piece for _, piece in Router(spec, OneBucket(0, -1)).route(rows)]
    address = rows.column("row").chunk(0).buffers()[1].address
    assert all(piece.column("row").chunk(0).buffers()[1].address == address for piece in pieces)
    assert [len(piece) for piece in pieces] == [500, 500]


@settings(max_examples=40, deadline=None)
@given(
    keys=st.lists(st.tuples(st.none() | st.sampled_from("abc"), st.none() | st.integers(0, 400)), min_size=1, max_size=300),
    chunks=st.integers(1, 5),
)
def test_random_rows_are_grouped_as_one_by_one(keys: list[tuple[str | None, int | None]], chunks: int) -> None:
    columns = {"s": "STRING", "n": "INT"}
    rows = table(columns, {"s": [key[0] for key in keys], "n": [key[1] for key in keys]})
    step = math.ceil(len(rows) / chunks)
    pieces = pa.concat_tables([rows.slice(start, step) for start in range(0, len(rows), step)])
    expected: dict[bytes, list[int]] = {}
    for index, key in enumerate(keys):
        expected.setdefault(encode_row(key, [parse_type("STRING"), parse_type("INT")]), []).append(index)
    assert grouped(columns, pieces, ["s", "n"]) == expected


def test_more_partitions_than_sixteen_bits_can_count() -> None:
    count = 70_000
    order = np.random.default_rng(1).permutation(count)
    rows = pa.table({"k": pa.array(np.tile(order, 2).astype(np.int32)), "row": pa.array(np.arange(2 * count))})
    groups = grouped({"k": "INT"}, rows, ["k"])
    assert len(groups) == count
    assert groups[encode_row((int(order[5]),), [parse_type("INT")])] == [5, count + 5]


@pytest.mark.parametrize(
    ("paimon", "array", "expected"),
    [
        ("DATE", pa.array([datetime.date(1970, 1, 2), None]), [1, None]),
        ("TIME(3)", pa.array([5, None], pa.time32("ms")), [5, None]),
        ("TIMESTAMP(3)", pa.array([-1, None], pa.timestamp("ms")), [Timestamp(-1), None]),
        ("TIMESTAMP(6)", pa.array([-1], pa.timestamp("us")), [Timestamp(-1, 999000)]),
        ("TIMESTAMP(9)", pa.array([1_000_001], pa.timestamp("ns")), [Timestamp(1, 1)]),
        ("DECIMAL(10, 2)", pa.array([Decimal("1.50")]), [Decimal("1.50")]),
        ("BOOLEAN", pa.array([True]), [True]),
        ("BYTES", pa.array([b"x"]), [b"x"]),
    ],
)
def test_values_are_given_as_rows_take_them(paimon: str, array: pa.Array, expected: list[Any]) -> None:
    assert values_of(array, parse_type(paimon)) == expected
