"""Rows of one key become one row, as the table's merge engine has it; where that is not simple, they stay apart in files of their own.

Java merges the rows of a key inside a write buffer before it writes them. Leaving that to the reader is always correct as well: each
level-0 file is a sorted run of its own, and rows of one key in different files are merged by their sequence numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paimon_bridge.errors import WriteError
from paimon_bridge.model.options import TableOptions
from paimon_bridge.model.table import TableSpec
from paimon_bridge.write.describe import VALUE_KIND
from paimon_bridge.write.order import RowOrder, Rows

# Versions of one key that are written as one file each before that is refused as unreasonable.
_MOST_RUNS = 64


@dataclass(frozen=True, kw_only=True)
class Run:
    """A sorted run in the making: which rows of a table it takes. Nothing is copied before ``table`` is called.

    ``rows`` are the rows that give each key its sequence number, and all columns but those in ``columns``, which take theirs from rows
    of their own (-1 is null). ``inserts`` marks the keys whose rows were merged into one insert.
    """

    rows: Rows
    columns: Mapping[str, Rows] = field(default_factory=dict)
    inserts: npt.NDArray[np.bool_] | None = None

    def slice(self, start: int, end: int) -> Run:
        return Run(
            rows=self.rows[start:end],
            columns={name: rows[start:end] for name, rows in self.columns.items()},
            inserts=None if self.inserts is None else self.inserts[start:end],
        )

    def table(self, source: pa.Table) -> pa.Table:
        taken = source.take(pa.array(self.rows))
        for name, rows in self.columns.items():
            place = taken.schema.get_field_index(name)
            column = source.column(name).take(pa.array(rows, mask=rows < 0))
            taken = taken.set_column(place, taken.schema.field(place), column)
        if self.inserts is not None:
            place = taken.schema.get_field_index(VALUE_KIND)
            kinds = np.where(self.inserts, np.int8(0), taken.column(place).to_numpy())
            taken = taken.set_column(place, taken.schema.field(place), pa.array(kinds, pa.int8()))
        return taken


class Merger:
    """Merges the rows of each key of a sorted table."""

    def __init__(self, spec: TableSpec) -> None:
        options = TableOptions(spec)
        self._spec = spec
        self._engine = options.merge_engine
        self._simple = not (options.has_field_rules or options.boolean("partial-update.remove-record-on-delete", False))
        self._nullable = [field.name for field in spec.fields if field.type.nullable]

    def runs(self, table: pa.Table, order: RowOrder) -> list[Run]:
        """Sorted runs with one row per key."""
        if len(order.starts) == len(order.rows):
            return [Run(rows=order.rows)]
        if self._engine == "deduplicate":
            return [Run(rows=order.rows[order.ends - 1])]
        if self._engine == "first-row":
            return [Run(rows=order.rows[order.starts])]
        if self._engine == "partial-update" and self._simple:
            return [self._last_values(table, order)]
        return self._versions(order)

    def _last_values(self, table: pa.Table, order: RowOrder) -> Run:
        """Of each column the last value that is not null; the sequence number of the last row. Several rows make an insert."""
        columns = {}
        for name in self._nullable:
            column = table.column(name)
            if column.null_count:
                valid = column.is_valid().to_numpy()[order.rows]
                found = np.maximum.reduceat(np.where(valid, np.arange(len(valid)), -1), order.starts)
                columns[name] = np.where(found < 0, -1, order.rows[found])
        return Run(rows=order.rows[order.ends - 1], columns=columns, inserts=order.ends - order.starts > 1)

    def _versions(self, order: RowOrder) -> list[Run]:
        """The first rows of all keys, then the second rows, and so on."""
        counts = order.ends - order.starts
        most = int(counts.max())
        if most > _MOST_RUNS:
            raise WriteError(
                f"{self._spec.name} merges rows by rules of its own ({self._engine}), which this package leaves to Paimon: "
                f"one key has {most} rows in one write buffer, and that many files would be needed",
                code="TOO_MANY_VERSIONS_OF_A_KEY",
                remedy="aggregate the rows of a key before writing them, or write this table with Paimon Java.",
                details={"final": True},
            )
        version = np.arange(len(order.rows)) - np.repeat(order.starts, counts)
        return [Run(rows=order.rows[version == number]) for number in range(most)]
