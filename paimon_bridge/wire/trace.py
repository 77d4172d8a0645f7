"""Where each field of a message lies in its bytes: for ``inspect --bytes``, not for speed.

Walks the version table over bytes that have been decoded before, so nothing is checked a second time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from paimon_bridge.binary.stream import I32
from paimon_bridge.wire.fields import FieldType, Struct
from paimon_bridge.wire.plan import SequencePlan
from paimon_bridge.wire.versions import COMMIT_MESSAGE


@dataclass(frozen=True, slots=True)
class Span:
    """The bytes of one field: its dotted path, where they start and how many they are."""

    path: str
    offset: int
    size: int


def trace(data: bytes, version: int, at: int = 0) -> tuple[list[Span], int]:
    """The spans of the message that starts at ``at``, in the order of the bytes, and the position behind it."""
    spans: list[Span] = []
    for part in COMMIT_MESSAGE.at(version):
        start = at
        _, at = SequencePlan((part,), version).read(data, at)
        spans.append(Span(part.path, start, at - start))
        if part.kind.struct is not None:
            spans.extend(_rows(data, start, part.kind.struct, version, part.path))
    return spans, at


def _rows(data: bytes, at: int, struct: Struct, version: int, path: str) -> Iterator[Span]:
    count: int = I32.unpack_from(data, at)[0]
    at += 4
    for index in range(count):
        size: int = I32.unpack_from(data, at)[0]
        yield Span(f"{path}[{index}]", at, 4 + size)
        yield from _row(data, at + 4, struct, version, f"{path}[{index}]")
        at += 4 + size


def _row(data: bytes, base: int, struct: Struct, version: int, path: str) -> Iterator[Span]:
    """A field lies in its slot, or where its slot points to. Metadata rows have few fields, so their header is one word."""
    nulls = int.from_bytes(data[base : base + 8], "little")
    for index, item in enumerate(struct.at(version)):
        slot = base + 8 + 8 * index
        word = int.from_bytes(data[slot : slot + 8], "little")
        if _is_fixed(item.type) or nulls >> 8 + index & 1 or word >> 63:
            yield Span(f"{path}.{item.name}", slot, 8)
            continue
        start = base + (word >> 32)
        yield Span(f"{path}.{item.name}", start, word & 0xFFFFFFFF)
        if item.type.struct is not None:
            yield from _row(data, start, item.type.struct, version, f"{path}.{item.name}")


def _is_fixed(type_: FieldType) -> bool:
    return type_.name.startswith(("int", "timestamp"))
