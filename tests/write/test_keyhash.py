from __future__ import annotations

import random

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paimon_bridge.binary.row import encode_row, murmur_hash
from paimon_bridge.model.types import parse_type
from paimon_bridge.write.keyhash import hash_rows
from paimon_bridge.write.router import values_of
from tests.write.values import KEY_TYPES, column


@settings(max_examples=150, deadline=None)
@given(types=st.lists(st.sampled_from(KEY_TYPES), min_size=1, max_size=4), count=st.integers(1, 50), seed=st.integers(0, 10**6))
def test_hashes_are_those_of_the_rows_one_by_one(types: list[str], count: int, seed: int) -> None:
    dice = random.Random(seed)
    # Slices, as batches often are: whatever lies before them in the same buffers must not matter.
    columns = [column(dice, paimon, count + 7).slice(dice.randint(0, 7), count) for paimon in types]
    paimon_types = [parse_type(paimon) for paimon in types]
    rows = zip(*(values_of(array, type_) for array, type_ in zip(columns, paimon_types, strict=True)), strict=True)
    assert hash_rows(columns, paimon_types).tolist() == [murmur_hash(encode_row(row, paimon_types)[4:]) for row in rows]


def test_more_rows_than_a_block() -> None:
    array = pa.array(range(40_000), pa.int64())
    hashes = hash_rows([array], [parse_type("BIGINT")])
    for place in (0, 16_383, 16_384, 39_999):
        assert hashes[place] == murmur_hash(encode_row((place,), [parse_type("BIGINT")])[4:])


def test_bytes_under_a_null_do_not_count() -> None:
    buffers = [pa.py_buffer(b"\x01"), pa.py_buffer(b"\0\0\0\0\x02\0\0\0\x0c\0\0\0"), pa.py_buffer(b"abhidden text")]
    array = pa.Array.from_buffers(pa.string(), 2, buffers)
    assert array.to_pylist() == ["ab", None]
    types = [parse_type("STRING")]
    assert hash_rows([array], types).tolist() == [murmur_hash(encode_row((value,), types)[4:]) for value in ("ab", None)]


def test_no_rows_have_no_hashes() -> None:
    assert hash_rows([pa.array([], pa.string())], [parse_type("STRING")]).tolist() == []


def test_keys_wider_than_the_header_are_refused() -> None:
    with pytest.raises(ValueError, match="57 columns"):
        hash_rows([pa.array([1])] * 57, [parse_type("BIGINT")] * 57)
