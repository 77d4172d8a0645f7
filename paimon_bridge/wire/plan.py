"""Turns the version table into code, once per layout: closures over precompiled structs, so that no message pays for the table.

``StructCodec`` reads and writes one metadata row, ``SequencePlan`` the parts of a message. Both work on absolute positions in one
buffer, so every error knows its byte.
"""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any

from paimon_bridge.binary.layout import ArrayLayout, RowLayout
from paimon_bridge.binary.slot import Fixed, Malformed, Slot, bytes_slot, check_frame, nested_slot, row_bytes_slot, string_slot
from paimon_bridge.binary.stream import I32, I64, read_count, read_flag, read_i32, read_i64, read_utf, take, write_utf
from paimon_bridge.wire import fields
from paimon_bridge.wire.fields import FieldType, Part, PartKind, Struct, default_of
from paimon_bridge.wire.versions import WIDER_ROWS

_EMPTY_LIST = bytes(4)

Read = Callable[[bytes, int], tuple[Any, int]]
Write = Callable[[Any], bytes]


class StructCodec:
    """One metadata row of one layout, both ways."""

    __slots__ = ("_build", "_names", "_row", "_values", "_wider", "smallest")

    def __init__(self, shape: Struct, layout: int) -> None:
        items = shape.at(layout)
        self._names = tuple(item.name for item in items)
        self._build = builder(shape.value_class, self._names)
        self._row = RowLayout([_slot(item.type, layout) for item in items], self._names, [not item.nullable for item in items])
        self._values = attrgetter(*self._names)
        self.smallest = self._row.fixed
        wider = WIDER_ROWS.get(layout)
        self._wider = struct_codec(shape, wider)._row if wider is not None and shape.at(wider) != items else None

    def encode(self, value: Any) -> bytes:
        return self._row.encode(self._values(value))

    def decode(self, data: bytes, start: int, end: int) -> Any:
        try:
            values = self._row.decode(data, start, end)
        except Malformed as error:
            values = self._decode_wider(data, start, end, error)
        return self._build(values)

    def _decode_wider(self, data: bytes, start: int, end: int, error: Malformed) -> list[Any]:
        """A row of the wider shape, whose further fields Paimon ignores; the first error if it is none either."""
        if self._wider is None:
            raise error
        try:
            return self._wider.decode(data, start, end)
        except Malformed:
            raise error from None


def builder(value_class: type, names: Sequence[str]) -> Callable[[Sequence[Any]], Any]:
    """Makes a value of the named fields, in that order; other fields get their defaults, and values beyond the names are ignored.

    Sets the slots of a frozen dataclass directly: its own __init__ takes twice as long, which was a third of decoding a message.
    """
    filled = [getattr(value_class, name).__set__ for name in names]
    defaults = [
        (getattr(value_class, item.name).__set__, default_of(value_class, item.name))
        for item in dataclasses.fields(value_class)
        if item.name not in names
    ]
    create: Callable[[type], Any] = object.__new__

    def build(values: Sequence[Any]) -> Any:
        made = create(value_class)
        for assign, value in zip(filled, values, strict=False):
            assign(made, value)
        for assign, value in defaults:
            assign(made, value)
        return made

    return build


@cache
def struct_codec(shape: Struct, layout: int) -> StructCodec:
    return StructCodec(shape, layout)


def _slot(type_: FieldType, layout: int) -> Slot:
    if type_.element is not None:
        elements = ArrayLayout(_slot(type_.element, layout), required=not type_.nullable_elements)
        return nested_slot(elements.encode, lambda data, start, end: tuple(elements.decode(data, start, end)))
    if type_.struct is not None:
        codec = struct_codec(type_.struct, layout)
        return nested_slot(codec.encode, codec.decode)
    if type_.allowed:
        return _enumeration(type_.allowed)
    return _PLAIN_SLOTS[type_]


def _enumeration(allowed: tuple[int, ...]) -> Slot:
    def check(value: int) -> int:
        if value not in allowed:
            raise Malformed(f"{value!r} is none of {', '.join(map(str, allowed))}")
        return value

    return Fixed("b", check, check)


_PLAIN_SLOTS: dict[FieldType, Slot] = {
    fields.STRING: string_slot(),
    fields.BYTES: bytes_slot(),
    fields.ROW_BYTES: row_bytes_slot(),
    fields.BIGINT: Fixed("q"),
    fields.INT: Fixed("i"),
    fields.MILLIS: Fixed("q"),
}


class SequencePlan:
    """The parts of one layout of a message, in the order of the bytes."""

    __slots__ = ("_reads", "_writes", "paths", "smallest")

    def __init__(self, parts: Iterable[Part], layout: int) -> None:
        parts = tuple(parts)
        frames = [_frame(item.kind, layout) for item in parts]
        self.paths = tuple(item.path for item in parts)
        self._reads = tuple((read, item.kind.struct is not None) for (read, _, _), item in zip(frames, parts, strict=True))
        self._writes = tuple(write for _, write, _ in frames)
        self.smallest = sum(smallest for _, _, smallest in frames)

    def write(self, values: Iterable[Any]) -> bytes:
        chunks: list[bytes] = []
        try:
            for write, value in zip(self._writes, values, strict=True):
                chunks.append(write(value))
        except Malformed as error:
            raise error.inside(self.paths[len(chunks)]) from None
        except (struct.error, TypeError, AttributeError, ValueError, OverflowError) as error:
            raise Malformed(f"does not fit: {error}").inside(self.paths[len(chunks)]) from None
        return b"".join(chunks)

    def read(self, data: bytes, at: int) -> tuple[list[Any], int]:
        values: list[Any] = []
        try:
            for read, is_list in self._reads:
                # Most lists of a message are empty: no reason to call anyone.
                if is_list and data[at : at + 4] == _EMPTY_LIST:
                    values.append(())
                    at += 4
                else:
                    value, at = read(data, at)
                    values.append(value)
        except Malformed as error:
            raise error.inside(self.paths[len(values)]) from None
        return values, at


def _frame(kind: PartKind, layout: int) -> tuple[Read, Write, int]:
    """How a part is read and written, and the fewest bytes it takes."""
    if kind.struct is not None:
        return _list_frame(struct_codec(kind.struct, layout))
    return _FRAMES[kind]


def _list_frame(codec: StructCodec) -> tuple[Read, Write, int]:
    encode, decode = codec.encode, codec.decode
    smallest = 4 + codec.smallest

    def read(data: bytes, at: int) -> tuple[tuple[Any, ...], int]:
        count, at = read_count(data, at, smallest)
        values = []
        for index in range(count):
            try:
                size, at = read_i32(data, at)
                end = take(data, at, size)
                values.append(decode(data, at, end))
            except Malformed as error:
                raise error.inside(f"[{index}]") from None
            at = end
        return tuple(values), at

    def write(values: tuple[Any, ...]) -> bytes:
        if not values:
            return _EMPTY_LIST
        chunks = [I32.pack(len(values))]
        for index, value in enumerate(values):
            try:
                row = encode(value)
            except Malformed as error:
                raise error.inside(f"[{index}]") from None
            chunks.append(I32.pack(len(row)))
            chunks.append(row)
        return b"".join(chunks)

    return read, write, 4


def _read_framed_row(data: bytes, at: int) -> tuple[bytes, int]:
    size, start = read_i32(data, at)
    end = take(data, start, size)
    try:
        return check_frame(data[start:end]), end
    except Malformed as error:
        error.offset = start
        raise


def _write_framed_row(row: bytes) -> bytes:
    return I32.pack(len(row)) + check_frame(row)


def _optional(read: Read, write: Write, present: bool) -> tuple[Read, Write, int]:
    """A value behind a flag; ``present`` is the flag that announces a value."""

    def read_optional(data: bytes, at: int) -> tuple[Any, int]:
        flag, at = read_flag(data, at)
        return read(data, at) if flag == present else (None, at)

    def write_optional(value: Any) -> bytes:
        flag = (value is not None) == present
        return (b"\1" if flag else b"\0") + (b"" if value is None else write(value))

    return read_optional, write_optional, 1


def _pairs(read_key: Read, read_value: Read, write_key: Write, write_value: Write, smallest: int) -> tuple[Read, Write, int]:
    def read(data: bytes, at: int) -> tuple[tuple[tuple[Any, Any], ...], int]:
        count, at = read_count(data, at, smallest)
        pairs = []
        for _ in range(count):
            key, at = read_key(data, at)
            value, at = read_value(data, at)
            pairs.append((key, value))
        return tuple(pairs), at

    def write(pairs: tuple[tuple[Any, Any], ...]) -> bytes:
        return I32.pack(len(pairs)) + b"".join(write_key(key) + write_value(value) for key, value in pairs)

    return read, write, 4


_FRAMES: dict[PartKind, tuple[Read, Write, int]] = {
    fields.FRAMED_ROW: (_read_framed_row, _write_framed_row, 16),
    fields.INT32: (read_i32, I32.pack, 4),
    fields.INT64: (read_i64, I64.pack, 8),
    fields.FLAGGED_INT32: _optional(read_i32, I32.pack, True),
    fields.FLAGGED_INT64: _optional(read_i64, I64.pack, True),
    fields.NULL_FLAGGED_INT64: _optional(read_i64, I64.pack, False),
    fields.LOG_OFFSETS: _pairs(read_i32, read_i64, I32.pack, I64.pack, 12),
    fields.PROPERTIES: _pairs(read_utf, read_utf, write_utf, write_utf, 4),
}
