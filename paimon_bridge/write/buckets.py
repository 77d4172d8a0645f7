"""The bucket of every row, for a whole table at once, by each of Paimon's bucket functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paimon_bridge.errors import TableError, WriteError
from paimon_bridge.model.options import TableOptions
from paimon_bridge.model.state import TableState
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import DataType
from paimon_bridge.write.describe import whole
from paimon_bridge.write.keyhash import hash_rows, raw_values, text_of
from paimon_bridge.write.router import Bucketing, Partition

Numbers = npt.NDArray[np.int64]
BucketFunction = Callable[[Sequence[pa.Array], Sequence[DataType], int | Numbers], Numbers]


def key_columns(table: pa.Table, names: Sequence[str]) -> list[pa.Array]:
    """Columns as single arrays; a table's chunks are joined."""
    return [whole(table.column(name)) for name in names]


class FixedBuckets(Bucketing):
    """Buckets of a table with a fixed number of them. ``state`` tells which partitions were written for another number."""

    def __init__(self, spec: TableSpec, state: TableState) -> None:
        self._spec = spec
        self._state = state
        self._count = TableOptions(spec).bucket
        self._key = BucketKey(spec)

    def assign(self, table: pa.Table, codes: npt.NDArray[Any], partitions: Sequence[Partition]) -> Numbers:
        for partition in partitions:
            self._check(partition.row)
        return self._key.numbers(table, self._count)

    def total_buckets(self, partition: bytes) -> int:
        return self._count

    def _check(self, partition: bytes) -> None:
        """Refuse a partition whose files were written for another number of buckets, as Java does: its keys lie elsewhere."""
        existing = self._state.total_buckets(partition)
        if existing is not None and existing != self._count:
            raise WriteError(
                f"{self._spec.name} now has {self._count} buckets, but a partition of it has files for {existing}",
                code="BUCKET_COUNT_CHANGED",
                remedy="overwrite the partition to bring its rows into the new buckets, or set the table's bucket option back.",
                details={"final": True, "partition": partition.hex(), "buckets": existing},
            )


class PartitionBuckets(Bucketing):
    """Real buckets of a postponed table: each partition has as many as its files say, a new one as many as the table's default."""

    def __init__(self, spec: TableSpec, state: TableState) -> None:
        self._state = state
        self._default = TableOptions(spec).integer("postpone.default-bucket-num", 1)
        self._key = BucketKey(spec)

    def assign(self, table: pa.Table, codes: npt.NDArray[Any], partitions: Sequence[Partition]) -> Numbers:
        counts = np.array([self.total_buckets(partition.row) for partition in partitions], dtype=np.int64)
        return self._key.numbers(table, counts[codes])

    def total_buckets(self, partition: bytes) -> int:
        return self._state.total_buckets(partition) or self._default


class BucketKey:
    """The columns and the function by which a table chooses buckets."""

    def __init__(self, spec: TableSpec) -> None:
        options = TableOptions(spec)
        self.names = options.bucket_keys or spec.trimmed_primary_keys
        unknown = [name for name in self.names if name not in spec.field_by_name]
        if unknown or not self.names:
            raise TableError(
                f"{spec.name} chooses buckets by {', '.join(unknown) or 'nothing'}, which is no column of it",
                code="BUCKET_KEY_UNSUPPORTED",
                remedy="set bucket-key to columns of the table; Paimon does not trim spaces around the names.",
            )
        self._types = [spec.field_by_name[name].type for name in self.names]
        self._function = bucket_function(options.bucket_function, self._types, spec)

    def numbers(self, table: pa.Table, count: int | Numbers) -> Numbers:
        """The bucket of each row among ``count``, which may differ from row to row."""
        return self._function(key_columns(table, self.names), self._types, count)


def bucket_function(name: str, types: Sequence[DataType], spec: TableSpec) -> BucketFunction:
    """The function of a table. Raises TableError for keys it cannot take."""
    allowed = {"default": True, "mod": len(types) == 1 and types[0].root in ("INT", "BIGINT")}.get(name)
    if allowed is None:
        allowed = all(data_type.root in _HIVE_HASHES for data_type in types)
    if not allowed:
        keys = ", ".join(map(str, types))
        raise TableError(
            f"{spec.name} has bucket-function.type {name}, which takes no bucket key of {keys}",
            code="BUCKET_KEY_UNSUPPORTED",
            remedy="use the default bucket function, or a bucket key of the types this one takes.",
        )
    return {"default": default_buckets, "mod": mod_buckets, "hive": hive_buckets}[name]


def default_buckets(columns: Sequence[pa.Array], types: Sequence[DataType], count: int | Numbers) -> Numbers:
    """The row's hash, remainder towards zero, without its sign."""
    hashes: Numbers = np.abs(hash_rows(columns, types).astype(np.int64))
    return np.remainder(hashes, count)


def mod_buckets(columns: Sequence[pa.Array], types: Sequence[DataType], count: int | Numbers) -> Numbers:
    """The value itself, never negative; a null key counts as 0."""
    (column,) = columns
    values: Numbers = pc.fill_null(column, 0).to_numpy(zero_copy_only=False).astype(np.int64)
    return np.remainder(values, count)


def hive_buckets(columns: Sequence[pa.Array], types: Sequence[DataType], count: int | Numbers) -> Numbers:
    """Hive's hash of each column, 31 times the sum of those before it."""
    state = np.zeros(len(columns[0]), dtype=np.int32)
    for column, data_type in zip(columns, types, strict=True):
        hashed = _HIVE_HASHES[data_type.root](column)
        if column.null_count:
            hashed = np.where(column.is_null().to_numpy(zero_copy_only=False), np.int32(0), hashed)
        state = state * np.int32(31) + hashed
    positive: Numbers = (state & np.int32(0x7FFFFFFF)).astype(np.int64)
    return np.remainder(positive, count)


def _hive_int(column: pa.Array) -> npt.NDArray[np.int32]:
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.uint8())
    return raw_values(column, f"<i{column.type.bit_width // 8}").astype(np.int32)


def _hive_long(column: pa.Array) -> npt.NDArray[np.int32]:
    return _folded(raw_values(column, "<u8"))


def _hive_float(column: pa.Array) -> npt.NDArray[np.int32]:
    values = raw_values(column, "<f4")
    # Adding zero takes the sign off -0.0; Java's floatToIntBits has one NaN.
    bits: npt.NDArray[np.int32] = np.where(np.isnan(values), np.float32("nan"), values + np.float32(0)).view(np.int32)
    return bits


def _hive_double(column: pa.Array) -> npt.NDArray[np.int32]:
    values = raw_values(column, "<f8")
    return _folded(np.where(np.isnan(values), np.float64("nan"), values + 0.0).view(np.uint64))


def _folded(words: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    halves: npt.NDArray[np.int32] = (words ^ (words >> np.uint64(32))).astype(np.uint32).view(np.int32)
    return halves


def _hive_bytes(column: pa.Array) -> npt.NDArray[np.int32]:
    text = text_of(column)
    state = np.zeros(len(column), dtype=np.int32)
    # Longest first, so that the strings that reach a byte are always the first ones.
    order = np.argsort(-text.lengths, kind="stable")
    lengths = text.lengths[order]
    for index in range(int(lengths[0]) if len(lengths) else 0):
        rows = order[: np.searchsorted(-lengths, -index, side="left")]
        current = text.words[text.starts[rows] + index].astype(np.uint8).view(np.int8)
        state[rows] = state[rows] * np.int32(31) + current
    return state


def _hive_decimal(column: pa.Array) -> npt.NDArray[np.int32]:
    # BigDecimal's hash depends on digits and scale; each distinct value is worked out once.
    encoded = column.dictionary_encode()
    hashes = np.array([_decimal_hash(value) for value in encoded.dictionary.to_pylist()] or [0], dtype=np.int32)
    places: npt.NDArray[np.int32] = encoded.indices.fill_null(0).to_numpy(zero_copy_only=False)
    return hashes[places]


def _decimal_hash(value: Decimal) -> int:
    """``BigDecimal.hashCode`` without trailing zeros and with no negative scale."""
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    unscaled, scale = int("".join(map(str, digits)) or "0"), -exponent
    while scale > 0 and unscaled % 10 == 0:
        unscaled, scale = unscaled // 10, scale - 1
    if scale < 0:
        unscaled, scale = unscaled * 10**-scale, 0
    if unscaled == 0:
        return 0
    # Java keeps small values as a long and large ones as a BigInteger; both hash their 32-bit words, the first one times 31.
    words = 0
    for shift in range((unscaled.bit_length() - 1) // 32 * 32, -32, -32):
        words = (words * 31 + (unscaled >> shift & 0xFFFFFFFF)) & 0xFFFFFFFF
    if sign:
        words = -words
    return (31 * words + scale + 2**31) % 2**32 - 2**31


_HIVE_HASHES: dict[str, Callable[[pa.Array], npt.NDArray[np.int32]]] = {
    **dict.fromkeys(("BOOLEAN", "TINYINT", "SMALLINT", "INT", "DATE", "TIME"), _hive_int),
    "BIGINT": _hive_long,
    "FLOAT": _hive_float,
    "DOUBLE": _hive_double,
    **dict.fromkeys(("CHAR", "VARCHAR", "BINARY", "VARBINARY"), _hive_bytes),
    "DECIMAL": _hive_decimal,
}
