"""A task's way from batches to an envelope: files, rolling, order, bounds, and what is left when it fails."""

from __future__ import annotations

import errno
import os
import re
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paimon_bridge.errors import TableError, WriteError
from paimon_bridge.model.table import TableSpec
from paimon_bridge.wire import Envelope
from paimon_bridge.write import append, context
from paimon_bridge.write.leftovers import remove_run_files
from paimon_bridge.write.parquet import DataFile
from paimon_bridge.write.storage import Storage
from paimon_bridge.write.task import check_table, write_task
from tests.write.tables import data_files, read, spec_of, write

COLUMNS = {"id": "BIGINT NOT NULL", "dt": "STRING", "v": "DOUBLE"}


def rows(count: int, partitions: int = 3, seed: int = 0) -> pa.Table:
    dice = np.random.default_rng(seed)
    return pa.table(
        {
            "id": pa.array(np.arange(count)),
            "dt": pa.array([f"d{number}" for number in dice.integers(0, partitions, count)]),
            "v": pa.array(dice.random(count)),
        }
    )


def test_an_envelope_names_its_writer(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, COLUMNS)
    data = write_task(iter(rows(10).to_batches()), spec, run_id="run", commit_user="me", task=7, attempt=12)
    envelope, _ = Envelope.decode(data)
    assert (envelope.table, envelope.table_id, envelope.schema_id, envelope.version) == ("db.t", "table-id", 3, 11)
    assert (envelope.commit_user, envelope.run_id, envelope.task, envelope.attempt) == ("me", "run", 7, 12)
    assert len(envelope.payloads) == 1


def test_no_rows_give_an_envelope_without_messages_and_no_file(tmp_path: Path) -> None:
    assert write(spec_of(tmp_path, COLUMNS), []) == []
    assert (
        write(spec_of(tmp_path, COLUMNS), [rows(0).to_batches()[0] if rows(0).to_batches() else pa.record_batch(rows(0).to_pydict())]) == []
    )
    assert data_files(tmp_path) == []


def test_a_file_is_described_as_it_is(tmp_path: Path) -> None:
    (message,) = write(spec_of(tmp_path, COLUMNS), rows(1000))
    (file,) = message.data.new_files
    (path,) = data_files(tmp_path)
    assert path == tmp_path / "bucket-0" / file.file_name
    assert re.fullmatch(r"data-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-0\.parquet", file.file_name)
    assert (file.file_size, file.row_count) == (path.stat().st_size, 1000)
    assert (file.min_sequence_number, file.max_sequence_number) == (0, 999)
    assert (file.schema_id, file.level, file.delete_row_count, file.file_source) == (3, 0, 0, 0)
    assert (message.partition, message.bucket, message.total_buckets) == (bytes(12), 0, -1)
    metadata = pq.read_metadata(path)
    assert metadata.row_group(0).column(0).compression == "ZSTD"
    assert metadata.metadata is None


def test_files_roll_at_the_target_size(tmp_path: Path) -> None:
    table = rows(200_000)
    (message,) = write(spec_of(tmp_path, COLUMNS, options={"target-file-size": "256 kb"}), table)
    files = message.data.new_files
    assert len(files) > 3
    assert all(200_000 < file.file_size < 400_000 for file in files[:-1])
    # Sequence numbers go on from file to file; names count up within one uuid.
    assert [file.min_sequence_number for file in files] == np.cumsum([0, *(file.row_count for file in files)])[:-1].tolist()
    assert [file.file_name.rpartition("-")[2] for file in files] == [f"{index}.parquet" for index in range(len(files))]
    assert len({file.file_name.rpartition("-")[0] for file in files}) == 1
    assert read(tmp_path).cast(table.schema).equals(table)


def test_files_roll_at_the_row_number_since_release_2_0(tmp_path: Path) -> None:
    options = {"target-file-row-num": "300"}
    (message,) = write(spec_of(tmp_path / "new", COLUMNS, options=options, release="2.0.0", message_version=12), rows(1000))
    assert [file.row_count for file in message.data.new_files] == [300, 300, 300, 100]
    (message,) = write(spec_of(tmp_path / "old", COLUMNS, options=options), rows(1000))
    assert len(message.data.new_files) == 1


def test_row_groups_follow_the_block_size(tmp_path: Path) -> None:
    write(spec_of(tmp_path, COLUMNS, options={"file.block-size": "128 kb"}), rows(50_000))
    (path,) = data_files(tmp_path)
    metadata = pq.read_metadata(path)
    assert metadata.num_row_groups > 5
    assert read(tmp_path).cast(rows(1).schema).equals(rows(50_000))


@pytest.mark.parametrize("encoders", [1, 2])
def test_many_small_batches_become_few_row_groups(tmp_path: Path, encoders: int) -> None:
    table = rows(20_000)
    write(spec_of(tmp_path, COLUMNS), table.to_batches(100), encoders=encoders)
    (path,) = data_files(tmp_path)
    assert pq.read_metadata(path).num_row_groups == 1


def test_each_partition_has_its_message_and_directory(tmp_path: Path) -> None:
    table = rows(5000, partitions=4)
    messages = write(spec_of(tmp_path, COLUMNS, partition_keys=["dt"]), table.to_batches(600))
    assert len(messages) == len({message.partition for message in messages}) == 4
    for path in data_files(tmp_path):
        found = pq.ParquetFile(path).read()
        name = path.parent.parent.name.removeprefix("dt=")
        assert set(found.column("dt").to_pylist()) == {name}
        assert found.column("id").to_pylist() == [row["id"] for row in table.to_pylist() if row["dt"] == name]


@settings(max_examples=25, deadline=None)
@given(
    sizes=st.lists(st.integers(0, 400), min_size=1, max_size=8),
    partitions=st.integers(1, 40),
    encoders=st.integers(1, 3),
    seed=st.integers(0, 99),
)
def test_tight_bounds_change_files_but_no_row(
    sizes: list[int], partitions: int, encoders: int, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever is flushed when, and however few files may be open, each partition gets its rows, described exactly."""
    folder = tmp_path_factory.mktemp("t")
    table = rows(sum(sizes), partitions, seed)
    starts = np.cumsum([0, *sizes]).tolist()
    batches = [batch for start, size in zip(starts, sizes, strict=False) for batch in table.slice(start, size).to_batches()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(append, "_STAGE_BYTES", 2000)
        patch.setattr(append, "_BUFFER_BYTES", 12_000)
        patch.setattr(append, "_IN_FLIGHT_BYTES", 3000)
        patch.setattr(context, "_OPEN_FILES_LOCAL", 2)
        messages = write(spec_of(folder, COLUMNS, partition_keys=["dt"]), batches, encoders=encoders)
    files = [file for message in messages for file in message.data.new_files]
    assert {file.file_name for file in files} == {path.name for path in data_files(folder)}
    assert sum(file.row_count for file in files) == len(table)
    if len(table):
        assert read(folder).cast(table.schema).sort_by("id").equals(table)


def test_creation_times_are_the_jvms_wall_clock(tmp_path: Path) -> None:
    (here,) = write(spec_of(tmp_path / "a", COLUMNS), rows(1))
    (there,) = write(spec_of(tmp_path / "b", COLUMNS, zone_id="Asia/Shanghai"), rows(1))
    apart = there.data.new_files[0].creation_time_millis - here.data.new_files[0].creation_time_millis
    assert 0 <= apart - 8 * 3_600_000 < 60_000


@pytest.mark.parametrize("name", ["with space", "100%25", "日本 é", "a+b&c", "file:x"])
def test_table_paths_are_taken_as_they_are(tmp_path: Path, name: str) -> None:
    write(spec_of(tmp_path / name, COLUMNS), rows(3))
    assert len(data_files(tmp_path / name)) == 1


def failing(table: pa.Table, failure: BaseException) -> Iterator[pa.RecordBatch]:
    yield from table.to_batches(500)
    raise failure


@pytest.mark.parametrize("partition_keys", [[], ["dt"]])
def test_a_failing_input_leaves_no_file(tmp_path: Path, partition_keys: list[str]) -> None:
    spec = spec_of(tmp_path, COLUMNS, partition_keys=partition_keys, options={"target-file-size": "20 kb", "file.block-size": "20 kb"})
    with pytest.raises(RuntimeError, match="socket closed"):
        write(spec, failing(rows(20_000), RuntimeError("socket closed")))
    assert data_files(tmp_path) == []


def test_bad_rows_are_final_and_leave_no_file(tmp_path: Path) -> None:
    good = rows(20_000)
    bad = pa.table({"id": pa.array([None], pa.int64()), "dt": ["x"], "v": [1.0]})
    spec = spec_of(tmp_path, COLUMNS, options={"target-file-size": "20 kb", "file.block-size": "20 kb"})
    with pytest.raises(WriteError, match="column id") as caught:
        write(spec, [*good.to_batches(), *bad.to_batches()])
    assert caught.value.details["final"] is True
    assert caught.value.details["files"] == []
    assert caught.value.details["findings"][0]["row"] == 20_000
    assert data_files(tmp_path) == []


def test_a_full_disk_is_a_write_error_that_may_be_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: DataFile, table: pa.Table) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(DataFile, "write", full)
    with pytest.raises(WriteError, match="No space left on device") as caught:
        write(spec_of(tmp_path, COLUMNS), rows(10))
    assert caught.value.code == "WRITE_FAILED"
    assert "final" not in caught.value.details
    assert data_files(tmp_path) == []


def test_files_that_cannot_be_deleted_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(self: Storage, relative: str) -> None:
        raise PermissionError(errno.EPERM, "not allowed")

    monkeypatch.setattr(Storage, "delete", stuck)
    spec = spec_of(tmp_path, COLUMNS, options={"target-file-size": "20 kb", "file.block-size": "20 kb"})
    with pytest.raises(WriteError) as caught:
        write(spec, failing(rows(20_000), RuntimeError("killed")))
    left = caught.value.details["files"]
    assert len(left) == len(data_files(tmp_path)) > 0
    assert all(str(path) in caught.value.message for path in data_files(tmp_path))
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_an_existing_file_is_never_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paimon_bridge.write.names.writer_uuid", lambda run_id: "same")
    write(spec_of(tmp_path, COLUMNS), rows(5))
    (path,) = data_files(tmp_path)
    before = path.read_bytes()
    with pytest.raises(WriteError, match="cannot create") as caught:
        write(spec_of(tmp_path, COLUMNS), rows(6))
    assert caught.value.code == "FILE_EXISTS"
    assert path.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(WriteError, match=str(tmp_path)) as caught:
        write(spec_of(tmp_path, COLUMNS), rows(5))
    assert caught.value.code == "FILE_NOT_CREATED"


def test_files_of_a_run_can_be_removed_by_its_id(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, COLUMNS, partition_keys=["dt"])
    lost, kept = str(uuid.uuid4()), str(uuid.uuid4())
    for run_id in (lost, kept, lost):
        write_task(iter(rows(100).to_batches()), spec, run_id=run_id, commit_user="u")
    before = len(data_files(tmp_path))
    assert remove_run_files(spec, lost) == []
    assert len(data_files(tmp_path)) == before // 3
    assert remove_run_files(spec, kept) == []
    assert data_files(tmp_path) == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"bucket_mode": "CROSS_PARTITION", "primary_keys": ["id"]}, "primary key does not contain its partition keys"),
        ({"options": {"file.format": "avro"}}, "files are of format avro"),
        ({"options": {"type": "format-table"}}, "format-table"),
        ({"options": {"data-file.external-paths": "s3://b/x", "data-file.external-paths.strategy": "round-robin"}}, "external paths"),
    ],
)
def test_tables_that_cannot_be_written_are_refused_with_the_reason(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(TableError, match=re.escape(reason)) as caught:
        check_table(spec_of(tmp_path, COLUMNS, **changes))
    assert caught.value.code == "TABLE_KIND_UNSUPPORTED"
    with pytest.raises(TableError):
        write(spec_of(tmp_path, COLUMNS, **changes), rows(1))
    assert data_files(tmp_path) == []


def test_later_batches_may_have_another_schema(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, {"id": "BIGINT", "t": "TIMESTAMP(9)"})
    first = pa.record_batch({"id": pa.array([1], pa.int32()), "t": pa.array([5], pa.timestamp("us"))})
    second = pa.record_batch({"t": pa.array([7000], pa.timestamp("ns")), "id": pa.array([2], pa.int64())})
    write(spec, [first, second])
    assert read(tmp_path).column("id").to_pylist() == [1, 2]
    assert read(tmp_path).column("t").cast(pa.int64()).to_pylist() == [5000, 7000]


def test_a_spec_survives_its_journey(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, COLUMNS, partition_keys=["dt"])
    assert TableSpec.from_json(spec.to_json()) == spec
    assert len(write(TableSpec.from_json(spec.to_json()), rows(10, partitions=2))) == 2
