"""A commit message: what one writer did to one bucket of one partition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from paimon_bridge.model.file import EMPTY_ROW, DataFileMeta, IndexFileMeta

if TYPE_CHECKING:
    from paimon_bridge.model.table import TableSpec
    from paimon_bridge.wire.dictionary import RowTypes


@dataclass(frozen=True, slots=True, kw_only=True)
class DataIncrement:
    """Files that the write itself made or removed."""

    new_files: tuple[DataFileMeta, ...] = ()
    deleted_files: tuple[DataFileMeta, ...] = ()
    changelog_files: tuple[DataFileMeta, ...] = ()
    new_index_files: tuple[IndexFileMeta, ...] = ()
    deleted_index_files: tuple[IndexFileMeta, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactIncrement:
    """Files that a compaction read, and the ones it made instead."""

    compact_before: tuple[DataFileMeta, ...] = ()
    compact_after: tuple[DataFileMeta, ...] = ()
    changelog_files: tuple[DataFileMeta, ...] = ()
    new_index_files: tuple[IndexFileMeta, ...] = ()
    deleted_index_files: tuple[IndexFileMeta, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitMessage:
    """One message, whatever version it came in. ``partition`` is the arity (big-endian) and the BinaryRow."""

    partition: bytes = EMPTY_ROW
    bucket: int
    total_buckets: int | None = None
    data: DataIncrement = field(default_factory=DataIncrement)
    compact: CompactIncrement = field(default_factory=CompactIncrement)
    check_from_snapshot: int | None = None

    def to_dict(self, types: RowTypes | TableSpec | None = None) -> dict[str, Any]:
        """A dictionary ready for JSON; with the table (or its types) given, rows show their values beside their bytes."""
        from paimon_bridge.wire.dictionary import message_to_dict

        return message_to_dict(self, types)

    @classmethod
    def from_dict(cls, shape: Mapping[str, Any]) -> CommitMessage:
        """The message that ``to_dict`` shows; CodecError for a dictionary of another form."""
        from paimon_bridge.wire.dictionary import message_from_dict

        return message_from_dict(shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestCommittable:
    """The messages of one commit with their identifier, as Paimon's class of the same name.

    Its bytes name the version of the messages inside. ``from_0_7`` marks messages that Paimon 0.7 wrote: it called its own layout
    version 2, as 0.8 did with another one.
    """

    identifier: int
    watermark: int | None = None
    log_offsets: tuple[tuple[int, int], ...] = ()
    properties: tuple[tuple[str, str], ...] = ()
    messages: tuple[CommitMessage, ...] = ()
    message_version: int | None = None
    from_0_7: bool = False
