"""What tasks of a distributed write run: rows straight to files, or rows to pieces, and pieces to files. One request serves them all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from paimon_bridge.errors import WriteError
from paimon_bridge.model.table import TableSpec
from paimon_bridge.write.exchange import Arrivals, error_json, refusal, split
from paimon_bridge.write.owners import OwnerAssigner
from paimon_bridge.write.task import write_task

# What a writing task answers: an envelope, or why its rows are refused.
RESULTS = pa.schema([("envelope", pa.binary()), ("error", pa.string())])


@dataclass(frozen=True, kw_only=True)
class WriteRequest:
    """One write of one table by many tasks. ``slots`` are those of the owners; empty where every task writes what it has.

    ``row_bytes`` is what one row of the exchange stands for.
    """

    spec: TableSpec
    run_id: str
    commit_user: str
    overwrite: bool = False
    row_kind: str = "+I"
    slots: tuple[int, ...] = ()
    row_bytes: int = 0

    def to_json(self) -> str:
        values: dict[str, Any] = {**self.__dict__, "spec": self.spec.to_json()}
        return json.dumps(values)

    @classmethod
    def from_json(cls, text: str) -> WriteRequest:
        values = json.loads(text)
        return cls(**{**values, "spec": TableSpec.from_json(values["spec"]), "slots": tuple(values["slots"])})


def write_rows(batches: Iterator[pa.RecordBatch], request: WriteRequest, task: int, attempt: int) -> Iterator[pa.RecordBatch]:
    """Rows that any task may write become files of this one."""
    yield _written(batches, request, task, attempt, owner=0, owners=1)


def split_rows(batches: Iterator[pa.RecordBatch], request: WriteRequest, task: int, attempt: int) -> Iterator[pa.RecordBatch]:
    """Rows become pieces for their owners. Leaves nothing behind."""
    try:
        assigner = OwnerAssigner(request.spec, len(request.slots), overwrite=request.overwrite)
        yield from split(batches, assigner, request.slots, source=task, row_bytes=request.row_bytes)
    except WriteError as error:
        if not error.details.get("final"):
            raise
        yield refusal(request.slots, task, error_json(error, task))


def write_pieces(pieces: Iterator[pa.RecordBatch], request: WriteRequest, task: int, attempt: int) -> Iterator[pa.RecordBatch]:
    """The pieces of one owner become its files."""
    arrivals = Arrivals(pieces)
    owner = task if arrivals.owner is None else arrivals.owner
    yield _written(arrivals.batches(), request, task, attempt, owner=owner, owners=len(request.slots))


STAGES = {"write": write_rows, "split": split_rows, "write_pieces": write_pieces}


def _written(
    batches: Iterator[pa.RecordBatch], request: WriteRequest, task: int, attempt: int, *, owner: int, owners: int
) -> pa.RecordBatch:
    envelope: bytes | None = None
    error: str | None = None
    try:
        envelope = write_task(
            batches,
            request.spec,
            run_id=request.run_id,
            commit_user=request.commit_user,
            task=task,
            attempt=attempt,
            overwrite=request.overwrite,
            row_kind=request.row_kind,
            owner=owner,
            owners=owners,
        )
    except WriteError as refused:
        # Bad rows stay bad in the next attempt: the task ends well and hands its findings over as data. Other failures may pass
        # on another executor, so they go to Spark, which tries again.
        if not refused.details.get("final"):
            raise
        error = error_json(refused, task)
    return pa.RecordBatch.from_arrays([pa.array([envelope], pa.binary()), pa.array([error], pa.string())], schema=RESULTS)
