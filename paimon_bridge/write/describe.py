"""What a message says about a file, gathered while its rows pass by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Protocol

import numpy as np
import pyarrow as pa

from paimon_bridge.binary.row import encode_row
from paimon_bridge.model.file import APPEND_SOURCE, DataFileMeta
from paimon_bridge.model.types import Field
from paimon_bridge.write.clock import local_millis
from paimon_bridge.write.order import bounds_of
from paimon_bridge.write.router import values_of
from paimon_bridge.write.stats import ColumnStats, simple_stats

# Row kinds: +I, -U, +U, -D.
UPDATE_BEFORE, DELETE = 1, 3
SEQUENCE_NUMBER = "_SEQUENCE_NUMBER"
VALUE_KIND = "_VALUE_KIND"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedFile:
    """A file as its writer left it; ``stats`` go with the file's columns."""

    name: str
    size: int
    row_count: int
    stats: Sequence[ColumnStats]
    embedded_index: bytes | None = None
    extra_files: tuple[str, ...] = ()


class Describer(Protocol):
    """Describes the files of one writer, one after the other."""

    def observe(self, table: pa.Table) -> None:
        """Rows on their way into the current file."""

    def finish(self, file: ClosedFile) -> DataFileMeta:
        """The current file is closed; what follows belongs to the next."""


class AppendDescriber:
    """Files of append tables: no keys, sequence numbers that count rows.

    ``restart`` begins at 0 with every file: with row tracking the commit puts the snapshot's number there, but only where it finds 0.
    """

    def __init__(
        self, fields: Sequence[Field], *, schema_id: int, zone: tzinfo, dense: bool, next_sequence: int, restart: bool = False
    ) -> None:
        self._fields = fields
        self._schema_id = schema_id
        self._zone = zone
        self._dense = dense
        self._next_sequence = next_sequence
        self._restart = restart

    def observe(self, table: pa.Table) -> None:
        """Nothing of an append file depends on its rows' values but the statistics."""

    def finish(self, file: ClosedFile) -> DataFileMeta:
        first = self._next_sequence
        self._next_sequence = 0 if self._restart else first + file.row_count
        value_stats, columns = simple_stats(self._fields, file.stats, dense=self._dense)
        return DataFileMeta(
            file_name=file.name,
            file_size=file.size,
            row_count=file.row_count,
            embedded_index=file.embedded_index,
            extra_files=file.extra_files,
            value_stats=value_stats,
            value_stats_cols=columns,
            min_sequence_number=first,
            max_sequence_number=first + file.row_count - 1,
            schema_id=self._schema_id,
            creation_time_millis=local_millis(self._zone),
            delete_row_count=0,
            file_source=APPEND_SOURCE,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """Of rows seen so far: smallest and largest key (two values per key column), sequence numbers, rows that take something away."""

    ends: list[pa.Array]
    min_sequence: int
    max_sequence: int
    deletes: int


class KeyValueDescriber:
    """Files of primary-key tables. ``sorted_rows`` says that the first row has the smallest key and the last row the largest.

    ``keys`` are the file's columns that hold the key: the ``_KEY_`` ones, or in thin files the table's own.
    """

    def __init__(
        self, fields: Sequence[Field], keys: Sequence[Field], *, schema_id: int, zone: tzinfo, dense: bool, sorted_rows: bool = True
    ) -> None:
        names = [field.name for field in fields]
        self._keys = keys
        self._types = [field.type for field in keys]
        self._key_places = [names.index(key.name) for key in keys]
        self._value_start = names.index(VALUE_KIND) + 1
        self._values = fields[self._value_start :]
        self._schema_id = schema_id
        self._zone = zone
        self._dense = dense
        self._sorted = sorted_rows
        self._seen: _Seen | None = None
        self._last_creation = 0

    def observe(self, table: pa.Table) -> None:
        sequences = table.column(SEQUENCE_NUMBER).to_numpy()
        kinds = table.column(VALUE_KIND).to_numpy()
        piece = _Seen(
            ends=self._ends([whole(table.column(key.name)) for key in self._keys]),
            min_sequence=int(sequences.min()),
            max_sequence=int(sequences.max()),
            deletes=int(np.count_nonzero((kinds == DELETE) | (kinds == UPDATE_BEFORE))),
        )
        self._seen = piece if self._seen is None else self._joined(self._seen, piece)

    def finish(self, file: ClosedFile) -> DataFileMeta:
        assert self._seen is not None
        seen, self._seen = self._seen, None
        ends = [values_of(end, type_) for end, type_ in zip(seen.ends, self._types, strict=True)]
        key_stats, _ = simple_stats(self._keys, [file.stats[place] for place in self._key_places], dense=False)
        value_stats, columns = simple_stats(self._values, file.stats[self._value_start :], dense=self._dense)
        # Postponed files are replayed in the order of this time, so those of one writer never share it.
        self._last_creation = max(local_millis(self._zone), self._last_creation + 1)
        return DataFileMeta(
            file_name=file.name,
            file_size=file.size,
            row_count=file.row_count,
            embedded_index=file.embedded_index,
            extra_files=file.extra_files,
            min_key=encode_row([end[0] for end in ends], self._types),
            max_key=encode_row([end[1] for end in ends], self._types),
            key_stats=key_stats,
            value_stats=value_stats,
            value_stats_cols=columns,
            min_sequence_number=seen.min_sequence,
            max_sequence_number=seen.max_sequence,
            schema_id=self._schema_id,
            creation_time_millis=self._last_creation,
            delete_row_count=seen.deletes,
            file_source=APPEND_SOURCE,
        )

    def _ends(self, columns: list[pa.Array]) -> list[pa.Array]:
        rows = (0, len(columns[0]) - 1) if self._sorted else bounds_of(columns, self._types)
        return [column.take(pa.array(rows)) for column in columns]

    def _joined(self, before: _Seen, after: _Seen) -> _Seen:
        return _Seen(
            ends=self._ends([pa.concat_arrays(pair) for pair in zip(before.ends, after.ends, strict=True)]),
            min_sequence=min(before.min_sequence, after.min_sequence),
            max_sequence=max(before.max_sequence, after.max_sequence),
            deletes=before.deletes + after.deletes,
        )


def whole(column: pa.ChunkedArray) -> pa.Array:
    """A column as one array; its chunks are joined."""
    joined = column.combine_chunks()
    return pa.concat_arrays(joined.chunks) if isinstance(joined, pa.ChunkedArray) else joined
