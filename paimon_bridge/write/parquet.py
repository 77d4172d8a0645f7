"""Data files of one (partition, bucket): opened as needed, rolled at the target size, described when closed, deleted on abort."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from paimon_bridge.model.file import APPEND_SOURCE, DataFileMeta
from paimon_bridge.model.options import MEBIBYTE, TableOptions
from paimon_bridge.model.table import TableSpec
from paimon_bridge.write.clock import local_millis
from paimon_bridge.write.filetypes import FileSchema
from paimon_bridge.write.names import writer_uuid
from paimon_bridge.write.stats import ColumnStats, FileStats, StatsPlan, simple_stats
from paimon_bridge.write.storage import Storage

# A row group in memory; Java's default of 128 MB would need most of a small worker.
ROW_GROUP_BYTES = 64 * MEBIBYTE
# Java looks at the file's size every so many rows; a smaller row group is not worth its headers.
_LEAST_ROWS = 1000


@dataclass(frozen=True, kw_only=True)
class FileFormat:
    """What all files of one write have in common."""

    spec: TableSpec
    options: TableOptions
    storage: Storage
    schema: FileSchema
    stats: StatsPlan
    arguments: dict[str, Any]
    zone: tzinfo
    run_id: str


class DataFile:
    """One Parquet file on its way to disk."""

    def __init__(self, path: str, sink: Any, form: FileFormat) -> None:
        self.path = path
        self.row_count = 0
        self._stored = form.schema.stored
        self._stats = FileStats(form.stats)
        self._footers: list[Any] = []
        self._sink = sink
        self._writer = pq.ParquetWriter(self._sink, self._stored, metadata_collector=self._footers, **form.arguments)

    @property
    def size(self) -> int:
        return int(self._sink.tell())

    def write(self, table: pa.Table) -> None:
        """Write rows of the logical schema as one row group."""
        if table.schema.types != self._stored.types:
            table = table.cast(self._stored)
        self._stats.observe(table)
        self._writer.write_table(table, row_group_size=len(table))
        self.row_count += len(table)

    def close(self) -> tuple[int, list[ColumnStats]]:
        """Finish the file; its size, and the statistics of its columns."""
        self._writer.close()
        size = self.size
        self._sink.close()
        return size, self._stats.finish(self._footers[0])

    def abandon(self) -> None:
        """Let go of the file without finishing it."""
        # The writer is not closed, and told not to do so itself: that would write a footer, and fail where the disk is full.
        self._writer.is_open = False
        self._sink.close()


class RollingWriter:
    """Writes the rows of one (partition, bucket) into files that roll at ``target-file-size``. Used by one thread at a time.

    Every file it opens is remembered until ``take_files`` hands them out; ``abort`` deletes what was not handed out.
    """

    def __init__(self, directory: str, form: FileFormat, next_sequence: int = 0) -> None:
        self._form = form
        self._directory = directory
        self._uuid = writer_uuid(form.run_id)
        self._counter = 0
        self._next_sequence = next_sequence
        self._file: DataFile | None = None
        self._paths: list[str] = []
        self._metas: list[DataFileMeta] = []
        self._target_size = form.options.target_file_size
        self._target_rows = form.options.target_file_row_num
        self._group_bytes = min(form.options.row_group_size, ROW_GROUP_BYTES)
        # Bytes of a file per byte in memory; 1 until the first row group tells.
        self._shrinkage = 1.0

    def write(self, table: pa.Table) -> None:
        """Write rows of the logical schema, as row groups of a fitting size."""
        while len(table):
            if self._file is None:
                self._file = self._open()
            before = self._file.size
            part = table.slice(0, self._fitting_rows(table, self._file))
            self._file.write(part)
            table = table.slice(len(part))
            self._shrinkage = max(0.01, (self._file.size - before) / max(1, part.nbytes))
            if self._file.size >= self._target_size or self._file.row_count == self._target_rows:
                self.roll()

    def roll(self) -> None:
        """Close the current file, if there is one; the next rows go to a new file."""
        if self._file is None:
            return
        size, stats = self._file.close()
        self._metas.append(self._describe(self._file, size, stats))
        self._next_sequence += self._file.row_count
        self._file = None

    def take_files(self) -> tuple[DataFileMeta, ...]:
        """Close, and hand out the files written so far. They are the caller's from here on."""
        self.roll()
        files = tuple(self._metas)
        self._metas.clear()
        self._paths.clear()
        return files

    def abort(self) -> list[str]:
        """Delete every file that was not handed out; the paths that could not be deleted, with the reason."""
        left = []
        if self._file is not None:
            left += _failure(self._file.abandon, self._form.storage.path(self._file.path))
            self._file = None
        for path in self._paths:
            left += _failure(partial(self._form.storage.delete, path), self._form.storage.path(path))
        self._paths.clear()
        self._metas.clear()
        return left

    def _open(self) -> DataFile:
        options = self._form.options
        name = f"{options.data_file_prefix}{self._uuid}-{self._counter}.{options.file_extension}"
        self._counter += 1
        path = f"{self._directory}/{name}"
        # Remembered as ours only once it is: a name that was taken already must survive our abort.
        sink = self._form.storage.create(path)
        self._paths.append(path)
        return DataFile(path, sink, self._form)

    def _fitting_rows(self, table: pa.Table, file: DataFile) -> int:
        row_bytes = max(1.0, table.nbytes / len(table))
        room = (self._target_size - file.size) / self._shrinkage
        rows = max(_LEAST_ROWS, int(min(room, self._group_bytes) / row_bytes))
        # A last row group of a few rows costs more than a slightly larger one before it.
        rows = len(table) if len(table) <= rows * 1.25 else rows
        return rows if self._target_rows is None else min(rows, self._target_rows - file.row_count)

    def _describe(self, file: DataFile, size: int, stats: list[ColumnStats]) -> DataFileMeta:
        form = self._form
        value_stats, columns = simple_stats(form.schema.fields, stats, dense=form.options.stats_dense_store)
        return DataFileMeta(
            file_name=file.path.rpartition("/")[2],
            file_size=size,
            row_count=file.row_count,
            value_stats=value_stats,
            value_stats_cols=columns,
            min_sequence_number=self._next_sequence,
            max_sequence_number=self._next_sequence + file.row_count - 1,
            schema_id=form.spec.schema_id,
            creation_time_millis=local_millis(form.zone),
            delete_row_count=0,
            file_source=APPEND_SOURCE,
        )


def _failure(action: Callable[[], None], path: str) -> list[str]:
    try:
        action()
    except (OSError, pa.ArrowException) as error:
        return [f"{path} ({error})"]
    return []
