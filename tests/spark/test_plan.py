"""The layout of a Spark write: which tables are shuffled, that every bucket has one owner, and what the plan says about it."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from pyspark.sql import functions as f

from paimon_bridge import Messages
from paimon_bridge.errors import TableError, WriteError
from paimon_bridge.spark.plan import BATCH_ROWS_KEY, slots_of
from tests import manifest


def people(spark: Any, rows: int = 1000, tasks: int = 3) -> Any:
    return spark.range(0, rows, 1, tasks).select(
        f.col("id"), f.concat(f.lit("name-"), f.col("id") % 7).alias("name"), (f.col("id") % 3).cast("int").alias("part")
    )


def create(bridge: Any, frame: Any, keys: tuple[str, ...] = (), parts: tuple[str, ...] = (), **options: str) -> Any:
    named = {key.replace("_", "-"): value for key, value in options.items()}
    return bridge.create_table("db.t", frame.schema, primary_key=keys, partitioned_by=parts, options=named)


def rows_of(bridge: Any) -> list[tuple[Any, ...]]:
    return sorted(tuple(row.values()) for row in bridge.read_arrow("db.t").to_pylist())


def writers_of_buckets(messages: Any) -> Counter[tuple[bytes, int]]:
    """In how many tasks each bucket was written."""
    return Counter(
        key
        for envelope in messages.envelopes
        for key in {(message.partition, message.bucket) for message in Messages([envelope]) if message.data.new_files}
    )


@pytest.mark.parametrize("owners", [1, 2, 7, 200])
def test_slots_lead_to_the_tasks_of_their_owners(owners: int, spark: Any) -> None:
    slots = spark.createDataFrame([(slot, owner) for owner, slot in enumerate(slots_of(owners))], "slot int, owner int")
    placed = slots.repartition(owners, "slot").select("owner", f.spark_partition_id().alias("task")).collect()
    assert sorted(map(tuple, placed)) == [(owner, owner) for owner in range(owners)]


@pytest.mark.parametrize("parts", [(), ("part",)])
@pytest.mark.parametrize(
    ("keys", "options"),
    [
        ((), {"bucket": "5", "bucket_key": "id"}),
        (("id",), {"bucket": "5"}),
        (("id",), {"bucket": "-1", "dynamic_bucket.target-row-num": "60"}),
    ],
    ids=["append", "primary-key", "dynamic"],
)
def test_every_bucket_has_one_writer_and_every_row_arrives(
    keys: tuple[str, ...], options: dict[str, str], parts: tuple[str, ...], bridge: Any, spark: Any
) -> None:
    frame = people(spark)
    create(bridge, frame, keys=(*keys, *parts) if keys else (), parts=parts, **options)
    messages = bridge.write(frame, "db.t")
    tasks = writers_of_buckets(messages)
    assert len(tasks) >= 5
    assert set(tasks.values()) == {1}, "a bucket with two writers would number its rows twice"
    assert len({envelope.task for envelope in messages.envelopes}) > 1, "one task did it all"
    bridge.commit(messages, level="full")
    assert rows_of(bridge) == sorted(map(tuple, frame.collect()))


@pytest.mark.parametrize("options", [{}, {"bucket": "-2"}], ids=["append", "postpone"])
def test_tables_without_buckets_are_not_shuffled(options: dict[str, str], bridge: Any, spark: Any) -> None:
    if options and bridge.release == "1.0.1":
        pytest.skip("postponed buckets exist since 1.1")
    frame = people(spark, tasks=3)
    create(bridge, frame, keys=("id",) if options else (), **options)
    plan = bridge.explain(frame, "db.t")
    assert not plan.shuffle
    assert plan.owners is None
    assert [envelope.task for envelope in bridge.write(frame, "db.t").envelopes] == [0, 1, 2]


def test_owners_follow_cores_buckets_and_the_caller(bridge: Any, spark: Any) -> None:
    frame = people(spark)
    create(bridge, frame, keys=("id",), bucket="3")
    assert bridge.explain(frame, "db.t").owners == 3, "no more owners than buckets"
    assert bridge.explain(frame, "db.t", owners=2).owners == 2
    assert len(bridge.write(frame, "db.t", owners=2).envelopes) == 2
    with pytest.raises(WriteError, match="0 owners"):
        bridge.write(frame, "db.t", owners=0)


def test_last_row_of_a_source_task_wins_whatever_the_batch_size(bridge: Any, spark: Any) -> None:
    # 40 versions of each key in one task, in small batches and small pieces: their order must survive the exchange.
    frame = spark.range(0, 20_000, 1, 1).select((f.col("id") % 500).alias("id"), f.col("id").alias("version"))
    create(bridge, frame, keys=("id",), bucket="4")
    spark.conf.set(BATCH_ROWS_KEY, "100")
    try:
        bridge.commit(bridge.write(frame, "db.t"), level="full")
    finally:
        spark.conf.unset(BATCH_ROWS_KEY)
    assert rows_of(bridge) == [(key, 19_500 + key) for key in range(500)]


def test_adaptive_execution_neither_splits_nor_joins_owners(bridge: Any, spark: Any) -> None:
    changed = {
        "spark.sql.adaptive.enabled": "true",
        "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false",
        "spark.sql.adaptive.advisoryPartitionSizeInBytes": "1k",
        "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "1k",
    }
    before = {key: spark.conf.get(key) for key in changed}
    for key, value in changed.items():
        spark.conf.set(key, value)
    try:
        frame = people(spark, rows=5000).orderBy("name")
        create(bridge, frame, keys=("id",), bucket="8")
        messages = bridge.write(frame, "db.t", owners=8)
    finally:
        for key, value in before.items():
            spark.conf.set(key, value)
    assert sorted(envelope.task for envelope in messages.envelopes) == list(range(8))
    assert set(writers_of_buckets(messages).values()) == {1}
    bridge.commit(messages)
    assert len(rows_of(bridge)) == 5000


def test_bad_key_is_refused_before_the_exchange_and_leaves_nothing(bridge: Any, spark: Any) -> None:
    frame = people(spark).withColumn("id", f.expr("if(id = 700, null, id)"))
    spec = bridge.create_table("db.t", people(spark).schema, primary_key=["id"], options={"bucket": "4"})
    with pytest.raises(WriteError) as refused:
        bridge.write(frame, "db.t")
    assert "task 2" in refused.value.where
    assert "id" in str(refused.value)
    assert refused.value.details["files"] == []
    assert manifest.data_files(manifest.table_folder(spec)) == set()


def test_plan_prints_as_text_json_and_html(bridge: Any, spark: Any) -> None:
    frame = people(spark)
    create(bridge, frame, keys=("id", "part"), parts=("part",), bucket="2", merge_engine="first-row")
    plan = bridge.explain(frame, "db.t")
    assert "primary key (id, part), first-row, 2 buckets" in str(plan)
    assert "every bucket to one owner" in str(plan)
    assert not plan.visible
    assert "compacted" in plan.warnings[0]
    assert json.loads(json.dumps(plan.to_json()))["bucket_key"] == ["id"]
    assert "<table>" in plan._repr_html_()
    assert bridge.describe("db.t").latest_snapshot_id is None


def test_tables_that_cannot_be_written_are_refused_by_name(bridge: Any, spark: Any) -> None:
    frame = people(spark)
    create(bridge, frame, keys=("id",), parts=("part",), bucket="-1")
    for attempt in (bridge.write, bridge.explain):
        with pytest.raises(TableError, match="does not contain its partition keys") as refused:
            attempt(frame, "db.t")
        assert refused.value.code == "TABLE_KIND_UNSUPPORTED"
