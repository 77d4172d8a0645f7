"""A gate at level full as a process of its own: full_job.py MASTER WAREHOUSE PAIMON_JAR. Prints one JSON line."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from pyspark.sql import SparkSession

from paimon_bridge import Bridge, configure


def main(master: str, warehouse: str, paimon_jar: str) -> None:
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
    spark = configure(builder, paimon_jar=paimon_jar).getOrCreate()
    bridge = Bridge(spark, {"warehouse": warehouse})
    frame = spark.range(0, 10_000, 1, 6).selectExpr("id", "cast(id as string) as text")
    bridge.create_table("db.t", frame.schema)
    messages = bridge.write(frame, "db.t")
    jobs = spark.sparkContext.statusTracker().getJobIdsForGroup(None)
    good = bridge.check(messages, level="full")
    more = spark.sparkContext.statusTracker().getJobIdsForGroup(None)
    damaged = sorted(Path(warehouse.removeprefix("file:")).rglob("*.parquet"))[0]
    content = bytearray(damaged.read_bytes())
    content[4:60] = b"\x55" * 56
    damaged.write_bytes(bytes(content))
    bad = bridge.check(messages, level="full")
    findings = [[finding.rule, finding.file] for finding in bad.errors]
    print(json.dumps({"ok": good.ok, "jobs": len(set(more) - set(jobs)), "findings": findings, "damaged": damaged.name}))


if __name__ == "__main__":
    main(*sys.argv[1:])
