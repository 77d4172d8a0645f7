"""Rows of append tables: routed, kept until they are worth a row group, written in their order of arrival."""

from __future__ import annotations

from functools import partial

import pyarrow as pa

from paimon_bridge.model.message import CommitMessage, DataIncrement
from paimon_bridge.model.options import MEBIBYTE
from paimon_bridge.model.profile import FileProfile
from paimon_bridge.write.buffers import Buffers
from paimon_bridge.write.context import WriteContext
from paimon_bridge.write.describe import AppendDescriber, Describer
from paimon_bridge.write.filetypes import FileSchema
from paimon_bridge.write.lanes import Lanes, lane_of
from paimon_bridge.write.names import FileNames
from paimon_bridge.write.parquet import FileFormat, RollingWriter
from paimon_bridge.write.pool import WriterPool
from paimon_bridge.write.router import Bucket, Bucketing, Router

# Together these bound a worker's memory, however many rows and partitions it gets.
_BUFFER_BYTES = 96 * MEBIBYTE
_IN_FLIGHT_BYTES = 80 * MEBIBYTE
# What pyarrow's own objects weigh for one column of one buffered piece; with many partitions they outweigh the rows.
_PIECE_COLUMN_BYTES = 512
# Rows are routed in blocks of this size: small pieces of many partitions would drown in the cost per piece.
_STAGE_BYTES = 16 * MEBIBYTE


class AppendSink:
    """Takes rows of a table's logical file schema.

    ``ordered`` keeps the rows of a bucket in one writer; otherwise every encoder has a writer of its own, and a file beside the others'.
    ``continued`` sequence numbers follow those of the bucket's live files.
    """

    def __init__(self, context: WriteContext, bucketing: Bucketing, *, ordered: bool = False, continued: bool = False) -> None:
        self._context = context
        self._bucketing = bucketing
        self._router = Router(context.spec, bucketing)
        self._ordered = ordered
        self._continued = continued
        self._routed = bool(context.spec.partition_keys) or ordered
        self._lanes = Lanes(context.encoders, _IN_FLIGHT_BYTES)
        self._pool: WriterPool[tuple[bytes, int]] = WriterPool(self._lanes, context.open_limit)
        self._form: FileFormat | None = None
        self._staged: list[pa.RecordBatch] = []
        self._staged_bytes = 0
        self._buffers: Buffers[tuple[bytes, int]] = Buffers()
        self._buckets: dict[tuple[bytes, int], Bucket] = {}
        self._turn = 0

    def add(self, batch: pa.RecordBatch, schema: FileSchema) -> None:
        self._staged.append(batch)
        self._staged_bytes += batch.nbytes
        if self._staged_bytes >= (_STAGE_BYTES if self._routed else self._context.group_bytes):
            self._route_staged(schema)

    def prepare(self, schema: FileSchema | None) -> list[CommitMessage]:
        """Finish all files and describe them, one message per bucket with new files."""
        if schema is not None:
            self._route_staged(schema)
        for key, table, size in self._buffers.take_all():
            self._flush(key, table, size)
        files: dict[tuple[bytes, int], DataIncrement] = {}
        for key, writer in self._pool.finish():
            before = files.get(key, DataIncrement()).new_files
            files[key] = DataIncrement(new_files=(*before, *writer.take_files()))
        return [
            CommitMessage(partition=partition, bucket=bucket, total_buckets=self._bucketing.total_buckets(partition), data=data)
            for (partition, bucket), data in files.items()
            if data.new_files
        ]

    def release(self) -> None:
        self._pool.release()

    def abort(self) -> list[str]:
        return self._pool.abort()

    def close(self) -> None:
        self._pool.close()

    # -- what postponed tables do differently --------------------------------------------------------------------------------------

    def _columns(self, rows: pa.Table, schema: FileSchema) -> tuple[pa.Table, FileSchema]:
        """The rows with the columns that files have, and the schema of those files."""
        return rows, schema

    def _file_format(self, schema: FileSchema, rows: pa.Table) -> FileFormat:
        return self._context.file_format(self._profile, schema, rows)

    def _describer(self, bucket: Bucket, form: FileFormat) -> Describer:
        return AppendDescriber(
            form.schema.fields,
            schema_id=self._context.spec.schema_id,
            zone=self._context.zone,
            dense=self._context.options.stats_dense_store,
            next_sequence=self._first_sequence(bucket),
            restart=self._context.options.row_tracking,
        )

    @property
    def _profile(self) -> FileProfile:
        return self._context.options.data_profile

    # -- from rows to files --------------------------------------------------------------------------------------------------------

    def _first_sequence(self, bucket: Bucket) -> int:
        return self._context.state.max_sequence_number(*bucket.key) + 1 if self._continued else 0

    def _route_staged(self, schema: FileSchema) -> None:
        if not self._staged:
            return
        rows = pa.Table.from_batches(self._staged)
        row_bytes = self._staged_bytes / len(rows)
        self._staged, self._staged_bytes = [], 0
        rows, schema = self._columns(rows, schema)
        if self._form is None:
            self._form = self._file_format(schema, rows)
        for bucket, piece in self._router.route(rows):
            self._buckets[bucket.key] = bucket
            held = self._buffers.add(bucket.key, piece, int(row_bytes * len(piece)) + _PIECE_COLUMN_BYTES * piece.num_columns)
            if held >= self._context.group_bytes:
                self._flush(bucket.key, *self._buffers.take(bucket.key))
        if self._buffers.total_bytes > _BUFFER_BYTES:
            for key, largest, size in self._buffers.take_largest(_BUFFER_BYTES // 4):
                self._flush(key, largest, size)

    def _flush(self, key: tuple[bytes, int], table: pa.Table, size_bytes: int) -> None:
        """Hand rows of one bucket to an encoder."""
        if self._ordered:
            lane = lane_of(*key, len(self._lanes))
        else:
            lane = self._turn = (self._turn + 1) % len(self._lanes)
        self._pool.submit(key, lane, size_bytes, partial(self._writer, key), lambda writer: writer.write(table))

    def _writer(self, key: tuple[bytes, int]) -> RollingWriter:
        assert self._form is not None
        bucket = self._buckets[key]
        directory = self._context.paths.bucket(bucket.partition.values, bucket.number)
        return RollingWriter(
            directory, self._form, FileNames(self._context.run_id), self._profile.prefix, self._describer(bucket, self._form)
        )
