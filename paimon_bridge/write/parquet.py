"""Data files of one (partition, bucket): opened as needed, rolled at the target size, described when closed, deleted on abort."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from paimon_bridge.model.file import DataFileMeta
from paimon_bridge.model.options import MEBIBYTE
from paimon_bridge.write.describe import ClosedFile, Describer
from paimon_bridge.write.fileindex import FileIndexWriter, IndexPlan
from paimon_bridge.write.filetypes import FileSchema
from paimon_bridge.write.names import FileNames
from paimon_bridge.write.orc import OrcFile
from paimon_bridge.write.stats import FileStats, StatsPlan
from paimon_bridge.write.storage import Storage

# A row group in memory; Java's default of 128 MB would need most of a small worker.
ROW_GROUP_BYTES = 64 * MEBIBYTE
# Java looks at the file's size every so many rows; a smaller row group is not worth its headers.
_LEAST_ROWS = 1000


@dataclass(frozen=True, kw_only=True)
class FileFormat:
    """What all files of one kind have in common in one write: their columns, encodings, statistics and bounds."""

    storage: Storage
    schema: FileSchema
    stats: StatsPlan
    arguments: dict[str, Any]
    extension: str
    target_size: int
    target_rows: int | None
    group_bytes: int
    index: IndexPlan | None = None
    orc: bool = False


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

    def close(self) -> ClosedFile:
        """Finish the file; what there is to say about it."""
        self._writer.close()
        size = self.size
        self._sink.close()
        stats = self._stats.finish(self._footers[0])
        return ClosedFile(name=self.path.rpartition("/")[2], size=size, row_count=self.row_count, stats=stats)

    def abandon(self) -> None:
        """Let go of the file without finishing it."""
        # The writer is not closed, and told not to do so itself: that would write a footer, and fail where the disk is full.
        self._writer.is_open = False
        self._sink.close()


class RollingWriter:
    """Writes the rows of one (partition, bucket) into files that roll at ``target-file-size``. Used by one thread at a time.

    Every file it makes is remembered until it is released; ``abort`` deletes what was not.
    """

    def __init__(self, directory: str, form: FileFormat, names: FileNames, prefix: str, describer: Describer) -> None:
        self._form = form
        self._directory = directory
        self._names = names
        self._prefix = prefix
        self._describer = describer
        self._file: DataFile | OrcFile | None = None
        self._index: FileIndexWriter | None = None
        self._paths: list[str] = []
        self._metas: list[DataFileMeta] = []
        # Bytes of a file per byte in memory; 1 until the first row group tells.
        self._shrinkage = 1.0

    def write(self, table: pa.Table) -> None:
        """Write rows of the logical schema, as row groups of a fitting size."""
        while len(table):
            if self._file is None:
                self._file = self._open()
            before = self._file.size
            part = table.slice(0, self._fitting_rows(table, self._file))
            self._describer.observe(part)
            if self._index is not None:
                self._index.observe(part)
            self._file.write(part)
            table = table.slice(len(part))
            self._shrinkage = max(0.01, (self._file.size - before) / max(1, part.nbytes))
            if self._file.size >= self._form.target_size or self._file.row_count == self._form.target_rows:
                self.roll()

    def roll(self) -> None:
        """Close the current file, if there is one; the next rows go to a new file."""
        if self._file is None:
            return
        closed = self._file.close()
        if self._index is not None:
            closed = replace(closed, **self._finished_index(closed.name))
        self._metas.append(self._describer.finish(closed))
        self._file = None

    def _finished_index(self, name: str) -> dict[str, Any]:
        """The index of a file where a reader looks for it: in its description if it is small, else beside the file."""
        assert self._index is not None
        assert self._form.index is not None
        data, self._index = self._index.finish(), None
        if len(data) <= self._form.index.threshold:
            return {"embedded_index": data}
        path = f"{self._directory}/{name}.index"
        sink = self._form.storage.create(path)
        self._paths.append(path)
        with sink:
            sink.write(data)
        return {"extra_files": (f"{name}.index",)}

    def take_files(self) -> tuple[DataFileMeta, ...]:
        """Close, and describe the files written since the last time."""
        self.roll()
        files = tuple(self._metas)
        self._metas.clear()
        return files

    def release(self) -> None:
        """The files made so far are described safely and are no longer ours to delete."""
        self._paths.clear()

    def abort(self) -> list[str]:
        """Delete every file that was not released; the paths that could not be deleted, with the reason."""
        left = []
        if self._file is not None:
            try:
                self._file.abandon()
            except (OSError, pa.ArrowException) as error:
                left.append(f"{self._form.storage.path(self._file.path)} ({error})")
            self._file = None
        left += self._form.storage.delete_all(self._paths)
        self._paths.clear()
        self._metas.clear()
        return left

    def _open(self) -> DataFile | OrcFile:
        path = f"{self._directory}/{self._names.next(self._prefix, self._form.extension)}"
        # Remembered as ours only once it is: a name that was taken already must survive our abort.
        sink = self._form.storage.create(path)
        self._paths.append(path)
        if self._form.index is not None:
            self._index = FileIndexWriter(self._form.index)
        form = self._form
        return OrcFile(path, sink, form.schema, form.stats, form.arguments) if form.orc else DataFile(path, sink, form)

    def _fitting_rows(self, table: pa.Table, file: DataFile | OrcFile) -> int:
        row_bytes = max(1.0, table.nbytes / len(table))
        room = (self._form.target_size - file.size) / self._shrinkage
        rows = max(_LEAST_ROWS, int(min(room, self._form.group_bytes) / row_bytes))
        # A last row group of a few rows costs more than a slightly larger one before it.
        rows = len(table) if len(table) <= rows * 1.25 else rows
        return rows if self._form.target_rows is None else min(rows, self._form.target_rows - file.row_count)
