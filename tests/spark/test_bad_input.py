"""What a user gets wrong: a clear error that names column and cause, no snapshot, no file left."""

from __future__ import annotations

from typing import Any

import pytest

from paimon_bridge.errors import BridgeError, TableError, WriteError
from tests import manifest


@pytest.fixture
def table(bridge: Any, spark: Any) -> Any:
    from pyspark.sql import types as t

    schema = t.StructType(
        [t.StructField("id", t.LongType(), False), t.StructField("name", t.StringType()), t.StructField("n", t.DecimalType(5, 2))]
    )
    return bridge.create_table("db.t", schema)


def nothing_happened(bridge: Any) -> None:
    spec = bridge.describe("db.t")
    assert spec.latest_snapshot_id is None
    assert manifest.data_files(manifest.table_folder(spec)) == set()


@pytest.mark.parametrize(
    ("select", "named"),
    [
        (["id", "cast(id as string) as name"], ["n"]),
        (["id", "cast(id as string) as name", "cast(1 as decimal(5,2)) as n", "1 as extra"], ["extra"]),
        (["id", "array(1) as name", "cast(1 as decimal(5,2)) as n"], ["name"]),
        (["cast(id as string) as id", "id as name", "true as n"], ["id", "n"]),
        (["id", "cast(id as string) as NAME", "cast(1 as decimal(5,2)) as n"], ["name", "NAME"]),
    ],
)
def test_column_missing_extra_or_of_wrong_type_is_named_before_any_task_runs(
    select: list[str], named: list[str], bridge: Any, spark: Any, table: Any
) -> None:
    with pytest.raises(WriteError) as refused:
        bridge.write(spark.range(10).selectExpr(*select), "db.t")
    for name in named:
        assert name in str(refused.value)
    nothing_happened(bridge)


def test_null_where_not_allowed_names_the_column(bridge: Any, spark: Any, table: Any) -> None:
    frame = spark.range(0, 100, 1, 4).selectExpr("if(id = 77, null, id) as id", "'x' as name", "cast(1 as decimal(5,2)) as n")
    with pytest.raises(WriteError, match="id") as refused:
        bridge.write(frame, "db.t")
    assert "null" in str(refused.value).lower()
    nothing_happened(bridge)


def test_failing_task_is_told_and_the_other_tasks_files_are_removed(bridge: Any, spark: Any, table: Any) -> None:
    # Task 3 fails after the others have closed their files.
    frame = spark.range(0, 4000, 1, 4).selectExpr(
        "if(id = 3999, raise_error('the data source broke'), id) as id", "'x' as name", "cast(1 as decimal(5,2)) as n"
    )
    with pytest.raises(WriteError, match="the data source broke") as failed:
        bridge.write(frame, "db.t")
    assert failed.value.code == "SPARK_JOB_FAILED"
    assert failed.value.details["files"] == []
    nothing_happened(bridge)


@pytest.mark.parametrize(
    ("options", "partitioned_by", "key", "reason"),
    [
        ({"bucket": "-1"}, ["name"], ["id"], "partition keys"),
        ({"file.format": "avro"}, [], [], "avro"),
    ],
)
def test_unsupported_table_kind_is_named_with_the_reason(
    options: dict[str, str], partitioned_by: list[str], key: list[str], reason: str, bridge: Any, spark: Any
) -> None:
    frame = spark.range(10).selectExpr("id", "'x' as name")
    bridge.create_table("db.t", frame.schema, primary_key=key, partitioned_by=partitioned_by, options=options)
    with pytest.raises(TableError, match=f"(?i){reason}") as refused:
        bridge.write(frame, "db.t")
    assert refused.value.remedy
    nothing_happened(bridge)


def test_unknown_gate_level_is_refused(bridge: Any, spark: Any, table: Any) -> None:
    messages = bridge.write(spark.range(0).selectExpr("id", "'x' as name", "cast(1 as decimal(5,2)) as n"), "db.t")
    with pytest.raises(BridgeError, match="off, fast, full"):
        bridge.check(messages, level="strict")


def test_bare_messages_need_a_table(bridge: Any) -> None:
    with pytest.raises(TableError, match="table="):
        bridge.commit([(b"", 11)])
