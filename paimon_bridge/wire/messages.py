"""Messages: what ``write`` returns and ``commit`` takes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, overload

from paimon_bridge.errors import CodecError
from paimon_bridge.model.file import DataFileMeta
from paimon_bridge.model.message import CommitMessage
from paimon_bridge.model.table import TableSpec
from paimon_bridge.wire.codec import check_losses, decode, encode
from paimon_bridge.wire.envelope import Envelope

# What all envelopes of one hand-over have in common.
_SHARED = ("version", "table_id", "table", "schema_id", "commit_user", "run_id")


class Messages(Sequence[CommitMessage]):
    """The messages of one write, in envelopes that say for which table they were made.

    An immutable sequence of CommitMessage values, equal by content and picklable: the bytes travel, the values are decoded when asked
    for. Needs neither Spark nor a JVM.
    """

    __slots__ = ("_bytes", "_decoded", "_envelopes")

    def __init__(self, envelopes: Iterable[Envelope]) -> None:
        self._envelopes = tuple(envelopes)
        self._decoded: tuple[CommitMessage, ...] | None = None
        self._bytes: bytes | None = None
        if not self._envelopes:
            raise CodecError("There is no envelope: even a write of nothing leaves one.", code="ENVELOPE_MALFORMED")
        first = self._envelopes[0]
        for index, envelope in enumerate(self._envelopes):
            for name in _SHARED:
                if getattr(envelope, name) != getattr(first, name):
                    raise CodecError(
                        f"Envelope {index} has {name} {getattr(envelope, name)!r}, the first one {getattr(first, name)!r}.",
                        code="ENVELOPES_DISAGREE",
                        remedy="Commit the results of one write at a time.",
                    )

    @classmethod
    def of_envelopes(cls, envelopes: Iterable[bytes | Envelope], *, spec: TableSpec, commit_user: str, run_id: str) -> Messages:
        """What the tasks of one write sent, or an empty envelope if none of them had anything to send."""
        parts = [part for blob in envelopes for part in _split(blob)]
        empty = Envelope(
            version=spec.message_version,
            table_id=spec.table_id,
            table=spec.name,
            schema_id=spec.schema_id,
            commit_user=commit_user,
            run_id=run_id,
        )
        return cls(parts or [empty])

    @classmethod
    def from_bytes(cls, data: bytes) -> Messages:
        """Read envelopes, one or more back to back. CodecError for anything wrong, also inside the messages."""
        messages = cls(_split(bytes(data)))
        messages._decoded = messages._decode()
        messages._bytes = bytes(data)
        return messages

    def to_bytes(self) -> bytes:
        """All envelopes back to back; their checksums are made once, however often the messages are handed over."""
        if self._bytes is None:
            self._bytes = b"".join(envelope.encode() for envelope in self._envelopes)
        return self._bytes

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Messages:
        return cls.from_bytes(Path(path).read_bytes())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all envelopes to a local file: whole, or not at all."""
        target = Path(path)
        partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
        try:
            partial.write_bytes(self.to_bytes())
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)

    def at_version(self, version: int, table: TableSpec | None = None) -> Messages:
        """The same messages at another version; LossError names everything that would be lost (see ``losses``)."""
        if version == self.version:
            return self
        check_losses(self, version, table)
        envelopes = []
        for envelope in self._envelopes:
            payloads = tuple(encode(decode(payload, self.version), version, table) for payload in envelope.payloads)
            envelopes.append(replace(envelope, version=version, payloads=payloads))
        return Messages(envelopes)

    @property
    def envelopes(self) -> tuple[Envelope, ...]:
        return self._envelopes

    @property
    def table(self) -> str:
        return self._envelopes[0].table

    @property
    def table_id(self) -> str:
        return self._envelopes[0].table_id

    @property
    def schema_id(self) -> int:
        return self._envelopes[0].schema_id

    @property
    def version(self) -> int:
        return self._envelopes[0].version

    @property
    def commit_user(self) -> str:
        return self._envelopes[0].commit_user

    @property
    def run_id(self) -> str:
        return self._envelopes[0].run_id

    @property
    def new_files(self) -> tuple[DataFileMeta, ...]:
        return tuple(file for message in self._values for file in message.data.new_files)

    @property
    def file_count(self) -> int:
        return len(self.new_files)

    @property
    def row_count(self) -> int:
        return sum(file.row_count for file in self.new_files)

    @property
    def size_bytes(self) -> int:
        return sum(file.file_size for file in self.new_files)

    @property
    def _values(self) -> tuple[CommitMessage, ...]:
        if self._decoded is None:
            self._decoded = self._decode()
        return self._decoded

    def _decode(self) -> tuple[CommitMessage, ...]:
        return tuple(decode(payload, self.version) for envelope in self._envelopes for payload in envelope.payloads)

    @overload
    def __getitem__(self, index: int) -> CommitMessage: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[CommitMessage, ...]: ...
    def __getitem__(self, index: int | slice) -> CommitMessage | tuple[CommitMessage, ...]:
        return self._values[index]

    def __len__(self) -> int:
        return sum(len(envelope.payloads) for envelope in self._envelopes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Messages) and self._envelopes == other._envelopes

    def __hash__(self) -> int:
        return hash(self._envelopes)

    def __reduce__(self) -> tuple[Any, ...]:
        # Envelopes only: decoded values would double what travels from an executor.
        return (Messages, (self._envelopes,))

    def __repr__(self) -> str:
        return (
            f"<Messages for {self.table}: {len(self)} of version {self.version}, "
            f"{self.file_count} files, {self.row_count} rows, {self.size_bytes} bytes>"
        )


def _split(blob: bytes | Envelope) -> Iterator[Envelope]:
    if isinstance(blob, Envelope):
        yield blob
        return
    at = 0
    while at < len(blob):
        envelope, at = Envelope.decode(blob, at)
        yield envelope
