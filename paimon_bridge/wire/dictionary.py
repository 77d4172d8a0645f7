"""Messages as plain dictionaries, ready for JSON, and back: the form in which vectors, ``inspect`` and ``diff`` show them.

Keys are Paimon's names in camel case, bytes are hex, and a binary row is ``{"hex": ...}``: arity, then row. Where the table's types are
given, a row has its ``values`` too; they are for reading, ``from_dict`` takes the hex. Walks the version table, so a field added there
appears here.
"""

from __future__ import annotations

import datetime
import math
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

from paimon_bridge.binary.row import Timestamp, decode_row
from paimon_bridge.errors import CodecError
from paimon_bridge.model.file import DataFileMeta
from paimon_bridge.model.message import CommitMessage, CompactIncrement, DataIncrement
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import DataType, parse_field
from paimon_bridge.wire import fields
from paimon_bridge.wire.fields import FieldType, Struct
from paimon_bridge.wire.versions import COMMIT_MESSAGE, SIMPLE_STATS

_GROUPS: dict[str, tuple[str, Callable[..., Any]]] = {
    "data": ("dataIncrement", DataIncrement),
    "compact": ("compactIncrement", CompactIncrement),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RowTypes:
    """The types of the rows in a table's messages."""

    partition: tuple[DataType, ...]
    key: tuple[DataType, ...]
    columns: Mapping[str, DataType]

    @classmethod
    def of_table(cls, table: TableSpec) -> RowTypes:
        columns = {field.name: field.type for field in table.fields}
        return cls._of(columns, table.partition_keys, table.primary_keys)

    @classmethod
    def of_schema(cls, schema: Mapping[str, Any]) -> RowTypes:
        """From the JSON of a Paimon schema file (``schema/schema-0``)."""
        columns = {field.name: field.type for field in map(parse_field, schema["fields"])}
        return cls._of(columns, schema["partitionKeys"], schema["primaryKeys"])

    @classmethod
    def _of(cls, columns: Mapping[str, DataType], partition_keys: Sequence[str], primary_keys: Sequence[str]) -> RowTypes:
        return cls(
            partition=tuple(columns[name] for name in partition_keys),
            key=tuple(columns[name] for name in primary_keys if name not in partition_keys),
            columns=columns,
        )

    def of_value_stats(self, file: DataFileMeta) -> tuple[DataType, ...] | None:
        """The types of a file's value statistics, or ``None`` where this schema does not know one of their columns."""
        names = file.value_stats_cols if file.value_stats_cols is not None else file.write_cols
        if names is None:
            return tuple(self.columns.values())
        return tuple(self.columns[name] for name in names) if all(name in self.columns for name in names) else None


def message_to_dict(message: CommitMessage, types: RowTypes | TableSpec | None = None) -> dict[str, Any]:
    row_types = RowTypes.of_table(types) if isinstance(types, TableSpec) else types
    shape: dict[str, Any] = {
        "partition": row_to_dict(message.partition, row_types.partition if row_types else None),
        "bucket": message.bucket,
        "totalBuckets": message.total_buckets,
    }
    for group, (title, _) in _GROUPS.items():
        increment = getattr(message, group)
        shape[title] = {
            camel(name): [_struct_to_dict(value, struct_, row_types) for value in getattr(increment, name)]
            for name, struct_ in _lists(group)
        }
    # Only the newest version has it, and the form is older than that version.
    if message.check_from_snapshot is not None:
        shape["checkFromSnapshot"] = message.check_from_snapshot
    return shape


def message_from_dict(shape: Mapping[str, Any]) -> CommitMessage:
    """The value that ``message_to_dict`` shows. Raises CodecError for a dictionary of another form."""
    try:
        increments = {
            group: kind(
                **{name: tuple(_struct_from_dict(item, struct_) for item in shape[title][camel(name)]) for name, struct_ in _lists(group)}
            )
            for group, (title, kind) in _GROUPS.items()
        }
        return CommitMessage(
            partition=bytes.fromhex(shape["partition"]["hex"]),
            bucket=shape["bucket"],
            total_buckets=shape["totalBuckets"],
            data=increments["data"],
            compact=increments["compact"],
            check_from_snapshot=shape.get("checkFromSnapshot"),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CodecError(
            f"This is not the dictionary of a commit message: {type(error).__name__} {error}", code="DICTIONARY_MALFORMED"
        ) from None


def row_to_dict(row: bytes, types: Sequence[DataType] | None) -> dict[str, Any]:
    shape: dict[str, Any] = {"hex": row.hex()}
    if types is not None and int.from_bytes(row[:4], "big") == len(types):
        shape["values"] = [json_value(value, type_) for value, type_ in zip(decode_row(row, types), types, strict=True)]
    return shape


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


@cache
def _lists(group: str) -> tuple[tuple[str, Struct], ...]:
    """The lists of an increment in the order of its bytes, and what they hold."""
    parts = ((part.path.rpartition("."), part.kind.struct) for part in COMMIT_MESSAGE.parts)
    return tuple((path[2], struct_) for path, struct_ in parts if path[0] == group and struct_ is not None)


def _struct_to_dict(value: Any, struct_: Struct, types: RowTypes | None) -> dict[str, Any]:
    shape: dict[str, Any] = {}
    for item in struct_.fields:
        held = getattr(value, item.name)
        row_types = _types_of(item.name, value, types)
        if item.type.struct is SIMPLE_STATS:
            shape[camel(item.name)] = {
                "minValues": row_to_dict(held.min_values, row_types),
                "maxValues": row_to_dict(held.max_values, row_types),
                "nullCounts": list(held.null_counts),
            }
        elif item.type == fields.ROW_BYTES:
            shape[camel(item.name)] = row_to_dict(held, row_types)
        else:
            shape[camel(item.name)] = _to_json(held, item.type, types)
    return shape


def _types_of(name: str, owner: Any, types: RowTypes | None) -> Sequence[DataType] | None:
    if types is None or not isinstance(owner, DataFileMeta):
        return None
    return types.of_value_stats(owner) if name == "value_stats" else types.key


def _to_json(held: Any, type_: FieldType, types: RowTypes | None) -> Any:
    if held is None:
        return None
    if type_.element is not None:
        return [_to_json(element, type_.element, types) for element in held]
    if type_.struct is not None:
        return _struct_to_dict(held, type_.struct, types)
    return held.hex() if isinstance(held, bytes) else held


def _struct_from_dict(shape: Mapping[str, Any], struct_: Struct) -> Any:
    return struct_.value_class(**{item.name: _from_json(shape[camel(item.name)], item.type) for item in struct_.fields})


def _from_json(held: Any, type_: FieldType) -> Any:
    if held is None:
        return None
    if type_.element is not None:
        return tuple(_from_json(element, type_.element) for element in held)
    if type_.struct is not None:
        return _struct_from_dict(held, type_.struct)
    if type_ == fields.ROW_BYTES:
        return bytes.fromhex(held["hex"])
    return bytes.fromhex(held) if type_ == fields.BYTES else held


def json_value(value: Any, type_: DataType) -> Any:
    """A typed value for JSON: dates as ISO text, decimals as text, binary as hex, timestamps in their two numbers."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, Timestamp):
        return {"millis": value.millis, "nanoOfMillis": value.nanos_of_milli}
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float):
        return _float_text(value, type_)
    if type_.root == "ROW":
        return [json_value(item, field.type) for item, field in zip(value, type_.fields, strict=True)]
    if type_.root == "MAP" and type_.key is not None and type_.value is not None:
        return [[json_value(key, type_.key), json_value(held, type_.value)] for key, held in value]
    if type_.root == "MULTISET" and type_.element is not None:
        return [[json_value(item, type_.element), count] for item, count in value]
    if type_.element is not None:
        return [json_value(item, type_.element) for item in value]
    # An integer, or the two byte strings of a variant.
    return [part.hex() for part in value] if isinstance(value, tuple) else value


def _float_text(value: float, type_: DataType) -> float | str:
    """Infinities and NaN as Java writes them, for JSON has no words for them; a FLOAT in its shortest form."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if type_.root != "FLOAT":
        return value
    return next(short for digits in range(1, 18) if _as_float(short := float(f"{value:.{digits}g}")) == value)


def _as_float(value: float) -> float:
    try:
        single: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.inf
    return single
