"""The vocabulary in which the version table is written. Data only: ``plan.py`` turns it into code that reads and writes.

Nothing here knows a version by name. A field or part says since when, and until when, it exists; a *layout* is a filter over them.
Layouts are the message versions, and one more that a version number alone does not name (``versions.py`` tells).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from typing import Any

FOREVER = 1 << 30

# Everything below is compared by identity: there is one table, and hashing its contents would cost more than encoding a message.

# Tells whether a reader that lacks a field arrives at the same value by itself: (value, its owner, the TableSpec).
Implied = Callable[[Any, Any, Any], bool]


@dataclass(frozen=True, slots=True, eq=False)
class FieldType:
    """The type of a field of a metadata row. ``element`` belongs to arrays, ``struct`` to nested rows, ``allowed`` to enumerations."""

    name: str
    element: FieldType | None = None
    struct: Struct | None = None
    nullable_elements: bool = False
    allowed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class RowField:
    """A field of a metadata row. ``label`` is Paimon's name for it; ``note`` is for the format page."""

    name: str
    type: FieldType
    label: str
    nullable: bool = False
    since: int = 0
    until: int = FOREVER
    note: str = ""
    implied: Implied | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Struct:
    """A metadata row, and the value class it becomes."""

    value_class: type
    fields: tuple[RowField, ...]

    @property
    def name(self) -> str:
        return self.value_class.__name__

    def at(self, layout: int) -> tuple[RowField, ...]:
        return tuple(item for item in self.fields if item.since <= layout <= item.until)


@dataclass(frozen=True, slots=True, eq=False)
class PartKind:
    """How a part of a message is framed, in words; ``struct`` for a list of rows."""

    name: str
    struct: Struct | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One step of a sequence, in the order of the bytes. ``path`` is dotted: ``data.new_files``.

    ``droppable`` parts may be left out by a version that lacks them, because Paimon's own readers ignore them.
    """

    path: str
    kind: PartKind
    since: int = 0
    until: int = FOREVER
    note: str = ""
    implied: Implied | None = None
    droppable: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """Parts back to back: a message, or the committable around messages."""

    value_class: type
    parts: tuple[Part, ...]

    def at(self, layout: int) -> tuple[Part, ...]:
        return tuple(item for item in self.parts if item.since <= layout <= item.until)


def default_of(value_class: type, name: str) -> Any:
    """What decoding fills in where a layout lacks a field."""
    for item in fields(value_class):
        if item.name == name:
            return item.default if item.default is not MISSING else None
    raise ValueError(f"{value_class.__name__} has no field {name}")


# The words of the table.

STRING = FieldType("string")
BYTES = FieldType("bytes")
ROW_BYTES = FieldType("row in bytes")
BIGINT = FieldType("int64")
INT = FieldType("int32")
MILLIS = FieldType("timestamp(3)")


def tinyint(*allowed: int) -> FieldType:
    return FieldType("int8", allowed=allowed)


def array(element: FieldType, *, nullable_elements: bool = False) -> FieldType:
    return FieldType("array", element=element, nullable_elements=nullable_elements)


def nested(inner: Struct) -> FieldType:
    return FieldType("row", struct=inner)


FRAMED_ROW = PartKind("int32 length, int32 arity, row")
INT32 = PartKind("int32")
INT64 = PartKind("int64")
FLAGGED_INT32 = PartKind("bool; int32 if it is 1")
FLAGGED_INT64 = PartKind("bool; int64 if it is 1")
NULL_FLAGGED_INT64 = PartKind("bool; int64 if it is 0")
LOG_OFFSETS = PartKind("int32 n; n × (int32, int64)")
PROPERTIES = PartKind("int32 n; n × (UTF, UTF)")
MESSAGES = PartKind("int32 n; n messages")


def list_of(inner: Struct) -> PartKind:
    return PartKind(f"int32 n; n × (int32 length, {inner.name} row)", inner)


def struct(value_class: type, *items: RowField) -> Struct:
    return Struct(value_class, items)


def sequence(value_class: type, *parts: Part) -> Sequence:
    return Sequence(value_class, parts)


field = RowField
part = Part
