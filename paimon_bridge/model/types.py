"""Paimon's column types as values, read from and written to the JSON of a Paimon schema file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

# Types that carry one number in parentheses, with the value Paimon assumes when it is left out.
_LENGTHS = {"CHAR": 1, "VARCHAR": 1, "BINARY": 1, "VARBINARY": 1}
_PRECISIONS = {"TIME": 0, "TIMESTAMP": 6, "TIMESTAMP_LTZ": 6}
_PLAIN = ("BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DATE", "VARIANT", "BLOB")
_UNBOUNDED = 2**31 - 1

_TYPE_TEXT = re.compile(
    r"(?P<root>[A-Z_]+)\s*(?:\(\s*(?P<first>\d+)\s*(?:,\s*(?P<second>\d+)\s*)?\))?"
    r"(?P<zone>\s+WITH LOCAL TIME ZONE|\s+WITHOUT TIME ZONE)?(?P<required>\s+NOT NULL)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DataType:
    """One type. ``root`` is Paimon's name, with TIMESTAMP_LTZ for the zoned timestamp and VARCHAR / VARBINARY for STRING / BYTES.

    ``length`` belongs to the character and binary types, ``precision`` to decimals, times and timestamps, ``scale`` to decimals;
    ``element`` to ARRAY, MULTISET and VECTOR, ``key`` and ``value`` to MAP, ``fields`` to ROW.
    """

    root: str
    nullable: bool = True
    length: int | None = None
    precision: int | None = None
    scale: int | None = None
    element: DataType | None = None
    key: DataType | None = None
    value: DataType | None = None
    fields: tuple[Field, ...] = ()

    def with_nullable(self, nullable: bool) -> DataType:
        return self if self.nullable == nullable else replace(self, nullable=nullable)

    def to_json(self) -> Any:
        """The JSON form of a Paimon schema file: text for plain types, an object for nested ones."""
        suffix = "" if self.nullable else " NOT NULL"
        if self.root in ("ARRAY", "MULTISET", "VECTOR"):
            assert self.element is not None
            shape: dict[str, Any] = {"type": self.root + suffix, "element": self.element.to_json()}
            return shape | ({"length": self.length} if self.root == "VECTOR" else {})
        if self.root == "MAP":
            assert self.key is not None
            assert self.value is not None
            return {"type": "MAP" + suffix, "key": self.key.to_json(), "value": self.value.to_json()}
        if self.root == "ROW":
            return {"type": "ROW" + suffix, "fields": [field.to_json() for field in self.fields]}
        return str(self)

    def __str__(self) -> str:
        """SQL text, as Paimon prints it."""
        suffix = "" if self.nullable else " NOT NULL"
        if self.root == "VARCHAR" and self.length == _UNBOUNDED:
            return "STRING" + suffix
        if self.root == "VARBINARY" and self.length == _UNBOUNDED:
            return "BYTES" + suffix
        if self.root in _LENGTHS:
            return f"{self.root}({self.length}){suffix}"
        if self.root == "DECIMAL":
            return f"DECIMAL({self.precision}, {self.scale}){suffix}"
        if self.root == "TIMESTAMP_LTZ":
            return f"TIMESTAMP({self.precision}) WITH LOCAL TIME ZONE{suffix}"
        if self.root in _PRECISIONS:
            return f"{self.root}({self.precision}){suffix}"
        if self.root in ("ARRAY", "MULTISET"):
            return f"{self.root}<{self.element}>{suffix}"
        if self.root == "VECTOR":
            return f"VECTOR<{self.element}, {self.length}>{suffix}"
        if self.root == "MAP":
            return f"MAP<{self.key}, {self.value}>{suffix}"
        if self.root == "ROW":
            return "ROW<" + ", ".join(f"{field.name} {field.type}" for field in self.fields) + f">{suffix}"
        return self.root + suffix


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A column of a table, or a field of a ROW: its stable id, its name and its type."""

    id: int
    name: str
    type: DataType
    description: str | None = None
    default_value: str | None = None

    def to_json(self) -> dict[str, Any]:
        shape: dict[str, Any] = {"id": self.id, "name": self.name, "type": self.type.to_json()}
        if self.description is not None:
            shape["description"] = self.description
        if self.default_value is not None:
            shape["defaultValue"] = self.default_value
        return shape


def parse_field(shape: Mapping[str, Any]) -> Field:
    """Read one field of a Paimon schema file."""
    return Field(
        id=int(shape["id"]),
        name=str(shape["name"]),
        type=parse_type(shape["type"]),
        description=shape.get("description"),
        default_value=shape.get("defaultValue"),
    )


def parse_type(shape: Any) -> DataType:
    """Read a type of a Paimon schema file. Raises ValueError for a type this package does not know."""
    if isinstance(shape, Mapping):
        text = str(shape["type"])
        root, nullable = text.removesuffix(" NOT NULL"), not text.endswith(" NOT NULL")
        if root in ("ARRAY", "MULTISET"):
            return DataType(root=root, nullable=nullable, element=parse_type(shape["element"]))
        if root == "VECTOR":
            return DataType(root=root, nullable=nullable, element=parse_type(shape["element"]), length=int(shape["length"]))
        if root == "MAP":
            return DataType(root=root, nullable=nullable, key=parse_type(shape["key"]), value=parse_type(shape["value"]))
        if root == "ROW":
            return DataType(root=root, nullable=nullable, fields=tuple(parse_field(field) for field in shape["fields"]))
        raise ValueError(f"unknown Paimon type {text!r}")
    match = _TYPE_TEXT.fullmatch(str(shape).strip())
    if match is None:
        raise ValueError(f"unknown Paimon type {shape!r}")
    root, nullable = match["root"], match["required"] is None
    first = int(match["first"]) if match["first"] else None
    if root == "TIMESTAMP" and match["zone"] and "LOCAL" in match["zone"]:
        root = "TIMESTAMP_LTZ"
    if root == "STRING":
        return DataType(root="VARCHAR", nullable=nullable, length=_UNBOUNDED)
    if root == "BYTES":
        return DataType(root="VARBINARY", nullable=nullable, length=_UNBOUNDED)
    if root == "INTEGER":
        root = "INT"
    if root in _LENGTHS:
        return DataType(root=root, nullable=nullable, length=first if first is not None else _LENGTHS[root])
    if root == "DECIMAL":
        second = int(match["second"]) if match["second"] else 0
        return DataType(root=root, nullable=nullable, precision=first if first is not None else 10, scale=second)
    if root in _PRECISIONS:
        return DataType(root=root, nullable=nullable, precision=first if first is not None else _PRECISIONS[root])
    if root in _PLAIN:
        return DataType(root=root, nullable=nullable)
    raise ValueError(f"unknown Paimon type {shape!r}")
