"""Rows to partitions and buckets: whole tables at a time, with the partition's row as Paimon's own bytes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paimon_bridge.binary.row import Timestamp, encode_row
from paimon_bridge.model.file import IndexFileMeta
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import DataType

# Combinations of partition values that are counted with an array of their own; beyond that they are sorted.
_COUNTABLE = 1 << 22

Codes = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Partition:
    """One partition: its values, and the BinaryRow by which Java knows it."""

    values: tuple[Any, ...]
    row: bytes


@dataclass(frozen=True, slots=True)
class Bucket:
    """One bucket of one partition: what a file, a message and a sequence of numbers belong to."""

    partition: Partition
    number: int

    @property
    def key(self) -> tuple[bytes, int]:
        return self.partition.row, self.number


@dataclass(frozen=True)
class Assignment:
    """Where the rows of a table go: a small number per row, and the bucket that each number stands for."""

    codes: Codes
    buckets: list[Bucket]


class Bucketing(ABC):
    """How a table spreads the rows of a partition over buckets."""

    @abstractmethod
    def assign(self, table: pa.Table, codes: Codes, partitions: Sequence[Partition]) -> npt.NDArray[np.int64]:
        """The bucket of each row. ``codes`` are the rows' places in ``partitions``."""

    @abstractmethod
    def total_buckets(self, partition: bytes) -> int:
        """What a message says about the number of buckets of a partition."""

    def index_files(self, bucket: Bucket) -> tuple[IndexFileMeta, ...]:
        """New index files of a bucket, since the last time."""
        return ()

    def release(self) -> None:
        """The files made so far are described safely and are no longer ours to delete."""
        return

    def abort(self) -> list[str]:
        """Delete every file that was not released; what could not be deleted, with the reason."""
        return []


class OneBucket(Bucketing):
    """All rows of a partition in one bucket: append tables without buckets, and postponed ones."""

    def __init__(self, number: int, total: int) -> None:
        self._number = number
        self._total = total

    def assign(self, table: pa.Table, codes: Codes, partitions: Sequence[Partition]) -> npt.NDArray[np.int64]:
        return np.full(len(table), self._number, dtype=np.int64)

    def total_buckets(self, partition: bytes) -> int:
        return self._total


class Router:
    """Finds partition and bucket of every row. Remembers the partitions it has met."""

    def __init__(self, spec: TableSpec, bucketing: Bucketing) -> None:
        self._keys = spec.partition_keys
        self._types = [field.type for field in spec.partition_fields]
        self._bucketing = bucketing
        self._known: dict[bytes, Partition] = {}

    def assign(self, table: pa.Table) -> Assignment:
        codes, partitions = self.partitions(table)
        numbers = self._bucketing.assign(table, codes, partitions)
        low = int(numbers.min())
        span = int(numbers.max()) - low + 1
        if span > 1:
            used, codes = _dense(codes.astype(np.int64) * span + (numbers - low), len(partitions) * span)
        else:
            used = list(range(len(partitions)))
        return Assignment(codes, [Bucket(partitions[code // span], code % span + low) for code in used])

    def route(self, table: pa.Table) -> Iterator[tuple[Bucket, pa.Table]]:
        """The table in pieces of one bucket each, rows of a bucket in their order. Pieces are slices where that costs no copy."""
        assignment = self.assign(table)
        codes, buckets = assignment.codes, assignment.buckets
        if len(buckets) == 1:
            yield buckets[0], table
            return
        changes = np.flatnonzero(codes[1:] != codes[:-1]) + 1
        if len(changes) >= 2 * len(buckets):
            # Scattered rows: bring each bucket's together. Chunks are joined first, as taking across chunks is slow.
            order = np.argsort(codes, kind="stable")
            table, codes = table.combine_chunks().take(pa.array(order)), codes[order]
            changes = np.flatnonzero(codes[1:] != codes[:-1]) + 1
        starts = [0, *changes.tolist()]
        for start, end in zip(starts, [*starts[1:], len(codes)], strict=True):
            yield buckets[codes[start]], table.slice(start, end - start)

    def partitions(self, table: pa.Table) -> tuple[Codes, list[Partition]]:
        """A small number per row, and the partition that each number stands for."""
        codes: Codes = np.zeros(len(table), dtype=np.int64)
        if not self._keys:
            return codes.astype(np.uint16), [self._partition(())]
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


def _dense(codes: Codes, limit: int) -> tuple[list[int], Codes]:
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
        per_milli = {"ms": 1, "us": 1000, "ns": 1_000_000}[array.type.unit]
        raws = array.cast(pa.int64()).to_pylist()
        return [None if raw is None else Timestamp(raw // per_milli, raw % per_milli * (1_000_000 // per_milli)) for raw in raws]
    return list(array.to_pylist())
