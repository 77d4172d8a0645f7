"""Nulls where a type allows none, at any depth of a column."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from paimon_bridge.model.types import DataType
from paimon_bridge.write.filetypes import entry_types


def null_in_required(array: pa.Array, data_type: DataType) -> int | None:
    """The first row with a null that the type forbids, or None. Free for columns without NOT NULL inside.

    Java's readers give garbage, not an error, for a null in a required column, and pyarrow checks only the top level.
    """
    if not data_type.nullable and array.null_count:
        return _first(array.is_null())
    return _inside(array, data_type) if _may_forbid(data_type) else None


def _may_forbid(data_type: DataType) -> bool:
    """Whether something inside a type may not be null. Map keys never may: Parquet has no null keys."""
    if data_type.root in ("MAP", "MULTISET", "VARIANT"):
        return True
    inner = [data_type.element, *(field.type for field in data_type.fields)]
    return any(type_ is not None and (not type_.nullable or _may_forbid(type_)) for type_ in inner)


def _inside(array: pa.Array, data_type: DataType) -> int | None:
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_null(array.type):
        return None
    if data_type.root == "VARIANT":
        parts = [(array.field(name), DataType(root="VARBINARY", nullable=False)) for name in ("value", "metadata")]
        return _least(_in_field(array, child, type_) for child, type_ in parts)
    if data_type.root == "ROW":
        return _least(_in_field(array, array.field(field.name), field.type) for field in data_type.fields)
    if data_type.root == "ARRAY":
        assert data_type.element is not None
        return _in_items(array, array.flatten(), data_type.element)
    if array.null_count:
        rows = pc.indices_nonzero(array.is_valid())
        found = _inside(array.take(rows), data_type)
        return None if found is None else rows[found].as_py()
    key, value = entry_types(data_type)
    # keys and items span the whole buffer of a sliced array; its offsets know which of them are ours.
    entries = pa.ListArray.from_arrays(array.offsets, pa.StructArray.from_arrays([array.keys, array.items], ["key", "value"]))
    pairs = entries.flatten()
    return _least((_in_items(entries, pairs.field("key"), key), _in_items(entries, pairs.field("value"), value)))


def _in_field(parent: pa.Array, child: pa.Array, data_type: DataType) -> int | None:
    """A forbidden null in a row's field; a field of a null row is no null of its own."""
    if parent.null_count:
        rows = pc.indices_nonzero(parent.is_valid())
        found = null_in_required(child.take(rows), data_type)
        return None if found is None else rows[found].as_py()
    return null_in_required(child, data_type)


def _in_items(lists: pa.Array, items: pa.Array, data_type: DataType) -> int | None:
    found = null_in_required(items, data_type)
    return None if found is None else pc.list_parent_indices(lists)[found].as_py()


def _first(mask: pa.Array) -> int:
    return int(pc.index(mask, True).as_py())


def _least(found: Iterable[int | None]) -> int | None:
    return min((row for row in found if row is not None), default=None)


def with_whole_offsets(array: pa.Array) -> pa.Array:
    """The same array, with every empty list, map or string inside it made anew.

    Spark 3.5's Arrow sends such children without the one offset that even an empty one has, and pyarrow reads it all the same.
    """
    kind = array.type
    if not len(array):
        return pa.array([], kind)
    if pa.types.is_struct(kind):
        children = [with_whole_offsets(array.field(index)) for index in range(kind.num_fields)]
        return pa.Array.from_buffers(kind, len(array), array.buffers()[:1], array.null_count, array.offset, children)
    if pa.types.is_list(kind) or pa.types.is_map(kind):
        return pa.Array.from_buffers(
            kind, len(array), array.buffers()[:2], array.null_count, array.offset, [with_whole_offsets(array.values)]
        )
    return array


def mended(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The same batch, its nested columns with whole offsets: even asking an unmended one for its size reads beyond its memory."""
    if not any(pa.types.is_nested(field.type) for field in batch.schema):
        return batch
    columns = [with_whole_offsets(column) if pa.types.is_nested(column.type) else column for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)
