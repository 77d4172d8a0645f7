from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from paimon_bridge.errors import WriteError
from paimon_bridge.model.message import CommitMessage
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import parse_type
from paimon_bridge.write.dynamic import PartitionIndex
from paimon_bridge.write.keyhash import hash_rows
from paimon_bridge.write.owners import OwnerAssigner, needs_owners
from tests.write.tables import data_files, spec_of, write

COLUMNS = {"id": "INT NOT NULL", "v": "STRING"}


def dynamic_table(path: Path, state: list[list[Any]] | None = None, **options: str) -> TableSpec:
    return spec_of(
        path,
        COLUMNS,
        primary_keys=["id"],
        options={name.replace("_", "."): value for name, value in options.items()},
        bucket_mode="HASH_DYNAMIC",
        state={"snapshotId": 1, "buckets": state or []},
    )


def rows(*ids: int) -> pa.Table:
    return pa.table({"id": pa.array(ids, pa.int32()), "v": ["x"] * len(ids)})


def hashes_of(*ids: int) -> set[int]:
    return set(hash_rows([pa.array(ids, pa.int32())], [parse_type("INT")]).tolist())


def index_of(folder: Path, message: CommitMessage) -> set[int]:
    """The hashes in a message's index file."""
    (meta,) = message.data.new_index_files
    data = (folder / "index" / meta.file_name).read_bytes()
    assert (meta.index_type, meta.file_size, meta.row_count) == ("HASH", len(data), len(data) // 4)
    found = struct.unpack(f">{len(data) // 4}i", data)
    assert len(set(found)) == len(found)
    return set(found)


def test_an_index_holds_the_hashes_of_its_bucket(tmp_path: Path) -> None:
    (message,) = write(dynamic_table(tmp_path), rows(0, 1, 2, 1))
    assert (message.bucket, message.total_buckets) == (0, -1)
    # The bytes that Paimon Java was seen to write for these keys.
    assert index_of(tmp_path, message) == {0x5759F99E, 0xEE18D2A5 - 2**32, 0x4FE4BBF0}


def test_buckets_are_filled_one_after_the_other(tmp_path: Path) -> None:
    spec = dynamic_table(tmp_path, **{"dynamic-bucket.target-row-num": "2"})
    messages = write(spec, rows(10, 11, 12, 10, 13, 14))
    assert {message.bucket: index_of(tmp_path, message) for message in messages} == {
        0: hashes_of(10, 11),
        1: hashes_of(12, 13),
        2: hashes_of(14),
    }


def test_known_keys_stay_and_new_ones_join_the_first_bucket_with_room(tmp_path: Path) -> None:
    options = {"dynamic-bucket.target-row-num": "2"}
    first = write(dynamic_table(tmp_path, **options), rows(1, 2, 3))
    state = [["00" * 12, m.bucket, -1, m.data.new_files[0].max_sequence_number, m.data.new_index_files[0].file_name] for m in first]
    second = {message.bucket: message for message in write(dynamic_table(tmp_path, state, **options), rows(2, 4, 3))}
    # 4 joins 3; bucket 0 has rows but no new hash, so its index stays.
    assert second[0].data.new_index_files == ()
    assert second[0].data.new_files[0].min_sequence_number == 2
    assert index_of(tmp_path, second[1]) == hashes_of(3, 4)
    assert (second[1].data.new_files[0].min_sequence_number, second[1].data.deleted_index_files) == (1, ())


def test_a_limit_on_buckets_spreads_the_rest(tmp_path: Path) -> None:
    options = {"dynamic-bucket.target-row-num": "1", "dynamic-bucket.max-buckets": "2"}
    messages = write(dynamic_table(tmp_path, **options), rows(*range(50)))
    assert sorted(message.bucket for message in messages) == [0, 1]
    assert set().union(*(index_of(tmp_path, message) for message in messages)) == hashes_of(*range(50))


def test_indexes_may_lie_beside_the_data(tmp_path: Path) -> None:
    (message,) = write(dynamic_table(tmp_path, **{"index-file-in-data-file-dir": "true"}), rows(1))
    assert (tmp_path / "bucket-0" / message.data.new_index_files[0].file_name).is_file()


def test_a_failed_write_leaves_no_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> bytes:
        raise RuntimeError("no bytes today")

    monkeypatch.setattr("paimon_bridge.write.task.encode", fail)
    with pytest.raises(RuntimeError, match="no bytes today"):
        write(dynamic_table(tmp_path), rows(1, 2))
    assert data_files(tmp_path) == []


@pytest.mark.parametrize("owners", [1, 2, 3, 7])
def test_owners_share_buckets_without_meeting(tmp_path: Path, owners: int) -> None:
    options = {"dynamic-bucket.target-row-num": "10"}
    state: list[list[Any]] = []
    places: dict[int, int] = {}
    for start in (0, 50, 20):
        spec = dynamic_table(tmp_path, state, **options)
        table = rows(*range(start, start + 100))
        owner = OwnerAssigner(spec, owners).owners(table.to_batches()[0])
        assert needs_owners(spec)
        buckets: dict[int, CommitMessage] = {}
        for number in range(owners):
            for message in write(
                spec, table.filter(pa.array([found == number for found in owner.to_pylist()])), owner=number, owners=owners
            ):
                assert message.bucket not in buckets
                buckets[message.bucket] = message
        for bucket, message in buckets.items():
            state = [row for row in state if row[1] != bucket or not message.data.new_index_files]
            if message.data.new_index_files:
                state.append(["00" * 12, bucket, -1, 0, message.data.new_index_files[0].file_name])
                for hash_ in index_of(tmp_path, message):
                    assert places.setdefault(hash_, bucket) == bucket
    assert set(places) == hashes_of(*range(150))


def test_a_row_at_the_wrong_owner_is_refused(tmp_path: Path) -> None:
    spec = dynamic_table(tmp_path, **{"dynamic-bucket.initial-buckets": "1"})
    owner = OwnerAssigner(spec, 3).owners(rows(1).to_batches()[0]).to_pylist()[0]
    assert len(write(spec, rows(1), owner=owner, owners=3)) == 1
    with pytest.raises(WriteError, match="owns no bucket") as caught:
        write(spec, rows(1), owner=(owner + 1) % 3, owners=3)
    assert caught.value.code == "ROW_AT_WRONG_OWNER"


def test_no_more_buckets_than_paimon_can_count() -> None:
    full = {number: np.array([number], dtype=np.int32) for number in range(2**15 - 1)}
    index = PartitionIndex(full, mine=0, classes=1, target=1, most=2**15 - 1)
    with pytest.raises(WriteError, match="32767 buckets") as caught:
        index.assign(np.array([10**6], dtype=np.int32))
    assert caught.value.code == "TOO_MANY_BUCKETS"
