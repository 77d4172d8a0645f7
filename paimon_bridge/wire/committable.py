"""ManifestCommittable as bytes, both ways: the form in which Flink state and files keep the messages of one commit."""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import Any

from paimon_bridge.binary.slot import Malformed
from paimon_bridge.errors import CodecError
from paimon_bridge.model.message import CommitMessage, ManifestCommittable
from paimon_bridge.model.table import TableSpec
from paimon_bridge.wire.codec import check_end, check_losses, loss_error, read_messages, refuse, write_messages
from paimon_bridge.wire.fields import MESSAGES, Part, default_of
from paimon_bridge.wire.loss import Loss
from paimon_bridge.wire.plan import SequencePlan
from paimon_bridge.wire.versions import COMMITTABLE, COMMITTABLE_VERSIONS, LAYOUT_OF_0_7, MESSAGE_VERSIONS, known

_VERSION_OF_0_7 = 2


def decode_committable(data: bytes, version: int) -> ManifestCommittable:
    """A committable of this (committable) version. The version of the messages is in the bytes, and then in the value."""
    data = bytes(data)
    plan = _plan(_known(version))
    parts: dict[str, Any] = {}
    try:
        values, at = plan.read(data, 0)
        parts.update(zip(plan.paths, values, strict=True))
        messages, from_0_7 = _read_messages(data, at, parts["message_version"])
    except Malformed as error:
        refuse(error, parts.get("message_version"))
    return ManifestCommittable(**parts, messages=messages, from_0_7=from_0_7)


def encode_committable(
    committable: ManifestCommittable, version: int, message_version: int | None = None, table: TableSpec | None = None
) -> bytes:
    """The bytes of a committable; its messages in ``message_version``, or in the version the value itself names.

    LossError for what either version cannot carry. The log offsets of versions up to 4 are the exception: they belong to a part of
    Paimon that no longer exists, and Paimon's own readers leave them out.
    """
    plan = _plan(_known(version))
    inner = message_version if message_version is not None else committable.message_version
    if inner is None:
        raise CodecError("The committable does not say in which version its messages are; name one.", code="MESSAGE_VERSION_UNKNOWN")
    found = [
        Loss(
            version=version, path=part.path, value=getattr(committable, part.path), reason=f"committable version {version} has no such part"
        )
        for part in _absent(version)
        if getattr(committable, part.path) != default_of(ManifestCommittable, part.path)
    ]
    if found:
        raise loss_error(found, version)
    layout = LAYOUT_OF_0_7 if committable.from_0_7 and inner == _VERSION_OF_0_7 else known(inner)
    check_losses(committable.messages, layout, table)
    head = attrgetter(*(path for path in plan.paths if path != "message_version"))(committable)
    try:
        return plan.write([*head, inner]) + write_messages(committable.messages, layout)
    except Malformed as error:
        refuse(error, inner)


def _read_messages(data: bytes, at: int, version: int) -> tuple[tuple[CommitMessage, ...], bool]:
    """The messages, and whether they are in the layout of 0.7: tried, as Paimon does, when version 2 does not fit."""
    if version not in MESSAGE_VERSIONS:
        raise Malformed(f"commit message version {version} is not known", at - 4).inside("message_version")
    try:
        messages, end = read_messages(data, at, version)
        check_end(data, end)
        return messages, False
    except Malformed as error:
        if version != _VERSION_OF_0_7:
            raise error.inside("messages") from None
        try:
            messages, end = read_messages(data, at, LAYOUT_OF_0_7)
            check_end(data, end)
        except Malformed:
            raise error.inside("messages") from None
        return messages, True


@cache
def _plan(version: int) -> SequencePlan:
    # The messages come last, and their layout is only known when the number before them has been read.
    return SequencePlan((part for part in COMMITTABLE.at(version) if part.kind is not MESSAGES), version)


def _absent(version: int) -> tuple[Part, ...]:
    present = COMMITTABLE.at(version)
    return tuple(part for part in COMMITTABLE.parts if part not in present and not part.droppable)


def _known(version: int) -> int:
    if version not in COMMITTABLE_VERSIONS:
        first, last = COMMITTABLE_VERSIONS[0], COMMITTABLE_VERSIONS[-1]
        raise CodecError(
            f"Committable version {version} is not known: this package reads and writes {first} to {last}.",
            version=version,
            code="COMMITTABLE_VERSION_UNKNOWN",
            remedy="Ask the writer of these bytes for their version; they do not contain it.",
        )
    return version
