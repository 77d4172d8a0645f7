"""ORC data files, for the types that Paimon Java reads back right from pyarrow's writer."""

from __future__ import annotations

from datetime import timezone
from typing import Any

import pyarrow as pa
from pyarrow import orc

from paimon_bridge.errors import TableError, WriteError
from paimon_bridge.model.options import MEBIBYTE, TableOptions
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import DataType
from paimon_bridge.write.clock import java_zone
from paimon_bridge.write.describe import ClosedFile
from paimon_bridge.write.filetypes import FileSchema, walk
from paimon_bridge.write.stats import FileStats, StatsPlan

_CODECS = {"zstd": "zstd", "snappy": "snappy", "lz4": "lz4", "zlib": "zlib", "none": "uncompressed", "uncompressed": "uncompressed"}
_STRIPE_BYTES = 64 * MEBIBYTE
_UNBOUNDED = 2**31 - 1
# pyarrow can write CHAR(n) and VARCHAR(n) as plain strings only; the meaning of LTZ depends on an option and on the JVM's zone; for the
# others Java has no ORC type at all.
_REFUSED = ("CHAR", "TIMESTAMP_LTZ", "BINARY", "VARIANT", "MULTISET")


def check_orc_types(spec: TableSpec) -> None:
    """Raise TableError for columns whose values Java would not read back as they were written."""
    # ORC's timestamps go through the JVM's wall clock, which skips an hour where a zone's summer time begins.
    # Offsets, and the regions below Etc, which are offsets by another name, never do.
    skips = not (spec.zone_id.startswith("Etc/") or isinstance(java_zone(spec.zone_id), timezone))
    refused = [
        f"{field.name} ({field.type})"
        for field in spec.fields
        if any(
            _refused(inner) or (skips and inner.root == "TIMESTAMP") or (inner is not field.type and _fine(inner))
            for inner in walk(field.type)
        )
    ]
    if refused:
        raise TableError(
            f"{spec.name} has ORC files and columns of types that Paimon Java is not known to read back right: {', '.join(refused)}"
            + (f"; the JVM's time zone is {spec.zone_id}" if skips else ""),
            code="COLUMN_TYPE_UNSUPPORTED",
            remedy="set file.format to parquet: a table may hold files of several formats.",
            details={"columns": refused},
        )


def _refused(data_type: DataType) -> bool:
    return data_type.root in _REFUSED or (data_type.root in ("VARCHAR", "VARBINARY") and data_type.length != _UNBOUNDED)


def _fine(data_type: DataType) -> bool:
    """A timestamp whose values must be looked at, which is done for whole columns only."""
    return data_type.root == "TIMESTAMP" and (data_type.precision or 0) > 3


def orc_arguments(options: TableOptions, compression: str) -> dict[str, Any]:
    """Arguments for ``pyarrow.orc.ORCWriter``, other than the target."""
    codec = options.text("orc.compress", compression).lower()
    if codec not in _CODECS:
        raise TableError(
            f"the table asks for ORC files compressed with {codec!r}",
            code="COMPRESSION_UNSUPPORTED",
            remedy=f"set file.compression to one of {', '.join(sorted(_CODECS))}.",
        )
    # A stripe is in memory until it is full, so that a file could not be rolled within one.
    stripe = min(options.size("file.block-size", options.integer("orc.stripe.size", _STRIPE_BYTES)), options.target_file_size // 4)
    return {"compression": _CODECS[codec], "stripe_size": max(64 * 1024, min(_STRIPE_BYTES, stripe))}


class OrcFile:
    """One ORC file on its way to disk; the same surface as ``DataFile``."""

    def __init__(self, path: str, sink: Any, schema: FileSchema, stats: StatsPlan, arguments: dict[str, Any]) -> None:
        self.path = path
        self.row_count = 0
        self._stored = pa.schema([pa.field(field.name, _stored(field.type)) for field in schema.logical])
        self._stats = FileStats(stats)
        self._sink = sink
        self._writer = orc.ORCWriter(sink, **arguments)

    @property
    def size(self) -> int:
        return int(self._sink.tell())

    def write(self, table: pa.Table) -> None:
        """Write rows of the logical schema."""
        for name, column in zip(table.column_names, table.columns, strict=True):
            _check_old_moments(name, column)
        self._stats.observe(table)
        self._writer.write(table.cast(self._stored))
        self.row_count += len(table)

    def close(self) -> ClosedFile:
        """Finish the file; what there is to say about it."""
        self._writer.close()
        size = self.size
        self._sink.close()
        return ClosedFile(name=self.path.rpartition("/")[2], size=size, row_count=self.row_count, stats=self._stats.finish(None))

    def abandon(self) -> None:
        """Let go of the file without finishing it."""
        self._writer.is_open = False
        self._sink.close()


def _check_old_moments(name: str, column: pa.ChunkedArray) -> None:
    """Refuse moments before 1970 with a part of a millisecond: pyarrow writes negative nanoseconds for them, on which Java fails."""
    if not pa.types.is_timestamp(column.type) or column.type.unit == "ms":
        return
    per_milli = 1_000_000 if column.type.unit == "ns" else 1000
    values = column.drop_null().cast(pa.int64()).to_numpy()
    if ((values < 0) & (values % per_milli != 0)).any():
        raise WriteError(
            f"column {name} has a moment before 1970 that is finer than a millisecond, which ORC files of this package cannot hold",
            code="VALUE_DOES_NOT_FIT",
            remedy="round such values to milliseconds, or set file.format to parquet: a table may hold files of several formats.",
            details={"final": True, "column": name},
        )


def _stored(arrow: pa.DataType) -> pa.DataType:
    """Java keeps TIME as milliseconds in an INT; ORC has no type of its own for it."""
    if pa.types.is_time(arrow):
        return pa.int32()
    if pa.types.is_list(arrow):
        return pa.list_(_stored(arrow.value_type))
    if pa.types.is_map(arrow):
        return pa.map_(_stored(arrow.key_type), _stored(arrow.item_type))
    if pa.types.is_struct(arrow):
        return pa.struct([(arrow.field(index).name, _stored(arrow.field(index).type)) for index in range(arrow.num_fields)])
    return arrow
