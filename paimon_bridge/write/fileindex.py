"""File indexes beside data files: bloom filters of columns, byte for byte as Paimon Java writes them.

Rules: ``FileIndexOptions``, ``DataFileIndexWriter``, ``FileIndexFormat``, ``BloomFilterFileIndex`` and ``FastHash``, alike in 1.0.1 to
2.0.0. Indexes of other types (bitmap, bsi, range-bitmap) are not built; readers do without one wherever it is missing.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paimon_bridge.errors import TableError
from paimon_bridge.model.options import TableOptions
from paimon_bridge.model.profile import option_invalid
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import DataType
from paimon_bridge.write.describe import whole
from paimon_bridge.write.keyhash import raw_values
from paimon_bridge.write.xxhash import xxhash64

_BLOOM = "bloom-filter"
_MAGIC = 1493475289347502
_VERSION = 1
_TEXTS = ("CHAR", "VARCHAR", "BINARY", "VARBINARY")
_WIDTHS = {"TINYINT": 1, "SMALLINT": 2, "INT": 4, "DATE": 4, "TIME": 4, "BIGINT": 8, "FLOAT": 4, "DOUBLE": 8}
_TIMESTAMPS = ("TIMESTAMP", "TIMESTAMP_LTZ")

Hashes = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class BloomColumn:
    """One column with a bloom filter: so many bits, so many of them set per value."""

    name: str
    type: DataType
    bits: int
    hashes: int


@dataclass(frozen=True, kw_only=True)
class IndexPlan:
    """The indexed columns of a table's files; a container above ``threshold`` bytes becomes a file of its own."""

    columns: tuple[BloomColumn, ...]
    threshold: int


def index_plan(spec: TableSpec) -> IndexPlan | None:
    """What the table's options ask for, or None. Raises TableError where Java would fail, and for map keys, which are not built."""
    options = TableOptions(spec)
    text = options.text(f"file-index.{_BLOOM}.columns", "")
    columns = tuple(_column(name.strip(), options, spec) for name in text.split(",")) if text else ()
    return (
        IndexPlan(columns=_as_in_a_hash_map(columns), threshold=options.size("file-index.in-manifest-threshold", 500)) if columns else None
    )


def _column(name: str, options: TableOptions, spec: TableSpec) -> BloomColumn:
    field = spec.field_by_name.get(name)
    root = "" if field is None else field.type.root
    if field is None or not (root in _TEXTS or root in _WIDTHS or root in _TIMESTAMPS):
        raise TableError(
            f"{spec.name} asks for a bloom filter of {name}, "
            + (f"which is a {field.type}" if field else "which is no plain column of it"),
            code="FILE_INDEX_UNSUPPORTED",
            remedy=f"take it out of file-index.{_BLOOM}.columns: Paimon has bloom filters of numbers, dates, times, strings and bytes, "
            "and those of single map keys are not built by this package.",
            details={"column": name},
        )
    prefix = f"file-index.{_BLOOM}.{name}."
    items = options.integer(f"{prefix}items", 1_000_000)
    try:
        rate = float(options.text(f"{prefix}fpp", "0.1"))
    except ValueError:
        rate = 0.0
    if not 0 < rate < 1 or items < 1:
        raise option_invalid(f"{prefix}fpp", options.text(f"{prefix}fpp", "0.1"), "a share between 0 and 1, and items to 1 or more")
    wanted = int(-items * math.log(rate) / (math.log(2) * math.log(2)))
    bits = wanted + 8 - wanted % 8
    return BloomColumn(name=name, type=field.type, bits=bits, hashes=max(1, math.floor(bits / items * math.log(2) + 0.5)))


def _as_in_a_hash_map(columns: Sequence[BloomColumn]) -> tuple[BloomColumn, ...]:
    """Java walks a HashMap of the names; so the order is that of their hashes, for the bytes to be the same."""
    distinct = {column.name: column for column in columns}
    places = 16
    while len(distinct) > places * 3 // 4:
        places *= 2

    def place(name: str) -> int:
        state = 0
        for unit in struct.unpack(f"<{len(name.encode('utf-16-le')) // 2}H", name.encode("utf-16-le")):
            state = (31 * state + unit) & 0xFFFFFFFF
        return (state ^ state >> 16) & (places - 1)

    return tuple(distinct[name] for name in sorted(distinct, key=place))


class FileIndexWriter:
    """Collects the index of one file: ``observe`` its rows, then ``finish``."""

    def __init__(self, plan: IndexPlan) -> None:
        self._plan = plan
        # Bytes of a filter rather than bits of it: setting the same bit twice must do no harm.
        self._filters = [np.zeros(column.bits, dtype=np.bool_) for column in plan.columns]

    def observe(self, table: pa.Table) -> None:
        for column, bits in zip(self._plan.columns, self._filters, strict=True):
            hashes = fast_hash(whole(table.column(column.name)), column.type)
            low, high = hashes.astype(np.int32), (hashes >> np.int64(32)).astype(np.int32)
            for step in range(1, column.hashes + 1):
                combined = low + np.int32(step) * high
                bits[np.where(combined < 0, ~combined, combined) % column.bits] = True

    def finish(self) -> bytes:
        bodies = {
            column.name: struct.pack(">i", column.hashes) + np.packbits(bits, bitorder="little").tobytes()
            for column, bits in zip(self._plan.columns, self._filters, strict=True)
        }
        return container({name: {_BLOOM: body} for name, body in bodies.items()})


def container(indexes: Mapping[str, Mapping[str, bytes]]) -> bytes:
    """The bytes of an index: a head that says where the body of each column's index begins, then the bodies."""
    head = _head(indexes, 0)
    return _head(indexes, len(head)) + b"".join(body for column in indexes.values() for body in column.values())


def _head(indexes: Mapping[str, Mapping[str, bytes]], length: int) -> bytes:
    start = length
    parts = [struct.pack(">qiii", _MAGIC, _VERSION, length, len(indexes))]
    for name, column in indexes.items():
        parts += [_java_utf(name), struct.pack(">i", len(column))]
        for kind, body in column.items():
            parts += [_java_utf(kind), struct.pack(">ii", start, len(body))]
            start += len(body)
    return b"".join([*parts, struct.pack(">i", 0)])


def _java_utf(text: str) -> bytes:
    """``DataOutput.writeUTF``: zero in two bytes, and each half of a surrogate pair by itself."""
    units: Iterable[int] = struct.unpack(f"<{len(text.encode('utf-16-le')) // 2}H", text.encode("utf-16-le"))
    data = b"".join(b"\xc0\x80" if unit == 0 else chr(unit).encode("utf-8", "surrogatepass") for unit in units)
    return struct.pack(">H", len(data)) + data


def fast_hash(column: pa.Array, data_type: DataType) -> Hashes:
    """The hashes of a column's values, nulls left out; equal strings may come once only."""
    values = column.drop_null()
    root = data_type.root
    if root in _TEXTS:
        return xxhash64(pc.unique(values))
    if root in _TIMESTAMPS:
        per_second = {"ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}[values.type.unit]
        wanted = 1_000 if (data_type.precision or 0) <= 3 else 1_000_000
        return _wang(raw_values(values, "<i8") // (per_second // wanted))
    if root in ("FLOAT", "DOUBLE"):
        # Java's floatToIntBits knows one NaN only.
        kind = np.float32 if root == "FLOAT" else np.float64
        numbers = raw_values(values, f"<f{_WIDTHS[root]}")
        return _wang(np.where(np.isnan(numbers), kind("nan"), numbers).view(f"<i{_WIDTHS[root]}").astype(np.int64))
    return _wang(raw_values(values, f"<i{_WIDTHS[root]}").astype(np.int64))


def _wang(key: Hashes) -> Hashes:
    """Thomas Wang's hash of 64 bits, with shifts that keep the sign as Java's code has them."""
    key = ~key + (key << np.int64(21))
    key = key ^ (key >> np.int64(24))
    key = key + (key << np.int64(3)) + (key << np.int64(8))
    key = key ^ (key >> np.int64(14))
    key = key + (key << np.int64(2)) + (key << np.int64(4))
    key = key ^ (key >> np.int64(28))
    hashes: Hashes = key + (key << np.int64(31))
    return hashes
