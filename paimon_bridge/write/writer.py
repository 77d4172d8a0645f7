"""From record batches to commit messages, for one table in one process: match, convert, route, buffer, encode, describe."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from functools import partial

import pyarrow as pa

from paimon_bridge.model.message import CommitMessage, DataIncrement
from paimon_bridge.model.options import MEBIBYTE, TableOptions
from paimon_bridge.model.table import TableSpec
from paimon_bridge.write.buffers import Buffers
from paimon_bridge.write.clock import java_zone
from paimon_bridge.write.columns import ColumnConverter, match_columns
from paimon_bridge.write.encoding import sample_of, writer_arguments
from paimon_bridge.write.kinds import check_table
from paimon_bridge.write.lanes import Lanes
from paimon_bridge.write.parquet import ROW_GROUP_BYTES, FileFormat, RollingWriter
from paimon_bridge.write.paths import PathFactory
from paimon_bridge.write.router import Partition, PartitionRouter
from paimon_bridge.write.stats import StatsPlan
from paimon_bridge.write.storage import Storage

# Together these bound a worker's memory, however many rows and partitions it gets.
_BUFFER_BYTES = 96 * MEBIBYTE
_IN_FLIGHT_BYTES = 64 * MEBIBYTE
# What pyarrow's own objects weigh for one column of one buffered piece; with many partitions they outweigh the rows.
_PIECE_COLUMN_BYTES = 512
# Rows are routed in blocks of this size: small pieces of many partitions would drown in the cost per piece.
_STAGE_BYTES = 16 * MEBIBYTE
# Open files cost file handles and, on object stores, an upload buffer each.
_OPEN_FILES_LOCAL = 256
_OPEN_FILES_REMOTE = 32

# Append tables without buckets keep all files of a partition in this one.
_UNAWARE_BUCKET = 0
_UNAWARE_TOTAL = -1


class TableWriter:
    """Writes batches to data files and describes them. Not for several threads; makes ``encoders`` threads of its own.

    After any exception only ``abort`` may be called; it deletes every file that no message was handed out for.
    """

    def __init__(self, spec: TableSpec, *, run_id: str, encoders: int = 1) -> None:
        check_table(spec)
        self._spec = spec
        self._options = TableOptions(spec)
        self._run_id = run_id
        self._storage = Storage(spec.path)
        self._paths = PathFactory(spec)
        self._router = PartitionRouter(spec)
        self._lanes = Lanes(encoders, _IN_FLIGHT_BYTES)
        self._group_bytes = min(self._options.row_group_size, ROW_GROUP_BYTES // encoders)
        self._open_limit = _OPEN_FILES_LOCAL if self._storage.is_local else _OPEN_FILES_REMOTE
        self._row_count = 0
        self._input_schema: pa.Schema | None = None
        self._converter: ColumnConverter | None = None
        self._form: FileFormat | None = None
        self._staged: list[pa.RecordBatch] = []
        self._staged_bytes = 0
        self._buffers: Buffers[bytes] = Buffers()
        self._partitions: dict[bytes, Partition] = {}
        # Writers by partition and lane, least recently used first; a writer is touched only by its lane's thread.
        self._writers: OrderedDict[tuple[bytes, int], RollingWriter] = OrderedDict()
        self._open: OrderedDict[tuple[bytes, int], None] = OrderedDict()
        self._next_lane = 0

    def write(self, batch: pa.RecordBatch) -> None:
        """Take rows. They are on disk when ``prepare`` returns."""
        if not len(batch):
            return
        converted = self._convert(batch)
        self._row_count += len(batch)
        self._staged.append(converted)
        self._staged_bytes += converted.nbytes
        if self._staged_bytes >= (_STAGE_BYTES if self._spec.partition_keys else self._group_bytes):
            self._route_staged()

    def prepare(self) -> list[CommitMessage]:
        """Finish all files and describe them, one message per partition. More rows may follow, for further messages."""
        self._route_staged()
        for key, table, size in self._buffers.take_all():
            self._flush(key, table, size)
        for (_, lane), writer in self._writers.items():
            self._lanes.submit(lane, 0, writer.roll)
        self._lanes.drain()
        self._open.clear()
        files: dict[bytes, list[RollingWriter]] = {}
        for (key, _), writer in self._writers.items():
            files.setdefault(key, []).append(writer)
        messages = [
            CommitMessage(
                partition=key,
                bucket=_UNAWARE_BUCKET,
                total_buckets=_UNAWARE_TOTAL,
                data=DataIncrement(new_files=tuple(meta for writer in writers for meta in writer.take_files())),
            )
            for key, writers in files.items()
        ]
        return [message for message in messages if message.data.new_files]

    def abort(self) -> list[str]:
        """Stop, and delete every file that ``prepare`` has not handed out; what could not be deleted, with the reason."""
        self._lanes.stop()
        return [failure for writer in self._writers.values() for failure in writer.abort()]

    def close(self) -> None:
        """End the threads. Files that ``prepare`` handed out stay."""
        self._lanes.stop()

    def _convert(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        if self._converter is None or self._input_schema != batch.schema:
            match = match_columns(batch.schema, self._spec)
            if self._converter is not None:
                # Files stay as they were begun, whatever units later batches have.
                match = replace(match, schema=self._converter.schema)
            self._input_schema, self._converter = batch.schema, ColumnConverter(match, self._spec)
        return self._converter.convert(batch, self._row_count)

    def _route_staged(self) -> None:
        if not self._staged:
            return
        table = pa.Table.from_batches(self._staged)
        row_bytes = self._staged_bytes / len(table)
        self._staged, self._staged_bytes = [], 0
        if self._form is None:
            self._form = self._file_format(table)
        for partition, piece in self._router.route(table):
            self._partitions[partition.row] = partition
            held = self._buffers.add(partition.row, piece, int(row_bytes * len(piece)) + _PIECE_COLUMN_BYTES * piece.num_columns)
            if held >= self._group_bytes:
                self._flush(partition.row, *self._buffers.take(partition.row))
        if self._buffers.total_bytes > _BUFFER_BYTES:
            for key, largest, size in self._buffers.take_largest(_BUFFER_BYTES // 4):
                self._flush(key, largest, size)

    def _file_format(self, table: pa.Table) -> FileFormat:
        assert self._converter is not None
        schema = self._converter.schema
        sample = sample_of(table)
        return FileFormat(
            spec=self._spec,
            options=self._options,
            storage=self._storage,
            schema=schema,
            stats=StatsPlan(schema.fields, self._options.stats_modes([field.name for field in schema.fields]), self._spec.release),
            arguments=writer_arguments(self._options, schema, sample.cast(schema.stored)),
            zone=java_zone(self._spec.zone_id),
            run_id=self._run_id,
        )

    def _flush(self, key: bytes, table: pa.Table, size_bytes: int) -> None:
        """Hand rows of one partition to an encoder."""
        lane = self._next_lane
        self._next_lane = (lane + 1) % len(self._lanes)
        writer = self._writers.get((key, lane))
        if writer is None:
            assert self._form is not None
            directory = self._paths.bucket(self._partitions[key].values, _UNAWARE_BUCKET)
            writer = self._writers[key, lane] = RollingWriter(directory, self._form)
        self._open[key, lane] = None
        self._open.move_to_end((key, lane))
        while len(self._open) > self._open_limit:
            oldest, _ = self._open.popitem(last=False)
            self._lanes.submit(oldest[1], 0, self._writers[oldest].roll)
        self._lanes.submit(lane, size_bytes, partial(writer.write, table))
