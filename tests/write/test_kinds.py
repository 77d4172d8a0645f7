"""Tables that are refused: by name, with the reason, and with what to use instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from paimon_bridge.errors import TableError, WriteError
from paimon_bridge.model.table import TableSpec
from paimon_bridge.write.kinds import check_table
from tests.write.tables import data_files, spec_of

COLUMNS = {"id": "INT NOT NULL", "v": "STRING"}
NEW = {"snapshotId": None, "buckets": []}
# Every kind that is written, on a table without rows.
KINDS: dict[str, dict[str, Any]] = {
    "append": {},
    "append, buckets": {"bucket_mode": "HASH_FIXED", "options": {"bucket": "2", "bucket-key": "id"}, "state": NEW},
    "primary key": {"bucket_mode": "HASH_FIXED", "primary_keys": ["id"], "options": {"bucket": "2"}, "state": NEW},
    "changelog": {
        "bucket_mode": "HASH_FIXED",
        "primary_keys": ["id"],
        "options": {"bucket": "2", "changelog-producer": "input"},
        "state": NEW,
    },
    "dynamic": {"bucket_mode": "HASH_DYNAMIC", "primary_keys": ["id"], "state": NEW},
    "postpone": {"bucket_mode": "POSTPONE_MODE", "primary_keys": ["id"], "options": {"bucket": "-2"}},
}


@pytest.mark.parametrize(
    ("columns", "arguments", "reason", "remedy"),
    [
        (COLUMNS, {"bucket_mode": "CROSS_PARTITION", "primary_keys": ["id"]}, "cross-partition upsert", "into the primary key"),
        (COLUMNS, {"options": {"type": "format-table"}}, "without snapshots", "Spark's own writer"),
        (COLUMNS, {"options": {"type": "object-table"}}, "listing of files", "refresh the table"),
        (COLUMNS, {"options": {"file.format": "avro"}}, "format avro", "file.format to parquet"),
        (COLUMNS | {"c": "CHAR(3)"}, {"options": {"file.format": "orc"}}, r"c \(CHAR\(3\)\)", "file.format to parquet"),
        (COLUMNS, {"options": {"bucket-key": "id"}}, "does not allow", "remove the bucket-key"),
        (COLUMNS | {"b": "BLOB"}, {}, r"b \(BLOB\)", "Paimon Java"),
        (COLUMNS | {"b": {"type": "VECTOR", "element": "FLOAT", "length": 3}}, {}, r"b \(VECTOR<FLOAT, 3>\)", "Paimon Java"),
    ],
)  # fmt: skip
def test_a_table_is_refused_with_reason_and_remedy(columns: dict[str, Any], arguments: dict[str, Any], reason: str, remedy: str) -> None:
    with pytest.raises(TableError, match=reason) as caught:
        check_table(spec_of("/t", columns, **arguments))
    assert remedy in caught.value.remedy


@pytest.mark.parametrize("strategy", ["specific-fs", "round-robin", "entropy-inject", "weight-robin"])
def test_external_paths_are_refused_by_the_name_of_their_strategy(strategy: str) -> None:
    options = {"data-file.external-paths": "file:/elsewhere", "data-file.external-paths.strategy": strategy}
    with pytest.raises(TableError, match=strategy) as caught:
        check_table(spec_of("/t", COLUMNS, options=options))
    assert "strategy to none" in caught.value.remedy


def rows(*ids: int) -> pa.Table:
    return pa.table({"id": pa.array(ids, pa.int32()), "v": [f"v{i}" for i in ids]})


@pytest.fixture(params=list(KINDS))
def table(request: pytest.FixtureRequest, tmp_path: Path) -> TableSpec:
    return spec_of(tmp_path, COLUMNS, **KINDS[request.param])


def test_empty_batches_give_no_message(table: TableSpec, tmp_path: Path) -> None:
    with table.new_write_builder().new_write() as write:
        write.write_arrow(rows())
        write.write_arrow_batch(pa.RecordBatch.from_pylist([], schema=rows().schema))
        assert len(write.prepare_commit()) == 0
    assert data_files(tmp_path) == []


def test_a_writer_is_reusable_and_loses_only_what_it_did_not_hand_out(table: TableSpec, tmp_path: Path) -> None:
    with table.new_write_builder().new_write() as write:
        write.write_arrow(rows(1, 2, 3))
        assert write.prepare_commit().row_count == 3
        write.write_arrow(rows(4, 5))
        assert write.prepare_commit().row_count == 2
        kept = data_files(tmp_path)
        write.write_arrow(rows(6))
        write._writer.prepare()
        assert len(data_files(tmp_path)) > len(kept)
    assert data_files(tmp_path) == kept


def test_a_failed_writer_leaves_nothing_behind(table: TableSpec, tmp_path: Path) -> None:
    write = table.new_write_builder().new_write()
    write.write_arrow(rows(1, 2, 3))
    write._writer.prepare()
    assert data_files(tmp_path)
    with pytest.raises(WriteError, match="column v"):
        write.write_arrow(rows(4).drop_columns(["v"]))
    assert data_files(tmp_path) == []


def test_an_overwrite_numbers_rows_from_zero(tmp_path: Path) -> None:
    state = {"snapshotId": 1, "buckets": [["00" * 12, 0, 1, 99, None]]}
    spec = spec_of(tmp_path, COLUMNS, primary_keys=["id"], bucket_mode="HASH_FIXED", options={"bucket": "1"}, state=state)
    for builder, first in ((spec.new_write_builder(), 100), (spec.new_write_builder().with_overwrite({}), 0)):
        with builder.new_write() as write:
            write.write_arrow(rows(1, 2))
            (message,) = write.prepare_commit()
            assert message.data.new_files[0].min_sequence_number == first
