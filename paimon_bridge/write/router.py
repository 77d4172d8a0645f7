"""Rows to partitions: whole tables at a time, with the partition's row as Paimon's own bytes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from paimon_bridge.binary.row import Timestamp, encode_row
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import DataType

# Combinations of partition values that are counted with an array of their own; beyond that they are sorted.
_COUNTABLE = 1 << 22


@dataclass(frozen=True, slots=True)
class Partition:
    """One partition: its values, and the BinaryRow by which Java knows it."""

    values: tuple[Any, ...]
    row: bytes


class PartitionRouter:
    """Splits tables by the values of the partition columns. Remembers the partitions it has met."""

    def __init__(self, spec: TableSpec) -> None:
        self._keys = spec.partition_keys
        self._types = [field.type for field in spec.partition_fields]
        self._known: dict[bytes, Partition] = {}

    def route(self, table: pa.Table) -> Iterator[tuple[Partition, pa.Table]]:
        """The table in pieces of one partition each, rows of a partition in their order. Pieces are slices where that costs no copy."""
        if not self._keys:
            yield self._partition(()), table
            return
        codes, groups = self._codes(table)
        if len(groups) == 1:
            yield groups[0], table
            return
        changes = np.flatnonzero(codes[1:] != codes[:-1]) + 1
        if len(changes) >= 2 * len(groups):
            # Scattered rows: bring each partition's together. Chunks are joined first, as taking across chunks is slow.
            order = np.argsort(codes, kind="stable")
            table, codes = table.combine_chunks().take(pa.array(order)), codes[order]
            changes = np.flatnonzero(codes[1:] != codes[:-1]) + 1
        starts = [0, *changes.tolist()]
        for start, end in zip(starts, [*starts[1:], len(codes)], strict=True):
            yield groups[codes[start]], table.slice(start, end - start)

    def _codes(self, table: pa.Table) -> tuple[np.ndarray[Any, Any], list[Partition]]:
        """A small number per row, and the partition that each number stands for."""
        codes: np.ndarray[Any, Any] = np.zeros(len(table), dtype=np.int64)
        dictionaries = []
        for key, data_type in zip(self._keys, self._types, strict=True):
            encoded = _distinguishable(table.column(key)).combine_chunks().dictionary_encode(null_encoding="encode")
            dictionaries.append(values_of(encoded.dictionary, data_type))
            codes = codes * len(encoded.dictionary) + encoded.indices.to_numpy(zero_copy_only=False)
        used, codes = _dense(codes, math.prod(map(len, dictionaries)))
        return codes, [self._partition(_combination(code, dictionaries)) for code in used]

    def _partition(self, values: tuple[Any, ...]) -> Partition:
        row = encode_row(values, self._types)
        return self._known.setdefault(row, Partition(values, row))


def _dense(codes: np.ndarray[Any, Any], limit: int) -> tuple[list[int], np.ndarray[Any, Any]]:
    """The codes that occur, and each row's place among them. ``limit`` is above every code."""
    if limit <= _COUNTABLE:
        used = np.flatnonzero(np.bincount(codes, minlength=limit))
        places = np.zeros(limit, dtype=np.int64)
        places[used] = np.arange(len(used))
        codes = places[codes]
    else:
        used, codes = np.unique(codes, return_inverse=True)
    # Sixteen bits sort by radix, several times faster than wider numbers.
    return used.tolist(), codes.astype(np.uint16 if len(used) <= 0x10000 else np.uint32)


def _combination(code: int, dictionaries: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    values = []
    for dictionary in reversed(dictionaries):
        code, index = divmod(code, len(dictionary))
        values.append(dictionary[index])
    return tuple(reversed(values))


def _distinguishable(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Floats by their bits, as Java tells partitions apart: -0.0 is not 0.0, and NaN is a value like any other."""
    if column.type == pa.float32():
        return pa.chunked_array([chunk.view(pa.int32()) for chunk in column.chunks], pa.int32())
    if column.type == pa.float64():
        return pa.chunked_array([chunk.view(pa.int64()) for chunk in column.chunks], pa.int64())
    return column


def values_of(array: pa.Array, data_type: DataType) -> list[Any]:
    """The values of a column as ``encode_row`` takes them. Floats may come as their bits."""
    root = data_type.root
    if root == "FLOAT" and array.type == pa.int32():
        array = array.view(pa.float32())
    elif root == "DOUBLE" and array.type == pa.int64():
        array = array.view(pa.float64())
    elif root in ("DATE", "TIME"):
        array = array.cast(pa.int32())
    elif root in ("TIMESTAMP", "TIMESTAMP_LTZ"):
        per_milli = {"s": None, "ms": 1, "us": 1000, "ns": 1_000_000}[array.type.unit]
        assert per_milli is not None, "the file schema knows no seconds"
        return [
            None if raw is None else Timestamp(raw // per_milli, raw % per_milli * (1_000_000 // per_milli)) for raw in _integers(array)
        ]
    return list(array.to_pylist())


def _integers(array: pa.Array) -> list[int | None]:
    return list(array.cast(pa.int64()).to_pylist())
