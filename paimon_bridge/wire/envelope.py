"""The envelope: what an executor sends to the driver, the driver to the JVM, and ``Messages.save`` to a file.

A commit message names neither its version nor its table, and nothing in it notices a flipped bit. The envelope does: who wrote what for
which table at which version, and a checksum over all of it. Several envelopes back to back are one hand-over.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass

from paimon_bridge.binary.slot import Malformed
from paimon_bridge.binary.stream import I32, I64, read_count, read_i32, read_i64, read_u16, take
from paimon_bridge.errors import CodecError
from paimon_bridge.wire.versions import MESSAGE_VERSIONS

# As in PNG: a byte beyond ASCII, the name, and line ends that a text transfer would change.
MAGIC = b"\x89PBM\r\n\x1a\n"
ENVELOPE_VERSION = 1

WRITTEN_HERE = 0
FOREIGN = 1

_CHECKSUM_SIZE = 32
_HEAD = struct.Struct(">BBH")


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """The messages of one task attempt, still encoded. Payloads are the plain bytes of Java's serializer.

    ``task`` and ``attempt`` are -1 where no Spark task wrote them; ``run_id`` is empty for foreign messages.
    """

    origin: int = WRITTEN_HERE
    version: int
    table_id: str
    table: str
    schema_id: int
    commit_user: str
    run_id: str = ""
    task: int = -1
    attempt: int = -1
    payloads: tuple[bytes, ...] = ()

    def encode(self) -> bytes:
        """The bytes of the envelope, checksum included."""
        try:
            head = [
                MAGIC,
                _HEAD.pack(ENVELOPE_VERSION, self.origin, self.version),
                _text(self.table_id),
                _text(self.table),
                I64.pack(self.schema_id),
                _text(self.commit_user),
                _text(self.run_id),
                I32.pack(self.task),
                I64.pack(self.attempt),
                I32.pack(len(self.payloads)),
            ]
        except (struct.error, UnicodeEncodeError) as error:
            raise CodecError(f"The envelope does not hold one of its values: {error}", code="ENVELOPE_MALFORMED") from None
        payload = b"".join(piece for message in self.payloads for piece in (I32.pack(len(message)), message))
        body = b"".join((*head, I64.pack(len(payload)), payload))
        return body + hashlib.sha256(body).digest()

    @classmethod
    def decode(cls, data: bytes, offset: int = 0) -> tuple[Envelope, int]:
        """The envelope that starts at ``offset``, and the position behind it. CodecError for anything wrong."""
        try:
            return _decode(data, offset)
        except Malformed as error:
            raise CodecError(error.reason, path=error.path, offset=error.offset, code="ENVELOPE_MALFORMED") from None


def _decode(data: bytes, start: int) -> tuple[Envelope, int]:
    at = take(data, start, len(MAGIC) + _HEAD.size)
    if data[start : start + len(MAGIC)] != MAGIC:
        raise Malformed("these bytes are not an envelope of paimon-bridge", start)
    envelope_version, origin, version = _HEAD.unpack_from(data, start + len(MAGIC))
    if envelope_version != ENVELOPE_VERSION:
        raise Malformed(f"envelope version {envelope_version} is not known, {ENVELOPE_VERSION} is", start + len(MAGIC))
    if origin not in (WRITTEN_HERE, FOREIGN):
        raise Malformed(f"origin {origin} is not known", start + len(MAGIC) + 1)
    if version not in MESSAGE_VERSIONS:
        raise Malformed(f"commit message version {version} is not known", start + len(MAGIC) + 2)
    table_id, at = _read_text(data, at)
    table, at = _read_text(data, at)
    schema_id, at = read_i64(data, at)
    commit_user, at = _read_text(data, at)
    run_id, at = _read_text(data, at)
    task, at = read_i32(data, at)
    attempt, at = read_i64(data, at)
    count, at = read_count(data, at, 4)
    size, at = read_i64(data, at)
    end = take(data, at, size)
    stop = take(data, end, _CHECKSUM_SIZE)
    # Before the payload is cut up: a checksum that fits is what makes its lengths worth believing.
    if hashlib.sha256(memoryview(data)[start:end]).digest() != data[end:stop]:
        raise Malformed("the checksum does not fit: these bytes were changed after they were written", end)
    payloads = []
    for _ in range(count):
        length, at = read_i32(data, at)
        following = take(data, at, length)
        if following > end:
            raise Malformed("a message reaches beyond the payload", at - 4)
        payloads.append(data[at:following])
        at = following
    if at != end:
        raise Malformed(f"{end - at} bytes of payload behind the last message", at)
    envelope = Envelope(
        origin=origin,
        version=version,
        table_id=table_id,
        table=table,
        schema_id=schema_id,
        commit_user=commit_user,
        run_id=run_id,
        task=task,
        attempt=attempt,
        payloads=tuple(payloads),
    )
    return envelope, stop


def _text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack(">H", len(raw)) + raw


def _read_text(data: bytes, at: int) -> tuple[str, int]:
    size, start = read_u16(data, at)
    end = take(data, start, size)
    try:
        return data[start:end].decode(), end
    except UnicodeDecodeError as error:
        raise Malformed(f"invalid UTF-8: {error.reason}", start + error.start) from None
