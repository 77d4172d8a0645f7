"""Commit messages as bytes, both ways, at any version the table knows.

Runs on executors and on the driver, needs no JVM, and is strict: what Paimon Java would not have written is refused with the version,
the dotted path of the field and the byte where it happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any, NoReturn

from paimon_bridge.binary.slot import Malformed
from paimon_bridge.binary.stream import I32, read_count
from paimon_bridge.errors import CodecError, LossError
from paimon_bridge.model.message import CommitMessage, CompactIncrement, DataIncrement
from paimon_bridge.model.table import TableSpec
from paimon_bridge.wire.loss import Loss, find_losses, index_files_belong_to_compact, shared_index_files
from paimon_bridge.wire.plan import SequencePlan, builder
from paimon_bridge.wire.versions import COMMIT_MESSAGE, known

_NO_DATA = DataIncrement()
_NO_COMPACT = CompactIncrement()


def decode(data: bytes, version: int) -> CommitMessage:
    """One message, as Java's ``serialize`` writes it. Every byte must be used."""
    data = bytes(data)
    try:
        message, at = message_codec(known(version)).read(data, 0)
        check_end(data, at)
    except Malformed as error:
        refuse(error, version)
    return message


def encode(message: CommitMessage, version: int, table: TableSpec | None = None) -> bytes:
    """The bytes Java's ``serialize`` of that version writes; LossError if the version cannot carry the whole message.

    ``table`` allows leaving out what its readers fill in themselves; see ``losses``.
    """
    codec = message_codec(known(version))
    check_losses([message], version, table)
    try:
        return codec.write(message)
    except Malformed as error:
        refuse(error, version)


def decode_list(data: bytes, version: int) -> tuple[CommitMessage, ...]:
    """Messages as Java's ``serializeList`` writes them: a count, then the messages back to back."""
    data = bytes(data)
    try:
        messages, at = read_messages(data, 0, known(version))
        check_end(data, at)
    except Malformed as error:
        refuse(error, version)
    return messages


def encode_list(messages: Sequence[CommitMessage], version: int, table: TableSpec | None = None) -> bytes:
    """The bytes Java's ``serializeList`` of that version writes."""
    known(version)
    check_losses(messages, version, table)
    try:
        return write_messages(messages, version)
    except Malformed as error:
        refuse(error, version)


class MessageCodec:
    """Messages of one layout. A layout is a version, or the one of release 0.7 (``versions.LAYOUT_OF_0_7``)."""

    def __init__(self, layout: int) -> None:
        paths = [part.path for part in COMMIT_MESSAGE.at(layout)]
        self._plan = SequencePlan(COMMIT_MESSAGE.at(layout), layout)
        self._getters = tuple(_getter(path) for path in paths)
        self._own, own_names = _group(paths, "")
        self._data, data_names = _group(paths, "data")
        self._compact, compact_names = _group(paths, "compact")
        self._shared, self._shared_names = _group(paths, "shared")
        self._build_message = builder(CommitMessage, (*own_names, "data", "compact"))
        self._build_data = builder(DataIncrement, data_names)
        self._build_compact = builder(CompactIncrement, compact_names)
        self.smallest = self._plan.smallest

    def write(self, message: CommitMessage) -> bytes:
        return self._plan.write([get(message) for get in self._getters])

    def read(self, data: bytes, at: int) -> tuple[CommitMessage, int]:
        values, at = self._plan.read(data, at)
        lists = self._data(values)
        new = self._build_data(lists) if any(lists) else _NO_DATA
        lists = self._compact(values)
        compact = self._build_compact(lists) if any(lists) else _NO_COMPACT
        if self._shared_names:
            new, compact = _place_index_files(new, compact, dict(zip(self._shared_names, self._shared(values), strict=True)))
        return self._build_message((*self._own(values), new, compact)), at


def _group(paths: Sequence[str], group: str) -> tuple[Callable[[Sequence[Any]], tuple[Any, ...]], tuple[str, ...]]:
    """Picks the values of one increment (or of the message itself) out of a sequence, and their names."""
    split = [(index, *path.rpartition(".")) for index, path in enumerate(paths)]
    indexes = [index for index, prefix, _, _ in split if prefix == group]
    # itemgetter makes no tuple of a single item.
    pick = itemgetter(*indexes) if len(indexes) > 1 else lambda values: tuple(values[index] for index in indexes)
    return pick, tuple(name for _, prefix, _, name in split if prefix == group)


def _place_index_files(new: DataIncrement, compact: CompactIncrement, shared: dict[str, Any]) -> tuple[DataIncrement, CompactIncrement]:
    """Before version 10 a message has one list of index files; which increment they belong to follows from the rest (decisions/0003)."""
    if not any(shared.values()):
        return new, compact
    if index_files_belong_to_compact(compact):
        return new, replace(compact, **shared)
    return replace(new, **shared), compact


@cache
def message_codec(layout: int) -> MessageCodec:
    return MessageCodec(layout)


def _getter(path: str) -> Callable[[CommitMessage], Any]:
    group, _, name = path.rpartition(".")
    if group == "shared":
        return lambda message: shared_index_files(message, name)
    return attrgetter(path)


def read_messages(data: bytes, at: int, layout: int) -> tuple[tuple[CommitMessage, ...], int]:
    codec = message_codec(layout)
    count, at = read_count(data, at, codec.smallest)
    messages = []
    for index in range(count):
        try:
            message, at = codec.read(data, at)
        except Malformed as error:
            raise error.inside(f"[{index}]") from None
        messages.append(message)
    return tuple(messages), at


def write_messages(messages: Sequence[CommitMessage], layout: int) -> bytes:
    codec = message_codec(layout)
    return I32.pack(len(messages)) + b"".join(codec.write(message) for message in messages)


def check_end(data: bytes, at: int) -> None:
    if at != len(data):
        raise Malformed(f"{len(data) - at} bytes left over", at)


def check_losses(messages: Iterable[CommitMessage], version: int, table: TableSpec | None) -> None:
    """Raise LossError with everything that would be lost, not just the first value."""
    found = [loss for message in messages for loss in find_losses(message, version, table)]
    if found:
        raise loss_error(found, version)


def loss_error(found: Sequence[Loss], version: int) -> LossError:
    shown = "\n".join(f"  {loss}" for loss in found[:20])
    more = f"\n  and {len(found) - 20} more" if len(found) > 20 else ""
    return LossError(
        f"Message version {version} cannot carry {len(found)} value{'s' if len(found) > 1 else ''}:\n{shown}{more}",
        version=version,
        path=found[0].path,
        remedy="Commit with a Paimon release that speaks a newer version, or write the data without these features.",
    )


def refuse(error: Malformed, version: int | None) -> NoReturn:
    raise CodecError(error.reason, version=version, path=error.path, offset=error.offset) from None
