"""How cost grows: one process, with more rows, partitions, buckets and columns; and a commit, with more files in the table.

    python -m benchmarks.growth [--axis AXIS ...] [--small]

Every point runs in a process of its own and prints its seconds and its peak memory, that of the rows it starts from included.
``--small`` leaves out the last point of every axis.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import resource
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.handover import messages
from benchmarks.one_process import BATCH_ROWS, KINDS, Kind, in_folder, rows_of, spec_of
from benchmarks.rounds import keep
from benchmarks.spark_write import session
from paimon_bridge import Bridge
from paimon_bridge.model.table import TableSpec
from paimon_bridge.wire import Messages

MADE_ROWS = 16 * BATCH_ROWS
COMMITS = 5


def made(kind: Kind) -> list[pa.RecordBatch]:
    """Two million rows, in memory before the clock starts."""
    return [batch for first in range(0, MADE_ROWS, BATCH_ROWS) for batch in rows_of(kind, BATCH_ROWS, first).to_batches()]


def by_rows(rows: int, folder: str) -> tuple[TableSpec, list[pa.RecordBatch], int]:
    """The same two million rows over and over."""
    batches = made(KINDS["append"])
    return spec_of(KINDS["append"], batches[0].schema, folder), batches, rows


def by_partitions(partitions: int, folder: str) -> tuple[TableSpec, list[pa.RecordBatch], int]:
    """Every batch has rows of every partition, in turn."""
    batches = made(KINDS["append"])
    spec = spec_of(KINDS["append"], batches[0].schema, folder)
    place = batches[0].schema.get_field_index("quantity")
    numbers = pa.array((np.arange(BATCH_ROWS) % partitions).astype(np.int32))
    spread = [batch.set_column(place, batch.schema.field(place), numbers) for batch in batches]
    return replace(spec, partition_keys=("quantity",)), spread, MADE_ROWS


def by_buckets(buckets: int, folder: str) -> tuple[TableSpec, list[pa.RecordBatch], int]:
    """A random bigint key."""
    kind = replace(KINDS["bigint key"], options={"bucket": str(buckets)})
    batches = made(kind)
    return spec_of(kind, batches[0].schema, folder), batches, MADE_ROWS


def by_columns(columns: int, folder: str) -> tuple[TableSpec, list[pa.RecordBatch], int]:
    """A quarter of a million rows; bigint, string and double columns in turn."""
    dice = np.random.default_rng(1)
    count = BATCH_ROWS // 8
    words = pa.array([f"word-{number}" for number in range(10_000)])

    def column(place: int) -> pa.Array:
        if place % 3 == 0:
            return pa.array(dice.integers(0, 2**40, count))
        return words.take(pa.array(dice.integers(0, len(words), count))) if place % 3 == 1 else pa.array(dice.random(count))

    batch = pa.record_batch([column(place) for place in range(columns)], [f"c{place}" for place in range(columns)])
    return spec_of(KINDS["append"], batch.schema, folder), [batch], 16 * count


AXES: dict[str, tuple[Callable[[int, str], tuple[TableSpec, list[pa.RecordBatch], int]], tuple[int, ...]]] = {
    "rows": (by_rows, (1_000_000, 4_000_000, 16_000_000, 64_000_000)),
    "partitions": (by_partitions, (1, 100, 10_000)),
    "buckets": (by_buckets, (1, 64, 1024)),
    "columns": (by_columns, (1, 20, 200)),
}
FILES = (1, 1_000, 100_000)


def write(axis: str, size: int, result: Any) -> None:
    """One point: seconds from the first batch to the messages, and the peak of the process."""

    def run(folder: str) -> None:
        spec, batches, rows = AXES[axis][0](size, folder)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        left = rows
        started = time.perf_counter()
        with spec.new_write_builder().new_write(encoders=2) as writer:
            for batch in itertools.cycle(batches):
                writer.write_arrow_batch(batch.slice(0, left))
                left -= len(batch)
                if left <= 0:
                    break
            written = writer.prepare_commit()
        seconds = time.perf_counter() - started
        assert written.row_count == rows
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        result.update(seconds=seconds, memory=peak, before=before, files=written.file_count)

    in_folder(run)()


def points(axis: str, small: bool) -> None:
    sizes = AXES[axis][1][: -1 if small else None]
    processes = multiprocessing.get_context("spawn")
    measured = []
    with processes.Manager() as manager:
        for size in sizes:
            result = manager.dict()
            child = processes.Process(target=write, args=(axis, size, result))
            child.start()
            child.join()
            if child.exitcode:
                raise SystemExit(f"{size} {axis} failed")
            measured.append(dict(result))
            print(
                f"{size:>12,} {axis}: {result['seconds']:7.2f} s, {result['memory']:5.0f} MB, "
                f"{result['before']:.0f} of them before the first row, {result['files']:,} files",
                flush=True,
            )
    keep(f"growth with {axis}", {"axis": axis, "sizes": sizes, "points": measured})


def commits(small: bool) -> None:
    """One more file for a table that has many. The table's files are empty, so only level off is asked."""
    sizes = FILES[: -1 if small else None]
    measured = []

    def run(folder: str) -> None:
        bridge = Bridge(session(None), {"warehouse": f"file:{folder}/warehouse"})
        for size in sizes:
            table = f"bench.files{size}"
            spec = bridge.create_table(table, pa.schema([("id", pa.int64()), ("name", pa.string())]))
            described = messages(spec, size + COMMITS)
            envelope = described.envelopes[0]
            bucket = Path(spec.path.removeprefix("file:")) / "bucket-0"
            bucket.mkdir(parents=True)
            for message in described:
                (bucket / message.data.new_files[0].file_name).touch()
            bridge.commit(Messages([replace(envelope, payloads=envelope.payloads[:size])]), level="off")
            seconds = []
            for place in range(size, size + COMMITS):
                one = Messages([replace(envelope, payloads=(envelope.payloads[place],))])
                started = time.perf_counter()
                result = bridge.commit(one, level="off", identifier=2 + place)
                seconds.append(time.perf_counter() - started)
                assert result.files == 1
            measured.append({"seconds": statistics.median(seconds)})
            print(f"{size:>12,} files in the table: one more committed in {measured[-1]['seconds']:.3f} s", flush=True)

    in_folder(run)()
    keep("growth with files in the table", {"axis": "files in the table", "sizes": sizes, "points": measured})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--axis", action="append", choices=[*AXES, "files"])
    parser.add_argument("--small", action="store_true")
    arguments = parser.parse_args()
    for axis in arguments.axis or [*AXES, "files"]:
        if axis == "files":
            commits(arguments.small)
        else:
            points(axis, arguments.small)


if __name__ == "__main__":
    main()
