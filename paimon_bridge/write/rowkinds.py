"""The kind of every row: insert, update or delete, from wherever the caller or the table says it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paimon_bridge.errors import TableError, WriteError
from paimon_bridge.model.options import TableOptions
from paimon_bridge.model.table import TableSpec
from paimon_bridge.write.columns import InputFinding, refuse
from paimon_bridge.write.describe import DELETE, UPDATE_BEFORE, VALUE_KIND

SHORT_NAMES = ("+I", "-U", "+U", "-D")

Kinds = npt.NDArray[np.int8]


def parse_kind(name: str) -> int:
    """A kind by its short name, as callers give it."""
    if name not in SHORT_NAMES:
        raise WriteError(
            f"there is no row kind {name!r}",
            code="ROW_KIND_UNKNOWN",
            remedy=f"use one of {', '.join(SHORT_NAMES)}.",
            details={"final": True},
        )
    return SHORT_NAMES.index(name)


class RowKinds:
    """Finds kinds, and drops the rows that the table ignores.

    ``rowkind.field`` of the table wins, then a ``_VALUE_KIND`` column of the input (short names, or Paimon's numbers 0 to 3), then the
    caller's kind for all rows.
    """

    def __init__(self, spec: TableSpec, row_kind: str = "+I") -> None:
        options = TableOptions(spec)
        self._spec = spec
        self._field = options.rowkind_field
        self._kind = parse_kind(row_kind)
        self._dropped = [
            kind for kind in (UPDATE_BEFORE, DELETE) if options.ignore_delete or (kind == UPDATE_BEFORE and options.ignore_update_before)
        ]
        # Engines whose merge has no place for deletes; what remains after ignoring is refused rather than stored for a reader to fail on.
        self._only_additions = options.merge_engine == "first-row" or (
            options.merge_engine == "partial-update"
            and not options.has_field_rules
            and not options.boolean("partial-update.remove-record-on-delete", False)
        )
        if self._field is not None and spec.field_by_name[self._field].type.root not in ("CHAR", "VARCHAR"):
            raise TableError(f"rowkind.field {self._field} of {spec.name} is not a string column", code="OPTION_INVALID")

    def apply(self, batch: pa.RecordBatch, converted: pa.RecordBatch, first_row: int) -> pa.RecordBatch:
        """The converted rows with a ``_VALUE_KIND`` column, less those the table ignores."""
        kinds = self._kinds(batch, converted, first_row)
        if self._dropped and np.isin(kinds, self._dropped).any():
            kept = ~np.isin(kinds, self._dropped)
            converted, kinds = converted.filter(pa.array(kept)), kinds[kept]
        if self._only_additions and ((kinds == UPDATE_BEFORE) | (kinds == DELETE)).any():
            raise WriteError(
                f"{self._spec.name} cannot take deletes: its merge engine keeps additions only",
                code="ROW_KIND_REFUSED",
                remedy="set ignore-delete on the table, or leave rows of kind -U and -D out.",
                details={"final": True},
            )
        field = pa.field(VALUE_KIND, pa.int8(), nullable=False)
        return pa.RecordBatch.from_arrays([*converted.columns, pa.array(kinds)], schema=converted.schema.append(field))

    def _kinds(self, batch: pa.RecordBatch, converted: pa.RecordBatch, first_row: int) -> Kinds:
        if self._field is not None:
            return self._named(converted.column(self._field), self._field, first_row)
        place = batch.schema.get_field_index(VALUE_KIND)
        if place < 0:
            return np.full(len(batch), self._kind, dtype=np.int8)
        column = batch.column(place)
        if pa.types.is_integer(column.type):
            return self._numbered(column, first_row)
        return self._named(column.cast(pa.string()), VALUE_KIND, first_row)

    def _named(self, column: pa.Array, name: str, first_row: int) -> Kinds:
        places = pc.index_in(column, value_set=pa.array(SHORT_NAMES))
        return self._known(places, column, name, first_row)

    def _numbered(self, column: pa.Array, first_row: int) -> Kinds:
        places = pc.index_in(column.cast(pa.int64()), value_set=pa.array([0, 1, 2, 3], pa.int64()))
        return self._known(places, column, VALUE_KIND, first_row)

    def _known(self, places: pa.Array, column: pa.Array, name: str, first_row: int) -> Kinds:
        if places.null_count:
            row = int(pc.index(places.is_null(), True).as_py())
            message = f"{column[row].as_py()!r} is no row kind; there are {', '.join(SHORT_NAMES)}"
            raise refuse([InputFinding(code="ROW_KIND_UNKNOWN", column=name, message=message, row=first_row + row)], self._spec)
        kinds: Kinds = places.to_numpy().astype(np.int8)
        return kinds
