"""Rows and arrays of slots: BinaryRow and BinaryArray, whatever their values mean.

Both are a fixed part of slots and a variable part behind it. Most fields of most rows are plain numbers, which ``struct`` packs and
unpacks all at once; only the others are looked at one by one.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, NoReturn

from paimon_bridge.binary.slot import ZEROS, Fixed, Malformed, Slot, Tail, Variable, check_null, skip_reserved

# What a value of the wrong type or size raises on its way into a slot.
_MISFITS = (TypeError, ValueError, ArithmeticError, AttributeError, IndexError, struct.error)


class RowLayout:
    """A BinaryRow of given slots. Values are sequences in slot order, ``None`` for null; the row kind is always +I."""

    __slots__ = (
        "_bits",
        "_converted",
        "_format",
        "_header",
        "_header_mask",
        "_plain",
        "_plain_bits",
        "_required",
        "_slots",
        "_unused",
        "_variable",
        "_wide",
        "arity",
        "fixed",
        "names",
    )

    def __init__(self, slots: Sequence[Slot], names: Sequence[str] | None = None, required: Sequence[bool] | None = None) -> None:
        self.arity = len(slots)
        self.names = tuple(names) if names is not None else tuple(f"[{index}]" for index in range(self.arity))
        self._slots = tuple(slots)
        self._header = (self.arity + 71) // 64 * 8
        self.fixed = self._header + 8 * self.arity
        self._bits = tuple(1 << 8 + index for index in range(self.arity))
        self._required = sum(bit for bit, needed in zip(self._bits, required or (), strict=False) if needed)

        fields = tuple(zip(range(self.arity), self._bits, slots, strict=True))
        self._variable = tuple(
            (index, bit, slot.store, slot.fetch, slot.reserve) for index, bit, slot in fields if isinstance(slot, Variable)
        )
        fixed = tuple((index, bit, slot) for index, bit, slot in fields if isinstance(slot, Fixed))
        self._converted = tuple((index, bit, slot.put, slot.get) for index, bit, slot in fixed if slot.put or slot.get)
        self._plain = tuple((index, bit) for index, bit, slot in fixed if not (slot.put or slot.get))
        self._plain_bits = sum(bit for _, bit in self._plain)

        # Up to 56 fields the header is one number; for longer ones struct has no code.
        self._wide = self._header > 8
        codes = "".join(slot.code + (f"{8 - slot.width}x" if slot.width < 8 else "") for slot in slots)
        self._format = struct.Struct(f"<{f'{self._header}s' if self._wide else 'Q'}{codes}")
        # The row kind and the bits of fields that do not exist; then the slot bytes that a narrow type leaves unused.
        self._header_mask = (1 << 8 * self._header) - 1 & ~sum(self._bits)
        self._unused = sum(
            (1 << 64) - (1 << 8 * slot.width) << 8 * (self._header + 8 * index) for index, _, slot in fields if slot.width < 8
        )

    def encode(self, values: Sequence[Any]) -> bytes:
        tail = Tail(self.fixed)
        nulls = 0
        words = list(values)
        try:
            for index, bit, store, _, reserve in self._variable:
                value = words[index]
                if value is not None:
                    words[index] = store(value, tail)
                else:
                    nulls |= bit
                    words[index] = tail.add(ZEROS[reserve]) & ~0xFFFFFFFF if reserve else 0
            for index, _, put, _ in self._converted:
                if put is not None and words[index] is not None:
                    words[index] = put(words[index])
            if None in words:
                for index, bit in zip(range(self.arity), self._bits, strict=True):
                    if words[index] is None:
                        nulls |= bit
                        words[index] = 0
            if nulls & self._required:
                raise Malformed("must not be null")
            fixed = self._format.pack(nulls.to_bytes(self._header, "little") if self._wide else nulls, *words)
        except (Malformed, *_MISFITS) as error:
            self._explain(values, error)
        return fixed + b"".join(tail.chunks)

    def _explain(self, values: Sequence[Any], error: Exception) -> NoReturn:
        """Find the field that does not encode: only now, so that good rows do not pay for the search."""
        if len(values) != self.arity:
            raise Malformed(f"{len(values)} values for {self.arity} fields") from error
        for value, bit, slot, name in zip(values, self._bits, self._slots, self.names, strict=True):
            try:
                if value is not None:
                    struct.pack("<" + slot.code, _word(value, slot))
                elif bit & self._required:
                    raise Malformed("must not be null")
            except Malformed as wrong:
                raise wrong.inside(name) from None
            except _MISFITS as wrong:
                raise Malformed(f"{value!r} does not fit: {wrong}").inside(name) from None
        raise Malformed(str(error)) from error

    def decode(self, data: bytes, start: int, end: int) -> list[Any]:
        """The values of the row that fills ``data[start:end]``."""
        at = start + self.fixed
        if at > end or end - start & 7:
            raise Malformed(f"{end - start} bytes for a row of {self.arity} fields: at least {self.fixed}, in steps of 8", start)
        header, *values = self._format.unpack_from(data, start)
        nulls = int.from_bytes(header, "little") if self._wide else header
        wrong = nulls & self._header_mask
        if self._unused and not wrong:
            wrong = int.from_bytes(data[start:at], "little") & self._unused
        if wrong:
            raise Malformed("a byte that must be zero is not", start + (_lowest_bit(wrong) >> 3))
        index = 0
        try:
            if nulls & self._required:
                index = _lowest_bit(nulls & self._required) - 8
                raise Malformed("must not be null")
            for index, bit, _, fetch, reserve in self._variable:
                word = values[index]
                if not nulls & bit:
                    values[index], at = fetch(word, data, start, at, end)
                else:
                    if word:
                        at = skip_reserved(word, reserve, data, start, at, end)
                    values[index] = None
            for index, bit, _, get in self._converted:
                if nulls & bit:
                    check_null(values[index])
                    values[index] = None
                elif get is not None:
                    values[index] = get(values[index])
            if nulls & self._plain_bits:
                for index, bit in self._plain:
                    if nulls & bit:
                        check_null(values[index])
                        values[index] = None
        except Malformed as error:
            if error.offset is None:
                error.offset = start + self._header + 8 * index
            raise error.inside(self.names[index]) from None
        if at != end:
            raise Malformed(f"{end - at} bytes that no slot points to", at)
        return values


class ArrayLayout:
    """A BinaryArray of one slot type. ``required`` refuses null elements."""

    __slots__ = ("_plain", "_required", "_slot")

    def __init__(self, slot: Slot, required: bool = False) -> None:
        self._slot = slot
        self._plain = isinstance(slot, Fixed) and slot.put is None and slot.get is None
        self._required = required

    def encode(self, values: Sequence[Any]) -> bytes:
        count = len(values)
        if not count:
            return ZEROS[8]
        slot = self._slot
        header = 4 + (count + 31) // 32 * 4
        fixed = header + slot.width * count
        padding = -fixed & 7
        tail = Tail(fixed + padding)
        nulls = bytearray(header - 4)
        words: list[Any] = []
        for index, value in enumerate(values):
            if value is not None:
                try:
                    words.append(_word(value, slot, tail))
                except Malformed as error:
                    raise error.inside(f"[{index}]") from None
            elif self._required:
                raise Malformed("must not be null").inside(f"[{index}]")
            else:
                nulls[index >> 3] |= 1 << (index & 7)
                words.append(0)
        packed = struct.pack(f"<i{header - 4}s{count}{slot.code}{padding}x", count, nulls, *words)
        return packed + b"".join(tail.chunks)

    def decode(self, data: bytes, start: int, end: int) -> Sequence[Any]:
        """The elements of the array that fills ``data[start:end]``."""
        size = end - start
        if size == 8 and data[start:end] == ZEROS[8]:
            return ()
        slot = self._slot
        count = int.from_bytes(data[start : start + 4], "little")
        header = 4 + (count + 31) // 32 * 4
        fixed = header + slot.width * count
        padding = -fixed & 7
        at = start + fixed + padding
        # Before anything is allocated for them: do that many elements fit at all?
        if size < 8 or at > end:
            raise Malformed(f"{count} elements announced in an array of {size} bytes", start)
        values: Sequence[Any] = struct.unpack_from(f"<{count}{slot.code}", data, start + header)
        nulls = int.from_bytes(data[start + 4 : start + header], "little")
        if nulls >> count or (padding and data[at - padding : at] != ZEROS[padding]):
            raise Malformed("a byte that must be zero is not", start + 4)
        if nulls or not self._plain:
            values, at = self._values(values, data, start, start + header, at, end)
        if at != end:
            raise Malformed(f"{end - at} bytes that no slot points to", at)
        return values

    def _values(self, words: Sequence[Any], data: bytes, base: int, slots: int, at: int, end: int) -> tuple[list[Any], int]:
        slot = self._slot
        values: list[Any] = []
        for index, word in enumerate(words):
            try:
                if data[base + 4 + (index >> 3)] >> (index & 7) & 1:
                    if self._required:
                        raise Malformed("must not be null")
                    check_null(word)
                    values.append(None)
                elif isinstance(slot, Variable):
                    value, at = slot.fetch(word, data, base, at, end)
                    values.append(value)
                else:
                    values.append(word if slot.get is None else slot.get(word))
            except Malformed as error:
                if error.offset is None:
                    error.offset = slots + slot.width * index
                raise error.inside(f"[{index}]") from None
        return values, at


def _word(value: Any, slot: Slot, tail: Tail | None = None) -> Any:
    if isinstance(slot, Variable):
        return slot.store(value, tail or Tail(0))
    return value if slot.put is None else slot.put(value)


def _lowest_bit(bits: int) -> int:
    return (bits & -bits).bit_length() - 1
