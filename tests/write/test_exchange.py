"""Rows to owners and back: nothing lost, order kept, refusals carried as data, and disorder noticed."""

from __future__ import annotations

import random
from itertools import chain
from typing import Any

import pyarrow as pa
import pytest

from paimon_bridge.errors import WriteError
from paimon_bridge.write.exchange import Arrivals, error_json, refusal, split
from paimon_bridge.write.owners import OwnerAssigner
from paimon_bridge.write.stages import WriteRequest
from tests.write.tables import spec_of

SPEC = spec_of(
    "/nowhere",
    {"id": "BIGINT NOT NULL", "text": "STRING"},
    primary_keys=["id"],
    options={"bucket": "8"},
    bucket_mode="HASH_FIXED",
    state={"snapshotId": None, "buckets": []},
)


def batches(seed: int, rows: int) -> list[pa.RecordBatch]:
    rng = random.Random(seed)
    schema = pa.schema([pa.field("id", pa.int64(), nullable=False), ("text", pa.string())])
    made, sizes = [], [rng.choice([0, 1, 7, 500]) for _ in range(rows // 100)]
    for size in sizes:
        made.append(
            pa.record_batch([[rng.randrange(100) for _ in range(size)], [rng.choice([None, "x" * 50]) for _ in range(size)]], schema=schema)
        )
    return made


def exchanged(sources: list[list[pa.RecordBatch]], owners: int, piece_bytes: int) -> dict[int, list[pa.RecordBatch]]:
    """The pieces of each owner, those of the sources one after the other."""
    arrived: dict[int, list[pa.RecordBatch]] = {owner: [] for owner in range(owners)}
    for source, rows in enumerate(sources):
        for piece in split(iter(rows), OwnerAssigner(SPEC, owners), range(owners), source=source, row_bytes=64, piece_bytes=piece_bytes):
            arrived[piece.column("slot")[0].as_py()].append(piece)
    return arrived


def values(rows: Any) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for batch in rows for row in batch.to_pylist()]


@pytest.mark.parametrize("piece_bytes", [1, 200, 1 << 20])
@pytest.mark.parametrize("owners", [1, 3])
def test_rows_reach_one_owner_in_their_order(owners: int, piece_bytes: int) -> None:
    sources = [batches(1, 2000), batches(2, 1500), []]
    arrived = exchanged(sources, owners, piece_bytes)
    received = {owner: values(Arrivals(iter(pieces)).batches()) for owner, pieces in arrived.items()}
    assert sum(map(len, received.values())) == sum(len(batch) for batch in chain(*sources))
    for owner, rows in received.items():
        keys = {key for key, _ in rows}
        assert rows == [row for row in values(chain(*sources)) if row[0] in keys], f"owner {owner} got its rows in another order"
        assert not any(keys & {key for key, _ in others} for other, others in received.items() if other != owner)


def test_piece_takes_as_many_rows_as_it_is_worth() -> None:
    (piece,) = exchanged([[pa.record_batch([[1], ["x" * 10_000]], schema=batches(1, 100)[0].schema)]], 1, 1 << 20)[0]
    size = len(piece.column("rows")[0].as_py())
    assert size / 64 <= len(piece) < size / 64 + 1
    assert piece.column("rows").null_count == len(piece) - 1


def test_owner_without_rows_has_none() -> None:
    arrivals = Arrivals(iter([]))
    assert arrivals.owner is None
    assert list(arrivals.batches()) == []


def test_refusal_travels_as_data() -> None:
    error = WriteError("row 7 is bad", code="ROW_BAD", where="row 7", remedy="mend it", details={"final": True})
    arrivals = Arrivals(iter([refusal((5, 6), 3, error_json(error, 3))]))
    with pytest.raises(WriteError, match="row 7 is bad") as refused:
        list(arrivals.batches())
    assert (refused.value.code, refused.value.where, refused.value.details) == ("ROW_BAD", "row 7", {"final": True, "task": 3})


def test_lost_repeated_and_misled_pieces_are_noticed() -> None:
    pieces = exchanged([batches(1, 2000)], 2, 200)
    for wrong in (pieces[0][1:], [*pieces[0], pieces[0][-1]], [*pieces[0], *pieces[1]], pieces[0][::-1]):
        with pytest.raises(RuntimeError, match="was due"):
            list(Arrivals(iter(wrong)).batches())


def test_request_survives_the_way_to_the_executors() -> None:
    request = WriteRequest(spec=SPEC, run_id="r", commit_user="u", overwrite=True, row_kind="-D", slots=(3, 4), row_bytes=9)
    assert WriteRequest.from_json(request.to_json()) == request
