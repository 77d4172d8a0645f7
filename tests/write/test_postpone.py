from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paimon_bridge.binary.row import decode_row
from paimon_bridge.errors import WriteError
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import parse_type
from paimon_bridge.wire import Envelope, decode
from paimon_bridge.write.owners import OwnerAssigner, needs_owners
from paimon_bridge.write.task import write_task
from tests.write.tables import data_files, spec_of, write

COLUMNS = {"id": "INT NOT NULL", "v": "STRING", "dt": "STRING NOT NULL"}


def postponed(path: Path, *, state: Any = None, **options: str) -> TableSpec:
    stated = {"bucket": "-2", **options}
    return spec_of(
        path, COLUMNS, partition_keys=["dt"], primary_keys=["id", "dt"], options=stated, bucket_mode="POSTPONE_MODE", state=state
    )


def rows(*ids: int) -> pa.Table:
    kinds = [number % 4 for number in range(len(ids))]
    return pa.table(
        {"id": pa.array(ids, pa.int32()), "v": ["x"] * len(ids), "dt": ["a"] * len(ids), "_VALUE_KIND": pa.array(kinds, pa.int8())}
    )


def test_rows_keep_their_order_and_kind(tmp_path: Path) -> None:
    (message,) = write(postponed(tmp_path), rows(3, 1, 1, 2, 9))
    (path,) = data_files(tmp_path)
    assert path.parent == tmp_path / "dt=a" / "bucket-postpone"
    found = pq.ParquetFile(path).read()
    assert found.column("id").to_pylist() == found.column("_KEY_id").to_pylist() == [3, 1, 1, 2, 9]
    assert found.column("_VALUE_KIND").to_pylist() == [0, 1, 2, 3, 0]
    assert set(found.column("_SEQUENCE_NUMBER").to_pylist()) == {-1}
    (file,) = message.data.new_files
    assert (message.bucket, message.total_buckets, file.delete_row_count, file.level, file.file_source) == (-2, -2, 2, 0, 0)
    assert (file.min_sequence_number, file.max_sequence_number) == (-1, -1)
    # The true bounds; Java has the first and the last row's key here.
    types = [parse_type("INT")]
    assert (decode_row(file.min_key, types), decode_row(file.max_key, types)) == ((1,), (9,))
    assert (decode_row(file.key_stats.min_values, types), file.key_stats.null_counts, file.value_stats_cols) == ((None,), (None,), ())


def test_names_say_who_wrote_them_and_which_reader_gets_them(tmp_path: Path) -> None:
    data = write_task(iter(rows(1).to_batches()), postponed(tmp_path), run_id="r", commit_user="nightly", task=12)
    (message,) = [decode(payload, 11) for payload in Envelope.decode(data)[0].payloads]
    assert re.fullmatch(r"data--u-nightly-s-12-w-[0-9a-f-]{36}-0\.parquet", message.data.new_files[0].file_name)
    data = write_task(iter(rows(1).to_batches()), postponed(tmp_path), run_id="r", commit_user="nightly")
    (message,) = [decode(payload, 11) for payload in Envelope.decode(data)[0].payloads]
    assert re.search(r"-s-\d+-w-", message.data.new_files[0].file_name)


@pytest.mark.parametrize("user", ["a-s-b", "a/b"])
def test_a_commit_user_that_breaks_the_names_is_refused(tmp_path: Path, user: str) -> None:
    with pytest.raises(WriteError, match="commit user") as caught:
        write_task(iter(rows(1).to_batches()), postponed(tmp_path), run_id="r", commit_user=user)
    assert caught.value.code == "COMMIT_USER_UNSUPPORTED"


@pytest.mark.parametrize("encoders", [1, 2])
def test_creation_times_increase_from_file_to_file(tmp_path: Path, encoders: int) -> None:
    options = {"target-file-size": "1 kb", "file.block-size": "1 kb"}
    (message,) = write(postponed(tmp_path, **options), rows(*range(5000)).to_batches(500), encoders=encoders)
    files = message.data.new_files
    assert len(files) > 2
    times = [file.creation_time_millis for file in files]
    assert times == sorted(set(times))
    read = [row for path in data_files(tmp_path) for row in pq.ParquetFile(path).read().column("id").to_pylist()]
    assert read == list(range(5000))


def test_no_state_and_no_owners_are_needed(tmp_path: Path) -> None:
    assert not needs_owners(postponed(tmp_path))
    assert not needs_owners(spec_of(tmp_path, COLUMNS))


def test_real_buckets_on_request_take_each_partitions_own_number(tmp_path: Path) -> None:
    partition = "00000001000000000000000061000000000000" + "81"
    options = {"postpone.batch-write-fixed-bucket": "true", "postpone.default-bucket-num": "2"}
    spec = postponed(tmp_path, state={"snapshotId": 1, "buckets": [[partition, 0, 5, 7, None]]}, **options)
    table = rows(*range(200)).drop_columns(["_VALUE_KIND"])
    other = table.set_column(2, "dt", pa.array(["b"] * 200))
    messages = write(spec, pa.concat_tables([table, other]))
    totals = {message.partition.hex(): message.total_buckets for message in messages}
    assert sorted(totals.values()) == [2, 5]
    assert totals[partition] == 5
    first = next(message for message in messages if message.partition.hex() == partition and message.bucket == 0)
    assert first.data.new_files[0].min_sequence_number >= 8
    assert needs_owners(spec)
    assert set(OwnerAssigner(spec, 3).owners(table.to_batches()[0]).to_pylist()) == {0, 1, 2}


def test_the_default_of_newer_releases_is_not_taken_for_a_request(tmp_path: Path) -> None:
    (message,) = write(postponed(tmp_path), rows(1))
    assert message.bucket == -2
