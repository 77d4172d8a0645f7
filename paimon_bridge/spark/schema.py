"""Spark schemas as Paimon columns."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyspark.sql import types as spark_types

from paimon_bridge.errors import TableError
from paimon_bridge.model.types import parse_field
from paimon_bridge.write.schema import paimon_fields, read_schema

_PLAIN: dict[type[spark_types.DataType], str] = {
    spark_types.BooleanType: "BOOLEAN",
    spark_types.ByteType: "TINYINT",
    spark_types.ShortType: "SMALLINT",
    spark_types.IntegerType: "INT",
    spark_types.LongType: "BIGINT",
    spark_types.FloatType: "FLOAT",
    spark_types.DoubleType: "DOUBLE",
    spark_types.StringType: "STRING",
    spark_types.BinaryType: "BYTES",
    spark_types.DateType: "DATE",
    spark_types.TimestampType: "TIMESTAMP(6) WITH LOCAL TIME ZONE",
    spark_types.TimestampNTZType: "TIMESTAMP(6)",
}


def table_fields(schema: pa.Schema | spark_types.StructType) -> list[dict[str, Any]]:
    """The columns of a new table, as the shim's ``createTable`` takes them."""
    if isinstance(schema, pa.Schema):
        return paimon_fields(schema)
    if isinstance(schema, spark_types.StructType):
        return _struct_fields(schema, ())
    raise TableError(
        f"A table schema is a pyarrow.Schema or a pyspark StructType, not {type(schema).__name__}.",
        code="SCHEMA_TYPE",
        remedy="pass df.schema, or pa.schema([...]).",
    )


def _struct_fields(struct: spark_types.StructType, path: tuple[str, ...]) -> list[dict[str, Any]]:
    fields = []
    for index, field in enumerate(struct.fields):
        shape: dict[str, Any] = {"id": index, "name": field.name, "type": _type(field.dataType, field.nullable, (*path, field.name))}
        if comment := (field.metadata or {}).get("comment"):
            shape["description"] = comment
        fields.append(shape)
    return fields


def _type(kind: spark_types.DataType, nullable: bool, path: tuple[str, ...]) -> Any:
    suffix = "" if nullable else " NOT NULL"
    if isinstance(kind, spark_types.DecimalType):
        return f"DECIMAL({kind.precision}, {kind.scale}){suffix}"
    if isinstance(kind, spark_types.CharType):
        return f"CHAR({kind.length}){suffix}"
    if isinstance(kind, spark_types.VarcharType):
        return f"VARCHAR({kind.length}){suffix}"
    if isinstance(kind, spark_types.ArrayType):
        return {"type": "ARRAY" + suffix, "element": _type(kind.elementType, kind.containsNull, (*path, "element"))}
    if isinstance(kind, spark_types.MapType):
        key, value = _type(kind.keyType, False, (*path, "key")), _type(kind.valueType, kind.valueContainsNull, (*path, "value"))
        return {"type": "MAP" + suffix, "key": key, "value": value}
    if isinstance(kind, spark_types.StructType):
        return {"type": "ROW" + suffix, "fields": _struct_fields(kind, path)}
    if type(kind) in _PLAIN:
        return _PLAIN[type(kind)] + suffix
    raise TableError(
        f"Column {'.'.join(path)} has Spark type {kind.simpleString()}, which Paimon has no type for.",
        code="COLUMN_TYPE_UNSUPPORTED",
        where=".".join(path),
        remedy="cast the column to a type Paimon has, such as string, bigint or timestamp.",
    )


def input_schema(schema: spark_types.StructType) -> pa.Schema:
    """The Arrow schema in which Spark hands rows of ``schema`` to its Python workers, zoned timestamps as UTC."""
    return read_schema([parse_field(field) for field in _struct_fields(schema, ())])
