"""The writers without Spark, in pypaimon's words: in a script, a pool, a Ray task. Messages go to the driver; the commit is made there."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

import pyarrow as pa

from paimon_bridge.errors import WriteError
from paimon_bridge.model.table import TableSpec
from paimon_bridge.wire import Envelope, Messages, encode
from paimon_bridge.write.columns import InputFinding, refuse
from paimon_bridge.write.context import WriteContext
from paimon_bridge.write.filetypes import file_schema
from paimon_bridge.write.task import give_up
from paimon_bridge.write.writer import TableWriter

if TYPE_CHECKING:
    import pandas

# A process that writes one table at a time has a second core to spare more often than not.
_ENCODERS = 2


class WriteBuilder:
    """Makes writers of one table. Immutable in use: ``with_overwrite`` returns the builder it was called on, as pypaimon's does."""

    def __init__(self, spec: TableSpec, *, commit_user: str | None = None) -> None:
        self._spec = spec
        self.commit_user = commit_user or f"pb-{uuid.uuid4()}"
        self.static_partition: dict[str, Any] | None = None

    @property
    def table_name(self) -> str:
        return self._spec.name

    def with_overwrite(self, static_partition: Mapping[str, Any] | None = None) -> WriteBuilder:
        """Write rows that are to replace a partition (``{"dt": date(2026, 6, 26)}``), or with ``{}`` the partitions they belong to.

        The replacing itself is an argument of the commit: ``bridge.commit(messages, overwrite=builder.static_partition)``.
        """
        self.static_partition = dict(static_partition or {})
        return self

    def new_write(self, *, encoders: int = _ENCODERS) -> TableWrite:
        """A writer; ``encoders`` is the number of threads that write Parquet beside the calling one."""
        return TableWrite(self._spec, commit_user=self.commit_user, encoders=encoders, overwrite=self.static_partition is not None)


class TableWrite:
    """Writes Arrow and pandas rows to data files. Nothing is visible before its messages are committed.

    ``prepare_commit`` may be called more than once; each call hands out what was written since the last. ``close`` deletes what was
    not handed out. After an exception the writer has deleted its files and takes no more rows. Not for several threads.
    """

    def __init__(self, spec: TableSpec, *, commit_user: str, encoders: int, overwrite: bool = False) -> None:
        self._spec = spec
        self._commit_user = commit_user
        self._run_id = str(uuid.uuid4())
        context = WriteContext.of(spec, run_id=self._run_id, commit_user=commit_user, encoders=encoders, overwrite=overwrite)
        self._writer = TableWriter(context)
        self._ended = False

    def write_arrow(self, table: pa.Table | pa.RecordBatch) -> None:
        """Write a table, matched by column names."""
        for batch in [table] if isinstance(table, pa.RecordBatch) else table.to_batches():
            self.write_arrow_batch(batch)

    def write_arrow_batch(self, batch: pa.RecordBatch) -> None:
        self._check_usable()
        try:
            self._writer.write(batch)
        except BaseException as failure:
            self._fail(failure)

    def write_pandas(self, frame: pandas.DataFrame) -> None:
        """Write a pandas frame; its columns are converted to the table's types, its index is not written."""
        self._check_usable()
        try:
            table = _from_pandas(frame, self._spec)
        except BaseException as failure:
            self._fail(failure)
        self.write_arrow(table)

    def prepare_commit(self) -> Messages:
        """Finish the files; the messages that describe those written since the last call. Without rows there are none in it."""
        self._check_usable()
        try:
            payloads = tuple(encode(message, self._spec.message_version, self._spec) for message in self._writer.prepare())
        except BaseException as failure:
            self._fail(failure)
        self._writer.release()
        envelope = Envelope(
            version=self._spec.message_version,
            table_id=self._spec.table_id,
            table=self._spec.name,
            schema_id=self._spec.schema_id,
            commit_user=self._commit_user,
            run_id=self._run_id,
            payloads=payloads,
        )
        return Messages([envelope])

    def close(self) -> None:
        """End the writer. Files that no ``prepare_commit`` handed out are deleted; WriteError names those that could not be."""
        if self._ended:
            return
        self._ended = True
        left = self._writer.abort()
        if left:
            raise WriteError(
                f"closing a writer of {self._spec.name} could not delete its unfinished files: {', '.join(left)}",
                remedy="delete them by hand; no snapshot refers to them.",
                details={"files": left},
            )

    def __enter__(self) -> TableWrite:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _check_usable(self) -> None:
        if self._ended:
            raise WriteError(
                f"this writer of {self._spec.name} is closed, or has failed before",
                code="WRITER_CLOSED",
                remedy="make a new one with new_write(), and write all rows again that were not prepared for a commit.",
            )

    def _fail(self, failure: BaseException) -> NoReturn:
        self._ended = True
        give_up(self._writer, failure, self._spec, "")


def _from_pandas(frame: pandas.DataFrame, spec: TableSpec) -> pa.Table:
    """A frame in the table's types where the names agree; other columns as pyarrow sees them, to be refused by name."""
    logical = file_schema(spec.fields).logical
    arrays, findings = [], []
    for name in frame.columns:
        wanted = logical.field(name).type if name in spec.field_by_name else None
        try:
            arrays.append(pa.array(frame[name], type=wanted, from_pandas=True))
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
            findings.append(InputFinding(code="COLUMN_TYPE", column=str(name), message=str(error)))
    if findings:
        raise refuse(findings, spec)
    return pa.table(arrays, names=[str(name) for name in frame.columns])
