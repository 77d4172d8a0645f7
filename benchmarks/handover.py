"""100,000 messages to the JVM in one hand-over, beside reading the same bytes from disk and decoding them in Java alone.

    python -m benchmarks.handover [--messages N] [--rounds N]

The limit is Java by itself: read a file, decode every message with Paimon's serializer. Ours starts from encoded messages in Python:
the private file, the call, length and SHA-256, the envelope. A further line, ``verified and decoded``, adds all that the gate does at
level ``off``: bounds, Paimon's decoder, re-serialisation, rules on names and rows.
"""

from __future__ import annotations

import argparse
import contextlib
import struct
import tempfile
from pathlib import Path

import pyarrow as pa

from benchmarks.rounds import Rounds
from benchmarks.spark_write import session
from paimon_bridge import Bridge, Messages
from paimon_bridge.binary.row import encode_row
from paimon_bridge.errors import TableError
from paimon_bridge.model.file import DataFileMeta, SimpleStats
from paimon_bridge.model.message import CommitMessage, DataIncrement
from paimon_bridge.model.table import TableSpec
from paimon_bridge.wire import Envelope, encode


def messages(spec: TableSpec, count: int) -> Messages:
    types = [field.type for field in spec.fields]
    stats = SimpleStats(min_values=encode_row([1, "a"], types), max_values=encode_row([9, "z"], types), null_counts=(0, 0))
    payloads = []
    for index in range(count):
        name = f"data-00000000-0000-4000-8000-{index:012d}-0.parquet"
        file = DataFileMeta(
            file_name=name, file_size=1000, row_count=10, value_stats=stats, min_sequence_number=0, max_sequence_number=9, schema_id=0,
            creation_time_millis=1_700_000_000_000, delete_row_count=0, file_source=0,
        )  # fmt: skip
        message = CommitMessage(bucket=0, total_buckets=-1, data=DataIncrement(new_files=(file,)))
        payloads.append(encode(message, spec.message_version))
    envelope = Envelope(
        version=spec.message_version, table_id=spec.table_id, table=spec.name, schema_id=0, commit_user="bench", payloads=tuple(payloads)
    )
    return Messages([envelope])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    spark = session(None, twin=True)
    with tempfile.TemporaryDirectory(prefix="paimon-bridge-bench-") as folder:
        bridge = Bridge(spark, {"warehouse": f"file:{folder}/warehouse"})
        spec = bridge.create_table("bench.t", pa.schema([("id", pa.int64()), ("name", pa.string())]))
        ours = messages(spec, arguments.messages)
        path = Path(folder) / "messages.bin"
        path.write_bytes(b"".join(struct.pack(">i", len(payload)) + payload for payload in ours.envelopes[0].payloads))

        def java_alone() -> None:
            assert spark._jvm.org.paimonbridge.twin.TableTwin.decodeFile(str(path), spec.message_version) == arguments.messages

        def hand_over() -> None:
            # The shim receives, hashes and parses the envelopes, then finds no such table: the hand-over and nothing after it.
            with contextlib.suppress(TableError):
                bridge._shim.call_with_blob("check", bridge._catalog, {"table": "bench.absent", "level": "off"}, ours.to_bytes())
                raise AssertionError("bench.absent exists")

        def verified() -> None:
            assert bridge.check(ours, level="off").messages == arguments.messages

        rounds = Rounds(f"hand-over: {arguments.messages:,} messages, {path.stat().st_size / 1e6:.0f} MB, {arguments.rounds} rounds")
        rounds.run({"Java reads and decodes": java_alone, "handed over": hand_over, "verified and decoded": verified}, arguments.rounds)
        print(rounds)


if __name__ == "__main__":
    main()
