"""Rows in the order of their keys, as Java compares them, for whole columns at once.

Every key becomes a string of bits whose unsigned order is Java's order of keys. Rows are sorted by as many of those bits as fit a
64-bit word beside the row's own number, which numpy sorts without comparisons of its own and which keeps equal keys in their order of
arrival; rows that are still equal are sorted by the bits that follow, until there are none. Bits nobody asks for are never computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paimon_bridge.model.types import DataType
from paimon_bridge.write.keyhash import raw_values, text_of

Rows = npt.NDArray[np.int64]
Bits = npt.NDArray[np.uint64]

_SIGN = np.uint64(1 << 63)


class Code(Protocol):
    """Some of the bits of every row's key."""

    @property
    def bits(self) -> int: ...

    def at(self, rows: Rows) -> Bits:
        """The bits of these rows, as numbers below ``2 ** bits``."""


@dataclass(frozen=True)
class Numbers:
    """Bits that are known for all rows."""

    values: Bits
    bits: int

    def at(self, rows: Rows) -> Bits:
        return self.values[rows]


@dataclass(frozen=True)
class RowOrder:
    """Rows in order. ``rows[starts[i]:starts[i + 1]]`` are those of the i-th key, in their order of arrival."""

    rows: Rows
    starts: Rows

    @property
    def ends(self) -> Rows:
        """Behind the last row of each key."""
        return np.append(self.starts[1:], len(self.rows))


def sort_rows(count: int, key: Iterable[Code], within: Iterable[Code] = ()) -> RowOrder:
    """Sort rows by their key, rows of one key by ``within``, and what is equal there by arrival."""
    rows: Rows = np.arange(count)
    fresh = np.zeros(count, dtype=np.bool_)
    fresh[:1] = True
    rows, fresh = _refine(rows, fresh, key)
    starts = np.flatnonzero(fresh)
    rows, _ = _refine(rows, fresh, within)
    return RowOrder(rows, starts)


def _refine(rows: Rows, fresh: npt.NDArray[np.bool_], codes: Iterable[Code]) -> tuple[Rows, npt.NDArray[np.bool_]]:
    """Sort rows that are still equal by further bits. ``fresh`` marks the first row of each group of equal ones."""
    stream = _Stream(codes)
    while not fresh.all() and stream.left:
        tied = ~fresh
        tied[:-1] |= tied[1:]
        places = np.flatnonzero(tied)
        subset = rows[places]
        groups = (np.cumsum(fresh[places]) - 1).astype(np.uint64)
        group_bits = int(groups[-1]).bit_length()
        row_bits = np.uint64(max(1, (len(places) - 1).bit_length()))
        values, bits = stream.take(64 - group_bits - int(row_bits), subset)
        packed = (((groups << np.uint64(bits)) | values) << row_bits) | np.arange(len(places), dtype=np.uint64)
        packed.sort()
        rows[places] = subset[(packed & ((np.uint64(1) << row_bits) - np.uint64(1))).astype(np.int64)]
        packed >>= row_bits
        fresh[places[1:]] = packed[1:] != packed[:-1]
    return rows, fresh


class _Stream:
    """The bits of several codes, one after the other, to be taken in pieces."""

    def __init__(self, codes: Iterable[Code]) -> None:
        self._codes = iter(codes)
        self._code: Code | None = None
        self._used = 0

    @property
    def left(self) -> bool:
        while self._code is None or self._used == self._code.bits:
            self._code = next(self._codes, None)
            self._used = 0
            if self._code is None:
                return False
        return True

    def take(self, room: int, rows: Rows) -> tuple[Bits, int]:
        """The next bits of these rows, at most ``room`` of them, and how many they are."""
        values = np.zeros(len(rows), dtype=np.uint64)
        taken = 0
        while taken < room and self.left:
            code = self._code
            assert code is not None
            count = min(room - taken, code.bits - self._used)
            unread = code.bits - self._used - count
            piece = code.at(rows) >> np.uint64(unread)
            if self._used or unread:
                piece &= np.uint64((1 << count) - 1)
            values = piece if not taken else (values << np.uint64(count)) | piece
            taken += count
            self._used += count
        return values, taken


# -- columns as codes --------------------------------------------------------------------------------------------------------------------


def column_codes(column: pa.Array, data_type: DataType, *, descending: bool = False) -> Iterator[Code]:
    """The codes of a column: Java's order of its values, nulls first whatever the direction."""
    nulls = column.is_null().to_numpy(zero_copy_only=False) if column.null_count else None
    if nulls is not None:
        yield Numbers((~nulls).astype(np.uint64), 1)
    for code in _codes(column, data_type, nulls):
        yield _Reversed(code) if descending else code


def _codes(column: pa.Array, data_type: DataType, nulls: npt.NDArray[np.bool_] | None) -> Iterator[Code]:
    if data_type.root in ("CHAR", "VARCHAR", "BINARY", "VARBINARY"):
        yield from _text_codes(column)
        return
    if data_type.root == "DECIMAL" and (data_type.precision or 0) > 18:
        halves = _blanked(raw_values(column, "<i8", per_value=2).reshape(-1, 2), nulls)
        if (halves[:, 1] != halves[:, 0] >> 63).any():
            yield narrowed(_unsigned(halves[:, 1]), nulls)
            yield Numbers(np.ascontiguousarray(halves[:, 0]).view(np.uint64), 64)
            return
    yield narrowed(_blanked(_ordered(column, data_type.root), nulls), nulls)


def narrowed(values: Bits, nulls: npt.NDArray[np.bool_] | None = None) -> Numbers:
    """Numbers less their minimum, in as few bits as the difference needs."""
    known = values if nulls is None else values[~nulls]
    if not len(known):
        return Numbers(values, 0)
    low = known.min()
    shifted = values - low
    if nulls is not None:
        shifted[nulls] = 0
    return Numbers(shifted, int(known.max() - low).bit_length())


def _ordered(column: pa.Array, root: str) -> Bits:
    """Fixed-width values as unsigned numbers of the same order."""
    if root == "BOOLEAN":
        return raw_values(column.cast(pa.uint8()), "u1").astype(np.uint64)
    if root in ("FLOAT", "DOUBLE"):
        return _float_bits(column.cast(pa.float64()))
    if root == "DECIMAL":
        signed = raw_values(column, "<i8", per_value=2).reshape(-1, 2)[:, 0]
    else:
        width = {"TINYINT": 1, "SMALLINT": 2, "INT": 4, "DATE": 4, "TIME": 4}.get(root, 8)
        signed = raw_values(column, f"<i{width}").astype(np.int64)
    return _unsigned(signed)


def _unsigned(signed: npt.NDArray[np.int64]) -> Bits:
    bits: Bits = np.ascontiguousarray(signed).view(np.uint64) ^ _SIGN
    return bits


def _float_bits(column: pa.Array) -> Bits:
    """As Java's generated comparators have it: -0.0 equals 0.0. They know no order for NaN; here it is above everything."""
    values = raw_values(column, "<f8")
    # Adding zero takes the sign off -0.0.
    bits = (values + 0.0).view(np.uint64)
    negative = (bits >> np.uint64(63)).astype(np.bool_)
    flipped = np.where(negative, ~bits, bits | _SIGN)
    return np.where(np.isnan(values), np.uint64(0xFFFFFFFFFFFFFFFF), flipped)


def _text_codes(column: pa.Array) -> Iterator[Code]:
    """Unsigned bytes, shorter first.

    At each place only some bytes occur, digits for instance, so their ranks among those are packed, as many places as a word has
    room for. What all strings begin with says nothing and is left out.
    """
    text = text_of(column)
    longest = int(text.lengths.max()) if len(text.lengths) else 0
    packed, different = np.zeros(len(column), dtype=np.uint64), 1
    for place in range(_shared_prefix(column), longest):
        ranks, count = _ranks(text.byte_at(place))
        if different * count > 1 << 64:
            yield Numbers(packed, (different - 1).bit_length())
            packed, different = np.zeros(len(column), dtype=np.uint64), 1
        if count > 1:
            packed = packed * np.uint64(count) + ranks
            different *= count
    yield Numbers(packed, (different - 1).bit_length())
    # A zero byte looks like the end of a shorter string; then the length decides.
    yield narrowed(text.lengths.astype(np.uint64))


def _ranks(values: npt.NDArray[np.uint8]) -> tuple[Bits, int]:
    """The place of each byte among those that occur, and how many those are."""
    occurs = np.bincount(values, minlength=256) > 0
    return (np.cumsum(occurs) - 1).astype(np.uint64)[values], int(np.count_nonzero(occurs))


def _shared_prefix(column: pa.Array) -> int:
    bounds = pc.min_max(column.cast(pa.binary()))
    low, high = bounds["min"].as_py() or b"", bounds["max"].as_py() or b""
    return next((index for index, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))


class _Reversed:
    """A code in the opposite order."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self.bits = code.bits

    def at(self, rows: Rows) -> Bits:
        values: Bits = self._code.at(rows) ^ np.uint64((1 << self.bits) - 1)
        return values


def _blanked(values: npt.NDArray[Any], nulls: npt.NDArray[np.bool_] | None) -> npt.NDArray[Any]:
    if nulls is None:
        return values
    values = values.copy()
    values[nulls] = 0
    return values


def bounds_of(columns: Sequence[pa.Array], types: Sequence[DataType]) -> tuple[int, int]:
    """The rows of the smallest and of the largest key; of equal keys the first."""
    return _extreme(columns, types, np.min), _extreme(columns, types, np.max)


def _extreme(columns: Sequence[pa.Array], types: Sequence[DataType], choose: Callable[[Bits], Any]) -> int:
    rows: Rows = np.arange(len(columns[0]))
    for code in (code for column, type_ in zip(columns, types, strict=True) for code in column_codes(column, type_)):
        values = code.at(rows)
        rows = rows[values == choose(values)]
        if len(rows) == 1:
            break
    return int(rows[0])


def group_code(codes: npt.NDArray[Any], count: int) -> Numbers:
    """A code for small group numbers."""
    return Numbers(codes.astype(np.uint64), (count - 1).bit_length())
