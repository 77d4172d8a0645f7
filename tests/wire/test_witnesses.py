"""Version 14 and foreign messages, with pypaimon and pypaimon-rust as live witnesses: no Java speaks that version yet."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from paimon_bridge.binary.row import decode_row, encode_row
from paimon_bridge.errors import CodecError, LossError
from paimon_bridge.model.file import DataFileMeta
from paimon_bridge.model.message import CommitMessage, DataIncrement
from paimon_bridge.model.table import FIXED, TableSpec
from paimon_bridge.model.types import Field, parse_field, parse_type
from paimon_bridge.wire import FOREIGN, MESSAGE_VERSIONS, RELEASES, decode, encode, wrap_foreign
from paimon_bridge.wire.foreign import from_pypaimon
from tests.strategies import MessageSource
from tests.wire.test_losses import FILE, TABLE

NEWEST = MESSAGE_VERSIONS[-1]

pytestmark = pytest.mark.witness


def map_files(message: CommitMessage, change: Callable[[DataFileMeta], DataFileMeta]) -> CommitMessage:
    def changed(increment: Any, names: tuple[str, ...]) -> Any:
        return replace(increment, **{name: tuple(map(change, getattr(increment, name))) for name in names})

    return replace(
        message,
        data=changed(message.data, ("new_files", "deleted_files", "changelog_files")),
        compact=changed(message.compact, ("compact_before", "compact_after", "changelog_files")),
    )


def test_pypaimon_rust_reads_and_writes_our_bytes_unchanged() -> None:
    rust = pytest.importorskip("pypaimon_rust.datafusion", reason="pypaimon-rust is not installed")
    source = MessageSource(seed=NEWEST)
    for _ in range(200):
        # Its timestamps reach less far than a long.
        millis = source.dice.randint(-62_135_596_800_000, 253_402_300_799_999)
        message = map_files(source.message(NEWEST), lambda file, millis=millis: replace(file, creation_time_millis=millis))
        data = encode(message, NEWEST)
        assert bytes(rust.CommitMessage.deserialize(data).serialize()) == data


def test_pypaimon_reads_and_writes_our_bytes_unchanged() -> None:
    serializer = pytest.importorskip("pypaimon.write.commit_message_serializer", reason="pypaimon is not installed")
    types = pytest.importorskip("pypaimon.schema.data_types")
    partition = [types.DataField(0, "p", types.AtomicType("STRING")), types.DataField(1, "q", types.AtomicType("INT"))]
    key = [types.DataField(2, "k", types.AtomicType("BIGINT"))]
    source = MessageSource(seed=NEWEST)

    def key_row() -> bytes:
        return encode_row((source.number(),), [parse_type("BIGINT")])

    def keyed(file: DataFileMeta) -> DataFileMeta:
        stats = replace(file.key_stats, min_values=key_row(), max_values=key_row(), null_counts=(0,))
        return replace(file, min_key=key_row(), max_key=key_row(), key_stats=stats)

    for _ in range(200):
        rows = encode_row((source.text(), 7), [parse_type("STRING"), parse_type("INT")])
        data = encode(replace(map_files(source.message(NEWEST), keyed), partition=rows), NEWEST)
        theirs = serializer.deserialize_commit_message(data, partition, key)
        assert serializer.serialize_commit_message(theirs, partition) == data


@pytest.fixture
def pypaimon_table(tmp_path: Path) -> tuple[Any, TableSpec]:
    """A real table, partitioned by a timestamp that may be null, and what a writer must know of it."""
    pypaimon = pytest.importorskip("pypaimon", reason="pypaimon is not installed")
    pa = pytest.importorskip("pyarrow")
    schema = pa.schema(
        [
            pa.field("id", pa.int64()),
            pa.field("name", pa.string()),
            pa.field("amount", pa.decimal128(38, 2)),
            pa.field("at", pa.timestamp("us")),
        ]
    )
    catalog = pypaimon.CatalogFactory.create({"warehouse": str(tmp_path)})
    catalog.create_database("db", True)
    options = {"bucket": "2", "bucket-key": "id", "metadata.stats-mode": "full"}
    catalog.create_table("db.t", pypaimon.Schema.from_pyarrow_schema(schema, partition_keys=["at"], options=options), False)
    table = catalog.get_table("db.t")
    spec = TableSpec(
        name="db.t",
        path=str(tmp_path / "db.db" / "t"),
        table_id="id",
        schema_id=0,
        fields=tuple(parse_field(field.to_dict()) for field in table.table_schema.fields),
        partition_keys=("at",),
        primary_keys=(),
        options=options,
        bucket_mode=FIXED,
        release="1.0",
        message_version=6,
        zone_id="UTC",
    )
    return table, spec


def write(table: Any) -> list[Any]:
    pa = pytest.importorskip("pyarrow")
    at = datetime.datetime(1969, 12, 31, 23, 59, 59, 999_999)
    rows = {
        "id": list(range(8)),
        "name": ["a", None, "a longer name", "ž", "", "b", "c", "d"],
        "amount": [Decimal("-1.28"), None, Decimal("99999999999999999999.99"), None, Decimal("0.00"), None, None, None],
        "at": [at, at, None, None, at, at, None, None],
    }
    writer = table.new_batch_write_builder().new_write()
    fields = [("id", pa.int64()), ("name", pa.string()), ("amount", pa.decimal128(38, 2)), ("at", pa.timestamp("us"))]
    writer.write_arrow(pa.table(rows, schema=pa.schema(fields)))
    messages: list[Any] = writer.prepare_commit()
    return messages


def test_messages_of_pypaimon_become_ours_with_the_rows_java_writes(pypaimon_table: tuple[Any, TableSpec]) -> None:
    table, spec = pypaimon_table
    theirs = write(table)
    ours = wrap_foreign(theirs, spec)
    assert (ours.version, ours.table, ours.run_id) == (NEWEST, "db.t", "")
    assert {envelope.origin for envelope in ours.envelopes} == {FOREIGN}
    assert len(ours) == len(theirs) == 4
    assert ours.row_count == 8
    types = [field.type for field in spec.partition_fields]
    for message, other in zip(ours, theirs, strict=True):
        assert message == from_pypaimon(other, spec)
        assert message.bucket == other.bucket
        # Java reserves room for a null timestamp; pypaimon's own serializer does not, and Java would see another partition.
        assert encode_row(decode_row(message.partition, types), types) == message.partition
    assert any(decode_row(message.partition, types) == (None,) for message in ours)


def test_messages_of_pypaimon_can_be_said_in_every_version_a_release_speaks(pypaimon_table: tuple[Any, TableSpec]) -> None:
    table, spec = pypaimon_table
    ours = wrap_foreign(write(table), spec)
    for version, _ in RELEASES.values():
        if version >= 6:
            assert list(ours.at_version(version, spec)) == list(ours)


def test_messages_of_pypaimon_are_its_own_bytes_where_these_are_java_s(pypaimon_table: tuple[Any, TableSpec]) -> None:
    serializer = pytest.importorskip("pypaimon.write.commit_message_serializer")
    table, spec = pypaimon_table
    partition = [field for field in table.table_schema.fields if field.name == "at"]
    same = 0
    for message in write(table):
        if message.partition[0] is not None:
            message.new_files[0].value_stats = type(message.new_files[0].value_stats).empty_stats()
            assert encode(from_pypaimon(message, spec), NEWEST) == serializer.serialize_commit_message(message, partition)
            same += 1
    assert same == 2


def test_objects_of_pypaimon_rust_become_ours() -> None:
    rust = pytest.importorskip("pypaimon_rust.datafusion", reason="pypaimon-rust is not installed")
    message = CommitMessage(bucket=1, data=DataIncrement(new_files=(FILE,)))
    theirs = rust.CommitMessage.deserialize(encode(message, NEWEST))
    assert list(wrap_foreign([theirs, theirs], TABLE)) == [message, message]
    assert list(wrap_foreign(theirs, TABLE)) == [message]


def test_bytes_of_one_version_are_kept_as_they_are() -> None:
    message = CommitMessage(bucket=1, data=DataIncrement(new_files=(FILE,)))
    ours = wrap_foreign([(encode(message, 7), 7), (bytearray(encode(message, 7)), 7)], TABLE)
    assert ours.version == 7
    assert ours.envelopes[0].payloads == (encode(message, 7),) * 2


def test_bytes_of_several_versions_meet_at_the_newest() -> None:
    message = CommitMessage(bucket=1, data=DataIncrement(new_files=(FILE,)))
    ours = wrap_foreign([(encode(message, 6), 6), (encode(message, 10), 10)], TABLE)
    assert ours.version == 10
    assert ours.envelopes[0].payloads == (encode(message, 10),) * 2
    assert wrap_foreign((encode(message, 6), 6), TABLE).version == 6
    assert list(wrap_foreign([message], TABLE)) == [message]


def test_nothing_is_an_empty_hand_over() -> None:
    ours = wrap_foreign([], TABLE)
    assert (len(ours), ours.version) == (0, TABLE.message_version)


@pytest.mark.parametrize("value", [None, 7, "text", b"bytes", [b"bytes"], [("text", 6)], [None], {"a": 1}])
def test_what_is_no_message_is_refused_by_its_type(value: Any) -> None:
    with pytest.raises(CodecError, match="is not a commit message") as raised:
        wrap_foreign(value, TABLE)
    assert raised.value.code == "MESSAGE_TYPE_UNKNOWN"


def test_a_partition_of_another_table_is_refused() -> None:
    partitioned = replace(TABLE, fields=(*TABLE.fields, Field(id=2, name="at", type=parse_type("TIMESTAMP(6)"))), partition_keys=("at",))
    with pytest.raises(CodecError, match=r"Message 0 has no partition of db\.t: the row has 0 fields, its types are 1"):
        wrap_foreign([(encode(CommitMessage(bucket=0), 11), 11)], partitioned)
    # A null without its room: the same value, but to Java another partition.
    roomless = bytes.fromhex("00000001 0001000000000000 0000000000000000")
    with pytest.raises(CodecError, match="its bytes are not those Java writes"):
        wrap_foreign([(encode(CommitMessage(bucket=0, partition=roomless), 11), 11)], partitioned)


def test_a_conflict_check_is_not_lost_on_the_way_to_an_older_java() -> None:
    message = CommitMessage(bucket=0, check_from_snapshot=5)
    with pytest.raises(LossError, match="check_from_snapshot = 5"):
        wrap_foreign([message], TABLE).at_version(12)
    assert decode(encode(message, NEWEST), NEWEST).check_from_snapshot == 5
