"""Buckets, against those that Paimon Java 1.4.2 and 2.0.0 were seen to choose (reference page, section 7)."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from paimon_bridge.errors import TableError
from paimon_bridge.model.types import parse_type
from paimon_bridge.write.buckets import default_buckets, hive_buckets, mod_buckets
from paimon_bridge.write.task import check_table
from tests.write.tables import spec_of
from tests.write.values import arrow_type

SEEN = [
    (["INT"], [1], (0, 3, 14), 1, 1),
    (["INT"], [-7], (1, 2, 11), 3, 1),
    (["BIGINT"], [1234567890123], (0, 1, 12), 3, 1),
    (["STRING"], ["abc"], (1, 4, 3), None, 4),
    (["STRING"], ["hello world"], (0, 4, 2), None, 2),
    (["STRING"], [""], (1, 4, 7), None, 0),
    (["INT", "STRING"], [1, "a"], (0, 2, 6), None, 3),
    (["DECIMAL(10, 2)"], [Decimal("1.23")], (1, 3, 11), None, 0),
    (["DECIMAL(20, 2)"], [Decimal("1.23")], (0, 1, 12), None, 0),
    (["TIMESTAMP(3)"], [1000], (1, 0, 5), None, None),
    (["TIMESTAMP(6)"], [1_000_001], (1, 2, 5), None, None),
    (["DATE"], [19724], (0, 1, 4), None, 4),
    (["DOUBLE"], [1.5], (1, 3, 1), None, 1),
    (["INT"], [None], (0, 4, 0), 0, 0),
]


def columns(types: list[str], values: list[Any]) -> list[pa.Array]:
    return [
        pa.array([value], pa.int32()).cast(arrow_type(paimon)) if paimon == "DATE" else pa.array([value], arrow_type(paimon))
        for paimon, value in zip(types, values, strict=True)
    ]


@pytest.mark.parametrize(("types", "values", "default", "mod", "hive"), SEEN)
def test_buckets_are_javas(types: list[str], values: list[Any], default: tuple[int, ...], mod: int | None, hive: int | None) -> None:
    arrays, paimon_types = columns(types, values), [parse_type(paimon) for paimon in types]
    assert tuple(int(default_buckets(arrays, paimon_types, count)[0]) for count in (2, 5, 16)) == default
    if mod is not None:
        assert mod_buckets(arrays, paimon_types, 5).tolist() == [mod]
    if hive is not None:
        assert hive_buckets(arrays, paimon_types, 5).tolist() == [hive]


def _java_bytes_hash(data: bytes) -> int:
    state = 0
    for byte in data:
        state = (state * 31 + (byte - 256 if byte > 127 else byte)) & 0xFFFFFFFF
    return state


def test_hive_hashes_of_strings_of_many_lengths() -> None:
    texts = ["", "a", "日本語", "x" * 100, "é", "abc"]
    expected = [(_java_bytes_hash(text.encode()) & 0x7FFFFFFF) % 1000 for text in texts]
    assert hive_buckets([pa.array(texts)], [parse_type("STRING")], 1000).tolist() == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # BigDecimal.hashCode of the value without trailing zeros, as a JDK printed it.
        ("0.00", 0),
        ("1.50", 31 * 15 + 1),
        ("-1.50", -31 * 15 + 1),
        ("100.00", 3100),
        ("99999999999999999999.99", None),
    ],
)
def test_hive_hashes_of_decimals_ignore_trailing_zeros(value: str, expected: int | None) -> None:
    array = pa.array([Decimal(value)], pa.decimal128(30, 2))
    found = hive_buckets([array], [parse_type("DECIMAL(30, 2)")], 2**31 - 1).tolist()[0]
    if expected is None:
        unscaled, words = 9999999999999999999999, 0
        for shift in (64, 32, 0):
            words = (words * 31 + (unscaled >> shift & 0xFFFFFFFF)) & 0xFFFFFFFF
        expected = 31 * words + 2
    assert found == (expected & 0x7FFFFFFF) % (2**31 - 1)


def test_counts_may_differ_from_row_to_row() -> None:
    array = pa.array([7, 7, 7])
    assert mod_buckets([array], [parse_type("BIGINT")], np.array([2, 5, 7])).tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    ("options", "columns", "reason"),
    [
        ({"bucket": "2", "bucket-key": "b", "bucket-function.type": "mod"}, {"a": "INT", "b": "STRING"}, "bucket-function.type mod"),
        ({"bucket": "2", "bucket-key": "a", "bucket-function.type": "hive"}, {"a": "TIMESTAMP(3)"}, "bucket-function.type hive"),
        ({"bucket": "2", "bucket-key": "a, b"}, {"a": "INT", "b": "INT"}, "no column"),
        ({"bucket": "2"}, {"a": "INT"}, "no column"),
    ],
)
def test_keys_that_a_function_cannot_take_are_refused(
    tmp_path: Path, options: dict[str, str], columns: dict[str, str], reason: str
) -> None:
    with pytest.raises(TableError, match=reason) as caught:
        check_table(spec_of(tmp_path, columns, options=options, bucket_mode="HASH_FIXED"))
    assert caught.value.code == "BUCKET_KEY_UNSUPPORTED"


def test_an_unknown_function_is_refused(tmp_path: Path) -> None:
    options = {"bucket": "2", "bucket-key": "a", "bucket-function.type": "fancy"}
    with pytest.raises(TableError, match=r"bucket-function\.type") as caught:
        check_table(spec_of(tmp_path, {"a": "INT"}, options=options, bucket_mode="HASH_FIXED"))
    assert caught.value.code == "OPTION_INVALID"
