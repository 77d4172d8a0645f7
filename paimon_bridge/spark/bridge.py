"""Bridge: what users hold. It reads like the data flow: describe, write, check, commit, abort, read back."""

from __future__ import annotations

import json
import sys
import tempfile
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from paimon_bridge.errors import BridgeError, CommitStateUnknownError, ShimError, TableError, WriteError
from paimon_bridge.model.commitplan import CommitPlan
from paimon_bridge.model.report import AbortResult, CommitResult, ConformanceReport
from paimon_bridge.model.state import TableState
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import parse_field
from paimon_bridge.spark.gateway import Shim
from paimon_bridge.spark.job import run_write
from paimon_bridge.spark.overwrite import Overwrite, overwrite_request
from paimon_bridge.spark.plan import WritePlan, slots_of
from paimon_bridge.spark.schema import input_schema, table_fields
from paimon_bridge.spark.tested import require_tested
from paimon_bridge.wire import Envelope, Messages, wrap_foreign
from paimon_bridge.write.leftovers import remove_run_files
from paimon_bridge.write.owners import needs_owners
from paimon_bridge.write.rowkinds import parse_kind
from paimon_bridge.write.schema import check_input, read_schema
from paimon_bridge.write.stages import WriteRequest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

LEVELS = ("off", "fast", "full")
# The identifier of a commit whose caller gave none. Never Long.MAX_VALUE, Paimon's batch identifier: every later commit of the same user
# would be filtered away without a word.
FIRST_IDENTIFIER = 1


class Bridge:
    """A Spark session's way into Paimon tables.

    ``catalog_options`` are those of any Paimon catalog, such as ``{"warehouse": "file:/data/warehouse"}``. Making a Bridge asks the
    session's JVM for the shim and for its Paimon, and says precisely what is missing; it opens no catalog and changes nothing.

    A Paimon that this version was not tested with is warned of; with ``strict`` it is refused, and so is a jar with other bytes.
    """

    def __init__(self, spark: SparkSession, catalog_options: Mapping[str, str], *, strict: bool = False) -> None:
        self._spark = spark
        self._catalog = json.dumps({str(key): str(value) for key, value in catalog_options.items()})
        self._shim = Shim(spark)
        require_tested(self._shim.info, strict=strict)

    @property
    def release(self) -> str:
        """The Paimon release on the driver's class path."""
        return str(self._shim.info["paimonRelease"])

    @property
    def message_version(self) -> int:
        """The commit-message version that this Paimon speaks."""
        return int(self._shim.info["messageVersion"])

    def __repr__(self) -> str:
        # The catalog options may hold secrets, so only their names are shown.
        options = ", ".join(sorted(json.loads(self._catalog)))
        return f"<Bridge to Paimon {self.release}, messages at version {self.message_version}, catalog options: {options}>"

    def create_table(
        self,
        name: str,
        schema: pa.Schema | StructType,
        primary_key: Sequence[str] = (),
        partitioned_by: Sequence[str] = (),
        options: Mapping[str, str] | None = None,
        if_not_exists: bool = False,
        comment: str | None = None,
    ) -> TableSpec:
        """Make a table through Paimon Java, and its database where that is missing. Raises TableError if the table exists already.

        With ``if_not_exists`` an existing table is described and returned as it is, whatever its schema.
        """
        shape = {
            "fields": table_fields(schema),
            "primaryKeys": list(primary_key),
            "partitionKeys": list(partitioned_by),
            "options": {str(key): _option_text(value) for key, value in (options or {}).items()},
            "comment": comment,
        }
        return self._with_state(TableSpec.from_json(self._shim.call("createTable", self._catalog, name, json.dumps(shape), if_not_exists)))

    def describe(self, table: str, *, state: bool = True) -> TableSpec:
        """Everything a writer must know of the table, as a picklable value.

        For tables with buckets that includes what each bucket holds now, which costs a scan of the table's manifests and is good for
        one write: describe the table again after a commit. ``state=False`` leaves it out.
        """
        spec = TableSpec.from_json(self._shim.call("describe", self._catalog, table))
        return self._with_state(spec) if state else spec

    def _with_state(self, spec: TableSpec) -> TableSpec:
        if not needs_owners(spec):
            return spec
        return replace(spec, state=TableState.from_json(self._shim.call("bucketState", self._catalog, json.dumps({"table": spec.name}))))

    def write(
        self,
        df: DataFrame,
        table: str,
        *,
        row_kind: str = "+I",
        overwrite: Overwrite = None,
        owners: int | None = None,
        commit_user: str | None = None,
        progress: bool | None = None,
    ) -> Messages:
        """Write the rows of ``df`` as data files of ``table``, on the executors. Runs one Spark job at once; nothing is visible yet.

        The messages that describe the files are returned, to be checked and committed. Columns are matched by name. ``row_kind`` is the
        kind of rows whose table has no rowkind.field and that bring no ``_VALUE_KIND`` column: +I, -U, +U or -D. With ``overwrite``
        (as the commit takes it) the rows are numbered as if the table were empty; say the same to ``commit``.
        ``owners`` is the number of writing tasks where rows are shuffled, see ``explain``. ``progress`` shows a bar; by default only on a
        terminal. A failure leaves no snapshot; files of this write are removed, or named in the error.
        """
        parse_kind(row_kind)
        replacing = overwrite not in (None, False)
        spec = self.describe(table, state=not replacing)
        plan = self._plan(df, spec, owners=owners, overwrite=replacing)
        request = WriteRequest(
            spec=spec,
            run_id=str(uuid.uuid4()),
            commit_user=commit_user or f"pb-{uuid.uuid4()}",
            overwrite=replacing,
            row_kind=row_kind,
            slots=slots_of(plan.owners) if plan.owners is not None else (),
            row_bytes=plan.exchange_row_bytes,
        )
        shown = sys.stderr.isatty() if progress is None else progress
        try:
            envelopes = run_write(df, plan, request, progress=shown)
        except WriteError as failure:
            left = remove_run_files(spec, request.run_id)
            failure.details["files"] = left
            if left:
                failure.remedy += f" These files of the failed write could not be removed; no snapshot refers to them: {', '.join(left)}"
            raise
        if not envelopes:  # a frame without partitions runs no task
            envelopes = [_empty(spec, request.commit_user, request.run_id).encode()]
        return Messages.from_bytes(b"".join(envelopes))

    def explain(self, df: DataFrame, table: str, *, overwrite: Overwrite = None, owners: int | None = None) -> WritePlan:
        """What ``write`` would do with ``df``: print it, take its JSON, or look at it in a notebook. Runs no job."""
        return self._plan(df, self.describe(table), owners=owners, overwrite=overwrite not in (None, False))

    def _plan(self, df: DataFrame, spec: TableSpec, *, owners: int | None, overwrite: bool) -> WritePlan:
        plan = WritePlan.of(df, spec, owners=owners, overwrite=overwrite)
        check_input(input_schema(df.schema), spec)
        return plan

    def check(self, messages: Any, *, table: str | None = None, level: str = "fast", overwrite: Overwrite = None) -> ConformanceReport:
        """Run the gate alone: what a commit would refuse, without committing. Accepts what ``commit`` accepts."""
        ours = self._ours(messages, table)
        return ConformanceReport.from_json(self._send("check", ours, level=_known(level), overwrite=self._replacing(ours, overwrite)))

    def commit(
        self,
        messages: Any,
        *,
        table: str | None = None,
        level: str = "fast",
        commit_user: str | None = None,
        identifier: int | None = None,
        overwrite: Overwrite = None,
        tag: str | None = None,
        properties: Mapping[str, str] | None = None,
        watermark: int | None = None,
        first_commit: bool = False,
    ) -> CommitResult:
        """Check the messages, then make one snapshot of them by Paimon Java.

        Takes ``Messages``, or with ``table`` the messages of another writer: pypaimon or pypaimon-rust objects, or ``(data, version)``
        pairs. Repeating a commit with the same user and identifier is safe at any time and makes no second snapshot.

        ``overwrite`` replaces rows: ``{}`` (or True) those of the partitions that the new files lie in, ``{"dt": date(2026, 6, 26)}``
        those of the stated partitions, ``"truncate"`` all. The last two also without any message; the first then does nothing. What the
        table's option ``dynamic-partition-overwrite`` says does not matter.

        ``tag`` names a tag for the snapshot; ``properties`` (Paimon 1.2 and later) and ``watermark`` (milliseconds) are kept in it.
        ``first_commit`` vouches that nothing was committed under this identity where the history that would show it has expired.

        Raises ConformanceError (refused, all findings, table untouched), CommitConflictError (not committed), CommitError (not
        committed, for the reason it gives) or CommitStateUnknownError (may be committed: repeat the same call to learn the truth;
        nothing was deleted).
        """
        ours = self._ours(messages, table)
        user = commit_user or ours.commit_user
        chosen = FIRST_IDENTIFIER if identifier is None else identifier
        request = {
            "level": _known(level),
            "commitUser": user,
            "identifier": chosen,
            "overwrite": self._replacing(ours, overwrite),
            "tag": tag,
            "properties": {str(key): str(value) for key, value in (properties or {}).items()},
            "watermark": watermark,
            "firstCommit": first_commit,
        }
        try:
            answer = self._send("commit", ours, **request)
        except (ShimError, KeyboardInterrupt) as broken:
            if isinstance(broken, ShimError) and broken.code != "GATEWAY_GONE":
                raise
            raise CommitStateUnknownError(
                f"The commit to {ours.table} was under way when its answer was lost; it may have succeeded.",
                where=f"commit user {user}, identifier {chosen}",
                remedy="repeat the commit with the same messages, user and identifier: it answers ALREADY_COMMITTED or commits now. "
                "Delete no file.",
            ) from broken
        return CommitResult.from_json(ours.table, answer)

    def explain_commit(
        self,
        messages: Any,
        *,
        table: str | None = None,
        level: str = "fast",
        commit_user: str | None = None,
        identifier: int | None = None,
        overwrite: Overwrite = None,
        tag: str | None = None,
    ) -> CommitPlan:
        """A dry run of ``commit``: kinds of snapshots, partitions, files and rows that would come and go, and everything in the way.

        Changes nothing, and raises nothing that the commit would refuse: the plan lists it.
        """
        ours = self._ours(messages, table)
        request = {
            "level": _known(level),
            "commitUser": commit_user or ours.commit_user,
            "identifier": FIRST_IDENTIFIER if identifier is None else identifier,
            "overwrite": self._replacing(ours, overwrite),
            "tag": tag,
        }
        return CommitPlan.from_json(ours.table, self._send("explainCommit", ours, **request))

    def abort(self, messages: Messages) -> AbortResult:
        """Delete the files of messages that will not be committed.

        A file that any snapshot refers to is kept, and named with the reason.
        """
        return AbortResult.from_json(self._send("abort", self._ours(messages, None), level="off"))

    def read_arrow(self, table: str, snapshot: int | None = None, columns: Sequence[str] | None = None) -> pa.Table:
        """Read the table with Paimon Java's own reader, on the driver: for round trips and tests, not for analytics.

        The rows travel as Parquet files in a private folder, never through the gateway.
        """
        request = {"table": table, "snapshot": snapshot, "columns": list(columns) if columns is not None else None}
        with tempfile.TemporaryDirectory(prefix="paimon-bridge-read-") as folder:
            answer = self._shim.call("read", self._catalog, json.dumps(request), folder)
            schema = read_schema(tuple(parse_field(field) for field in answer["fields"]))
            parts = [_read_parquet(Path(file), schema) for file in answer["files"]]
        return pa.concat_tables(parts) if parts else schema.empty_table()

    def _ours(self, messages: Any, table: str | None) -> Messages:
        """Any accepted form of messages as ``Messages``, at the version the attached Paimon speaks."""
        if isinstance(messages, Messages):
            if table is not None and table != messages.table:
                raise TableError(
                    f"These messages are for {messages.table}, the call names {table}.",
                    code="MESSAGES_OF_ANOTHER_TABLE",
                    remedy="leave table= out, or commit the messages that were written for it.",
                )
            return self._spoken(messages, None)
        if table is None:
            raise TableError(
                f"Messages of type {type(messages).__name__} do not know their table.",
                code="TABLE_NOT_NAMED",
                remedy='name it: bridge.commit(messages, table="db.orders").',
            )
        spec = self.describe(table, state=False)
        return self._spoken(wrap_foreign(messages, spec), spec)

    def _spoken(self, messages: Messages, spec: TableSpec | None) -> Messages:
        """The messages at the version of the attached Paimon; LossError if that cannot carry a value of theirs."""
        if messages.version == self.message_version:
            return messages
        return messages.at_version(self.message_version, spec or self.describe(messages.table, state=False))

    def _replacing(self, messages: Messages, overwrite: Overwrite) -> dict[str, Any] | None:
        return overwrite_request(overwrite, lambda: self.describe(messages.table, state=False))

    def _send(self, method: str, messages: Messages, **request: Any) -> dict[str, Any]:
        whole = request | {"table": messages.table, "requestId": str(uuid.uuid4())}
        return self._shim.call_with_blob(method, self._catalog, whole, messages.to_bytes())


def _empty(spec: TableSpec, commit_user: str, run_id: str) -> Envelope:
    return Envelope(
        version=spec.message_version,
        table_id=spec.table_id,
        table=spec.name,
        schema_id=spec.schema_id,
        commit_user=commit_user,
        run_id=run_id,
    )


def _known(level: str) -> str:
    if level not in LEVELS:
        raise BridgeError(f"There is no gate level {level!r}.", code="LEVEL_UNKNOWN", remedy=f"use one of {', '.join(LEVELS)}.")
    return level


def _option_text(value: Any) -> str:
    # Paimon's options are text; Python's True would become "True", which Paimon reads as false in places.
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_parquet(path: Path, schema: pa.Schema) -> pa.Table:
    # INT96 covers more years than nanoseconds can, so it is read at the finest unit the column's type has.
    return pq.read_table(path, coerce_int96_timestamp_unit="ns").cast(schema)
