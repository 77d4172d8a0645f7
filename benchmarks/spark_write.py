"""Every table kind on Spark: 4,000,000 rows by 8 columns, read from Parquet and written several ways in one run.

    python -m benchmarks.spark_write [--kind KIND ...] [--rows N] [--rounds N] [--paimon-spark-jar JAR] [--memory]

The limit is Spark's own Parquet writer with zstd. With a paimon-spark jar that writer takes part too, and its Paimon is the one the
bridge commits with. ``--memory`` measures the peak memory of a Python worker for the rows and for ten times as many.
"""

from __future__ import annotations

import argparse
import itertools
import os
import platform
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from benchmarks.rounds import Rounds, keep, peak_worker_memory
from paimon_bridge import Bridge, configure

ROOT = Path(__file__).parent.parent


# Name -> primary key and options of the table.
KINDS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "append": ((), {}),
    "postpone": (("id",), {"bucket": "-2"}),
    "primary key": (("id",), {"bucket": "4"}),
    "dynamic bucket": (("id",), {"bucket": "-1"}),
}


def session(paimon_spark_jar: str | None, twin: bool = False) -> Any:
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
    builder = builder.config("spark.ui.showConsoleProgress", "false").config("spark.driver.memory", "4g")
    if twin:
        builder = builder.config("spark.jars", ",".join(map(str, (ROOT / "jvm" / "build" / "libs").glob("paimon-bridge-twin-*.jar"))))
    jar = paimon_spark_jar or next(iter(sorted((ROOT / "build" / "paimon-jars").glob("paimon-bundle-1.4.2.jar"))), None)
    return configure(builder, paimon_jar=jar).getOrCreate()


def source(spark: Any, folder: str, rows: int) -> Any:
    """bigint, two strings (many and few distinct values), double, int, timestamp, boolean, float."""
    spark.range(rows).select(
        f.col("id"),
        f.concat(f.lit("name-"), (f.rand(1) * 1_000_000).cast("int").cast("string")).alias("name"),
        f.concat(f.lit("city-"), (f.col("id") % 1000).cast("string")).alias("city"),
        f.rand(2).alias("amount"),
        (f.rand(3) * 1_000_000).cast("int").alias("quantity"),
        f.expr("timestamp_micros(1700000000000000 + id * 1000)").alias("at"),
        (f.col("id") % 3 == 0).alias("flag"),
        f.rand(4).cast("float").alias("score"),
    ).repartition(4).write.parquet(f"{folder}/source-{rows}")
    return spark.read.parquet(f"{folder}/source-{rows}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    parser.add_argument("--rows", type=int, default=4_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--paimon-spark-jar")
    parser.add_argument("--memory", action="store_true")
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="paimon-bridge-bench-")
    try:
        measure(arguments, folder)
    finally:
        shutil.rmtree(folder)


def measure(arguments: argparse.Namespace, folder: str) -> None:
    spark = session(arguments.paimon_spark_jar)
    bridge = Bridge(spark, {"warehouse": f"file:{folder}/warehouse"})
    frame = source(spark, folder, arguments.rows)
    versions = f"Python {platform.python_version()}, Spark {spark.version}, pyarrow {pyarrow.__version__}, Paimon {bridge.release}"
    print(f"{versions}, {os.cpu_count()} cores")
    larger = source(spark, folder, 10 * arguments.rows) if arguments.memory else None
    for kind in arguments.kind or KINDS:
        if larger is not None:
            memory(bridge, kind, (frame, larger), arguments.rows)
        else:
            race(bridge, kind, frame, folder, arguments)


def race(bridge: Bridge, kind: str, frame: Any, folder: str, arguments: argparse.Namespace) -> None:
    keys, options = KINDS[kind]
    count = itertools.count()

    def plain() -> None:
        frame.write.mode("overwrite").option("compression", "zstd").parquet(f"{folder}/plain")

    def ours() -> None:
        table = f"bench.{kind.replace(' ', '_')}{next(count)}"
        bridge.create_table(table, frame.schema, primary_key=keys, options=options)
        result = bridge.commit(bridge.write(frame, table, progress=False))
        assert result.rows == arguments.rows

    contestants = {"Spark's Parquet writer, zstd": plain, "bridge.write + commit": ours}
    if arguments.paimon_spark_jar:
        contestants["paimon-spark"] = paimon_spark(frame, kind, folder, count)
    rounds = Rounds(f"{kind} on Spark, local[2], {arguments.rows:,} rows × 8 columns, {arguments.rounds} rounds")
    rounds.run(contestants, arguments.rounds)
    print(rounds, flush=True)


def paimon_spark(frame: Any, kind: str, folder: str, count: Any) -> Any:
    spark = frame.sparkSession
    spark.conf.set("spark.sql.catalog.paimon", "org.apache.paimon.spark.SparkCatalog")
    spark.conf.set("spark.sql.catalog.paimon.warehouse", f"file:{folder}/paimon-spark")
    spark.sql("CREATE DATABASE IF NOT EXISTS paimon.bench")
    keys, options = KINDS[kind]

    def write() -> None:
        writer = frame.writeTo(f"paimon.bench.{kind.replace(' ', '_')}{next(count)}")
        if keys:
            writer = writer.tableProperty("primary-key", ",".join(keys))
        for option, value in options.items():
            writer = writer.tableProperty(option, value)
        writer.create()

    return write


def memory(bridge: Bridge, kind: str, frames: Sequence[Any], rows: int) -> None:
    keys, options = KINDS[kind]
    peaks = {}
    for frame, size in zip(frames, (rows, 10 * rows), strict=True):
        table = f"bench.{kind.replace(' ', '_')}_memory{size}"
        bridge.create_table(table, frame.schema, primary_key=keys, options=options)
        with peak_worker_memory() as peak:
            # Two partitions: the most rows a worker can get from this frame on two cores.
            bridge.commit(bridge.write(frame.coalesce(2), table, progress=False))
        peaks[size] = peak["mb"]
        print(f"  {kind}: peak memory of a Python worker, {size:,} rows: {peak['mb']:.0f} MB", flush=True)
    keep(f"{kind} worker memory", {"kind": kind, "peaks": peaks})


if __name__ == "__main__":
    main()
