"""What a message version cannot carry: found before encoding, so that nothing is dropped in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any

from paimon_bridge.model.file import IndexFileMeta
from paimon_bridge.model.message import CommitMessage, CompactIncrement
from paimon_bridge.model.table import TableSpec
from paimon_bridge.wire.fields import FieldType, Part, RowField, Struct, default_of
from paimon_bridge.wire.versions import COMMIT_MESSAGE, MESSAGE_VERSIONS, known


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A value that encoding at ``version`` would drop: where it is, in which file, and what it is."""

    version: int
    path: str
    value: Any
    file: str | None = None
    reason: str = ""

    def __str__(self) -> str:
        owner = f" of {self.file}" if self.file else ""
        reason = self.reason or f"version {self.version} has no such field"
        return f"{self.path}{owner} = {_shorten(self.value)}: {reason}"


def losses(message: CommitMessage, version: int, table: TableSpec | None = None) -> list[Loss]:
    """Everything in ``message`` that ``version`` cannot carry, in the order of the message.

    With the table given, a value is no loss where a reader of that version would come to the same one by itself: the number of
    buckets that is the table's ``bucket`` option, the written columns that are the whole schema.
    """
    return find_losses(message, known(version), table)


def find_losses(message: CommitMessage, layout: int, table: TableSpec | None) -> list[Loss]:
    """The losses of any layout, the one of 0.7 included."""
    if layout == MESSAGE_VERSIONS[-1]:
        return []
    return [*_misplaced_index_files(message, layout), *_missing_parts(message, layout, table), *_missing_fields(message, layout, table)]


def shared_index_files(message: CommitMessage, name: str) -> tuple[IndexFileMeta, ...]:
    """The one list of index files of a message before version 10. Only one increment has any, or it would be a loss."""
    files: tuple[IndexFileMeta, ...] = getattr(message.data, name) + getattr(message.compact, name)
    return files


def index_files_belong_to_compact(compact: CompactIncrement) -> bool:
    """Where Paimon puts the one list of a message before version 10: with the compaction, if there is one.

    Java: CommitMessageSerializer.deserialize, since 1.3 (docs/decisions/0003-index-files-before-version-10.md).
    """
    return bool(compact.compact_before or compact.compact_after or compact.changelog_files)


def _misplaced_index_files(message: CommitMessage, layout: int) -> Iterator[Loss]:
    if not _has_shared_index_files(layout):
        return
    loser = "data" if index_files_belong_to_compact(message.compact) else "compact"
    for name in ("new_index_files", "deleted_index_files"):
        files = getattr(getattr(message, loser), name)
        if files:
            reason = f"version {layout} has one list for both increments, and readers would take them for those of the other one"
            yield Loss(version=layout, path=f"{loser}.{name}", value=[file.file_name for file in files], reason=reason)


def _missing_parts(message: CommitMessage, layout: int, table: TableSpec | None) -> Iterator[Loss]:
    for part, get in _absent_parts(layout):
        value = get(message)
        if value is None or value == ():
            continue
        if part.implied is not None and table is not None and part.implied(value, message, table):
            continue
        yield Loss(version=layout, path=part.path, value=[item.file_name for item in value] if isinstance(value, tuple) else value)


def _missing_fields(message: CommitMessage, layout: int, table: TableSpec | None) -> Iterator[Loss]:
    for path, get, struct in _lists(layout):
        for index, value in enumerate(get(message)):
            yield from _missing_in(value, struct, layout, table, f"{path}[{index}]", value.file_name)


# What to look at depends on the layout alone, and is looked up once: every message that is encoded passes here.


@cache
def _has_shared_index_files(layout: int) -> bool:
    return any(part.path.startswith("shared.") for part in COMMIT_MESSAGE.at(layout))


@cache
def _absent_parts(layout: int) -> tuple[tuple[Part, Callable[[CommitMessage], Any]], ...]:
    """Parts that the layout lacks. The shared lists stand for those of both increments."""
    present = {part.path for part in COMMIT_MESSAGE.at(layout)}
    return tuple(
        (part, attrgetter(part.path))
        for part in COMMIT_MESSAGE.parts
        if not part.path.startswith("shared.") and not {part.path, f"shared.{part.path.rpartition('.')[2]}"} & present
    )


@cache
def _lists(layout: int) -> tuple[tuple[str, Callable[[CommitMessage], Any], Struct], ...]:
    """Lists of files in whose rows the layout lacks a field."""
    return tuple(
        (part.path, attrgetter(part.path), part.kind.struct)
        for part in COMMIT_MESSAGE.parts
        if part.kind.struct is not None and not part.path.startswith("shared.") and _can_lose(part.kind.struct, layout)
    )


def _missing_in(value: Any, shape: Struct, layout: int, table: TableSpec | None, path: str, file: str) -> Iterator[Loss]:
    for item, default in _absent(shape, layout):
        held = getattr(value, item.name)
        if held == default or (item.implied is not None and table is not None and item.implied(held, value, table)):
            continue
        yield Loss(version=layout, path=f"{path}.{item.name}", value=held, file=file)
    for item, inner in _inner(shape, layout):
        held = getattr(value, item.name)
        if held is None:
            continue
        if item.type.element is None:
            yield from _missing_in(held, inner, layout, table, f"{path}.{item.name}", file)
        else:
            for index, element in enumerate(held):
                yield from _missing_in(element, inner, layout, table, f"{path}.{item.name}[{index}]", file)


@cache
def _absent(shape: Struct, layout: int) -> tuple[tuple[RowField, Any], ...]:
    present = shape.at(layout)
    return tuple((item, default_of(shape.value_class, item.name)) for item in shape.fields if item not in present)


@cache
def _inner(shape: Struct, layout: int) -> tuple[tuple[RowField, Struct], ...]:
    """Fields that hold rows in which this layout lacks something."""
    found = ((item, _struct_of(item.type)) for item in shape.at(layout))
    return tuple((item, inner) for item, inner in found if inner is not None and _can_lose(inner, layout))


@cache
def _can_lose(shape: Struct, layout: int) -> bool:
    return bool(_absent(shape, layout) or _inner(shape, layout))


def _struct_of(type_: FieldType) -> Struct | None:
    return type_.struct if type_.element is None else _struct_of(type_.element)


def _shorten(value: Any) -> str:
    text = value.hex() if isinstance(value, bytes) else repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
