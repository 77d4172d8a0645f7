"""Rows in the order of their keys, as Java compares them, for whole columns at once.

Every key becomes a string of bits whose unsigned order is Java's order of keys. Rows are sorted by as many of those bits as fit a
64-bit word beside the row's own number, which numpy sorts without comparisons of its own and which keeps equal keys in their order of
arrival; rows that are still equal are sorted by the bits that follow, until there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paimon_bridge.model.types import DataType
from paimon_bridge.write.keyhash import Text, raw_values, text_of

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
class TextWord:
    """Eight bytes of each string, the first one most significant."""

    text: Text
    start: int
    bits: int = 64

    def at(self, rows: Rows) -> Bits:
        words: Bits = self.text.bytes_at(rows, self.start).byteswap()
        return words


@dataclass(frozen=True)
class RowOrder:
    """Rows in order. ``rows[starts[i]:starts[i + 1]]`` are those of the i-th key, in their order of arrival."""

    rows: Rows
    starts: Rows

    @property
    def ends(self) -> Rows:
        """Behind the last row of each key."""
        return np.append(self.starts[1:], len(self.rows))


def sort_rows(count: int, key: Sequence[Code], within: Sequence[Code] = ()) -> RowOrder:
    """Sort rows by their key, rows of one key by ``within``, and what is equal there by arrival."""
    rows: Rows = np.arange(count)
    fresh = np.zeros(count, dtype=np.bool_)
    fresh[:1] = True
    rows, fresh = _refine(rows, fresh, key)
    starts = np.flatnonzero(fresh)
    if within:
        rows, _ = _refine(rows, fresh.copy(), within)
    return RowOrder(rows, starts)


def _refine(rows: Rows, fresh: npt.NDArray[np.bool_], codes: Sequence[Code]) -> tuple[Rows, npt.NDArray[np.bool_]]:
    """Sort rows that are still equal by further bits. ``fresh`` marks the first row of each group of equal ones."""
    stream = _Stream(codes)
    while stream.left:
        tied = ~fresh
        tied[:-1] |= tied[1:]
        places = np.flatnonzero(tied)
        if not len(places):
            break
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

    def __init__(self, codes: Sequence[Code]) -> None:
        self._codes = [code for code in codes if code.bits]
        self._used = 0

    @property
    def left(self) -> bool:
        return bool(self._codes)

    def take(self, room: int, rows: Rows) -> tuple[Bits, int]:
        """The next bits of these rows, at most ``room`` of them, and how many they are."""
        values = np.zeros(len(rows), dtype=np.uint64)
        taken = 0
        while self._codes and taken < room:
            code = self._codes[0]
            count = min(room - taken, code.bits - self._used)
            unread = code.bits - self._used - count
            piece = code.at(rows) >> np.uint64(unread)
            if self._used or unread:
                piece &= np.uint64((1 << count) - 1)
            values = piece if not taken else (values << np.uint64(count)) | piece
            taken += count
            self._used += count
            if not unread:
                self._codes.pop(0)
                self._used = 0
        return values, taken


# -- columns as codes --------------------------------------------------------------------------------------------------------------------


def column_codes(column: pa.Array, data_type: DataType, *, descending: bool = False) -> list[Code]:
    """The codes of a column: Java's order of its values, nulls first whatever the direction."""
    nulls = column.is_null().to_numpy(zero_copy_only=False) if column.null_count else None
    codes: list[Code] = [] if nulls is None else [Numbers((~nulls).astype(np.uint64), 1)]
    root = data_type.root
    if root in ("CHAR", "VARCHAR", "BINARY", "VARBINARY"):
        return codes + [_turned(code, descending) for code in _text_codes(column)]
    if root == "DECIMAL" and (data_type.precision or 0) > 18:
        halves = _blanked(raw_values(column, "<i8", per_value=2).reshape(-1, 2), nulls)
        if (halves[:, 1] != halves[:, 0] >> 63).any():
            high, low = _unsigned(halves[:, 1]), np.ascontiguousarray(halves[:, 0]).view(np.uint64)
            return [*codes, _turned(narrowed(high, nulls), descending), _turned(Numbers(low, 64), descending)]
    values = _blanked(_ordered(column, root), nulls)
    return [*codes, _turned(narrowed(values, nulls), descending)]


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


def _text_codes(column: pa.Array) -> list[Code]:
    """Unsigned bytes, shorter first. What all strings begin with says nothing and is left out."""
    text = text_of(column)
    longest = int(text.lengths.max()) if len(text.lengths) else 0
    shared = _shared_prefix(column)
    words: list[Code] = [TextWord(text, start) for start in range(shared, longest, 8)]
    # Zeros behind a string's end look like its own; then the length decides.
    return [*words, narrowed(text.lengths.astype(np.uint64))]


def _shared_prefix(column: pa.Array) -> int:
    if column.null_count:
        return 0
    bounds = pc.min_max(column.cast(pa.binary()))
    low, high = bounds["min"].as_py() or b"", bounds["max"].as_py() or b""
    return next((index for index, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))


def _turned(code: Code, descending: bool) -> Code:
    return _Reversed(code) if descending else code


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
    codes = [code for column, type_ in zip(columns, types, strict=True) for code in column_codes(column, type_)]
    return _extreme(len(columns[0]), codes, np.min), _extreme(len(columns[0]), codes, np.max)


def _extreme(count: int, codes: Sequence[Code], choose: Callable[[Bits], Any]) -> int:
    rows: Rows = np.arange(count)
    for code in codes:
        values = code.at(rows)
        rows = rows[values == choose(values)]
        if len(rows) == 1:
            break
    return int(rows[0])


def group_code(codes: npt.NDArray[Any], count: int) -> Numbers:
    """A code for small group numbers."""
    return Numbers(codes.astype(np.uint64), (count - 1).bit_length())
