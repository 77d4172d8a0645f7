"""The codec by itself: every version both ways, what it refuses, and how it says so."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace

import pytest

from paimon_bridge.errors import BridgeError, CodecError
from paimon_bridge.model.file import DataFileMeta, IndexFileMeta
from paimon_bridge.model.message import CommitMessage, DataIncrement, ManifestCommittable
from paimon_bridge.wire import (
    COMMITTABLE_VERSIONS,
    MESSAGE_VERSIONS,
    decode,
    decode_committable,
    decode_list,
    encode,
    encode_committable,
    encode_list,
    losses,
)
from paimon_bridge.wire.versions import LAYOUT_OF_0_7, WIDER_ROWS
from tests.strategies import MessageSource

NEWEST = MESSAGE_VERSIONS[-1]

# The worked example of one append file that Paimon 1.4.2 was seen to write, version 11.
EXAMPLE = CommitMessage(
    bucket=0,
    total_buckets=-1,
    data=DataIncrement(
        new_files=(
            DataFileMeta(
                file_name="data-a-0.parquet",
                file_size=707,
                row_count=2,
                min_sequence_number=0,
                max_sequence_number=1,
                schema_id=0,
                creation_time_millis=1_700_000_000_000,
                delete_row_count=0,
                file_source=0,
                value_stats_cols=(),
            ),
        )
    ),
)
EXAMPLE_BYTES = bytes.fromhex(
    "0000000c 00000000 0000000000000000 00000000 01 ffffffff 00000001 00000178"
    "0000400e00000000 10000000a8000000 c302000000000000 0200000000000000 0c000000b8000000 0c000000c8000000"
    "48000000d8000000 4800000020010000 0000000000000000 0100000000000000 0000000000000000 0000000000000000"
    "0800000068010000 0068e5cf8b010000 0000000000000000 0000000000000000 0000000000000000 0800000070010000"
    + "00" * 24
    + "646174612d612d30 2e70617271756574"
    + "00" * 32
    + 2 * ("0000000000000000 0c00000020000000 0c00000030000000 0800000040000000" + "00" * 40)
    + "00" * 16
    + "00000000" * 9
)


def test_the_worked_example_is_what_paimon_1_4_2_writes() -> None:
    assert len(EXAMPLE_BYTES) == 445
    assert encode(EXAMPLE, 11) == EXAMPLE_BYTES
    assert decode(EXAMPLE_BYTES, 11) == EXAMPLE


@pytest.mark.parametrize(("version", "size"), [(7, 421), (8, 429), (9, 437), (10, 445), (11, 445), (12, 445), (13, 453), (14, 454)])
def test_the_worked_example_has_the_known_size_in_each_version(version: int, size: int) -> None:
    assert len(encode(EXAMPLE, version)) == size


@pytest.mark.parametrize(
    ("version", "row"),
    [
        (6, "0010000000000000 4841534800000084 0900000030000000 0c00000000000000 0300000000000000 0000000000000000"),
        (12, "0070000000000000 4841534800000084 0900000040000000 0c00000000000000 0300000000000000" + "00" * 24),
    ],
)
def test_index_rows_are_what_paimon_was_seen_to_write(version: int, row: str) -> None:
    file = IndexFileMeta(index_type="HASH", file_name="index-a-0", file_size=12, row_count=3)
    data = encode(CommitMessage(bucket=0, data=DataIncrement(new_index_files=(file,))), version)
    assert bytes.fromhex(row + "696e6465782d612d 3000000000000000") in data


@pytest.mark.parametrize("version", MESSAGE_VERSIONS)
def test_generated_messages_come_back_and_encode_to_the_same_bytes(version: int) -> None:
    source = MessageSource(seed=version)
    for _ in range(60):
        message = source.message(version)
        data = encode(message, version)
        assert decode(data, version) == message
        assert encode(decode(data, version), version) == data
        assert CommitMessage.from_dict(message.to_dict()) == message
        assert pickle.loads(pickle.dumps(message)) == message


@pytest.mark.parametrize("version", MESSAGE_VERSIONS)
def test_every_newer_version_carries_what_an_older_one_said(version: int) -> None:
    message = MessageSource(seed=100 + version).message(version)
    for newer in range(version, NEWEST + 1):
        assert decode(encode(message, newer), newer) == message


@pytest.mark.parametrize("version", MESSAGE_VERSIONS)
def test_lists_are_a_count_and_the_messages_back_to_back(version: int) -> None:
    source = MessageSource(seed=200 + version)
    messages = tuple(source.message(version) for _ in range(3))
    data = encode_list(messages, version)
    assert data == b"\0\0\0\3" + b"".join(encode(message, version) for message in messages)
    assert decode_list(data, version) == messages
    assert decode_list(encode_list((), version), version) == ()


@pytest.mark.parametrize("version", COMMITTABLE_VERSIONS)
def test_committables_come_back_and_encode_to_the_same_bytes(version: int) -> None:
    source = MessageSource(seed=version)
    for message_version in MESSAGE_VERSIONS:
        committable = source.committable(version, message_version)
        data = encode_committable(committable, version)
        assert decode_committable(data, version) == committable
        assert encode_committable(decode_committable(data, version), version) == data


@pytest.mark.parametrize(
    ("version", "message_version", "data"),
    [
        (3, 7, "0000000000000007 01 00000000 00000007 00000000"),
        (4, 10, "0000000000000007 01 00000000 00000000 0000000a 00000000"),
        (5, 11, "0000000000000007 01 00000000 0000000b 00000000"),
    ],
)
def test_empty_committables_are_what_paimon_was_seen_to_write(version: int, message_version: int, data: str) -> None:
    committable = ManifestCommittable(identifier=7, message_version=message_version)
    assert encode_committable(committable, version) == bytes.fromhex(data)
    assert decode_committable(bytes.fromhex(data), version) == committable


def test_a_committable_has_a_watermark_and_properties() -> None:
    data = bytes.fromhex("0000000000000007 00 0000000000000064 00000001 000161 000162 0000000b 00000000")
    committable = ManifestCommittable(identifier=7, watermark=100, properties=(("a", "b"),), message_version=11)
    assert decode_committable(data, 5) == committable
    assert encode_committable(committable, 5) == data


@pytest.mark.parametrize("text", ["", "plain", "\0", "ünicöde €", "🐎 \U0010ffff", "lone \ud800 surrogate", "x" * 65_535])
def test_properties_are_java_s_modified_utf_8(text: str) -> None:
    committable = ManifestCommittable(identifier=1, properties=((text, "v"),), message_version=11)
    data = encode_committable(committable, 5)
    assert decode_committable(data, 5) == committable
    assert encode_committable(decode_committable(data, 5), 5) == data
    assert text.isascii() or text.encode("utf-16-be", "surrogatepass") not in data


@pytest.mark.parametrize("raw", ["00", "c0af", "f09f908e", "ff", "e2 82", "c1 81"])
def test_text_that_java_would_not_have_written_is_refused(raw: str) -> None:
    text = bytes.fromhex(raw)
    head = bytes.fromhex("0000000000000007 01 00000001") + len(text).to_bytes(2, "big") + text
    with pytest.raises(CodecError, match="modified UTF-8"):
        decode_committable(head + bytes.fromhex("000162 0000000b 00000000"), 5)


def test_text_longer_than_java_can_write_is_refused() -> None:
    committable = ManifestCommittable(identifier=1, properties=(("x" * 65_536, "v"),), message_version=11)
    with pytest.raises(CodecError, match="65535 are the most"):
        encode_committable(committable, 5)


def test_a_committable_of_0_7_is_recognised_and_kept_as_it_was() -> None:
    source = MessageSource(seed=7)
    messages = tuple(source.message(LAYOUT_OF_0_7) for _ in range(5))
    committable = ManifestCommittable(identifier=1, messages=messages, message_version=2, from_0_7=True)
    data = encode_committable(committable, 2)
    assert decode_committable(data, 2) == committable
    assert encode_committable(decode_committable(data, 2), 2) == data
    # Java's message serializer has no such fallback; only committables do.
    with pytest.raises(CodecError):
        decode_list(data[13 + 4 :], 2)


def test_the_wider_rows_of_version_8_are_read_as_paimon_reads_them() -> None:
    """Builds between 1.2 and 1.3 wrote the rows of version 9 under version 8; readers take the fields of 8 and ignore the rest."""
    source = MessageSource(seed=8)
    for _ in range(30):
        narrow = source.message(8)
        wide = replace(narrow, data=replace(narrow.data, new_files=tuple(replace(f, write_cols=("a",)) for f in narrow.data.new_files)))
        assert decode(encode(wide, WIDER_ROWS[8]), 8) == narrow


@pytest.mark.parametrize("version", [0, 1, 15, -1, 99])
def test_unknown_versions_are_refused(version: int) -> None:
    for call in (
        lambda: decode(EXAMPLE_BYTES, version),
        lambda: encode(EXAMPLE, version),
        lambda: decode_list(b"", version),
        lambda: encode_list([], version),
        lambda: losses(EXAMPLE, version),
    ):
        with pytest.raises(CodecError, match=f"version {version} is not known") as raised:
            call()
        assert raised.value.code == "MESSAGE_VERSION_UNKNOWN"
    with pytest.raises(CodecError, match="is not known") as raised:
        decode_committable(b"", version)
    assert raised.value.code == "COMMITTABLE_VERSION_UNKNOWN"


def test_an_unknown_message_version_inside_a_committable_is_refused() -> None:
    with pytest.raises(CodecError, match="version 99 is not known") as raised:
        decode_committable(bytes.fromhex("0000000000000007 01 00000000 00000063 00000000"), 5)
    assert (raised.value.path, raised.value.offset) == ("message_version", 13)


def test_a_committable_must_know_the_version_of_its_messages() -> None:
    with pytest.raises(CodecError, match="does not say in which version"):
        encode_committable(ManifestCommittable(identifier=1), 5)


# Where in the example, what is put there, and what the error says: sentence, path, byte.
DAMAGES = [
    ("cut short", lambda data: data[:-1], "needed, 3 left", "compact.deleted_index_files", 441),
    ("empty", lambda data: b"", "4 bytes needed, 0 left", "partition", 0),
    ("trailing bytes", lambda data: data + b"\0", "1 bytes left over", "", 445),
    ("partition too long", lambda data: b"\x7f\xff\xff\xff" + data[4:], "announced", "partition", 4),
    ("partition negative", lambda data: b"\xff\xff\xff\xff" + data[4:], "announced", "partition", 4),
    ("partition arity", lambda data: data[:4] + b"\0\0\0\1" + data[8:], "cannot be a row of 1 fields", "partition", 4),
    ("partition row kind", lambda data: data[:8] + b"\1" + data[9:], "must be zero", "partition", 4),
    ("flag", lambda data: data[:20] + b"\2" + data[21:], "a flag is 0 or 1", "total_buckets", 20),
    ("many files", lambda data: data[:25] + b"\0\0\0\2" + data[29:], "0 bytes for a row of 20 fields", "data.new_files[1]", 413),
    ("too many files", lambda data: data[:25] + b"\7\0\0\0" + data[29:], "117440512 entries announced", "data.new_files", 25),
    ("row size", lambda data: data[:29] + b"\0\0\1\x77" + data[33:], "in steps of 8", "data.new_files[0]", 33),
    ("offset", lambda data: _put(data, 8 + 4, b"\xb0"), "points to offset 176", "data.new_files[0].file_name", 41),
    ("file name", lambda data: _put(data, 168, b"\xff"), "invalid UTF-8", "data.new_files[0].file_name", 201),
    ("null name", lambda data: _put(data, 1, b"\1"), "must not be null", "data.new_files[0].file_name", 41),
    ("null size", lambda data: _put(data, 1, b"\2"), "must not be null", "data.new_files[0].file_size", 49),
    ("level", lambda data: _put(data, 88 + 5, b"\1"), "must be zero", "data.new_files[0]", 126),
    ("file source", lambda data: _put(data, 128, b"\2"), "2 is none of 0, 1", "data.new_files[0].file_source", 161),
    ("key", lambda data: _put(data, 184, b"\1"), "cannot be a row", "data.new_files[0].min_key", 217),
    ("stats", lambda data: _put(data, 216 + 12, b"\x28"), "points to offset 40", "data.new_files[0].key_stats.min_values", 257),
    ("null counts", lambda data: _put(data, 280, b"\1"), "1 elements announced", "data.new_files[0].key_stats.null_counts", 313),
    ("null slot", lambda data: _put(data, 144, b"\1"), "null slot is not zero", "data.new_files[0].external_path", 177),
    ("null number", lambda data: _put(data, 152, b"\1"), "null slot is not zero", "data.new_files[0].first_row_id", 185),
]


def _put(data: bytes, offset: int, value: bytes) -> bytes:
    """Replace bytes of the one file row, which starts at byte 33 of the example."""
    return data[: 33 + offset] + value + data[33 + offset + len(value) :]


@pytest.mark.parametrize(("damage", "sentence", "path", "offset"), [case[1:] for case in DAMAGES], ids=[case[0] for case in DAMAGES])
def test_damage_is_named_with_version_field_and_byte(damage: object, sentence: str, path: str, offset: int) -> None:
    assert callable(damage)
    with pytest.raises(CodecError) as raised:
        decode(damage(EXAMPLE_BYTES), 11)
    error = raised.value
    assert sentence in error.message
    assert (error.version, error.path, error.offset) == (11, path, offset)
    assert "message version 11" in str(error)
    assert pickle.loads(pickle.dumps(error)).offset == offset


def test_a_list_names_the_message_that_is_damaged() -> None:
    good = encode(EXAMPLE, 11)
    with pytest.raises(CodecError) as raised:
        decode_list(b"\0\0\0\2" + good + _put(good, 128, b"\2"), 11)
    assert raised.value.path == "[1].data.new_files[0].file_source"
    with pytest.raises(CodecError, match="1000000 entries announced"):
        decode_list((1_000_000).to_bytes(4, "big") + good, 11)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"file_size": 2**63}, "data.new_files[0].file_size"),
        ({"file_size": None}, "data.new_files[0].file_size"),
        ({"level": "0"}, "data.new_files[0].level"),
        ({"file_name": 7}, "data.new_files[0].file_name"),
        ({"file_name": "\ud800"}, "data.new_files[0].file_name"),
        ({"file_source": 2}, "data.new_files[0].file_source"),
        ({"min_key": b"1234"}, "data.new_files[0].min_key"),
        ({"extra_files": ("a", None)}, "data.new_files[0].extra_files[1]"),
        ({"key_stats": None}, "data.new_files[0].key_stats"),
        ({"column_max_sequence_numbers": (1, "2")}, "data.new_files[0].column_max_sequence_numbers"),
    ],
)
def test_values_that_no_message_can_hold_are_refused_by_field(change: dict[str, object], path: str) -> None:
    broken = replace(EXAMPLE.data.new_files[0], **change)  # type: ignore[arg-type]
    with pytest.raises(CodecError) as raised:
        encode(replace(EXAMPLE, data=DataIncrement(new_files=(broken,))), NEWEST)
    assert raised.value.path == path


@pytest.mark.parametrize(
    ("change", "path"), [({"bucket": 2**31}, "bucket"), ({"bucket": "0"}, "bucket"), ({"partition": b""}, "partition")]
)
def test_parts_that_no_message_can_hold_are_refused_by_name(change: dict[str, object], path: str) -> None:
    with pytest.raises(CodecError) as raised:
        encode(replace(EXAMPLE, **change), NEWEST)  # type: ignore[arg-type]
    assert raised.value.path == path


def test_errors_read_as_sentences() -> None:
    with pytest.raises(BridgeError) as raised:
        decode(EXAMPLE_BYTES[:300], 11)
    assert re.fullmatch(
        r"\[MESSAGE_MALFORMED\] 376 bytes announced or needed, 267 left\nWhere: message version 11, field data\.new_files\[0\], byte 33",
        str(raised.value),
    )


def test_bytes_like_input_is_accepted() -> None:
    assert decode(bytearray(EXAMPLE_BYTES), 11) == decode(memoryview(EXAMPLE_BYTES), 11) == EXAMPLE
