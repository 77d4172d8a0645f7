"""Every table kind in one process, beside pyarrow's plain ParquetWriter of the same rows; no Spark, no JVM, no commit.

    python -m benchmarks.one_process [--kind KIND ...] [--rows N] [--rounds N] [--peers pypaimon-rust,pypaimon] [--profile | --memory]

Contestants take turns within a round, ratios are medians over rounds. ``--profile`` says where the time of our writers goes, ``--memory``
what their process weighs at its peak, for the rows and for four times as many. Peers must be installed in the environment of the run.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.profile import profiled
from benchmarks.rounds import Rounds
from paimon_bridge.model.state import TableState
from paimon_bridge.model.table import DYNAMIC, FIXED, POSTPONE, UNAWARE, TableSpec
from paimon_bridge.model.types import Field
from paimon_bridge.write.schema import paimon_type

BATCH_ROWS = 131_072
# A peer that needs this many times the limit's time is measured once, not in every round.
SLOW = 12
LIMIT = "pyarrow's ParquetWriter"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A table, and which of the columns in ``rows_of`` differ for it."""

    bucket_mode: str
    keys: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict)
    random_ids: bool = True
    decimal_and_date: bool = False


KINDS = {
    "append": Kind(bucket_mode=UNAWARE, random_ids=False),
    "postpone": Kind(bucket_mode=POSTPONE, keys=("id",), options={"bucket": "-2"}),
    "bigint key": Kind(bucket_mode=FIXED, keys=("id",), options={"bucket": "4"}),
    "string key": Kind(bucket_mode=FIXED, keys=("name",), options={"bucket": "4"}),
    "composite key": Kind(bucket_mode=FIXED, keys=("at", "amount", "quantity"), options={"bucket": "4"}, decimal_and_date=True),
    "dynamic bucket": Kind(bucket_mode=DYNAMIC, keys=("id",), options={"bucket": "-1"}),
}


def rows_of(kind: Kind, count: int, first: int = 0) -> pa.Table:
    """``count`` rows from row ``first`` on; benchmarks/README.md describes them."""
    dice = np.random.default_rng(first + 1)
    numbers = np.arange(first, first + count)
    if kind.keys == ("name",):
        names = pa.array(np.char.add("customer-", dice.integers(0, 2**40, count).astype(str)), pa.string())
    else:
        names = pa.array([f"name-{number}" for number in range(100_000)]).take(pa.array(dice.integers(0, 100_000, count)))
    amounts, moments = pa.array(dice.random(count)), pa.array(1_700_000_000_000_000 + numbers * 1000, pa.timestamp("us"))
    if kind.decimal_and_date:
        amounts = pa.array(dice.integers(0, 10**10, count)).cast(pa.decimal128(19, 0)).cast(pa.decimal128(21, 2)).cast(pa.decimal128(12, 2))
        moments = pa.array(dice.integers(18_000, 20_000, count).astype(np.int32)).cast(pa.date32())
    return pa.table(
        {
            "id": dice.integers(0, 2**62, count) if kind.random_ids else numbers,
            "name": names,
            "city": pa.array([f"city-{number}" for number in range(1000)]).take(pa.array(numbers % 1000)),
            "amount": amounts,
            "quantity": dice.integers(0, 1_000_000, count).astype(np.int32),
            "at": moments,
            "flag": numbers % 3 == 0,
            "score": dice.random(count, dtype=np.float32),
        },
        schema=_schema(kind, amounts.type, moments.type),
    )


def _schema(kind: Kind, amount: pa.DataType, moment: pa.DataType) -> pa.Schema:
    types = {
        "id": pa.int64(), "name": pa.string(), "city": pa.string(), "amount": amount, "quantity": pa.int32(), "at": moment,
        "flag": pa.bool_(), "score": pa.float32(),
    }  # fmt: skip
    return pa.schema([pa.field(name, type_, nullable=name not in kind.keys) for name, type_ in types.items()])


def spec_of(kind: Kind, schema: pa.Schema, folder: str) -> TableSpec:
    """A table as the shim would describe it, without rows yet."""
    return TableSpec(
        name="bench.t", path=f"file:{folder}", table_id="bench", schema_id=0, partition_keys=(), primary_keys=kind.keys,
        fields=tuple(Field(id=index, name=column.name, type=paimon_type(column)) for index, column in enumerate(schema)),
        options={"bucket": "-1", **kind.options}, bucket_mode=kind.bucket_mode, release="1.4.2", message_version=11, zone_id="UTC",
        state=TableState(),
    )  # fmt: skip


# -- contestants -------------------------------------------------------------------------------------------------------------------------


def plain(table: pa.Table, folder: str) -> None:
    with pq.ParquetWriter(f"{folder}/plain.parquet", table.schema, compression="zstd", compression_level=1) as writer:
        writer.write_table(table)


def ours(kind: Kind, batches: Iterator[pa.RecordBatch], schema: pa.Schema, folder: str) -> int:
    with spec_of(kind, schema, folder).new_write_builder().new_write(encoders=2) as write:
        for batch in batches:
            write.write_arrow_batch(batch)
        return write.prepare_commit().row_count


def pypaimon(kind: Kind, table: pa.Table, folder: str) -> int:
    write = _peer_catalog(kind, table, folder).get_table("bench.t").new_batch_write_builder().new_write()
    write.write_arrow(table)
    return sum(file.row_count for message in write.prepare_commit() for file in message.new_files)


def pypaimon_rust(kind: Kind, table: pa.Table, folder: str) -> int:
    from pypaimon_rust import datafusion

    _peer_catalog(kind, table, folder)
    write = datafusion.PaimonCatalog({"warehouse": folder}).get_table("bench.t").new_batch_write_builder().new_write()
    for batch in table.to_batches(BATCH_ROWS):
        write.write_arrow(batch)
    assert write.prepare_commit()
    return len(table)


def _peer_catalog(kind: Kind, table: pa.Table, folder: str) -> Any:
    import pypaimon as peer

    catalog = peer.CatalogFactory.create({"warehouse": folder})
    catalog.create_database("bench", True)
    shape = peer.Schema.from_pyarrow_schema(table.schema, primary_keys=list(kind.keys) or None, options={"bucket": "-1", **kind.options})
    catalog.create_table("bench.t", shape, False)
    return catalog


PEERS: dict[str, Callable[[Kind, pa.Table, str], int]] = {"pypaimon": pypaimon, "pypaimon-rust": pypaimon_rust}


def in_folder(action: Callable[[str], object]) -> Callable[[], object]:
    """A contestant that writes into a folder of its own."""

    def run() -> object:
        folder = tempfile.mkdtemp(prefix="paimon-bridge-bench-")
        try:
            return action(folder)
        finally:
            shutil.rmtree(folder)

    return run


# -- what is measured --------------------------------------------------------------------------------------------------------------------


def race(name: str, rows: int, rounds: int, peers: list[str]) -> None:
    kind = KINDS[name]
    table = rows_of(kind, rows)
    distinct = len(table.select(kind.keys).group_by(kind.keys).aggregate([])) if kind.keys else rows

    def bridge(folder: str) -> None:
        written = ours(kind, iter(table.to_batches(BATCH_ROWS)), table.schema, folder)
        assert distinct <= written <= rows

    contestants: dict[str, Callable[[], object]] = {
        LIMIT: in_folder(lambda folder: plain(table, folder)),
        "paimon-bridge": in_folder(bridge),
    }
    slow = []
    for peer in peers:
        action = in_folder(partial(PEERS[peer], kind, table))
        before, taken, after = (_seconds(step) for step in (contestants[LIMIT], action, contestants[LIMIT]))
        if taken < SLOW * min(before, after):
            contestants[peer] = action
        else:
            slow.append(f"  {peer}: {taken:.2f} s, once  {(before + after) / 2 / taken:.3f} ×")
    result = Rounds(f"{name}: {rows:,} rows × 8 columns, {rounds} rounds")
    result.run(contestants, rounds)
    print(result, *slow, sep="\n", flush=True)


def _seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def profile(name: str, rows: int) -> None:
    kind = KINDS[name]
    table = rows_of(kind, rows)
    run = in_folder(lambda folder: ours(kind, iter(table.to_batches(BATCH_ROWS)), table.schema, folder))
    run()
    print(f"{name}: {rows:,} rows × 8 columns\n{profiled(run)}", flush=True)


def memory(name: str, rows: int) -> None:
    """Rows are made batch by batch, so that they weigh nothing themselves."""
    kind = KINDS[name]
    batches = (batch for first in range(0, rows, BATCH_ROWS) for batch in rows_of(kind, BATCH_ROWS, first).to_batches())
    schema = rows_of(kind, 1).schema
    resting = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    in_folder(lambda folder: ours(kind, batches, schema, folder))()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{name}, {rows:,} rows: {peak / 1024:.0f} MB, {resting / 1024:.0f} of them before the first row", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers", default="")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--memory", action="store_true")
    arguments = parser.parse_args()
    peers = [name for name in arguments.peers.split(",") if name]
    print(f"Python {platform.python_version()}, pyarrow {pa.__version__}, numpy {np.__version__}, {os.cpu_count()} cores", flush=True)
    # Each kind in a process of its own: none inherits the memory, warm or fragmented, of another.
    processes = multiprocessing.get_context("spawn")
    for name in arguments.kind or KINDS:
        jobs: list[tuple[Callable[..., None], tuple[Any, ...]]] = [(race, (name, arguments.rows, arguments.rounds, peers))]
        if arguments.profile:
            jobs = [(profile, (name, arguments.rows))]
        elif arguments.memory:
            jobs = [(memory, (name, count)) for count in (arguments.rows, 4 * arguments.rows)]
        for target, given in jobs:
            child = processes.Process(target=target, args=given)
            child.start()
            child.join()
            if child.exitcode:
                raise SystemExit(f"{name} failed")


if __name__ == "__main__":
    main()
