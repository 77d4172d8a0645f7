"""Encoding and decoding one primary-key message of one file: this package beside pypaimon's serializer, on the same message.

    python -m benchmarks.codec

pypaimon knows version 14 only, so that is what both speak.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.rounds import Rounds
from paimon_bridge.model.table import FIXED, TableSpec
from paimon_bridge.model.types import Field, parse_type
from paimon_bridge.wire import decode, encode
from paimon_bridge.wire.foreign import from_pypaimon

ROUNDS = 60
CALLS = 200
VERSION = 14


def pypaimon_message() -> tuple[Any, list[Any], list[Any]]:
    """A message of one level-0 file of a table (id BIGINT, name STRING, price DOUBLE, day STRING), key id, partition day."""
    from pypaimon.data.timestamp import Timestamp
    from pypaimon.manifest.schema.data_file_meta import DataFileMeta
    from pypaimon.manifest.schema.simple_stats import SimpleStats
    from pypaimon.schema.data_types import AtomicType, DataField
    from pypaimon.table.row.generic_row import GenericRow
    from pypaimon.write.commit_message import CommitMessage

    key = [DataField(0, "id", AtomicType("BIGINT", False))]
    partition = [DataField(3, "day", AtomicType("STRING", False))]
    columns = [*key, DataField(1, "name", AtomicType("STRING")), DataField(2, "price", AtomicType("DOUBLE")), *partition]
    file = DataFileMeta.create(
        file_name="data-2f4a7c1e-9d0b-4c55-8a6e-3f1b2c3d4e5f-0.parquet",
        file_size=48_211,
        row_count=1_000,
        min_key=GenericRow([1], key),
        max_key=GenericRow([1_000], key),
        key_stats=SimpleStats(GenericRow([1], key), GenericRow([1_000], key), [0]),
        value_stats=SimpleStats(
            GenericRow([1, "Aachen", 0.5, "2026-06-26"], columns), GenericRow([1_000, "Zwickau", 99.5, "2026-06-26"], columns), [0, 3, 0, 0]
        ),
        min_sequence_number=0,
        max_sequence_number=999,
        schema_id=0,
        level=0,
        extra_files=[],
        creation_time=Timestamp(1_782_432_000_000),
        delete_row_count=0,
        file_source=0,
    )
    return CommitMessage(partition=("2026-06-26",), bucket=3, new_files=[file], total_buckets=4), partition, key


def table_spec() -> TableSpec:
    columns = (("id", "BIGINT NOT NULL"), ("name", "STRING"), ("price", "DOUBLE"), ("day", "STRING NOT NULL"))
    return TableSpec(
        name="db.orders",
        path="file:/warehouse/db.db/orders",
        table_id="db.orders",
        schema_id=0,
        fields=tuple(Field(id=index, name=name, type=parse_type(text)) for index, (name, text) in enumerate(columns)),
        partition_keys=("day",),
        primary_keys=("id", "day"),
        options={"bucket": "4"},
        bucket_mode=FIXED,
        release="2.0",
        message_version=12,
        zone_id="UTC",
    )


def main() -> None:
    from pypaimon.write.commit_message_serializer import deserialize_commit_message, serialize_commit_message

    theirs, partition, key = pypaimon_message()
    ours = from_pypaimon(theirs, table_spec())
    data = serialize_commit_message(theirs, partition)
    assert encode(ours, VERSION) == data, "the two sides must speak of the same bytes"
    assert decode(data, VERSION) == ours
    for title, contestants in (
        ("encode", {"pypaimon": lambda: serialize_commit_message(theirs, partition), "paimon-bridge": lambda: encode(ours, VERSION)}),
        ("decode", {"pypaimon": lambda: deserialize_commit_message(data, partition, key), "paimon-bridge": lambda: decode(data, VERSION)}),
    ):
        rounds = Rounds(f"{title}: one message of one file, {len(data)} bytes, version {VERSION}, {CALLS} times, {ROUNDS} rounds")
        rounds.run({name: repeated(call) for name, call in contestants.items()}, ROUNDS)
        print(rounds)


def repeated(call: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        for _ in range(CALLS):
            call()

    return run


if __name__ == "__main__":
    main()
