from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paimon_bridge.model.types import parse_type
from paimon_bridge.write.buckets import default_buckets
from tests.write.tables import data_files, spec_of, write

COLUMNS = {"k": "STRING", "v": "BIGINT", "dt": "STRING"}
NO_STATE = {"snapshotId": None, "buckets": []}
OPTIONS = {"bucket": "3", "bucket-key": "k"}


def rows(count: int) -> pa.Table:
    keys = [None if number % 11 == 0 else f"key {number % 20}" for number in range(count)]
    return pa.table({"k": keys, "v": pa.array(range(count)), "dt": ["a" if number % 2 else "b" for number in range(count)]})


@pytest.mark.parametrize("encoders", [1, 3])
def test_rows_lie_in_their_bucket_in_order_of_arrival(tmp_path: Path, encoders: int) -> None:
    spec = spec_of(tmp_path, COLUMNS, partition_keys=["dt"], options=OPTIONS, bucket_mode="HASH_FIXED", state=NO_STATE)
    messages = write(spec, rows(500).to_batches(60), encoders=encoders)
    assert {message.total_buckets for message in messages} == {3}
    seen = 0
    for message in messages:
        (file,) = message.data.new_files
        (path,) = [path for path in data_files(tmp_path) if path.name == file.file_name]
        found = pq.ParquetFile(path).read()
        assert path.parent.name == f"bucket-{message.bucket}"
        assert set(default_buckets([found.column("k").combine_chunks()], [parse_type("STRING")], 3).tolist()) == {message.bucket}
        assert found.column("v").to_pylist() == sorted(found.column("v").to_pylist())
        assert (file.min_sequence_number, file.max_sequence_number) == (0, len(found) - 1)
        seen += len(found)
    assert seen == 500


def test_sequence_numbers_go_on_unless_nothing_depends_on_them(tmp_path: Path) -> None:
    state = {"snapshotId": 1, "buckets": [["00" * 12, bucket, 3, 99, None] for bucket in range(3)]}

    def first(**options: str) -> int:
        spec = spec_of(tmp_path, COLUMNS, options=OPTIONS | options, bucket_mode="HASH_FIXED", state=state)
        return write(spec, rows(1))[0].data.new_files[0].min_sequence_number

    assert first() == 100
    assert first(**{"bucket-append-ordered": "false"}) == 100
    assert first(**{"bucket-append-ordered": "false", "write-only": "true"}) == 0


def test_row_tracking_starts_every_file_at_zero(tmp_path: Path) -> None:
    options = {"row-tracking.enabled": "true", "target-file-size": "1 kb", "file.block-size": "1 kb"}
    (message,) = write(spec_of(tmp_path, COLUMNS, options=options), rows(5000))
    files = message.data.new_files
    assert len(files) > 1
    assert {file.min_sequence_number for file in files} == {0}
    assert [file.max_sequence_number for file in files] == [file.row_count - 1 for file in files]
    assert {(file.file_source, file.first_row_id, file.write_cols) for file in files} == {(0, None, None)}
