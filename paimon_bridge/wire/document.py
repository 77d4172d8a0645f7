"""The format page, written from the version table: ``python -m paimon_bridge.wire.document > docs/wire-format.md``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from paimon_bridge.wire.envelope import ENVELOPE_VERSION, MAGIC
from paimon_bridge.wire.fields import FOREVER, FieldType, Part, Struct
from paimon_bridge.wire.versions import (
    COMMIT_MESSAGE,
    COMMITTABLE,
    COMMITTABLE_VERSIONS,
    DATA_FILE,
    DELETION_VECTOR,
    GLOBAL_INDEX,
    INDEX_FILE,
    LAYOUT_OF_0_7,
    MESSAGE_VERSIONS,
    RELEASES,
    SIMPLE_STATS,
)

_STRUCTS = (DATA_FILE, SIMPLE_STATS, INDEX_FILE, DELETION_VECTOR, GLOBAL_INDEX)

_HEAD = """\
# The wire format

Written by `python -m paimon_bridge.wire.document` from `paimon_bridge/wire/versions.py`; a test fails when this page is stale.

Two byte orders live in one message. Its framing is big-endian, as Java's DataOutput writes it; everything inside a row or an array is
little-endian. A serialized message contains no version number: it must travel beside the bytes, which is what the envelope is for.
"""

_ROWS = """\
## Rows

A metadata row is one BinaryRow: an 8-byte header (byte 0 is the row kind, always 0; bit 8 + i says that field i is null), 8 bytes per
field, then the variable part. Numbers stand in their slot. Strings and bytes of up to 7 bytes do too, with `0x80 | length` in the last
byte of the slot; anything longer, and every nested row and array, stands in the variable part, where the slot has its length in the low
and its offset in the high half. Entries follow each other in field order, padded with zeros to 8 bytes. There is exactly one right
encoding of a row, and nothing else is accepted.

An *array* is an int32 count, its null bits in words of 4 bytes, the elements in slots of their own width, zeros up to 8 bytes, then its
own variable part. A *row in bytes* (keys, statistics, like the partition of a message) has types that only the table knows: its arity as a
big-endian int32, then the row.

Rows only ever grew at their end, so a version has the fields whose range it is in.
"""

_ENVELOPE = """\
## Envelope

What an executor hands to the driver, the driver to the JVM, and `Messages.save` to a file. Big-endian; several envelopes may follow each
other. *text* is a u16 length and UTF-8.

| Bytes | Content |
| --- | --- |
| 8 | magic `{magic}` |
| 1 | envelope version, {version} |
| 1 | origin: 0 written by paimon-bridge, 1 foreign messages wrapped on the driver |
| 2 | message version, u16 |
| text | table id: Paimon's identity of this very table |
| text | table name, `db.table` |
| 8 | schema id, i64 |
| text | commit user |
| text | run id: one per write; empty for foreign messages |
| 4 | task: i32, the Spark partition, -1 where there is none |
| 8 | attempt: i64, the Spark task attempt, -1 where there is none |
| 4 | number of messages, i32 |
| 8 | length of the payload, i64 |
| payload | per message: i32 length, then the bytes of Java's CommitMessageSerializer |
| 32 | SHA-256 of every byte of this envelope before it |
"""


def document() -> str:
    """The whole page."""
    return "\n".join(
        (
            _HEAD,
            "## Versions\n",
            *_table(("Paimon release", "message", "committable"), _release_rows()),
            "",
            f"Read and written: messages of versions {_span(MESSAGE_VERSIONS)}, committables of versions {_span(COMMITTABLE_VERSIONS)}.",
            "Versions 4, 5, 8 and 9 were written by unreleased builds only, 13 by the development line of 2.1, 14 by pypaimon and",
            "pypaimon-rust. Release 0.7 wrote other fields under the number 2 ([decision](decisions/0001-version-2-is-two-layouts.md));",
            "version 8 had two shapes ([decision](decisions/0002-version-8-has-two-shapes.md)).",
            "",
            "## Message\n",
            "One part after the other. A list of messages is an int32 count and the messages back to back.\n",
            *_table(("#", "Part", "Bytes", "Versions", "Note"), _part_rows(COMMIT_MESSAGE.parts, MESSAGE_VERSIONS)),
            "",
            _ROWS,
            *(line for struct in _STRUCTS for line in _struct_lines(struct)),
            "## Committable\n",
            "The messages of one commit, as Flink keeps them in its state. UTF is Java's modified UTF-8 behind a u16 length. The version",
            "of the messages is inside, its own is not.\n",
            *_table(("#", "Part", "Bytes", "Versions", "Note"), _part_rows(COMMITTABLE.parts, COMMITTABLE_VERSIONS)),
            "",
            _ENVELOPE.format(magic=MAGIC.hex(" "), version=ENVELOPE_VERSION),
        )
    )


def _release_rows() -> Iterator[tuple[str, ...]]:
    for release, (message, committable) in RELEASES.items():
        yield release, str(message), str(committable)


def _part_rows(parts: Sequence[Part], versions: range) -> Iterator[tuple[str, ...]]:
    for number, part in enumerate(parts, 1):
        yield str(number), f"`{part.path}`", part.kind.name, _range(part.since, part.until, versions), part.note


def _struct_lines(struct: Struct) -> Iterator[str]:
    yield f"### {struct.name}\n"
    rows = (
        (
            str(index),
            f"`{item.name}`",
            f"`{item.label}`",
            _type_name(item.type),
            "yes" if item.nullable else "",
            _range(item.since, item.until, MESSAGE_VERSIONS),
            item.note,
        )
        for index, item in enumerate(struct.fields)
    )
    yield from _table(("#", "Field", "Paimon's name", "Type", "Null", "Versions", "Note"), rows)
    yield ""


def _type_name(type_: FieldType) -> str:
    if type_.element is not None:
        return f"array of {'nullable ' if type_.nullable_elements else ''}{_type_name(type_.element)}"
    if type_.struct is not None:
        return f"row {type_.struct.name}"
    return f"{type_.name}, one of {', '.join(map(str, type_.allowed))}" if type_.allowed else type_.name


def _range(since: int, until: int, versions: range) -> str:
    first, last = max(since, versions[0]), min(until, versions[-1])
    # What 0.7 lacked although it called itself 2 is said in words, not in numbers.
    missing = " (not in 0.7)" if since > LAYOUT_OF_0_7 and first == versions[0] and versions is MESSAGE_VERSIONS else ""
    if first == versions[0] and last == versions[-1]:
        return f"all{missing}"
    return (f"{first} on" if until == FOREVER else f"{first} to {last}") + missing


def _span(versions: range) -> str:
    return f"{versions[0]} to {versions[-1]}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


if __name__ == "__main__":
    print(document(), end="")
