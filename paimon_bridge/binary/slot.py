"""Slots: how one value gets into a row or array, and out of it.

A *fixed* slot holds its value. A *variable* slot holds the place of its value in the variable part behind the slots; values of up
to seven bytes go into the slot after all. Java compares partitions and keys by their bytes, so a value has exactly one right encoding:
writing produces it, reading accepts nothing else.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

ZEROS = tuple(bytes(size) for size in range(17))

# Up to this many bytes are kept in the slot itself (BinarySection.MAX_FIX_PART_DATA_SIZE).
_INLINE_LIMIT = 7
_INT_LIMIT = 2**31

# The row without fields, its arity in front.
_EMPTY_ROW = bytes(12)

# Arity and header of a row of up to 56 fields, whose header is one word; by arity, what must be zero in it: the row kind, and the bits
# behind the null bits. Read big-endian with the arity, so the masks are too.
_FRAME = struct.Struct(">IQ")
_HEADER_MASKS = tuple(int.from_bytes(((1 << 64) - 1 & ~((1 << arity) - 1 << 8)).to_bytes(8, "little"), "big") for arity in range(57))


class Malformed(Exception):
    """A value or its bytes are wrong. Inside ``binary`` and ``wire`` only: their public functions turn it into a CodecError.

    Offsets are absolute, counted in the buffer that was handed in. The path grows from the inside out as the error passes the
    structures around the place where it was raised.
    """

    def __init__(self, reason: str, offset: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset
        self.path = ""

    def inside(self, name: str) -> Malformed:
        """The same error, seen from one structure further out. A name in brackets is an element: ``files[3].level``."""
        separator = "" if not self.path or self.path.startswith("[") else "."
        self.path = f"{name}{separator}{self.path}"
        return self


class Fixed:
    """A slot that holds its value. ``code`` is the struct code of what it holds; its width is the element width in arrays.

    ``put`` turns a value into what is packed and ``get`` does the reverse; ``None`` where the value is packed as it is.
    """

    __slots__ = ("code", "get", "put", "width")

    def __init__(self, code: str, put: Callable[[Any], Any] | None = None, get: Callable[[Any], Any] | None = None) -> None:
        self.code = code
        self.put = put
        self.get = get
        self.width = struct.calcsize("<" + code)


class Variable:
    """A slot that points into the variable part, where entries follow each other in slot order.

    ``store(value, tail)`` appends the entry and returns the slot. ``fetch(slot, data, base, at, end)`` reads the entry, which must lie
    exactly at ``at``, the offset in the slot counting from ``base``; it returns the value and the position behind the entry.
    ``reserve`` is the room a null still takes in a row (never in an array), so that Java can set the value in place.
    """

    __slots__ = ("fetch", "reserve", "store")

    code = "Q"
    width = 8

    def __init__(
        self,
        store: Callable[[Any, Tail], int],
        fetch: Callable[[int, bytes, int, int, int], tuple[Any, int]],
        reserve: int = 0,
    ) -> None:
        self.store = store
        self.fetch = fetch
        self.reserve = reserve


Slot = Fixed | Variable


class Tail:
    """The variable part while it is written: entries in slot order, each padded to eight bytes."""

    __slots__ = ("chunks", "end")

    def __init__(self, start: int) -> None:
        self.chunks: list[bytes] = []
        self.end = start

    def add(self, data: bytes) -> int:
        """Append an entry and return the slot that points to it."""
        size, start = len(data), self.end
        chunks = self.chunks
        chunks.append(data)
        padding = -size & 7
        if padding:
            chunks.append(ZEROS[padding])
        self.end = start + size + padding
        if self.end >= _INT_LIMIT:
            raise Malformed(f"a row or array may have {_INT_LIMIT - 1} bytes at most")
        return start << 32 | size


def entry(word: int, data: bytes, base: int, at: int, end: int) -> tuple[int, int]:
    """Where the entry of a slot ends, and where the next one starts. Refuses an entry that a canonical writer would not have put there."""
    size = word & 0xFFFFFFFF
    stop = at + size
    following = stop + (-size & 7)
    if word >> 32 != at - base:
        raise Malformed(f"points to offset {word >> 32}, where a canonical writer would point to {at - base}")
    if following > end:
        raise Malformed(f"{size} bytes announced, {end - at} left", at)
    if following != stop and data[stop:following] != ZEROS[following - stop]:
        raise Malformed("padding is not zero", stop)
    return stop, following


def check_null(word: Any) -> None:
    if word:
        raise Malformed("a null slot is not zero")


def skip_reserved(word: int, reserve: int, data: bytes, base: int, at: int, end: int) -> int:
    """The position behind the room of a null. An empty slot has none: up to 1.0, Paimon's InternalRowSerializer reserved nothing."""
    if not reserve:
        check_null(word)
    stop, following = entry(word | reserve, data, base, at, end)
    if word & 0xFFFFFFFF or data[at:stop] != ZEROS[reserve]:
        raise Malformed("the place reserved for a null is not zero", at)
    return following


def check_frame(data: bytes) -> bytes:
    """Check an arity-prefixed row whose types are not known, as far as that goes: its arity, its size and its header.

    The row kind is +I in every row of a message, and behind the null bits there is nothing.
    """
    if data == _EMPTY_ROW:
        return _EMPTY_ROW
    size = len(data) - 4
    if size < 8 or size & 7:
        raise Malformed(f"{len(data)} bytes cannot be a row")
    arity, bits = _FRAME.unpack_from(data)
    if arity <= 56:
        misfit, wrong = size < 8 + 8 * arity, bits & _HEADER_MASKS[arity]
    else:
        header = (arity + 71) // 64 * 8
        misfit, bits = size < header + 8 * arity, int.from_bytes(data[4 : 4 + header], "little")
        wrong = bits & 0xFF or bits >> 8 + arity
    if misfit:
        raise Malformed(f"{len(data)} bytes cannot be a row of {arity} fields")
    if wrong:
        raise Malformed("a byte of the row's header that must be zero is not")
    return data


def bytes_slot() -> Variable:
    return Variable(_store_any_bytes, _fetch_bytes)


def string_slot() -> Variable:
    return Variable(lambda value, tail: _store_bytes(value.encode(), tail), _fetch_string)


def row_bytes_slot() -> Variable:
    """Bytes that hold a row of types unknown here, its arity in front."""
    # Such a row has twelve bytes at least, so it never fits into the slot.
    return Variable(lambda value, tail: tail.add(check_frame(value)), _fetch_row_bytes)


def nested_slot(encode: Callable[[Any], bytes], decode: Callable[[bytes, int, int], Any]) -> Variable:
    """A structure of its own, never inside the slot however short: array, map, row, variant, vector."""

    def fetch(word: int, data: bytes, base: int, at: int, end: int) -> tuple[Any, int]:
        stop, following = entry(word, data, base, at, end)
        return decode(data, at, stop), following

    return Variable(lambda value, tail: tail.add(encode(value)), fetch)


def _store_bytes(value: bytes, tail: Tail) -> int:
    size = len(value)
    if size > _INLINE_LIMIT:
        return tail.add(value)
    return int.from_bytes(value, "little") | (0x80 | size) << 56


def _store_any_bytes(value: bytes | bytearray | memoryview, tail: Tail) -> int:
    # bytes(7) would be seven zeros.
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise Malformed(f"{value!r} is not bytes")
    return _store_bytes(bytes(value), tail)


def _fetch_bytes(word: int, data: bytes, base: int, at: int, end: int) -> tuple[bytes, int]:
    if word >> 63:
        size = word >> 56 & 0x7F
        if size > _INLINE_LIMIT or (word & (1 << 56) - 1) >> 8 * size:
            raise Malformed("a short value has an impossible length or is not zero behind it")
        return word.to_bytes(8, "little")[:size], at
    stop, following = entry(word, data, base, at, end)
    if stop - at <= _INLINE_LIMIT:
        raise Malformed(f"{stop - at} bytes belong into the slot itself", at)
    return data[at:stop], following


def _fetch_string(word: int, data: bytes, base: int, at: int, end: int) -> tuple[str, int]:
    raw, following = _fetch_bytes(word, data, base, at, end)
    try:
        return raw.decode(), following
    except UnicodeDecodeError as error:
        raise Malformed(f"invalid UTF-8: {error.reason}", None if word >> 63 else at + error.start) from None


def _fetch_row_bytes(word: int, data: bytes, base: int, at: int, end: int) -> tuple[bytes, int]:
    # Six times per data file: the conditions of entry() in one, and entry() only to say which of them failed.
    size = word & 0xFFFFFFFF
    stop = at + size
    following = stop + (-size & 7)
    if word >> 32 != at - base or following > end or (following != stop and data[stop:following] != ZEROS[following - stop]):
        entry(word, data, base, at, end)
    try:
        return check_frame(data[at:stop]), following
    except Malformed as error:
        error.offset = at
        raise
