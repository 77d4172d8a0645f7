"""Arrow schemas at the door: as the columns of a new table, as input for a table, as the rows that are read back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from paimon_bridge.errors import TableError
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import DataType, Field, parse_type
from paimon_bridge.write.columns import match_columns, system_columns
from paimon_bridge.write.filetypes import file_schema

# Arrow field metadata that names the Paimon type where Arrow has no word for it, such as CHAR(3) or TIMESTAMP(4).
TYPE_KEY = b"PAIMON:type"

# Unsigned integers become the next wider signed type, as a narrower one could not hold them.
_PLAIN: dict[pa.DataType, str] = {
    pa.bool_(): "BOOLEAN",
    pa.int8(): "TINYINT",
    pa.uint8(): "SMALLINT",
    pa.int16(): "SMALLINT",
    pa.uint16(): "INT",
    pa.int32(): "INT",
    pa.uint32(): "BIGINT",
    pa.int64(): "BIGINT",
    pa.float32(): "FLOAT",
    pa.float64(): "DOUBLE",
    pa.string(): "STRING",
    pa.large_string(): "STRING",
    pa.string_view(): "STRING",
    pa.binary(): "BYTES",
    pa.large_binary(): "BYTES",
    pa.binary_view(): "BYTES",
    pa.date32(): "DATE",
    pa.date64(): "DATE",
    pa.time32("s"): "TIME(0)",
    pa.time32("ms"): "TIME(3)",
}
_PRECISIONS = {"s": 0, "ms": 3, "us": 6, "ns": 9}


def check_input(schema: pa.Schema, spec: TableSpec) -> None:
    """Raise WriteError that names every column of the input which is missing, unknown, or of a type the table's column cannot take.

    Looks at types only, so that a driver can refuse before any task runs; values are looked at while they are written.
    """
    match_columns(schema, spec, system_columns(spec))


def read_schema(fields: Sequence[Field]) -> pa.Schema:
    """The Arrow schema in which rows of these columns are handed out."""
    return pa.schema([field.remove_metadata() for field in file_schema(fields).logical])


def paimon_fields(schema: pa.Schema) -> list[dict[str, Any]]:
    """The columns of an Arrow schema as a Paimon schema file has them: ``{name, type, description?}``.

    ``PAIMON:type`` in a field's metadata names the type where Arrow has none for it; the field's nullability still holds. ``comment``
    becomes the description. Raises TableError that names every column without a Paimon type.
    """
    shapes: list[dict[str, Any]] = []
    failures: list[str] = []
    for index, field in enumerate(schema):
        try:
            shape = Field(id=index, name=field.name, type=paimon_type(field), description=_comment(field)).to_json()
        except ValueError as error:
            failures.append(f"{field.name}: {error}")
            continue
        del shape["id"]
        shapes.append(shape)
    if failures:
        raise TableError(
            f"no Paimon type for column {'; column '.join(failures)}",
            code="COLUMN_TYPE_UNSUPPORTED",
            remedy="cast the column to a type Paimon has, such as string, bigint or timestamp[us].",
            details={"columns": failures},
        )
    return shapes


def paimon_type(field: pa.Field) -> DataType:
    """The Paimon type of one Arrow field. Raises ValueError where there is none."""
    named = (field.metadata or {}).get(TYPE_KEY)
    data_type = parse_type(named.decode()) if named is not None else _from_arrow(field.type)
    return data_type.with_nullable(field.nullable)


def _comment(field: pa.Field) -> str | None:
    comment = (field.metadata or {}).get(b"comment")
    return None if comment is None else comment.decode()


def _from_arrow(arrow: pa.DataType) -> DataType:
    if arrow in _PLAIN:
        return parse_type(_PLAIN[arrow])
    if pa.types.is_dictionary(arrow):
        return _from_arrow(arrow.value_type)
    if pa.types.is_fixed_size_binary(arrow):
        return DataType(root="BINARY", length=arrow.byte_width)
    if pa.types.is_decimal(arrow) and 0 <= arrow.scale <= arrow.precision <= 38:
        return DataType(root="DECIMAL", precision=arrow.precision, scale=arrow.scale)
    if pa.types.is_timestamp(arrow):
        return DataType(root="TIMESTAMP" if arrow.tz is None else "TIMESTAMP_LTZ", precision=_PRECISIONS[arrow.unit])
    if pa.types.is_list(arrow) or pa.types.is_large_list(arrow) or pa.types.is_fixed_size_list(arrow):
        return DataType(root="ARRAY", element=paimon_type(arrow.value_field))
    if pa.types.is_map(arrow):
        return DataType(root="MAP", key=paimon_type(arrow.key_field), value=paimon_type(arrow.item_field))
    if pa.types.is_struct(arrow):
        # These ids are placeholders: Paimon numbers the fields when it creates the table.
        fields = [arrow.field(index) for index in range(arrow.num_fields)]
        return DataType(root="ROW", fields=tuple(Field(id=i, name=field.name, type=paimon_type(field)) for i, field in enumerate(fields)))
    raise ValueError(f"Arrow's {arrow} has no Paimon type")
