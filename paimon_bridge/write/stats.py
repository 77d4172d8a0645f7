"""Column statistics of a data file, as Paimon Java writes them into its metadata.

Java takes them from the Parquet footer (``ParquetSimpleStatsExtractor``); so do we, as pyarrow computes them anyway. Where pyarrow's
footer says less than Java's, the rows are looked at while they pass by. Bounds that are too narrow make readers skip rows without a
word, so wherever a bound is in doubt it is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paimon_bridge.binary.row import Timestamp, encode_row
from paimon_bridge.model.file import SimpleStats
from paimon_bridge.model.options import at_least
from paimon_bridge.model.profile import StatsMode
from paimon_bridge.model.types import DataType, Field
from paimon_bridge.write.filetypes import entry_types, is_int96

_NESTED = ("ARRAY", "MAP", "MULTISET", "ROW", "VARIANT")
_TEXTS = ("CHAR", "VARCHAR")
_BYTES = ("BINARY", "VARBINARY")
_FLOATS = ("FLOAT", "DOUBLE")
# pyarrow leaves bounds longer than this out of the footer.
_FOOTER_LIMIT = 4096


@dataclass(frozen=True, slots=True)
class ColumnStats:
    """Bounds and null count of one column; None is unknown. A column without values has no bounds, but a null count."""

    minimum: Any = None
    maximum: Any = None
    null_count: int | None = None

    @property
    def is_none(self) -> bool:
        return self.minimum is None and self.maximum is None and self.null_count is None


def simple_stats(fields: Sequence[Field], stats: Sequence[ColumnStats], *, dense: bool) -> tuple[SimpleStats, tuple[str, ...] | None]:
    """Statistics as a message carries them, with the names of their columns; None when those are all the columns.

    Dense statistics leave out the columns nothing is known of; others keep a place for every column.
    """
    kept = [(field, column) for field, column in zip(fields, stats, strict=True) if not (dense and column.is_none)]
    types = [field.type.with_nullable(True) for field, _ in kept]
    values = SimpleStats(
        min_values=encode_row([column.minimum for _, column in kept], types),
        max_values=encode_row([column.maximum for _, column in kept], types),
        null_counts=tuple(column.null_count for _, column in kept),
    )
    return values, None if len(kept) == len(fields) else tuple(field.name for field, _ in kept)


class StatsPlan:
    """What is kept of which column, for all files of a write. Without ``footers`` the rows themselves tell all of it."""

    def __init__(self, fields: Sequence[Field], modes: Sequence[StatsMode], release: str, *, footers: bool = True) -> None:
        self.columns = [_Rule(field.type, mode, release, footers) for field, mode in zip(fields, modes, strict=True)]
        # Nested columns have several leaves in the footer; top-level ones are found by counting, as their names may hold dots.
        self.leaves: list[int] = np.cumsum([0, *(_leaf_count(field.type) for field in fields)])[:-1].tolist()


class FileStats:
    """Collects the statistics of one file: ``observe`` each row group before it is written, then ``finish`` with the footer."""

    def __init__(self, plan: StatsPlan) -> None:
        self._plan = plan
        self._null_counts = [0] * len(plan.columns)
        # Per column, per row group: bounds taken from the rows; None leaves them to the footer.
        self._seen: list[list[tuple[Any, Any] | None]] = [[] for _ in plan.columns]
        self._in_doubt: set[int] = set()

    def observe(self, table: pa.Table) -> None:
        for index, (rule, data) in enumerate(zip(self._plan.columns, table.columns, strict=True)):
            if not rule.kept:
                continue
            nulls = data.null_count
            self._null_counts[index] += nulls
            bounds = None if nulls == len(data) else rule.look(data)
            if bounds is _IN_DOUBT:
                self._in_doubt.add(index)
            self._seen[index].append(bounds)

    def finish(self, footer: Any) -> list[ColumnStats]:
        groups = [None] * len(max(self._seen, key=len, default=[]))
        if footer is not None:
            groups = [footer.row_group(index) for index in range(footer.num_row_groups)]
        return [
            self._column(index, rule, leaf, groups)
            for index, (rule, leaf) in enumerate(zip(self._plan.columns, self._plan.leaves, strict=True))
        ]

    def _column(self, index: int, rule: _Rule, leaf: int, groups: Sequence[Any]) -> ColumnStats:
        if not rule.kept:
            return ColumnStats()
        null_count = self._null_counts[index]
        if not rule.bounded or index in self._in_doubt:
            return ColumnStats(null_count=null_count)
        pairs = [
            pair
            for seen, group in zip(self._seen[index], groups, strict=True)
            if (pair := seen or (None if group is None else rule.footer_bounds(group.column(leaf).statistics))) is not None
        ]
        return rule.stats(pairs, null_count)


_IN_DOUBT = (None, None)


class _Rule:
    """How one column's statistics are made."""

    def __init__(self, data_type: DataType, mode: StatsMode, release: str, footers: bool) -> None:
        root = data_type.root
        self._footers = footers
        self._type = data_type
        self._length = mode.length
        # Java counts the nulls of nested columns where it reads ORC's statistics, but not where it reads Parquet's.
        self.kept = mode.kind != "none" and not (footers and root in _NESTED)
        no_bounds = root in _NESTED or is_int96(data_type) or (root in _BYTES and not (footers and at_least(release, "2.0")))
        self.bounded = self.kept and mode.kind != "counts" and not no_bounds
        self._float = root in _FLOATS
        self._long = root in _TEXTS or root in _BYTES
        # Since 1.4 Java takes the writer's own statistics; before that they went through Parquet's footer, where zeros lose their sign.
        self._exact_zeros = not footers or at_least(release, "1.4")

    def look(self, data: pa.ChunkedArray) -> tuple[Any, Any] | None:
        """Bounds of rows for which the footer's will not do; None if it will, ``_IN_DOUBT`` if there are none to be had."""
        if not self.bounded:
            return None
        if self._float:
            return _float_bounds(data)
        if not self._footers:
            return _row_bounds(data)
        if self._long and pc.max(pc.binary_length(data)).as_py() > _FOOTER_LIMIT:
            bounds = pc.min_max(data.cast(pa.binary()))
            return bounds["min"].as_py(), bounds["max"].as_py()
        return None

    def footer_bounds(self, footer: Any) -> tuple[Any, Any] | None:
        if footer is None or not footer.has_min_max:
            return None
        low, high = footer.min_raw, footer.max_raw
        if self._type.root == "DECIMAL" and isinstance(low, bytes):
            return int.from_bytes(low, "big", signed=True), int.from_bytes(high, "big", signed=True)
        return low, high

    def stats(self, pairs: Sequence[tuple[Any, Any]], null_count: int) -> ColumnStats:
        """The bounds of all row groups together, cut to the mode's length."""
        if not pairs:
            return ColumnStats(null_count=null_count)
        low = min((pair[0] for pair in pairs), key=_java_order)
        high = max((pair[1] for pair in pairs), key=_java_order)
        if self._float and not self._exact_zeros:
            low, high = (low or -0.0), (high or 0.0)
        low, high = self._value(low), self._value(high)
        if self._length is not None and self._long:
            high = cut_above(high, self._length)
            low = None if high is None else low[: self._length]
        return ColumnStats(low, high, null_count)

    def _value(self, raw: Any) -> Any:
        """A footer's value as the value of the column's type."""
        root = self._type.root
        if root == "DECIMAL" and not isinstance(raw, Decimal):
            return unscaled_decimal(raw, self._type.scale or 0)
        if root in ("TIMESTAMP", "TIMESTAMP_LTZ"):
            return Timestamp(raw) if (self._type.precision or 0) <= 3 else Timestamp(raw // 1000, raw % 1000 * 1000)
        return raw.decode() if root in _TEXTS else raw


def cut_above(value: str | bytes, length: int) -> str | bytes | None:
    """The shortest value of at most ``length`` characters that is not below ``value``: its prefix with the last one raised; None if none.

    Java raises U+D7FF to a lone surrogate, which becomes ``?`` in its bytes: a bound below the value. Here U+E000 follows.
    """
    if len(value) <= length:
        return value
    if isinstance(value, bytes):
        prefix = value[:length].rstrip(b"\xff")
        return prefix[:-1] + bytes([prefix[-1] + 1]) if prefix else None
    text = value[:length].rstrip("\U0010ffff")
    if not text:
        return None
    following = ord(text[-1]) + 1
    return text[:-1] + chr(0xE000 if following == 0xD800 else following)


def unscaled_decimal(unscaled: int, scale: int) -> Decimal:
    """An exact decimal, whatever the thread's decimal context."""
    return Decimal((int(unscaled < 0), tuple(map(int, str(abs(unscaled)))), -scale))


def _float_bounds(data: pa.ChunkedArray) -> tuple[Any, Any]:
    """Bounds with the signs of zeros; in doubt where a NaN is.

    Java orders NaN above all numbers and stores it as the maximum; other readers do not agree on that, so such bounds stay unknown.
    """
    values = data.drop_null().to_numpy()
    low, high = values.min(), values.max()
    if np.isnan(low):
        return _IN_DOUBT
    if low == 0 or high == 0:
        negative = np.signbit(values[values == 0])
        low = low or (-0.0 if negative.any() else 0.0)
        high = high or (-0.0 if negative.all() else 0.0)
    return float(low), float(high)


def _row_bounds(data: pa.ChunkedArray) -> tuple[Any, Any]:
    """Bounds as a footer would have them."""
    if pa.types.is_string(data.type):
        data = data.cast(pa.binary())
    elif pa.types.is_temporal(data.type):
        data = data.cast(pa.int64() if pa.types.is_timestamp(data.type) else pa.int32())
    bounds = pc.min_max(data)
    return bounds["min"].as_py(), bounds["max"].as_py()


def _java_order(value: Any) -> Any:
    return (value, math.copysign(1, value)) if isinstance(value, float) else value


def _leaf_count(data_type: DataType) -> int:
    """How many Parquet columns a column has."""
    if data_type.root == "ARRAY":
        assert data_type.element is not None
        return _leaf_count(data_type.element)
    if data_type.root in ("MAP", "MULTISET"):
        return sum(map(_leaf_count, entry_types(data_type)))
    if data_type.root == "ROW":
        return sum(_leaf_count(field.type) for field in data_type.fields)
    return 2 if data_type.root == "VARIANT" else 1
