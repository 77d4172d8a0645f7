"""paimon-bridge demo: the main job on this machine, start to finish, with one message that is refused on purpose."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import click
import pyarrow.compute as pc
from rich.console import Console
from rich.panel import Panel
from rich.table import Table

from paimon_bridge.cli.session import SessionOptions, session_options, spark_session
from paimon_bridge.errors import BridgeError, ConformanceError
from paimon_bridge.model.message import CommitMessage, DataIncrement
from paimon_bridge.wire import encode

_TABLE = "demo.orders"


@dataclass
class _Stopwatch:
    laps: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def lap(self, name: str, console: Console) -> Iterator[None]:
        started = time.perf_counter()
        with console.status(name):
            yield
        self.laps[name] = time.perf_counter() - started


@click.command("demo")
@session_options
@click.option("--rows", default=1_000_000, show_default=True, help="How many rows to write.")
def demo_command(session: SessionOptions, rows: int) -> None:
    """Write a DataFrame into a new Paimon table, check, commit and read it back; then show a refusal."""
    console = Console()
    watch = _Stopwatch()
    with tempfile.TemporaryDirectory(prefix="paimon-bridge-demo-") as warehouse:
        with watch.lap("start Spark", console):
            opened = spark_session(session, "paimon-bridge demo")
            spark = opened.__enter__()
        try:
            _run(console, watch, spark, f"file:{warehouse}", rows)
        finally:
            opened.__exit__(None, None, None)


def _run(console: Console, watch: _Stopwatch, spark: Any, warehouse: str, rows: int) -> None:
    from pyspark.sql import functions as f

    from paimon_bridge.spark.bridge import Bridge

    bridge = Bridge(spark, {"warehouse": warehouse})
    frame = spark.range(rows).select(
        f.col("id").alias("order_id"),
        f.concat(f.lit("customer-"), (f.col("id") % 9973).cast("string")).alias("customer"),
        (f.rand(7) * 1000).cast("decimal(10,2)").alias("amount"),
        f.expr("timestamp_micros(1767225600000000 + id * 1000)").alias("ordered_at"),
        f.expr("date_add(date'2026-01-01', cast(id % 4 as int))").alias("dt"),
    )
    with watch.lap("create table", console):
        bridge.create_table(_TABLE, frame.schema, partitioned_by=["dt"])
    started = time.perf_counter()
    messages = bridge.write(frame, _TABLE, progress=True)
    watch.laps["write"] = time.perf_counter() - started
    with watch.lap("check", console):
        report = bridge.check(messages)
    with watch.lap("commit", console):
        result = bridge.commit(messages)
    with watch.lap("read back", console):
        table = bridge.read_arrow(_TABLE)
    total = pc.sum(table["order_id"]).as_py()
    if table.num_rows != rows or total != rows * (rows - 1) // 2:
        raise BridgeError(f"Read back {table.num_rows} rows with sum {total}, wrote {rows}.", code="DEMO_ROUND_TRIP")
    with watch.lap("refusal", console):
        refusal = _refusal(bridge, messages[0])
        after = bridge.describe(_TABLE).latest_snapshot_id

    facts = Table(box=None, show_header=False)
    for name, value in (
        ("table", f"{_TABLE}, 4 partitions, Paimon {bridge.release}, messages at version {bridge.message_version}"),
        ("rows", f"{result.rows:,} written and committed, {table.num_rows:,} read back by Paimon Java, sums equal"),
        ("files", f"{result.files} Parquet files, {result.size_bytes / 1e6:.1f} MB"),
        ("snapshot", f"{result.snapshot_id} ({result.status})"),
        ("checks", f"{len(report.rules)} rules, {sum(rule.checked for rule in report.rules)} checks, {len(report.findings)} findings"),
        ("times", ", ".join(f"{name} {seconds:.1f} s" for name, seconds in watch.laps.items())),
    ):
        facts.add_row(f"[bold]{name}[/]", value)
    console.print(Panel(facts, title="A DataFrame became a Paimon snapshot", expand=False))
    lines = "\n".join(f"{finding.rule}: {finding.message}" for finding in refusal.report.errors)
    console.print(
        Panel(lines, title=f"A broken message was refused; the table is still at snapshot {after}", expand=False, border_style="yellow")
    )


def _refusal(bridge: Any, message: CommitMessage) -> ConformanceError:
    """Commit a copy of a message whose file does not exist and whose row count lies; Paimon alone would make the snapshot."""
    file = message.data.new_files[0]
    lie = replace(file, file_name="data-00000000-0000-4000-8000-000000000000-0.parquet", row_count=file.row_count + 1, schema_id=42)
    broken = replace(message, data=DataIncrement(new_files=(lie,)))
    version = bridge.message_version
    try:
        bridge.commit([(encode(broken, version), version)], table=_TABLE)
    except ConformanceError as refused:
        return refused
    raise BridgeError("A message that names a missing file was committed.", code="DEMO_REFUSAL")
