"""``BinaryRow.hashCode()`` of whole columns at once: buckets and hash indexes depend on every byte of a key's row.

A row is 8-byte words: a header with the null bits, one slot per field, then a variable part (see ``binary.row``, which writes one row
at a time). Here each word of many rows is one numpy column, and Murmur runs over those columns. Rows whose variable parts have
different lengths are hashed in groups of equal layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paimon_bridge.model.types import DataType

Words = npt.NDArray[np.uint64]

_COMPACT_DECIMAL = 18
_COMPACT_TIMESTAMP = 3
_INLINE_BYTES = 7
# Rows per round: their words stay in the processor's cache.
_BLOCK = 16384
# Null bits of up to 56 fields fit the header word, beside the row kind.
_HEADER_FIELDS = 56


@dataclass
class _Part:
    """One field of many rows: its slots, which of them are null, and its share of the variable part.

    ``tail`` are words that every row has; ``text`` gives the words of rows that are too long for their slot. Slots of rows with a
    share in the variable part still lack its offset, which depends on the fields before.
    """

    slots: Words
    nulls: npt.NDArray[np.bool_] | None
    tail: list[Words] = field(default_factory=list)
    text: Text | None = None


@dataclass
class Text:
    """Strings or bytes: where each begins, its length, and the buffer readable as 8-byte words at any byte."""

    data: npt.NDArray[np.uint8]
    words: Words
    starts: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]

    def bytes_at(self, rows: npt.NDArray[np.intp], start: int) -> Words:
        """The eight bytes from ``start`` on of each of these rows, zero behind the row's end."""
        left = np.clip(self.lengths[rows] - start, 0, 8)
        # A row that ended before has nothing to read there, perhaps not even within the buffer.
        places = np.where(left > 0, self.starts[rows] + start, 0)
        return _first_bytes(self.words[places], left)

    def byte_at(self, place: int) -> npt.NDArray[np.uint8]:
        """One byte of every row, zero behind the row's end."""
        inside = self.lengths > place
        return np.where(inside, self.data[np.where(inside, self.starts + place, 0)], np.uint8(0))


def hash_rows(columns: Sequence[pa.Array], types: Sequence[DataType]) -> npt.NDArray[np.int32]:
    """``BinaryRow.hashCode()`` of the row that each line of the columns makes."""
    if len(types) > _HEADER_FIELDS:
        raise ValueError(f"a key of {len(types)} columns; more than {_HEADER_FIELDS} need a wider header")
    count = len(columns[0]) if columns else 0
    hashes = np.empty(count, dtype=np.uint32)
    for start in range(0, count, _BLOCK):
        parts = [_part(column.slice(start, _BLOCK), type_) for column, type_ in zip(columns, types, strict=True)]
        hashes[start : start + _BLOCK] = _hash_block(parts, min(_BLOCK, count - start))
    return hashes.view(np.int32)


def _hash_block(parts: list[_Part], count: int) -> npt.NDArray[np.uint32]:
    header = np.zeros(count, dtype=np.uint64)
    for index, part in enumerate(parts):
        if part.nulls is not None:
            header |= part.nulls.astype(np.uint64) << np.uint64(8 + index)
    everyone = np.arange(count)
    hashes = np.empty(count, dtype=np.uint32)
    for rows, lengths in _layouts(parts, everyone):
        words = [header[rows], *_row_words(parts, rows, lengths)]
        hashes[rows] = _murmur(words)
    return hashes


def _layouts(parts: list[_Part], everyone: npt.NDArray[np.intp]) -> Iterator[tuple[npt.NDArray[np.intp], list[int]]]:
    """Rows of equal layout, with the words that each text of theirs has in the variable part."""
    texts = [part.text for part in parts if part.text is not None]
    if not texts:
        yield everyone, []
        return
    counts = [np.where(text.lengths > _INLINE_BYTES, (text.lengths + 7) // 8, 0) for text in texts]
    code = np.zeros(len(everyone), dtype=np.int64)
    for column in counts:
        code = code * (int(column.max()) + 1) + column
    _, firsts, membership = np.unique(code, return_index=True, return_inverse=True)
    order = np.argsort(membership, kind="stable")
    starts = np.searchsorted(membership[order], np.arange(len(firsts) + 1))
    for index, first in enumerate(firsts):
        yield order[starts[index] : starts[index + 1]], [int(column[first]) for column in counts]


def _row_words(parts: list[_Part], rows: npt.NDArray[np.intp], text_words: list[int]) -> list[Words]:
    """The slots and the variable part of rows of one layout."""
    offset = 8 + 8 * len(parts)
    slots, variable = [], []
    remaining = iter(text_words)
    for part in parts:
        slot = part.slots[rows]
        if part.text is not None:
            words = next(remaining)
            if words:
                slot = part.text.lengths[rows].astype(np.uint64) | np.uint64(offset << 32)
                variable += [part.text.bytes_at(rows, 8 * index) for index in range(words)]
                offset += 8 * words
        elif part.tail:
            # Room is kept for nulls too, as zeros.
            slot = slot | np.uint64(offset << 32)
            variable += [word[rows] for word in part.tail]
            offset += 8 * len(part.tail)
        slots.append(slot)
    return slots + variable


def _murmur(words: list[Words]) -> npt.NDArray[np.uint32]:
    """Murmur3 (32 bits, seed 42) over 4-byte words, the low half of each 8-byte word first."""
    state = np.full(len(words[0]), 42, dtype=np.uint32)
    for word in words:
        for half in (word.astype(np.uint32), (word >> np.uint64(32)).astype(np.uint32)):
            half *= np.uint32(0xCC9E2D51)
            half = (half << np.uint32(15)) | (half >> np.uint32(17))
            half *= np.uint32(0x1B873593)
            state ^= half
            state = (state << np.uint32(13)) | (state >> np.uint32(19))
            state *= np.uint32(5)
            state += np.uint32(0xE6546B64)
    state ^= np.uint32(8 * len(words))
    state ^= state >> np.uint32(16)
    state *= np.uint32(0x85EBCA6B)
    state ^= state >> np.uint32(13)
    state *= np.uint32(0xC2B2AE35)
    state ^= state >> np.uint32(16)
    return state


# -- one field ---------------------------------------------------------------------------------------------------------------------------


def _part(column: pa.Array, data_type: DataType) -> _Part:
    nulls = column.is_null().to_numpy(zero_copy_only=False) if column.null_count else None
    root, precision = data_type.root, data_type.precision or 0
    if root in ("CHAR", "VARCHAR", "BINARY", "VARBINARY"):
        return _text_part(column, nulls)
    if root == "DECIMAL":
        return _decimal_part(column, nulls, precision)
    if root in ("TIMESTAMP", "TIMESTAMP_LTZ"):
        return _timestamp_part(column, nulls, precision)
    width = {"BOOLEAN": 1, "TINYINT": 1, "SMALLINT": 2, "INT": 4, "FLOAT": 4, "DATE": 4, "TIME": 4, "BIGINT": 8, "DOUBLE": 8}[root]
    if root == "BOOLEAN":
        column = column.cast(pa.uint8())
    return _Part(_zeroed(raw_values(column, f"<u{width}").astype(np.uint64), nulls), nulls)


def _text_part(column: pa.Array, nulls: npt.NDArray[np.bool_] | None) -> _Part:
    text = text_of(column)
    lengths = text.lengths
    short = _first_bytes(text.words[text.starts], np.minimum(lengths, _INLINE_BYTES))
    slots = short | ((lengths.astype(np.uint64) | np.uint64(0x80)) << np.uint64(56))
    return _Part(_zeroed(slots, nulls), nulls, text=text)


def text_of(column: pa.Array) -> Text:
    """The bytes of a string or binary column, readable in words. Nulls are empty."""
    offsets = np.frombuffer(column.buffers()[1], dtype=np.int32)[column.offset : column.offset + len(column) + 1].astype(np.int64)
    first, last = int(offsets[0]), int(offsets[-1])
    # Copied with room behind the last byte, so that a whole word can be read at any place.
    data = np.zeros(last - first + 16, dtype=np.uint8)
    if last > first:
        data[: last - first] = np.frombuffer(column.buffers()[2], dtype=np.uint8)[first:last]
    words = np.ndarray(shape=(len(data) - 8,), dtype="<u8", buffer=data.data, strides=(1,))
    lengths = np.diff(offsets)
    if column.null_count:
        # A null may stand over bytes of its own; they are no part of any row.
        lengths[column.is_null().to_numpy(zero_copy_only=False)] = 0
    return Text(data, words, offsets[:-1] - first, lengths)


def _decimal_part(column: pa.Array, nulls: npt.NDArray[np.bool_] | None, precision: int) -> _Part:
    halves = raw_values(column, "<u8", per_value=2).reshape(-1, 2)
    if precision <= _COMPACT_DECIMAL:
        return _Part(_zeroed(halves[:, 0].copy(), nulls), nulls)
    big_endian = np.ascontiguousarray(halves).view(np.uint8).reshape(-1, 16)[:, ::-1]
    sign = np.where(big_endian[:, 0] >= 0x80, 0xFF, 0).astype(np.uint8)
    # Minimal two's complement: a leading byte goes while it only repeats the sign of the next.
    surplus = np.zeros(len(sign), dtype=np.int64)
    going = np.ones(len(sign), dtype=np.bool_)
    for index in range(15):
        going &= (big_endian[:, index] == sign) & ((big_endian[:, index + 1] >= 0x80) == (sign == 0xFF))
        surplus += going
    padded = np.concatenate([big_endian, np.zeros_like(big_endian)], axis=1)
    aligned = np.take_along_axis(padded, surplus[:, None] + np.arange(16), axis=1)
    tail = np.ascontiguousarray(aligned).view("<u8")
    slots = _zeroed((16 - surplus).astype(np.uint64), nulls)
    return _Part(slots, nulls, tail=[_zeroed(tail[:, 0].copy(), nulls), _zeroed(tail[:, 1].copy(), nulls)])


def _timestamp_part(column: pa.Array, nulls: npt.NDArray[np.bool_] | None, precision: int) -> _Part:
    raw = raw_values(column, "<i8")
    per_milli = {"ms": 1, "us": 1000, "ns": 1_000_000}[column.type.unit]
    millis = raw // per_milli
    if precision <= _COMPACT_TIMESTAMP:
        return _Part(_zeroed(millis.view(np.uint64), nulls), nulls)
    nanos = (raw - millis * per_milli) * (1_000_000 // per_milli)
    return _Part(_zeroed(nanos.astype(np.uint64), nulls), nulls, tail=[_zeroed(millis.view(np.uint64), nulls)])


def raw_values(column: pa.Array, dtype: str, per_value: int = 1) -> npt.NDArray[Any]:
    """The values of a fixed-width column as they lie in memory; whatever lies under nulls included."""
    values = np.frombuffer(column.buffers()[1], dtype=dtype)
    return values[column.offset * per_value : (column.offset + len(column)) * per_value]


def _zeroed(words: Words, nulls: npt.NDArray[np.bool_] | None) -> Words:
    if nulls is None:
        return words
    words = words.copy()
    words[nulls] = 0
    return words


def _first_bytes(words: Words, counts: npt.NDArray[np.int64]) -> Words:
    """The first bytes of each word, the others zero; ``counts`` go from 0 to 8."""
    return words & _MASKS[counts]


_MASKS = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype=np.uint64)
