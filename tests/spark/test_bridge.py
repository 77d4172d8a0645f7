"""The whole way for the simplest table: DataFrame, files, messages, gate, snapshot, and back; with the manifests as second witness."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import functions as f

from paimon_bridge import Messages, TableSpec
from paimon_bridge.errors import ConformanceError, TableError
from tests import manifest


def orders(spark: Any, rows: int = 1000) -> Any:
    return spark.range(rows).select(
        f.col("id"),
        f.concat(f.lit("name-"), f.col("id") % 7).alias("name"),
        f.expr("if(id % 5 = 0, null, id * 1.5D)").alias("amount"),
        f.expr("date_add(date'2026-01-01', cast(id % 3 as int))").alias("dt"),
    )


def sorted_rows(table: pa.Table) -> list[dict[str, Any]]:
    return sorted(table.to_pylist(), key=lambda row: row["id"])


def test_dataframe_becomes_snapshot_and_reads_back_equal(bridge: Any, spark: Any) -> None:
    frame = orders(spark)
    bridge.create_table("db.orders", frame.schema, partitioned_by=["dt"])
    messages = bridge.write(frame, "db.orders")
    assert bridge.describe("db.orders").latest_snapshot_id is None, "a write alone must not make a snapshot"
    report = bridge.check(messages)
    assert report.ok, str(report)
    assert report.rows == 1000
    assert len(report.rules) >= 10
    result = bridge.commit(messages)
    assert (result.status, result.snapshot_id, result.rows, result.visible) == ("COMMITTED", 1, 1000, True)
    expected = sorted((row.asDict() for row in frame.collect()), key=lambda row: row["id"])
    assert sorted_rows(bridge.read_arrow("db.orders")) == expected


def test_manifest_read_by_fastavro_says_what_the_messages_said(bridge: Any, spark: Any) -> None:
    frame = orders(spark)
    bridge.create_table("db.orders", frame.schema, partitioned_by=["dt"])
    messages = bridge.write(frame, "db.orders")
    bridge.commit(messages)
    folder = manifest.table_folder(bridge.describe("db.orders"))
    files = manifest.live_files(folder)
    told = {(message.partition, file.file_name, file.file_size, file.row_count) for message in messages for file in message.data.new_files}
    seen = {
        (entry["_PARTITION"], entry["_FILE"]["_FILE_NAME"], entry["_FILE"]["_FILE_SIZE"], entry["_FILE"]["_ROW_COUNT"]) for entry in files
    }
    assert seen == told
    assert {entry["_TOTAL_BUCKETS"] for entry in files} == {-1}
    on_disk = {path.rsplit("/", 1)[1] for path in manifest.data_files(folder)}
    assert on_disk == {name for _, name, _, _ in told}, "no file on disk beside the committed ones"
    assert manifest.snapshot(folder, 1)["commitUser"] == messages.commit_user


def test_same_commit_twice_makes_one_snapshot(bridge: Any, spark: Any) -> None:
    bridge.create_table("db.t", orders(spark).schema)
    messages = bridge.write(orders(spark), "db.t")
    first = bridge.commit(messages)
    second = bridge.commit(messages)
    assert (first.status, second.status) == ("COMMITTED", "ALREADY_COMMITTED")
    assert second.snapshot_id == first.snapshot_id == 1
    assert bridge.describe("db.t").latest_snapshot_id == 1
    assert bridge.read_arrow("db.t").num_rows == 1000


def test_same_files_under_another_identity_are_refused(bridge: Any, spark: Any) -> None:
    bridge.create_table("db.t", orders(spark).schema)
    messages = bridge.write(orders(spark), "db.t")
    bridge.commit(messages)
    with pytest.raises(ConformanceError) as refused:
        bridge.commit(messages, commit_user="someone-else", identifier=7)
    assert {finding.rule for finding in refused.value.report.errors} == {"FILE_NOT_IN_TABLE"}
    assert bridge.describe("db.t").latest_snapshot_id == 1


def test_explicit_identity_is_idempotent_and_ordered(bridge: Any, spark: Any) -> None:
    bridge.create_table("db.t", orders(spark).schema)
    first, second = bridge.write(orders(spark, 10), "db.t"), bridge.write(orders(spark, 20), "db.t")
    assert bridge.commit(first, commit_user="nightly", identifier=42).status == "COMMITTED"
    assert bridge.commit(first, commit_user="nightly", identifier=42).status == "ALREADY_COMMITTED"
    assert bridge.commit(second, commit_user="nightly", identifier=43).snapshot_id == 2
    assert bridge.read_arrow("db.t").num_rows == 30
    assert bridge.read_arrow("db.t", snapshot=1).num_rows == 10


def test_empty_frame_makes_no_snapshot(bridge: Any, spark: Any) -> None:
    bridge.create_table("db.t", orders(spark).schema)
    messages = bridge.write(orders(spark).where("id < 0"), "db.t")
    assert messages.row_count == 0
    result = bridge.commit(messages)
    assert (result.status, result.snapshot_id) == ("EMPTY", None)
    assert bridge.read_arrow("db.t").num_rows == 0


def test_messages_survive_pickle_and_file(bridge: Any, spark: Any, tmp_path: Any) -> None:
    bridge.create_table("db.t", orders(spark).schema)
    messages = bridge.write(orders(spark), "db.t")
    assert pickle.loads(pickle.dumps(messages)) == messages
    messages.save(tmp_path / "messages.bin")
    assert bridge.commit(Messages.load(tmp_path / "messages.bin")).rows == 1000


def test_abort_deletes_uncommitted_files_and_keeps_committed_ones(bridge: Any, spark: Any) -> None:
    bridge.create_table("db.t", orders(spark).schema)
    kept, dropped = bridge.write(orders(spark, 10), "db.t"), bridge.write(orders(spark, 20), "db.t")
    bridge.commit(kept)
    folder = manifest.table_folder(bridge.describe("db.t"))
    assert len(bridge.abort(dropped).deleted) == dropped.file_count
    refused = bridge.abort(kept)
    assert refused.deleted == ()
    assert len(refused.kept) == kept.file_count
    assert {path.rsplit("/", 1)[1] for path in manifest.data_files(folder)} == {file.file_name for file in kept.new_files}
    assert bridge.read_arrow("db.t").num_rows == 10


def test_large_hand_over_goes_by_file_and_leaves_none(bridge: Any, spark: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    import tempfile

    from paimon_bridge.spark import gateway

    monkeypatch.setattr(gateway, "HANDOVER_BYTES", 100)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    bridge.create_table("db.t", orders(spark).schema)
    assert bridge.commit(bridge.write(orders(spark), "db.t")).status == "COMMITTED"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("paimon-bridge-")]


def test_table_spec_prints_pickles_and_knows_the_message_version(bridge: Any, spark: Any) -> None:
    spec = bridge.create_table("db.orders", orders(spark).schema, partitioned_by=["dt"], options={"target-file-size": "64 mb"})
    assert isinstance(spec, TableSpec)
    assert pickle.loads(pickle.dumps(spec)) == spec == bridge.describe("db.orders")
    assert TableSpec.from_json(json.loads(json.dumps(spec.to_json()))) == spec
    assert spec.message_version == bridge.message_version
    assert "dt" in str(spec)
    assert "target-file-size" in str(spec)
    assert "<table>" in spec._repr_html_()


def test_result_and_report_print_and_escape_html(bridge: Any, spark: Any) -> None:
    bridge.create_table("db.t", orders(spark).schema)
    result = bridge.commit(bridge.write(orders(spark), "db.t"))
    assert str(result).startswith("COMMITTED db.t: snapshot 1")
    assert "<td>COMMITTED</td>" in result._repr_html_()
    assert json.loads(json.dumps(result.to_json()))["report"]["table"] == "db.t"
    hostile = replace(result, hint="<script>")
    assert "<script>" not in hostile._repr_html_()


def test_create_table_again_is_an_error_or_the_existing_one(bridge: Any, spark: Any) -> None:
    spec = bridge.create_table("db.t", orders(spark).schema)
    with pytest.raises(TableError, match=r"db\.t") as exists:
        bridge.create_table("db.t", orders(spark).schema)
    assert exists.value.code == "TABLE_EXISTS"
    assert bridge.create_table("db.t", orders(spark).schema, if_not_exists=True) == spec


def test_arrow_schema_creates_the_same_table_as_spark_schema(bridge: Any, spark: Any) -> None:
    arrow = pa.schema(
        [
            pa.field("id", pa.int64(), nullable=False),
            pa.field("name", pa.string()),
            pa.field("amount", pa.float64()),
            pa.field("dt", pa.date32()),
        ]
    )
    by_spark = bridge.create_table("db.by_spark", orders(spark).schema, partitioned_by=["dt"])
    by_arrow = bridge.create_table("db.by_arrow", arrow, partitioned_by=["dt"])
    assert [(field.name, str(field.type)) for field in by_arrow.fields] == [(field.name, str(field.type)) for field in by_spark.fields]


def test_missing_table_or_database_is_named(bridge: Any, spark: Any) -> None:
    with pytest.raises(TableError, match="no database nowhere"):
        bridge.write(orders(spark), "nowhere.t")
    bridge.create_table("db.t", orders(spark).schema)
    with pytest.raises(TableError, match=r"db\.absent") as missing:
        bridge.write(orders(spark), "db.absent")
    assert missing.value.code == "TABLE_NOT_FOUND"


def test_messages_of_a_table_that_was_made_again_are_refused(bridge: Any, spark: Any, warehouse: str) -> None:
    import shutil
    import time

    bridge.create_table("db.t", orders(spark).schema)
    messages = bridge.write(orders(spark), "db.t")
    shutil.rmtree(manifest.table_folder(bridge.describe("db.t")))
    time.sleep(0.01)
    bridge.create_table("db.t", orders(spark).schema)
    with pytest.raises(ConformanceError) as refused:
        bridge.commit(messages)
    assert "TABLE_IDENTITY" in {finding.rule for finding in refused.value.report.errors}
    assert bridge.describe("db.t").latest_snapshot_id is None


def test_a_write_leaves_the_sessions_arrow_settings_as_they_were(bridge: Any, spark: Any) -> None:
    rows, size = "spark.sql.execution.arrow.maxRecordsPerBatch", "spark.sql.execution.arrow.maxBytesPerBatch"
    before = spark.conf.get(rows, None), spark.conf.get(size, None)
    frame = spark.range(10)
    bridge.create_table("db.t", frame.schema)
    bridge.write(frame, "db.t")
    assert (spark.conf.get(rows, None), spark.conf.get(size, None)) == before
    spark.conf.set(rows, "3")
    try:
        bridge.write(frame, "db.t")
        assert spark.conf.get(rows) == "3"
    finally:
        spark.conf.unset(rows)


def test_the_users_batch_size_reaches_the_workers(bridge: Any, spark: Any) -> None:
    from paimon_bridge.spark.job import _arrow_settings

    frame = spark.range(40_000).coalesce(1)
    bridge.create_table("db.t", frame.schema)

    def largest(setting: str | None) -> int:
        if setting is not None:
            spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", setting)
        try:
            with _arrow_settings(spark, bridge.explain(frame, "db.t").arrow_settings):
                sizes = frame.mapInArrow(_batch_lengths, "n long").collect()
        finally:
            spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
        return max(row["n"] for row in sizes)

    assert largest(None) == 16_384
    assert largest("777") == 777


def _batch_lengths(batches: Any) -> Any:
    import pyarrow as arrow

    for batch in batches:
        yield arrow.record_batch([arrow.array([batch.num_rows])], ["n"])
