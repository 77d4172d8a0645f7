from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from paimon_bridge.errors import WriteError
from paimon_bridge.model.state import TableState
from paimon_bridge.model.table import TableSpec
from paimon_bridge.write.owners import OwnerAssigner
from tests.write.tables import spec_of, write

COLUMNS = {"id": "BIGINT NOT NULL", "v": "STRING", "dt": "STRING NOT NULL"}


def key_table(path: Path) -> TableSpec:
    state = {"snapshotId": None, "buckets": []}
    return spec_of(
        path, COLUMNS, partition_keys=["dt"], primary_keys=["id", "dt"], options={"bucket": "4"}, bucket_mode="HASH_FIXED", state=state
    )


@pytest.mark.parametrize("owners", [1, 2, 3, 16])
def test_every_bucket_has_one_owner(tmp_path: Path, owners: int) -> None:
    # Narrower than the table: buckets depend on the table's type, not on the input's.
    table = pa.table({"id": pa.array(range(300), pa.int32()), "v": ["x"] * 300, "dt": ["abc"[number % 3] for number in range(300)]})
    found = OwnerAssigner(key_table(tmp_path), owners).owners(table.combine_chunks().to_batches()[0])
    assert found.type == pa.int32()
    seen: set[tuple[bytes, int]] = set()
    for owner in range(owners):
        for message in write(key_table(tmp_path), table.filter(pa.array([number == owner for number in found.to_pylist()]))):
            assert (message.partition, message.bucket) not in seen
            seen.add((message.partition, message.bucket))
    assert len(seen) == 12


def test_only_the_deciding_columns_are_looked_at(tmp_path: Path) -> None:
    batch = pa.record_batch({"dt": ["a"], "id": pa.array([1], pa.int64()), "anything": [object.__name__]})
    assert len(OwnerAssigner(key_table(tmp_path), 2).owners(batch)) == 1
    assert len(OwnerAssigner(key_table(tmp_path), 2).owners(batch.slice(0, 0))) == 0
    with pytest.raises(WriteError, match="column dt") as caught:
        OwnerAssigner(key_table(tmp_path), 2).owners(batch.drop_columns(["dt"]))
    assert caught.value.code == "COLUMN_MISSING"


def test_a_state_survives_its_journey() -> None:
    shape = {"snapshotId": 4, "buckets": [["00" * 12, 0, 4, 17, None], ["00" * 12, 1, 4, 3, "index-x-0"]]}
    state = TableState.from_json(shape)
    assert state.to_json() == shape
    assert TableState.from_json(state.to_json()) == state
    assert (state.max_sequence_number(bytes(12), 0), state.max_sequence_number(bytes(12), 9)) == (17, -1)
    assert (state.total_buckets(bytes(12)), state.total_buckets(b"other")) == (4, None)
    assert [bucket.hash_index for bucket in state.by_partition[bytes(12)]] == [None, "index-x-0"]
