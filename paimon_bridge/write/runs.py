"""Sorted runs of level 0: what one encoder does with its share of a write buffer, from sorting to closed files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paimon_bridge.model.file import DataFileMeta
from paimon_bridge.write.context import WriteContext
from paimon_bridge.write.describe import KeyValueDescriber, whole
from paimon_bridge.write.encoding import SAMPLE_ROWS
from paimon_bridge.write.filetypes import FileSchema
from paimon_bridge.write.keyvalue import KeyValueColumns, key_value_schema
from paimon_bridge.write.merge import Merger, Run
from paimon_bridge.write.names import FileNames
from paimon_bridge.write.order import Code, RowOrder, Rows, column_codes, group_code, sort_rows
from paimon_bridge.write.parquet import FileFormat, RollingWriter
from paimon_bridge.write.router import Assignment, Bucket

Key = tuple[bytes, int]
# The files of one bucket of one buffer: the buffer's number, the bucket, whether they are changelog files, the files in key order.
RunFiles = tuple[int, Key, bool, tuple[DataFileMeta, ...]]


@dataclass(frozen=True)
class WriteBuffer:
    """Rows to be written together, each column in one piece: where they go, their sequence numbers, the types of their columns."""

    number: int
    rows: pa.Table
    assignment: Assignment
    sequences: npt.NDArray[np.int64]
    schema: FileSchema


class RunWriter:
    """Makes sorted runs of the buckets of one encoder. Used by that encoder's thread, and by others only while it rests."""

    def __init__(self, context: WriteContext) -> None:
        self._context = context
        self._columns = KeyValueColumns(context.spec)
        self._merger = Merger(context.spec)
        self._changelog = context.options.changelog_producer == "input"
        self._forms: dict[bool, FileFormat] = {}
        # Data and changelog files of a bucket; they share one uuid and one counter.
        self._writers: dict[tuple[Key, bool], RollingWriter] = {}
        self._names: dict[Key, FileNames] = {}
        self._made: list[RunFiles] = []

    def write(self, buffer: WriteBuffer, rows: Rows | None) -> None:
        """Sort, merge and write rows of a buffer; None stands for all of them."""
        order = self._sorted(buffer, rows)
        if self._changelog:
            self._write_run(buffer, Run(rows=order.rows), changelog=True)
        for run in self._merger.runs(buffer.rows, order):
            self._write_run(buffer, run, changelog=False)

    def take_files(self) -> list[RunFiles]:
        """What was written since the last time."""
        made, self._made = self._made, []
        return made

    def release(self) -> None:
        for writer in self._writers.values():
            writer.release()

    def abort(self) -> list[str]:
        return [failure for writer in self._writers.values() for failure in writer.abort()]

    def _sorted(self, buffer: WriteBuffer, rows: Rows | None) -> RowOrder:
        """Rows by bucket and key; rows of one key by the table's sequence fields, then by arrival."""
        spec, options = self._context.spec, self._context.options

        def codes_of(name: str, descending: bool = False) -> Iterator[Code]:
            column = whole(buffer.rows.column(name))
            if rows is not None:
                column = column.take(pa.array(rows))
            return column_codes(column, spec.field_by_name[name].type, descending=descending)

        groups = buffer.assignment.codes if rows is None else buffer.assignment.codes[rows]
        buckets = [group_code(groups, len(buffer.assignment.buckets))]
        key = chain(buckets, *map(codes_of, self._columns.key_names))
        within = chain(*(codes_of(name, options.sequence_descending) for name in options.sequence_fields))
        order = sort_rows(len(groups), key, within)
        return order if rows is None else RowOrder(rows[order.rows], order.starts)

    def _write_run(self, buffer: WriteBuffer, run: Run, *, changelog: bool) -> None:
        """Write a sorted run, each bucket's part to files of its own."""
        form = self._form(buffer, run, changelog)
        codes = buffer.assignment.codes[run.rows]
        starts = [0, *(np.flatnonzero(codes[1:] != codes[:-1]) + 1).tolist()]
        for start, end in zip(starts, [*starts[1:], len(codes)], strict=True):
            bucket = buffer.assignment.buckets[codes[start]]
            writer = self._writer(bucket, form, changelog)
            writer.write(self._table(buffer, run.slice(start, end), form.schema))
            self._made.append((buffer.number, bucket.key, changelog, writer.take_files()))

    def _table(self, buffer: WriteBuffer, run: Run, schema: FileSchema) -> pa.Table:
        return self._columns.table(run.table(buffer.rows), buffer.sequences[run.rows], schema.logical)

    def _form(self, buffer: WriteBuffer, run: Run, changelog: bool) -> FileFormat:
        if changelog not in self._forms:
            schema = key_value_schema(self._columns, buffer.schema)
            # Neighbours in the order of the file: sorted keys are encoded best in another way than the rows as they came.
            middle = max(0, len(run.rows) // 2 - SAMPLE_ROWS // 2)
            sample = self._table(buffer, run.slice(middle, middle + SAMPLE_ROWS), schema)
            options = self._context.options
            profile = options.changelog_profile if changelog else options.level_0_profile
            thin_keys = self._columns.key_names if self._columns.thin else ()
            self._forms[changelog] = self._context.file_format(profile, schema, sample, thin_keys=thin_keys)
        return self._forms[changelog]

    def _writer(self, bucket: Bucket, form: FileFormat, changelog: bool) -> RollingWriter:
        writer = self._writers.get((bucket.key, changelog))
        if writer is None:
            context, options = self._context, self._context.options
            describer = KeyValueDescriber(
                form.schema.fields, self._columns.keys, schema_id=context.spec.schema_id, zone=context.zone, dense=options.stats_dense_store
            )
            directory = context.paths.bucket(bucket.partition.values, bucket.number)
            names = self._names.setdefault(bucket.key, FileNames(context.run_id))
            prefix = (options.changelog_profile if changelog else options.level_0_profile).prefix
            writer = self._writers[bucket.key, changelog] = RollingWriter(directory, form, names, prefix, describer)
        return writer
