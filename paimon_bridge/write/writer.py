"""From record batches to commit messages, for one table in one process: match, convert, and hand on to what the table's kind needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import pyarrow as pa

from paimon_bridge.model.message import CommitMessage
from paimon_bridge.model.options import MEBIBYTE, at_least
from paimon_bridge.model.state import TableState
from paimon_bridge.model.table import DYNAMIC, FIXED, POSTPONE, TableSpec
from paimon_bridge.write.append import AppendSink
from paimon_bridge.write.buckets import FixedBuckets, PartitionBuckets
from paimon_bridge.write.columns import ColumnConverter, match_columns, system_columns
from paimon_bridge.write.context import WriteContext
from paimon_bridge.write.dynamic import DynamicBuckets
from paimon_bridge.write.filetypes import FileSchema
from paimon_bridge.write.kinds import check_table
from paimon_bridge.write.nested import mended
from paimon_bridge.write.postpone import PostponeSink
from paimon_bridge.write.primarykey import PrimaryKeySink
from paimon_bridge.write.router import OneBucket
from paimon_bridge.write.rowkinds import RowKinds

_PIECE_BYTES = 8 * MEBIBYTE
# Append tables without buckets keep all files of a partition in this one.
_UNAWARE_BUCKET = 0
_UNAWARE_TOTAL = -1


class Sink(Protocol):
    """Makes files of converted rows. After any exception only ``abort`` may be called."""

    def add(self, batch: pa.RecordBatch, schema: FileSchema) -> None: ...

    def prepare(self, schema: FileSchema | None) -> list[CommitMessage]: ...

    def release(self) -> None: ...

    def abort(self) -> list[str]: ...

    def close(self) -> None: ...


class TableWriter:
    """Writes batches to data files and describes them. Not for several threads; makes ``encoders`` threads of its own.

    After any exception only ``abort`` may be called; it deletes every file that was not released.
    """

    def __init__(self, context: WriteContext, *, row_kind: str = "+I") -> None:
        spec = context.spec
        check_table(spec)
        self._spec = spec
        self._sink = _sink(context)
        self._kinds = RowKinds(spec, row_kind) if spec.primary_keys else None
        self._row_count = 0
        self._input_schema: pa.Schema | None = None
        self._converter: ColumnConverter | None = None

    def write(self, batch: pa.RecordBatch) -> None:
        """Take rows. They are on disk when ``prepare`` returns."""
        batch = mended(batch)
        for start in range(0, len(batch), rows := _piece_rows(batch)):
            self._write(batch.slice(start, rows))

    def _write(self, batch: pa.RecordBatch) -> None:
        converter = self._converter_for(batch.schema)
        rows = converter.convert(batch, self._row_count)
        if self._kinds is not None:
            rows = self._kinds.apply(batch, rows, self._row_count)
        self._row_count += len(batch)
        self._sink.add(rows, converter.schema)

    def prepare(self) -> list[CommitMessage]:
        """Finish all files and describe them. More rows may follow, for further messages."""
        return self._sink.prepare(None if self._converter is None else self._converter.schema)

    def release(self) -> None:
        """The messages of ``prepare`` are safe: their files are no longer this writer's to delete."""
        self._sink.release()

    def abort(self) -> list[str]:
        """Stop, and delete every file that was not released; what could not be deleted, with the reason."""
        return self._sink.abort()

    def close(self) -> None:
        """End the threads. Files stay."""
        self._sink.close()

    def _converter_for(self, schema: pa.Schema) -> ColumnConverter:
        if self._converter is None or self._input_schema != schema:
            match = match_columns(schema, self._spec, system_columns(self._spec))
            if self._converter is not None:
                # Files stay as they were begun, whatever units later batches have.
                match = replace(match, schema=self._converter.schema)
            self._input_schema, self._converter = schema, ColumnConverter(match, self._spec)
        return self._converter


def _piece_rows(batch: pa.RecordBatch) -> int:
    """How many rows to take at once: a batch of gigabytes is taken in slices, so that bounds on memory hold for it too."""
    size: int = batch.nbytes
    return max(1, len(batch) * _PIECE_BYTES // max(_PIECE_BYTES, size))


def _sink(context: WriteContext) -> Sink:
    spec: TableSpec = context.spec
    options = context.options
    if spec.bucket_mode == FIXED:
        # Java looks at what is there unless nothing depends on it: compaction is off, and readers may mix the order of a bucket's files.
        # Before 1.4 it always looks (BucketedAppendFileStoreWrite).
        heedless = not options.bucket_append_ordered and options.write_only and at_least(spec.release, "1.4")
        continued = bool(spec.primary_keys) or not heedless
        buckets = FixedBuckets(spec, context.state if continued else TableState())
        return PrimaryKeySink(context, buckets) if spec.primary_keys else AppendSink(context, buckets, ordered=True, continued=continued)
    if spec.bucket_mode == DYNAMIC:
        return PrimaryKeySink(context, DynamicBuckets(context))
    if spec.bucket_mode == POSTPONE:
        if options.postpone_fixed_bucket:
            return PrimaryKeySink(context, PartitionBuckets(spec, context.state))
        return PostponeSink(context)
    return AppendSink(context, OneBucket(_UNAWARE_BUCKET, _UNAWARE_TOTAL))
