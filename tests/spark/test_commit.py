"""Commits that replace, note and tag, end to end: Python writes, Java commits and reads."""

from __future__ import annotations

import datetime as dt
import json
import pickle
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from paimon_bridge.errors import BridgeError, CommitConflictError, CommitError
from paimon_bridge.model.commitplan import CommitPlan
from paimon_bridge.model.types import parse_type
from paimon_bridge.spark.overwrite import partition_text
from tests import manifest
from tests.conftest import paimon_jar, release_under_test

DAY = dt.date(2026, 6, 26)


def days(bridge: Any, spark: Any, table: str = "db.t") -> None:
    """Three rows in each of three days, one of which is null."""
    bridge.create_table(table, frame(spark, 0, DAY).schema, partitioned_by=["dt"], if_not_exists=True)
    for start, day in ((0, DAY), (10, DAY + dt.timedelta(1)), (20, None)):
        bridge.commit(bridge.write(frame(spark, start, day), table))


def frame(spark: Any, start: int, day: dt.date | None, rows: int = 3) -> Any:
    return spark.createDataFrame([(start + row, day) for row in range(rows)], "id BIGINT, dt DATE")


def ids(bridge: Any, table: str = "db.t") -> list[int]:
    return sorted(bridge.read_arrow(table)["id"].to_pylist())


def test_dynamic_overwrite_replaces_only_the_touched_partitions(bridge: Any, spark: Any) -> None:
    days(bridge, spark)
    messages = bridge.write(frame(spark, 100, DAY, 2), "db.t")
    result = bridge.commit(messages, overwrite={})
    assert (result.status, result.kind, result.rows_removed) == ("COMMITTED", "OVERWRITE", 3)
    assert result.files_removed >= 1
    assert ids(bridge) == [10, 11, 12, 20, 21, 22, 100, 101]
    assert bridge.commit(messages, overwrite=True).status == "ALREADY_COMMITTED"
    assert bridge.describe("db.t").latest_snapshot_id == result.snapshot_id


def test_static_overwrite_takes_python_values_and_null(bridge: Any, spark: Any) -> None:
    days(bridge, spark)
    bridge.commit(bridge.write(frame(spark, 100, DAY, 1), "db.t"), overwrite={"dt": DAY})
    assert ids(bridge) == [10, 11, 12, 20, 21, 22, 100]
    bridge.commit(bridge.write(frame(spark, 200, None, 1), "db.t"), overwrite={"dt": None})
    assert ids(bridge) == [10, 11, 12, 100, 200]


def test_static_overwrite_without_rows_deletes_the_partition(bridge: Any, spark: Any) -> None:
    days(bridge, spark)
    nothing = bridge.write(frame(spark, 0, DAY).where("id < 0"), "db.t")
    assert bridge.commit(nothing, overwrite={}).status == "EMPTY"
    first = bridge.commit(nothing, overwrite={"dt": "2026-06-26"})
    assert (first.status, first.rows, first.rows_removed) == ("COMMITTED", 0, 3)
    assert bridge.commit(nothing, overwrite={"dt": DAY}).status == "ALREADY_COMMITTED"
    assert ids(bridge) == [10, 11, 12, 20, 21, 22]
    assert bridge.commit([], table="db.t", overwrite={"dt": None}).rows_removed == 3
    assert ids(bridge) == [10, 11, 12]


def test_rows_outside_the_stated_partition_are_refused_with_their_partitions(bridge: Any, spark: Any) -> None:
    days(bridge, spark)
    before = bridge.describe("db.t").latest_snapshot_id
    rows = frame(spark, 0, DAY).union(frame(spark, 5, DAY + dt.timedelta(2))).union(frame(spark, 9, DAY + dt.timedelta(3)))
    messages = bridge.write(rows, "db.t")
    for call in (bridge.check, bridge.commit):
        with pytest.raises(CommitError) as refused:
            call(messages, overwrite={"dt": DAY})
        assert refused.value.code == "ROWS_OUTSIDE_OVERWRITE"
        assert len(refused.value.details["partitions"]) == 2
    assert bridge.describe("db.t").latest_snapshot_id == before


def test_truncate_must_be_asked_for_by_name(bridge: Any, spark: Any) -> None:
    days(bridge, spark)
    result = bridge.commit(bridge.write(frame(spark, 100, DAY, 1), "db.t"), overwrite="truncate")
    assert result.rows_removed == 9
    assert "replaced" in str(result)
    assert ids(bridge) == [100]
    for odd in ("all", "", 1, ["dt"]):
        with pytest.raises(CommitError) as unknown:
            bridge.commit(bridge.write(frame(spark, 100, DAY, 1), "db.t"), overwrite=odd)
        assert unknown.value.code == "OVERWRITE_UNKNOWN"


def test_unpartitioned_table_is_replaced_as_a_whole_or_refused(bridge: Any, spark: Any) -> None:
    bridge.create_table("db.t", frame(spark, 0, DAY).schema)
    bridge.commit(bridge.write(frame(spark, 0, DAY), "db.t"))
    bridge.commit(bridge.write(frame(spark, 50, DAY), "db.t"), overwrite={})
    assert ids(bridge) == [50, 51, 52]
    with pytest.raises(CommitError) as refused:
        bridge.commit(bridge.write(frame(spark, 0, DAY), "db.t"), overwrite={"dt": DAY})
    assert refused.value.code == "OVERWRITE_NOT_PARTITIONED"


def test_added_messages_do_not_become_an_overwrite_later(bridge: Any, spark: Any) -> None:
    days(bridge, spark)
    messages = bridge.write(frame(spark, 100, DAY), "db.t")
    bridge.commit(messages)
    with pytest.raises(CommitConflictError) as other:
        bridge.commit(messages, overwrite={})
    assert other.value.code == "COMMITTED_AS_ANOTHER_KIND"
    assert len(ids(bridge)) == 12


def test_partial_spec_over_two_columns(bridge: Any, spark: Any) -> None:
    rows = spark.createDataFrame([(1, DAY, 1), (2, DAY, 2), (3, DAY + dt.timedelta(1), 1)], "id BIGINT, dt DATE, hr INT")
    bridge.create_table("db.t", rows.schema, partitioned_by=["dt", "hr"])
    bridge.commit(bridge.write(rows, "db.t"))
    bridge.commit(bridge.write(rows.where("id = 1").selectExpr("id + 100 as id", "dt", "hr"), "db.t"), overwrite={"hr": 1})
    assert ids(bridge) == [2, 101]
    with pytest.raises(CommitError, match="partition columns") as unknown:
        bridge.commit([], table="db.t", overwrite={"id": 1})
    assert unknown.value.code == "OVERWRITE_COLUMN_UNKNOWN"


def test_tag_watermark_and_properties_are_in_the_snapshot(bridge: Any, spark: Any, warehouse: str) -> None:
    bridge.create_table("db.t", frame(spark, 0, DAY).schema)
    messages = bridge.write(frame(spark, 0, DAY), "db.t")
    has_properties = release_under_test() >= "1.2"
    properties = {"job": "nightly"} if has_properties else None
    result = bridge.commit(messages, tag="nightly", watermark=1234, properties=properties)
    assert result.tag == "nightly"
    snapshot = manifest.snapshot(manifest.table_folder(bridge.describe("db.t")), 1)
    assert snapshot["watermark"] == 1234
    assert snapshot.get("properties") == properties
    assert spark._jvm.org.paimonbridge.twin.TableCare.tagged(warehouse, "db.t", "nightly") == 1
    assert bridge.commit(messages, tag="nightly").status == "ALREADY_COMMITTED"
    with pytest.raises(CommitError) as taken:
        bridge.commit(bridge.write(frame(spark, 5, DAY), "db.t"), tag="nightly")
    assert taken.value.code == "TAG_EXISTS"
    if not has_properties:
        with pytest.raises(CommitError) as lacking:
            bridge.commit(bridge.write(frame(spark, 5, DAY), "db.t"), properties={"job": "nightly"})
        assert lacking.value.code == "RELEASE_LACKS_FEATURE"
    assert bridge.describe("db.t").latest_snapshot_id == 1


def test_branch_is_written_and_the_main_table_stays(bridge: Any, spark: Any, warehouse: str) -> None:
    bridge.create_table("db.t", frame(spark, 0, DAY).schema, partitioned_by=["dt"])
    bridge.commit(bridge.write(frame(spark, 0, DAY), "db.t"), tag="start")
    spark._jvm.org.paimonbridge.twin.TableCare.createBranch(warehouse, "db.t", "side", "start")
    side = "db.t$branch_side"
    result = bridge.commit(bridge.write(frame(spark, 10, DAY), side), overwrite={"dt": DAY})
    assert result.status == "COMMITTED"
    assert ids(bridge, side) == [10, 11, 12]
    assert ids(bridge) == [0, 1, 2]
    with pytest.raises(BridgeError):
        bridge.write(frame(spark, 10, DAY), "db.t$branch_nowhere")


def test_messages_of_one_branch_do_not_enter_another(bridge: Any, spark: Any, warehouse: str) -> None:
    bridge.create_table("db.t", frame(spark, 0, DAY).schema)
    bridge.commit(bridge.write(frame(spark, 0, DAY), "db.t"), tag="start")
    spark._jvm.org.paimonbridge.twin.TableCare.createBranch(warehouse, "db.t", "side", "start")
    with pytest.raises(BridgeError) as other:
        bridge.commit(bridge.write(frame(spark, 10, DAY), "db.t$branch_side"), table="db.t")
    assert other.value.code == "MESSAGES_OF_ANOTHER_TABLE"
    assert bridge.describe("db.t").latest_snapshot_id == 1


def test_results_print_pickle_and_become_json(bridge: Any, spark: Any) -> None:
    days(bridge, spark)
    result = bridge.commit(bridge.write(frame(spark, 100, DAY, 1), "db.t"), overwrite={"dt": DAY}, tag="a<b")
    assert pickle.loads(pickle.dumps(result)) == result
    shape = json.loads(json.dumps(result.to_json()))
    assert (shape["kind"], shape["rows_removed"], shape["tag"]) == ("OVERWRITE", 3, "a<b")
    assert {rule["id"] for rule in shape["report"]["rules"]} >= {"FILE_SIZE"}
    assert all(rule["millis"] >= 0 for rule in shape["report"]["rules"])
    assert "a&lt;b" in result._repr_html_()
    aborted = bridge.abort(bridge.write(frame(spark, 7, DAY, 1), "db.t"))
    assert len(json.loads(json.dumps(aborted.to_json()))["deleted"]) == len(aborted.deleted) > 0
    assert "deleted" in aborted._repr_html_()


def test_explain_commit_foretells_and_changes_nothing(bridge: Any, spark: Any) -> None:
    days(bridge, spark)
    before = bridge.describe("db.t").latest_snapshot_id
    messages = bridge.write(frame(spark, 100, DAY, 2).union(frame(spark, 200, None, 1)), "db.t")
    plan = bridge.explain_commit(messages, overwrite={})
    assert (plan.status, plan.kinds, plan.total.rows_added, plan.total.rows_removed) == ("COMMITTED", ("OVERWRITE",), 3, 6)
    assert plan
    assert {change.partition: (change.rows_added, change.rows_removed) for change in plan.partitions}["dt=2026-06-26"] == (2, 3)
    assert "dt=2026-06-26" in str(plan)
    assert "OVERWRITE" in str(plan)
    assert "0 findings" in str(plan)
    assert CommitPlan.from_json("db.t", json.loads(json.dumps(plan.to_json()))) == plan
    assert "<table>" in plan._repr_html_()
    assert bridge.describe("db.t").latest_snapshot_id == before
    refused = bridge.explain_commit(messages, overwrite={"dt": DAY})
    assert not refused
    assert [obstacle.code for obstacle in refused.obstacles] == ["ROWS_OUTSIDE_OVERWRITE"]
    result = bridge.commit(messages, overwrite={})
    assert (result.rows_removed, result.files_removed) == (plan.total.rows_removed, plan.total.files_removed)
    again = bridge.explain_commit(messages, overwrite={})
    assert (again.status, again.snapshot_id) == ("ALREADY_COMMITTED", result.snapshot_id)
    assert bridge.explain_commit(messages).obstacles[0].code == "COMMITTED_AS_ANOTHER_KIND"


def test_saved_messages_are_explained_and_committed_from_the_command_line(bridge: Any, spark: Any, warehouse: str, tmp_path: Path) -> None:
    days(bridge, spark)
    bridge.write(frame(spark, 100, DAY, 2), "db.t").save(tmp_path / "messages.bin")

    def run(command: str, *options: str) -> subprocess.CompletedProcess[str]:
        jar = ["--master", "local[1]", "--paimon-jar", str(paimon_jar(release_under_test()))]
        line = [command, str(tmp_path / "messages.bin"), "--catalog", f"warehouse={warehouse}", "--table", "db.t", *jar, *options]
        return subprocess.run(
            [sys.executable, "-c", "from paimon_bridge.cli import main; main()", *line], capture_output=True, text=True, timeout=120
        )

    refused = run("explain", "--overwrite", "dt=2026-06-27")
    assert refused.returncode == 1, refused.stderr
    assert "ROWS_OUTSIDE_OVERWRITE" in refused.stdout
    committed = run("commit", "--overwrite", "dt=2026-06-26", "--tag", "by hand", "--json")
    assert committed.returncode == 0, committed.stderr
    assert json.loads(committed.stdout)["rows_removed"] == 3
    assert ids(bridge) == [10, 11, 12, 20, 21, 22, 100, 101]


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("STRING", "", ""),
        ("DATE", DAY, "2026-06-26"),
        ("DATE", "2026-06-26", "2026-06-26"),
        ("INT", 7, "7"),
        ("BIGINT", "-7", "-7"),
        ("BOOLEAN", True, "true"),
        ("DECIMAL(10, 2)", Decimal("1.5"), "1.5"),
        ("DECIMAL(10, 2)", 3, "3"),
        ("DOUBLE", 0.1, "0.1"),
        ("FLOAT", 0.1, "0.1"),
        ("TIMESTAMP(6)", dt.datetime(2026, 6, 26, 1, 2, 3, 4), "2026-06-26 01:02:03.000004"),
        ("TIMESTAMP(3)", "2026-06-26T01:02:03", "2026-06-26 01:02:03"),
        ("TIMESTAMP(6) WITH LOCAL TIME ZONE", dt.datetime(2026, 6, 26, 1, tzinfo=dt.timezone.utc), "2026-06-26 03:00:00"),
        ("BYTES", b"abc", "abc"),
        ("STRING", None, None),
    ],
)
def test_partition_values_become_the_text_paimon_reads(kind: str, value: Any, text: str | None) -> None:
    assert partition_text("p", value, parse_type(kind), "Europe/Berlin") == text


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("STRING", 1),
        ("DATE", dt.datetime(2026, 6, 26)),
        ("DATE", "someday"),
        ("INT", True),
        ("INT", 1.0),
        ("INT", "x"),
        ("BOOLEAN", 1),
        ("DECIMAL(10, 2)", Decimal("1.555")),
        ("DECIMAL(4, 2)", Decimal(100)),
        ("DECIMAL(10, 2)", 1.5),
        ("TIMESTAMP(3)", dt.datetime(2026, 6, 26, 1, 2, 3, 4)),
        ("TIMESTAMP(3)", dt.datetime(2026, 6, 26, tzinfo=dt.timezone.utc)),
        ("TIMESTAMP(6) WITH LOCAL TIME ZONE", dt.datetime(2026, 6, 26)),
        ("TIMESTAMP(6) WITH LOCAL TIME ZONE", dt.datetime(2026, 10, 25, 1, 30, tzinfo=dt.timezone.utc)),
        ("BYTES", b"\xff"),
        ("ARRAY<INT>", [1]),
    ],
)
def test_values_that_are_not_of_the_type_are_refused(kind: str, value: Any) -> None:
    shape = {"type": "ARRAY", "element": "INT"} if kind.startswith("ARRAY") else kind
    with pytest.raises(CommitError) as refused:
        partition_text("p", value, parse_type(shape), "Europe/Berlin")
    assert refused.value.code == "OVERWRITE_VALUE_INVALID"
