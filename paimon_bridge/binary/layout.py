"""Slots, rows and arrays: how BinaryRow and BinaryArray lay values out, whatever the values mean.

Both structures are a fixed part of slots and a variable part behind it. A slot either holds its value, or the place of its value in
the variable part. Java compares partitions and keys by their bytes, so there is exactly one right encoding of each value: encoding
produces it, decoding accepts nothing else. Offsets in errors are absolute, counted in the buffer that was handed to ``decode``.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

_ZEROS = tuple(bytes(size) for size in range(17))

# A slot of at most this many bytes holds the bytes themselves (BinarySection.MAX_FIX_PART_DATA_SIZE).
_INLINE_LIMIT = 7
_INT_LIMIT = 2**31

# The row without fields, its arity in front.
_EMPTY_ROW = bytes(12)

# In the header of a row of so many fields: the row kind and the bits behind the null bits. For rows whose header is one word.
_HEADER_MASKS = tuple((1 << 64) - 1 & ~((1 << arity) - 1 << 8) for arity in range(57))

# What a value of the wrong type or size raises on its way into a slot.
_MISFITS = (TypeError, ValueError, ArithmeticError, AttributeError, IndexError, struct.error)


class Malformed(Exception):
    """A value or its bytes are wrong. Inside ``binary`` and ``wire`` only: their public functions turn it into a CodecError.

    The path grows from the inside out as the error passes the structures around the place where it was raised.
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


class Tail:
    """The variable part while it is written: 8-byte aligned entries in slot order."""

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
            chunks.append(_ZEROS[padding])
        self.end = start + size + padding
        if self.end >= _INT_LIMIT:
            raise Malformed(f"a row or array may have {_INT_LIMIT - 1} bytes at most")
        return start << 32 | size


class TailReader:
    """The variable part while it is read: every entry must lie exactly where a canonical writer would have put it."""

    __slots__ = ("at", "base", "data", "end")

    def __init__(self, data: bytes, base: int, start: int, end: int) -> None:
        self.data = data
        self.base = base
        self.at = start
        self.end = end

    def take(self, word: int) -> tuple[int, int]:
        """Start and end of the entry that a slot points to."""
        start, size = self.at, word & 0xFFFFFFFF
        if word >> 32 != start - self.base:
            raise Malformed(f"points to offset {word >> 32}, where a canonical writer would point to {start - self.base}")
        stop = start + size
        padding = -size & 7
        if stop + padding > self.end:
            raise Malformed(f"{size} bytes announced, {self.end - start} left", start)
        if padding and self.data[stop : stop + padding] != _ZEROS[padding]:
            raise Malformed("padding is not zero", stop)
        self.at = stop + padding
        return start, stop

    def finish(self) -> None:
        """Every byte must belong to an entry."""
        if self.at != self.end:
            raise Malformed(f"{self.end - self.at} bytes that no slot points to", self.at)


class Slot:
    """One type's way into a slot. ``code`` is the struct code of what the slot holds; its width is the element width in arrays.

    ``put`` turns a value into what is packed, ``get`` does the reverse; ``None`` where the value is packed as it is.
    ``reserve`` is what a null still takes of a row's variable part (never of an array's), so that Java can update it in place.
    """

    __slots__ = ("code", "get", "put", "reserve")

    def __init__(
        self,
        code: str,
        put: Callable[[Any, Tail], Any] | None = None,
        get: Callable[[Any, TailReader], Any] | None = None,
        reserve: int = 0,
    ) -> None:
        self.code = code
        self.put = put
        self.get = get
        self.reserve = reserve

    @property
    def width(self) -> int:
        return struct.calcsize("<" + self.code)


class RowLayout:
    """A BinaryRow of fixed slots. Values are sequences in slot order, ``None`` for null; the row kind is always +I.

    Most fields of most rows are plain numbers, which ``struct`` packs and unpacks all at once; only the others are looked at singly.
    """

    __slots__ = (
        "_bits",
        "_format",
        "_must_be_zero",
        "_plain_bits",
        "_plain_nullable",
        "_required",
        "_slots",
        "_special",
        "_wide_header",
        "arity",
        "fixed",
        "names",
    )

    def __init__(self, slots: Sequence[Slot], names: Sequence[str] | None = None, required: Sequence[bool] | None = None) -> None:
        self.arity = len(slots)
        self.names = tuple(names) if names is not None else tuple(f"[{index}]" for index in range(self.arity))
        header = (self.arity + 8 + 63) // 64 * 8
        self.fixed = header + 8 * self.arity
        self._slots = tuple(slots)
        self._bits = tuple(1 << 8 + index for index in range(self.arity))
        needed = tuple(required) if required is not None else (False,) * self.arity
        self._required = sum(bit for bit, must in zip(self._bits, needed, strict=True) if must)
        fields = tuple(zip(range(self.arity), self._bits, slots, strict=True))
        self._special = tuple((index, bit, slot.put, slot.get, slot.reserve) for index, bit, slot in fields if slot.put or slot.get)
        self._plain_nullable = tuple((index, bit) for index, bit, slot in fields if not (slot.put or slot.get) and not needed[index])
        self._plain_bits = sum(bit for index, bit, slot in fields if not (slot.put or slot.get))
        # Up to 56 fields the header is one number; beyond, struct has no code for it.
        self._wide_header = header if header > 8 else 0
        codes = "".join(slot.code + (f"{8 - slot.width}x" if slot.width < 8 else "") for slot in slots)
        self._format = struct.Struct(f"<{f'{header}s' if self._wide_header else 'Q'}{codes}")
        # The row kind, the bits of fields that do not exist, and the slot bytes that a narrow type leaves unused.
        used = sum(self._bits) | sum((1 << 8 * slot.width) - 1 << 8 * (header + 8 * index) for index, _, slot in fields)
        self._must_be_zero = (1 << 8 * self.fixed) - 1 & ~used

    def encode(self, values: Sequence[Any]) -> bytes:
        tail = Tail(self.fixed)
        nulls = 0
        words = list(values)
        try:
            for index, bit, put, _, reserve in self._special:
                value = words[index]
                if value is None:
                    nulls |= bit
                    words[index] = tail.add(_ZEROS[reserve]) & ~0xFFFFFFFF if reserve else 0
                elif put is not None:
                    words[index] = put(value, tail)
            for index, bit in self._plain_nullable:
                if words[index] is None:
                    nulls |= bit
                    words[index] = 0
            if nulls & self._required:
                raise Malformed("must not be null")
            fixed = self._format.pack(nulls.to_bytes(self._wide_header, "little") if self._wide_header else nulls, *words)
        except (Malformed, *_MISFITS) as error:
            self._explain(values, error)
        chunks = tail.chunks
        return fixed + b"".join(chunks) if chunks else fixed

    def _explain(self, values: Sequence[Any], error: Exception) -> NoReturn:
        """Find the field that does not encode: only now, so that good rows do not pay for the search."""
        if len(values) != self.arity:
            raise Malformed(f"{len(values)} values for {self.arity} fields") from error
        for value, bit, slot, name in zip(values, self._bits, self._slots, self.names, strict=True):
            try:
                if value is not None:
                    struct.pack("<" + slot.code, value if slot.put is None else slot.put(value, Tail(self.fixed)))
                elif bit & self._required:
                    raise Malformed("must not be null")
            except Malformed as wrong:
                raise wrong.inside(name) from None
            except _MISFITS as wrong:
                raise Malformed(f"{value!r} does not fit: {wrong}").inside(name) from None
        raise Malformed(str(error)) from error

    def decode(self, data: bytes, start: int, end: int) -> list[Any]:
        """The values of the row that fills ``data[start:end]``."""
        body = start + self.fixed
        if body > end or end - start & 7:
            raise Malformed(f"{end - start} bytes for a row of {self.arity} fields: at least {self.fixed}, in steps of 8", start)
        wrong = int.from_bytes(data[start:body], "little") & self._must_be_zero
        if wrong:
            raise Malformed("a byte that must be zero is not", start + (_lowest(wrong) >> 3))
        header, *values = self._format.unpack_from(data, start)
        nulls = int.from_bytes(header, "little") if self._wide_header else header
        tail = TailReader(data, start, body, end)
        index = 0
        try:
            if nulls & self._required:
                index = _lowest(nulls & self._required) - 8
                raise Malformed("must not be null")
            for index, bit, _, get, reserve in self._special:
                word = values[index]
                if nulls & bit:
                    if word:
                        _skip_reserved(word, reserve, tail)
                    values[index] = None
                elif get is not None:
                    values[index] = get(word, tail)
            if nulls & self._plain_bits:
                for index, bit in self._plain_nullable:
                    if nulls & bit:
                        if values[index]:
                            raise Malformed("a null slot is not zero")
                        values[index] = None
        except Malformed as error:
            if error.offset is None:
                error.offset = body - 8 * (self.arity - index)
            raise error.inside(self.names[index]) from None
        tail.finish()
        return values


def _lowest(bits: int) -> int:
    """The position of the lowest bit that is set."""
    return (bits & -bits).bit_length() - 1


def _skip_reserved(word: int, reserve: int, tail: TailReader) -> None:
    """Step over the room of a null. An empty slot needs none: up to 1.0, Paimon's InternalRowSerializer reserved nothing."""
    if not reserve:
        raise Malformed("a null slot is not zero")
    start, stop = tail.take(word | reserve)
    if word & 0xFFFFFFFF or tail.data[start:stop] != _ZEROS[reserve]:
        raise Malformed("the place reserved for a null is not zero", start)


class ArrayLayout:
    """A BinaryArray of one slot type. ``required`` refuses null elements."""

    __slots__ = ("_get", "_put", "_required", "_width", "code")

    def __init__(self, slot: Slot, required: bool = False) -> None:
        self.code = slot.code
        self._width = slot.width
        self._put = slot.put
        self._get = slot.get
        self._required = required

    def encode(self, values: Sequence[Any]) -> bytes:
        count = len(values)
        if not count:
            return _ZEROS[8]
        header = 4 + (count + 31) // 32 * 4
        fixed = header + self._width * count
        padding = -fixed & 7
        tail = Tail(fixed + padding)
        put = self._put
        nulls = bytearray(header - 4)
        words: list[Any] = []
        for index, value in enumerate(values):
            try:
                if value is None:
                    if self._required:
                        raise Malformed("must not be null")
                    nulls[index >> 3] |= 1 << (index & 7)
                    words.append(0)
                else:
                    words.append(value if put is None else put(value, tail))
            except Malformed as error:
                raise error.inside(f"[{index}]") from None
        packed = struct.pack(f"<i{header - 4}s{count}{self.code}{padding}x", count, nulls, *words)
        return packed + b"".join(tail.chunks)

    def decode(self, data: bytes, start: int, end: int) -> list[Any]:
        """The elements of the array that fills ``data[start:end]``."""
        size = end - start
        if size < 8:
            raise Malformed(f"{size} bytes for an array: at least 8", start)
        count = int.from_bytes(data[start : start + 4], "little")
        header = 4 + (count + 31) // 32 * 4
        fixed = header + self._width * count
        padding = -fixed & 7
        # Before anything is allocated for them: do that many elements fit at all?
        if fixed + padding > size:
            raise Malformed(f"{count} elements announced in an array of {size} bytes", start)
        words = struct.unpack_from(f"<{count}{self.code}", data, start + header)
        nulls = data[start + 4 : start + header]
        if int.from_bytes(nulls, "little") >> count or any(data[start + fixed : start + fixed + padding]):
            raise Malformed("a byte that must be zero is not", start + 4)
        tail = TailReader(data, start, start + fixed + padding, end)
        get = self._get
        if get is None and not any(nulls):
            tail.finish()
            return list(words)
        values: list[Any] = []
        for index, word in enumerate(words):
            try:
                if nulls[index >> 3] >> (index & 7) & 1:
                    if self._required:
                        raise Malformed("must not be null")
                    if word:
                        raise Malformed("a null slot is not zero")
                    values.append(None)
                else:
                    values.append(word if get is None else get(word, tail))
            except Malformed as error:
                if error.offset is None:
                    error.offset = start + header + self._width * index
                raise error.inside(f"[{index}]") from None
        tail.finish()
        return values


def put_bytes(value: bytes, tail: Tail) -> int:
    size = len(value)
    if size > _INLINE_LIMIT:
        return tail.add(value)
    return int.from_bytes(value, "little") | (0x80 | size) << 56


def get_bytes(word: int, tail: TailReader) -> bytes:
    if word >> 63:
        size = word >> 56 & 0x7F
        if size > _INLINE_LIMIT or (word & (1 << 56) - 1) >> 8 * size:
            raise Malformed("a short value has an impossible length or is not zero behind it")
        return word.to_bytes(8, "little")[:size]
    start, stop = tail.take(word)
    if stop - start <= _INLINE_LIMIT:
        raise Malformed(f"{stop - start} bytes belong into the slot itself", start)
    return tail.data[start:stop]


def put_string(value: str, tail: Tail) -> int:
    return put_bytes(value.encode(), tail)


def get_string(word: int, tail: TailReader) -> str:
    start = tail.at
    raw = get_bytes(word, tail)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise Malformed(f"invalid UTF-8: {error.reason}", None if word >> 63 else start + error.start) from None


def bytes_slot() -> Slot:
    def put(value: bytes | bytearray | memoryview, tail: Tail) -> int:
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise Malformed(f"{value!r} is not bytes")
        return put_bytes(bytes(value), tail)

    return Slot("Q", put, get_bytes)


def string_slot() -> Slot:
    return Slot("Q", put_string, get_string)


def check_frame(data: bytes) -> bytes:
    """Check an arity-prefixed row whose types are not known, as far as that goes: its arity, its size and its header.

    The row kind is +I in every row of a message, and behind the null bits there is nothing.
    """
    if data == _EMPTY_ROW:
        return _EMPTY_ROW
    size = len(data) - 4
    arity = int.from_bytes(data[:4], "big")
    header = (arity + 8 + 63) // 64 * 8
    if size < header + 8 * arity or size & 7 or size < 8:
        raise Malformed(f"{len(data)} bytes cannot be a row of {arity} fields")
    bits = int.from_bytes(data[4 : 4 + header], "little")
    if bits & _HEADER_MASKS[arity] if arity <= 56 else bits & 0xFF or bits >> 8 + arity:
        raise Malformed("a byte of the row's header that must be zero is not")
    return data


def row_bytes_slot() -> Slot:
    """Bytes that hold a row of types unknown here, its arity in front."""

    def put(value: bytes, tail: Tail) -> int:
        return put_bytes(check_frame(value), tail)

    def get(word: int, tail: TailReader) -> bytes:
        start = tail.at
        data = get_bytes(word, tail)
        try:
            return check_frame(data)
        except Malformed as error:
            error.offset = start
            raise

    return Slot("Q", put, get)


def nested_slot(encode: Callable[[Any], bytes], decode: Callable[[bytes, int, int], Any]) -> Slot:
    """A structure of its own in the variable part, never inline: array, map, row, variant, vector."""

    def put(value: Any, tail: Tail) -> int:
        return tail.add(encode(value))

    def get(word: int, tail: TailReader) -> Any:
        start, stop = tail.take(word)
        return decode(tail.data, start, stop)

    return Slot("Q", put, get)
