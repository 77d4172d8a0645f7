from __future__ import annotations

import pickle
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from paimon_bridge.errors import WriteError
from tests.write.tables import data_files, read, spec_of

COLUMNS = {"id": "INT NOT NULL", "name": "STRING", "at": "TIMESTAMP(3)"}


def rows(*ids: int) -> pa.Table:
    return pa.table(
        {"id": pa.array(ids, pa.int32()), "name": [f"n{i}" for i in ids], "at": pa.array([i * 1000 for i in ids], pa.timestamp("us"))}
    )


def test_messages_describe_what_was_written_and_pickle(tmp_path: Path) -> None:
    builder = spec_of(tmp_path, COLUMNS).new_batch_write_builder(commit_user="nightly")
    with builder.new_write() as write:
        write.write_arrow(rows(1, 2))
        write.write_arrow_batch(rows(3).to_batches()[0])
        messages = write.prepare_commit()
    assert (messages.table, messages.commit_user, messages.version) == ("db.t", "nightly", 11)
    assert (messages.file_count, messages.row_count) == (1, 3)
    assert pickle.loads(pickle.dumps(messages)) == messages
    assert read(tmp_path).column("id").to_pylist() == [1, 2, 3]


def test_a_writer_can_be_prepared_more_than_once(tmp_path: Path) -> None:
    with spec_of(tmp_path, COLUMNS).new_write_builder().new_write() as write:
        assert len(write.prepare_commit()) == 0
        write.write_arrow(rows(1))
        first = write.prepare_commit()
        write.write_arrow(rows(2, 3))
        second = write.prepare_commit()
        assert len(write.prepare_commit()) == 0
    assert (first.row_count, second.row_count) == (1, 2)
    names = {file.file_name for messages in (first, second) for message in messages for file in message.data.new_files}
    assert names == {path.name for path in data_files(tmp_path)}


def test_closing_deletes_what_was_not_handed_out(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, COLUMNS, options={"file.block-size": "1 kb", "target-file-size": "1 kb"})
    write = spec.new_write_builder().new_write()
    write.write_arrow(rows(1))
    write.prepare_commit()
    write.write_arrow(rows(*range(5000)))
    write.close()
    write.close()
    assert len(data_files(tmp_path)) == 1
    with pytest.raises(WriteError, match="closed") as caught:
        write.write_arrow(rows(1))
    assert caught.value.code == "WRITER_CLOSED"


def test_a_failed_writer_leaves_nothing_behind_and_takes_no_more(tmp_path: Path) -> None:
    write = spec_of(tmp_path, COLUMNS).new_write_builder().new_write()
    write.write_arrow(rows(1, 2))
    with pytest.raises(WriteError, match="column name"):
        write.write_arrow(rows(3).drop_columns(["name"]))
    with pytest.raises(WriteError, match="failed before"):
        write.prepare_commit()
    write.close()
    assert data_files(tmp_path) == []


def test_pandas_columns_are_converted_to_the_tables_types(tmp_path: Path) -> None:
    frame = pd.DataFrame({"name": ["a", None], "id": [1, 2], "at": pd.to_datetime(["2024-01-02", None])})
    with spec_of(tmp_path, COLUMNS).new_write_builder().new_write() as write:
        write.write_pandas(frame)
        assert write.prepare_commit().row_count == 2
    found = read(tmp_path)
    assert found.column("id").type == pa.int32()
    assert found.column("name").to_pylist() == ["a", None]
    assert found.column("at").null_count == 1


def test_pandas_columns_that_do_not_fit_are_named(tmp_path: Path) -> None:
    write = spec_of(tmp_path, COLUMNS).new_write_builder().new_write()
    with pytest.raises(WriteError, match="column id: ") as caught:
        write.write_pandas(pd.DataFrame({"id": ["x"], "name": ["a"], "at": [None]}))
    assert caught.value.code == "COLUMN_TYPE"
    write = spec_of(tmp_path, COLUMNS).new_write_builder().new_write()
    with pytest.raises(WriteError, match="column extra: ") as caught:
        write.write_pandas(pd.DataFrame({"id": [1], "name": ["a"], "at": [None], "extra": [1]}))
    assert caught.value.code == "COLUMN_UNKNOWN"


def test_an_overwrite_is_kept_for_the_commit(tmp_path: Path) -> None:
    builder = spec_of(tmp_path, COLUMNS).new_write_builder()
    assert builder.static_partition is None
    assert builder.with_overwrite({"dt": 5}) is builder
    assert builder.static_partition == {"dt": 5}
    assert builder.with_overwrite().static_partition == {}
