"""A job as users write it, run by the tests as a process of its own: job.py MASTER WAREHOUSE PAIMON_JAR. Prints one JSON line."""

from __future__ import annotations

import json
import os
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from paimon_bridge import Bridge, configure
from paimon_bridge.errors import BridgeError


def main(master: str, warehouse: str, paimon_jar: str) -> None:
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
    spark = configure(builder, paimon_jar=paimon_jar).getOrCreate()
    bridge = Bridge(spark, {"warehouse": warehouse})
    frame = spark.range(0, 10_000, 1, 6).select("id", (f.col("id") % 4).cast("string").alias("part"), f.rand(3).alias("value"))
    bridge.create_table("db.t", frame.schema, partitioned_by=["part"], if_not_exists=True)
    try:
        messages = bridge.write(frame, "db.t")
        result = bridge.commit(messages)
    except BridgeError as error:
        print(json.dumps({"error": error.code, "text": str(error), "files": error.details.get("files")}))
        return
    rows = bridge.read_arrow("db.t")
    tasks = sorted({envelope.task for envelope in messages.envelopes})
    print(
        json.dumps(
            {"status": result.status, "rows": rows.num_rows, "sum": sum(rows["id"].to_pylist()), "tasks": tasks, "spark": spark.version}
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
