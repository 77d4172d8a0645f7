"""Rows on their way to their owners: whole record batches as bytes, so that Spark shuffles a few large rows instead of millions.

Source tasks split what they read by owner; each piece travels as one Arrow stream. The owner's task takes the pieces apart again and
writes them. Rows of one source task keep their order; the order of source tasks is not defined, as in Paimon's own shuffles.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paimon_bridge.errors import WriteError
from paimon_bridge.model.options import MEBIBYTE
from paimon_bridge.write.nested import mended
from paimon_bridge.write.owners import OwnerAssigner

# ``slot`` decides which task gets a piece; ``number`` counts the pieces of one source for one owner.
# Spark bounds the batches that it hands to an owner by their rows alone (see spark.plan), so a piece takes as many rows as its bytes are
# worth: the first holds it, the others are empty.
PIECES = pa.schema(
    [
        ("slot", pa.int32()),
        ("owner", pa.int32()),
        ("source", pa.int32()),
        ("number", pa.int32()),
        ("rows", pa.binary()),
        ("error", pa.string()),
    ]
)
_PIECE_BYTES = 4 * MEBIBYTE
# What a source task holds back until it is worth splitting.
_STAGE_BYTES = 64 * MEBIBYTE
_NO_PIECE = -1


def split(
    batches: Iterator[pa.RecordBatch],
    assigner: OwnerAssigner,
    slots: Sequence[int],
    *,
    source: int,
    row_bytes: int,
    piece_bytes: int = _PIECE_BYTES,
) -> Iterator[pa.RecordBatch]:
    """The pieces of one source task, as rows of ``PIECES``, one for every ``row_bytes``. ``slots[n]`` is the slot of owner ``n``."""
    numbers = [0] * len(slots)
    for batch in _staged(map(mended, batches), min(_STAGE_BYTES, piece_bytes * len(slots))):
        for owner, rows in _by_owner(batch, assigner):
            for piece in _cut(rows, piece_bytes):
                data = _to_bytes(piece)
                yield _rows(-(-data.size // row_bytes), slots[owner], owner, source, numbers[owner], rows=data)
                numbers[owner] += 1


def refusal(slots: Sequence[int], source: int, error: str) -> pa.RecordBatch:
    """A row of ``PIECES`` that tells the first owner why a source has no more rows: what ``error_json`` made of the error."""
    return _rows(1, slots[0], 0, source, _NO_PIECE, error=error)


def error_json(error: WriteError, task: int) -> str:
    """An error that no further attempt can mend, as data: a task that raised it would be tried again."""
    where = {"where": error.where, "task": error.details.get("task", task)}
    return json.dumps({"message": error.message, "code": error.code, "remedy": error.remedy, **where})


class Arrivals:
    """The rows of one owner, from the pieces that reached its task. ``owner`` is None where nothing came."""

    def __init__(self, pieces: Iterator[pa.RecordBatch]) -> None:
        self._pieces = pieces
        self._first = next((batch for batch in pieces if len(batch)), None)
        self.owner: int | None = None if self._first is None else self._first.column("owner")[0].as_py()

    def batches(self) -> Iterator[pa.RecordBatch]:
        """All rows. Raises WriteError for what a source task refused."""
        expected: dict[int, int] = {}
        if self._first is not None:
            yield from self._unpacked(self._first, expected)
            for batch in self._pieces:
                yield from self._unpacked(batch, expected)

    def _unpacked(self, batch: pa.RecordBatch, expected: dict[int, int]) -> Iterator[pa.RecordBatch]:
        rows = batch.column("rows")
        filled = np.flatnonzero(pc.or_(rows.is_valid(), batch.column("error").is_valid()))
        few = batch.select(["owner", "source", "number", "error"]).take(pa.array(filled)).to_pydict()
        for place, owner, source, number, error in zip(filled.tolist(), *few.values(), strict=True):
            if error is not None:
                refused = json.loads(error)
                details = {"final": True, "task": refused.pop("task")}
                raise WriteError(refused.pop("message"), details=details, **refused)
            # Spark promises neither of these in so many words, and a writer that trusted them blindly could lose updates.
            if owner != self.owner or number != expected.get(source, 0):
                raise RuntimeError(
                    f"the shuffle brought piece {number} of source task {source} for owner {owner} to owner {self.owner}, "
                    f"where piece {expected.get(source, 0)} was due"
                )
            expected[source] = number + 1
            with pa.ipc.open_stream(rows[place].as_buffer()) as stream:
                yield from stream


def _staged(batches: Iterator[pa.RecordBatch], limit: int) -> Iterator[pa.RecordBatch]:
    waiting: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        if not len(batch):
            continue
        waiting.append(batch)
        size += batch.nbytes
        if size >= limit:
            yield _joined(waiting)
            waiting, size = [], 0
    if waiting:
        yield _joined(waiting)


def _joined(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    return pa.Table.from_batches(batches).combine_chunks().to_batches()[0]


def _by_owner(batch: pa.RecordBatch, assigner: OwnerAssigner) -> Iterator[tuple[int, pa.RecordBatch]]:
    # Sixteen bits sort by radix, several times faster than wider numbers.
    owners = assigner.owners(batch).to_numpy().astype(np.uint16)
    order = np.argsort(owners, kind="stable")
    owners = owners[order]
    changes = np.flatnonzero(owners[1:] != owners[:-1]) + 1
    rows = batch.take(pa.array(order)) if len(changes) else batch
    starts = [0, *changes.tolist()]
    for start, end in zip(starts, [*starts[1:], len(owners)], strict=True):
        yield int(owners[start]), rows.slice(start, end - start)


def _cut(rows: pa.RecordBatch, piece_bytes: int) -> Iterator[pa.RecordBatch]:
    size = max(1, len(rows) * piece_bytes // max(piece_bytes, rows.nbytes))
    for start in range(0, len(rows), size):
        yield rows.slice(start, size)


def _to_bytes(rows: pa.RecordBatch) -> pa.Buffer:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as stream:
        stream.write_batch(rows)
    return sink.getvalue()


def _rows(
    count: int, slot: int, owner: int, source: int, number: int, *, rows: pa.Buffer | None = None, error: str | None = None
) -> pa.RecordBatch:
    numbers = [pa.array(np.full(count, value, dtype=np.int32)) for value in (slot, owner, source, number)]
    return pa.RecordBatch.from_arrays([*numbers, _binary(count, rows), pa.array([error] * count, pa.string())], schema=PIECES)


def _binary(count: int, first: pa.Buffer | None) -> pa.Array:
    """Nulls behind a first value that is this buffer, not a copy of it."""
    if first is None:
        return pa.nulls(count, pa.binary())
    offsets = np.full(count + 1, first.size, dtype=np.int32)
    offsets[0] = 0
    validity = np.zeros(count // 8 + 1, dtype=np.uint8)
    validity[0] = 1
    return pa.Array.from_buffers(pa.binary(), count, [pa.py_buffer(validity), pa.py_buffer(offsets), first])
