"""The gate at level ``fast`` and the commit behind it, beside a plain Java commit of the same messages; and what live files add.

    python -m benchmarks.gate [--files N] [--live N] [--rounds N]

The limit is Java by itself: read the messages from a file, decode them, commit, check nothing. Ours hands the same messages over, proves
every rule of the gate (each file is opened and its footer read), commits with Paimon's conflict check, and reads the snapshot back. Every
turn has a table of its own, made and filled with links to one small Parquet file before the clock starts.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import statistics
import struct
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchmarks.rounds import Rounds, keep
from benchmarks.spark_write import session
from paimon_bridge import Bridge, Messages
from paimon_bridge.wire import encode

SCHEMA = pa.schema([("id", pa.int64()), ("name", pa.string()), ("amount", pa.float64())])
LINKS_PER_FILE = 30_000  # file systems allow about 65,000
ROWS = pa.table({"id": [1, 2, 3], "name": ["a", "b", "c"], "amount": [0.5, 1.5, 2.5]}, schema=SCHEMA)


class Prepared:
    """A fresh table whose folder holds ``count`` files that nobody committed, and the messages that describe them."""

    def __init__(self, bridge: Bridge, name: str, count: int, folder: str) -> None:
        self.name = name
        bridge.create_table(name, SCHEMA, options={"write-only": "true"})
        self.messages = self.more(bridge, count)
        self.version = self.messages.version
        self.path = Path(folder) / f"{name}.bin"
        payloads = [payload for envelope in self.messages.envelopes for payload in envelope.payloads]
        self.path.write_bytes(b"".join(struct.pack(">i", len(payload)) + payload for payload in payloads))

    def more(self, bridge: Bridge, count: int) -> Messages:
        with bridge.describe(self.name).new_batch_write_builder().new_write() as write:
            write.write_arrow(ROWS)
            written = write.prepare_commit()
        (envelope,) = written.envelopes
        message = written[0]
        (file,) = message.data.new_files
        bucket = Path(bridge.describe(self.name).path.removeprefix("file:")) / "bucket-0"
        payloads = []
        for number in range(count):
            name = f"data-{uuid.uuid4()}-0.parquet"
            if number % LINKS_PER_FILE == 0:
                origin = Path(shutil.copyfile(bucket / file.file_name, bucket / name))
            else:
                os.link(origin, bucket / name)
            data = replace(message.data, new_files=(replace(file, file_name=name),))
            payloads.append(encode(replace(message, data=data), envelope.version))
        return Messages([replace(envelope, payloads=tuple(payloads))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--live", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    spark = session(None, twin=True)
    with tempfile.TemporaryDirectory(prefix="paimon-bridge-bench-") as folder:
        bridge = Bridge(spark, {"warehouse": f"file:{folder}/warehouse"})
        # One table per turn of each contestant, the warm-up included.
        names = (f"bench.t{number}" for number in itertools.count())
        tables = iter([Prepared(bridge, next(names), arguments.files, folder) for _ in range(2 * (arguments.rounds + 1))])
        rounds = Rounds(f"gate and commit: {arguments.files:,} new files, {arguments.rounds} rounds")
        gates: list[float] = []

        def plain() -> None:
            table = next(tables)
            java = spark._jvm.org.paimonbridge.twin.PlainCommit
            assert java.commitFile(f"file:{folder}/warehouse", table.name, str(table.path), table.version, "bench") == arguments.files

        def ours() -> None:
            result = bridge.commit(next(tables).messages)
            gates.append(result.millis["gate"] / 1000)
            assert result.status == "COMMITTED"

        rounds.run({"Java commits, checking nothing": plain, "gate and commit": ours}, arguments.rounds)
        print(rounds)
        print(f"  of which the gate          {statistics.median(gates[1:]):7.3f} s")
        live(bridge, tables_with(bridge, names, arguments.live, folder), arguments)


def tables_with(bridge: Bridge, names: Iterator[str], count: int, folder: str) -> Prepared:
    table = Prepared(bridge, next(names), count, folder)
    bridge.commit(table.messages, level="off")
    return table


def live(bridge: Bridge, full: Prepared, arguments: Any) -> None:
    """The same small commit into an empty table and into one with many live files."""
    empty = Prepared(bridge, "bench.empty", 1, str(full.path.parent))
    seconds: dict[str, list[float]] = {"empty": [], "full": []}
    for _ in range(arguments.rounds):
        for name, table in (("empty", empty), ("full", full)):
            messages = table.more(bridge, 10)
            started = time.perf_counter()
            assert bridge.commit(messages).status == "COMMITTED"
            seconds[name].append(time.perf_counter() - started)
    medians = {name: statistics.median(own) for name, own in seconds.items()}
    print(f"10 new files: {medians['empty']:.3f} s beside few live files, {medians['full']:.3f} s beside {arguments.live:,}")
    keep("gate beside live files", {"seconds": seconds, "live": arguments.live})


if __name__ == "__main__":
    main()
