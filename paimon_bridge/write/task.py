"""The executor's entry: record batches and a table's description in, one envelope out, or nothing left behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

import pyarrow as pa

from paimon_bridge.errors import BridgeError, WriteError
from paimon_bridge.model.table import TableSpec
from paimon_bridge.wire import Envelope, encode
from paimon_bridge.write.context import WriteContext
from paimon_bridge.write.kinds import check_table
from paimon_bridge.write.writer import TableWriter

__all__ = ["check_table", "write_task"]


def write_task(
    batches: Iterator[pa.RecordBatch],
    spec: TableSpec,
    *,
    run_id: str,
    commit_user: str,
    task: int = -1,
    attempt: int = -1,
    encoders: int = 1,
    overwrite: bool = False,
    row_kind: str = "+I",
    owner: int = 0,
    owners: int = 1,
) -> bytes:
    """Write all batches to data files of the table; the encoded envelope of the messages that describe them.

    Runs once per task attempt, on an executor. Nothing it writes is visible until the messages are committed. Without rows the
    envelope holds no message. On any failure its files are deleted and WriteError is raised; ``details["files"]`` names those that
    could not be deleted, and ``details["final"]`` is true where the rows themselves are at fault, so that trying again is no use.
    ``encoders`` is the number of threads that write Parquet beside the calling one; ``overwrite`` says that the commit will replace
    what is there; ``row_kind`` is the kind of rows that do not say theirs; this is task ``owner`` of ``owners`` that share the buckets.
    """
    context = WriteContext.of(
        spec,
        run_id=run_id,
        commit_user=commit_user,
        encoders=encoders,
        overwrite=overwrite,
        task=task,
        owner=owner,
        owners=owners,
    )
    writer = TableWriter(context, row_kind=row_kind)
    try:
        for batch in batches:
            writer.write(batch)
        payloads = tuple(encode(message, spec.message_version, spec) for message in writer.prepare())
    except BaseException as failure:
        give_up(writer, failure, spec, f"task {task}, attempt {attempt}" if task >= 0 else "")
    writer.release()
    writer.close()
    envelope = Envelope(
        version=spec.message_version,
        table_id=spec.table_id,
        table=spec.name,
        schema_id=spec.schema_id,
        commit_user=commit_user,
        run_id=run_id,
        task=task,
        attempt=attempt,
        payloads=payloads,
    )
    return envelope.encode()


def give_up(writer: TableWriter, failure: BaseException, spec: TableSpec, where: str) -> NoReturn:
    """Delete what the writer wrote and raise ``failure`` again, as WriteError if the outside world caused it."""
    left = writer.abort()
    if isinstance(failure, BridgeError):
        failure.details["files"] = left
        raise failure
    if not left and not isinstance(failure, (OSError, pa.ArrowException)):
        raise failure
    named = f"; these files could not be deleted: {', '.join(left)}" if left else ""
    raise WriteError(
        f"writing to {spec.name} failed: {failure}{named}",
        where=where,
        remedy="mend the cause and write again; nothing was committed."
        + (" No snapshot refers to the files that are left; they can be deleted by hand." if left else ""),
        details={"files": left},
    ) from failure
