"""Paimon's column types as the Arrow types with which pyarrow writes exactly the Parquet schema that Paimon Java writes.

Java reads columns by name and type and gives wrong values, without an error, for some near misses; so nothing here is a matter of
taste. The rules are those of Paimon's ``ParquetSchemaConverter`` and ``SpecialFields``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from paimon_bridge.errors import TableError
from paimon_bridge.model.types import DataType, Field

_FIELD_ID = b"PARQUET:field_id"
# Elements, keys and values of nested types have ids derived from those of the column they belong to.
_NESTED_ID_BASE = 2**31 // 4 - 1
_NESTED_ID_STEP = 1024

_PLAIN: dict[str, pa.DataType] = {
    "BOOLEAN": pa.bool_(),
    "TINYINT": pa.int8(),
    "SMALLINT": pa.int16(),
    "INT": pa.int32(),
    "BIGINT": pa.int64(),
    "FLOAT": pa.float32(),
    "DOUBLE": pa.float64(),
    "CHAR": pa.string(),
    "VARCHAR": pa.string(),
    "BINARY": pa.binary(),
    "VARBINARY": pa.binary(),
    "DATE": pa.date32(),
    "TIME": pa.time32("ms"),
}
_TIMESTAMPS = ("TIMESTAMP", "TIMESTAMP_LTZ")
_INT96_PRECISION = 7
_UNSUPPORTED = ("BLOB", "VECTOR")
_VARIANT_PART = DataType(root="VARBINARY", nullable=False, length=2**31 - 1)


@dataclass(frozen=True)
class FileSchema:
    """The columns of a data file: their ``logical`` Arrow types, and the ``stored`` ones that pyarrow is given.

    The two differ in files with timestamps of precision 7 to 9. Java keeps those as INT96 and lower precisions as INT64, and it fails
    on a filter over a column of the other kind. pyarrow's switch for INT96 covers a whole file, so there the lower precisions are
    stored as plain INT64 columns: Java goes by the table's type and reads them right, with filters and without (seen with 1.3.1,
    1.4.2 and 2.0.0).
    """

    fields: tuple[Field, ...]
    logical: pa.Schema
    stored: pa.Schema
    int96: bool
    finest_unit: str


def file_schema(fields: Sequence[Field], *, finest_unit: str = "ns") -> FileSchema:
    """The schema of a file with these columns. Raises TableError for types this package does not write.

    ``finest_unit`` is the Arrow unit for timestamps of precision 7 to 9: ``us`` keeps the years that nanoseconds have no room for.
    """
    unsupported = [f"{field.name} ({field.type})" for field in fields if any(inner.root in _UNSUPPORTED for inner in walk(field.type))]
    if unsupported:
        raise TableError(
            f"columns of types that this package does not write: {', '.join(unsupported)}",
            code="COLUMN_TYPE_UNSUPPORTED",
            remedy="write this table with Paimon Java: BLOB and VECTOR columns live in files of their own.",
            details={"columns": unsupported},
        )
    int96 = any(is_int96(inner) for field in fields for inner in walk(field.type))
    logical = pa.schema([_column(field, _Types(finest_unit=finest_unit)) for field in fields])
    stored = pa.schema([_column(field, _Types(finest_unit=finest_unit, plain_timestamps=True)) for field in fields]) if int96 else logical
    return FileSchema(fields=tuple(fields), logical=logical, stored=stored, int96=int96, finest_unit=finest_unit)


def walk(data_type: DataType) -> Iterator[DataType]:
    """A type and every type inside it."""
    yield data_type
    for inner in (data_type.element, data_type.key, data_type.value, *(field.type for field in data_type.fields)):
        if inner is not None:
            yield from walk(inner)


def entry_types(data_type: DataType) -> tuple[DataType, DataType]:
    """The key and value types of a MAP, or of a MULTISET as a map from element to count.

    Parquet has no null keys; Java declares them required whatever the table says.
    """
    if data_type.root == "MULTISET":
        assert data_type.element is not None
        return data_type.element.with_nullable(False), DataType(root="INT", nullable=False)
    assert data_type.key is not None
    assert data_type.value is not None
    return data_type.key.with_nullable(False), data_type.value


def is_int96(data_type: DataType) -> bool:
    return data_type.root in _TIMESTAMPS and (data_type.precision or 0) >= _INT96_PRECISION


@dataclass(frozen=True)
class _Types:
    """How to turn types: nested ids count from the nearest field that has an id of its own, one step per level."""

    finest_unit: str
    plain_timestamps: bool = False
    field_id: int = 0
    depth: int = 0

    def of_field(self, field: Field) -> _Types:
        return _Types(self.finest_unit, self.plain_timestamps, field.id)

    def deeper(self) -> _Types:
        return _Types(self.finest_unit, self.plain_timestamps, self.field_id, self.depth + 1)

    @property
    def value_id(self) -> int:
        return _NESTED_ID_BASE + self.field_id * _NESTED_ID_STEP + self.depth

    @property
    def key_id(self) -> int:
        return _NESTED_ID_BASE - self.field_id * _NESTED_ID_STEP - self.depth

    def timestamp(self, data_type: DataType) -> pa.DataType:
        precision = data_type.precision or 0
        if self.plain_timestamps and precision < _INT96_PRECISION:
            return pa.int64()
        unit = "ms" if precision <= 3 else "us" if precision < _INT96_PRECISION else self.finest_unit
        return pa.timestamp(unit, tz="UTC" if data_type.root == "TIMESTAMP_LTZ" else None)


def _column(field: Field, types: _Types) -> pa.Field:
    return _named(field.name, field.type, field.id, types.of_field(field))


def _named(name: str, data_type: DataType, field_id: int, types: _Types) -> pa.Field:
    return pa.field(name, _arrow(data_type, types), nullable=data_type.nullable, metadata={_FIELD_ID: str(field_id).encode()})


def _arrow(data_type: DataType, types: _Types) -> pa.DataType:
    root = data_type.root
    if root in _PLAIN:
        return _PLAIN[root]
    if root == "DECIMAL":
        return pa.decimal128(data_type.precision, data_type.scale)
    if root in _TIMESTAMPS:
        return types.timestamp(data_type)
    if root == "VARIANT":
        return pa.struct([_named("value", _VARIANT_PART, 0, types), _named("metadata", _VARIANT_PART, 1, types)])
    if root == "ROW":
        return pa.struct([_column(inner, types) for inner in data_type.fields])
    below = types.deeper()
    if root == "ARRAY":
        assert data_type.element is not None
        return pa.list_(_named("element", data_type.element, below.value_id, below))
    key, value = entry_types(data_type)
    return pa.map_(_named("key", key, below.key_id, below), _named("value", value, below.value_id, below))
