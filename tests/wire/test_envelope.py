"""The envelope and Messages: identity, checksum, files, pickles, conversion."""

from __future__ import annotations

import hashlib
import pickle
import random
from dataclasses import replace
from pathlib import Path

import pytest

from paimon_bridge.errors import CodecError, LossError
from paimon_bridge.model.message import CommitMessage, DataIncrement
from paimon_bridge.wire import FOREIGN, MESSAGE_VERSIONS, Envelope, Messages, encode
from tests.strategies import MessageSource
from tests.wire.test_losses import FILE, TABLE

VERSION = 11


def envelope(task: int = 0, count: int = 2, version: int = VERSION) -> Envelope:
    source = MessageSource(seed=task)
    return Envelope(
        version=version,
        table_id="0b9e-id",
        table="db.orders ☕",
        schema_id=3,
        commit_user="nightly",
        run_id="run-1",
        task=task,
        attempt=1000 + task,
        payloads=tuple(encode(source.message(version), version) for _ in range(count)),
    )


def test_the_bytes_are_those_of_the_documented_form() -> None:
    whole = replace(envelope(), payloads=(b"abc", b"")).encode()
    body = (
        bytes.fromhex("8950424d0d0a1a0a 01 00 000b 0007")
        + b"0b9e-id"
        + bytes.fromhex("000d")
        + "db.orders ☕".encode()
        + bytes.fromhex("0000000000000003 0007")
        + b"nightly"
        + bytes.fromhex("0005")
        + b"run-1"
        + bytes.fromhex("00000000 00000000000003e8 00000002 000000000000000b 00000003")
        + b"abc"
        + bytes.fromhex("00000000")
    )
    assert whole == body + hashlib.sha256(body).digest()


def test_an_envelope_comes_back_from_any_offset() -> None:
    one, other = envelope(1), envelope(2)
    data = one.encode() + other.encode()
    first, at = Envelope.decode(data)
    second, end = Envelope.decode(data, at)
    assert (first, second, end) == (one, other, len(data))


def test_every_truncation_is_refused() -> None:
    data = envelope(count=1).encode()
    for size in range(len(data)):
        with pytest.raises(CodecError) as raised:
            Messages.from_bytes(data[:size])
        assert raised.value.code == "ENVELOPE_MALFORMED"


def test_every_flipped_byte_is_noticed() -> None:
    data = envelope(count=1).encode()
    dice = random.Random(1)
    for at in range(len(data)):
        damaged = bytearray(data)
        damaged[at] ^= dice.randrange(1, 256)
        with pytest.raises(CodecError):
            Messages.from_bytes(bytes(damaged))


def resealed(data: bytes) -> bytes:
    """The same damage with a checksum that fits, as a careless writer would make it."""
    return data[:-32] + hashlib.sha256(data[:-32]).digest()


@pytest.mark.parametrize(
    ("at", "value", "sentence"),
    [
        (0, b"P", "not an envelope"),
        (8, b"\2", "envelope version 2 is not known"),
        (9, b"\2", "origin 2 is not known"),
        (10, b"\0\x63", "version 99 is not known"),
    ],
)
def test_what_the_head_says_is_checked(at: int, value: bytes, sentence: str) -> None:
    data = envelope().encode()
    with pytest.raises(CodecError, match=sentence) as raised:
        Messages.from_bytes(resealed(data[:at] + value + data[at + len(value) :]))
    assert raised.value.offset == at


@pytest.mark.parametrize(
    ("payload", "count", "sentence"),
    [
        (b"\0\0\0\x05abc", 1, "beyond the payload"),
        (b"\xff\xff\xff\xffabc", 1, "announced"),
        (b"\0\0\0\1abc", 1, "2 bytes of payload behind"),
        (b"\0\0\0\1a", 2, "beyond|announced|needed"),
        (b"", 1_000_000, "entries announced"),
    ],
)
def test_lengths_inside_a_sealed_envelope_are_checked_too(payload: bytes, count: int, sentence: str) -> None:
    empty = replace(envelope(), payloads=()).encode()
    head = empty[: -32 - 12] + count.to_bytes(4, "big") + len(payload).to_bytes(8, "big")
    with pytest.raises(CodecError, match=sentence):
        Messages.from_bytes(resealed(head + payload + bytes(32)))


def test_messages_are_decoded_strictly() -> None:
    broken = replace(envelope(), payloads=(b"\0" * 40,))
    with pytest.raises(CodecError) as raised:
        Messages.from_bytes(broken.encode())
    assert raised.value.version == VERSION


def test_messages_are_a_sequence_that_knows_its_table() -> None:
    messages = Messages([envelope(0), envelope(1, count=0), envelope(2, count=1)])
    assert len(messages) == 3
    assert list(messages) == [messages[0], messages[1], messages[-1]]
    assert messages[1:] == (messages[1], messages[2])
    assert (messages.table, messages.table_id, messages.schema_id) == ("db.orders ☕", "0b9e-id", 3)
    assert (messages.version, messages.commit_user, messages.run_id) == (VERSION, "nightly", "run-1")
    files = [file for message in messages for file in message.data.new_files]
    assert messages.file_count == len(files)
    assert messages.row_count == sum(file.row_count for file in files)
    assert messages.size_bytes == sum(file.file_size for file in files)
    assert "db.orders" in repr(messages)


def test_messages_are_equal_by_value_and_travel_by_pickle_bytes_and_file(tmp_path: Path) -> None:
    messages = Messages([envelope(0), envelope(1)])
    messages.save(tmp_path / "saved.pbm")
    assert list(tmp_path.iterdir()) == [tmp_path / "saved.pbm"]
    for copy in (
        pickle.loads(pickle.dumps(messages)),
        Messages.from_bytes(messages.to_bytes()),
        Messages.load(tmp_path / "saved.pbm"),
        Messages.load(str(tmp_path / "saved.pbm")),
    ):
        assert copy == messages
        assert hash(copy) == hash(messages)
        assert list(copy) == list(messages)
    assert messages != Messages([envelope(0)])
    assert messages != [*messages]


@pytest.mark.parametrize("field", ["version", "table_id", "table", "schema_id", "commit_user", "run_id"])
def test_envelopes_of_different_writes_do_not_mix(field: str) -> None:
    other = {"version": 12, "schema_id": 4}.get(field, "another")
    with pytest.raises(CodecError, match=field) as raised:
        Messages([envelope(0), replace(envelope(1), payloads=(), **{field: other})])  # type: ignore[arg-type]
    assert raised.value.code == "ENVELOPES_DISAGREE"


def test_nothing_at_all_is_not_messages() -> None:
    with pytest.raises(CodecError, match="no envelope"):
        Messages.from_bytes(b"")


def test_a_write_of_nothing_leaves_an_empty_envelope() -> None:
    messages = Messages.of_envelopes([], spec=TABLE, commit_user="u", run_id="r")
    assert len(messages) == 0
    assert (messages.table, messages.version, messages.run_id) == (TABLE.name, TABLE.message_version, "r")
    assert Messages.from_bytes(messages.to_bytes()) == messages


def test_envelopes_come_as_values_and_as_bytes() -> None:
    first, second, third = envelope(0), envelope(1), envelope(2)
    together = Messages.of_envelopes([first, second.encode() + third.encode()], spec=TABLE, commit_user="u", run_id="r")
    assert together == Messages([first, second, third])


@pytest.mark.parametrize("version", MESSAGE_VERSIONS)
def test_messages_change_version_whole_or_not_at_all(version: int) -> None:
    lossless = CommitMessage(bucket=0, data=DataIncrement(new_files=(FILE,)))
    messages = Messages([replace(envelope(), payloads=(encode(lossless, VERSION),) * 2)])
    converted = messages.at_version(version)
    assert converted.version == version
    assert list(converted) == [lossless] * 2
    assert converted.envelopes[0].payloads == (encode(lossless, version),) * 2
    assert converted.at_version(VERSION) == messages


def test_conversion_names_everything_it_would_lose_and_takes_the_table_into_account() -> None:
    message = CommitMessage(bucket=0, total_buckets=4, data=DataIncrement(new_files=(replace(FILE, first_row_id=1),)))
    messages = Messages([replace(envelope(), payloads=(encode(message, VERSION),))])
    with pytest.raises(LossError, match="cannot carry 2 values"):
        messages.at_version(6)
    with pytest.raises(LossError, match="cannot carry 1 value:"):
        messages.at_version(6, TABLE)


def test_an_envelope_refuses_what_it_cannot_hold() -> None:
    with pytest.raises(CodecError, match="does not hold"):
        replace(envelope(), table="x" * 70_000).encode()
    assert replace(envelope(), origin=FOREIGN).encode()[9] == FOREIGN
