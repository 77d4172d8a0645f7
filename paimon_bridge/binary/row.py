"""BinaryRow of typed values, both ways, and its hash.

Partitions, keys and statistics travel as rows whose types only the table knows. ``encode_row`` writes the bytes Paimon Java writes;
``decode_row`` accepts those bytes and nothing else. Both use the form in which manifests and messages keep such rows: the number
of fields as four big-endian bytes, then the row.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from paimon_bridge.binary.slot import Malformed
from paimon_bridge.binary.typed import Timestamp, row_layout
from paimon_bridge.errors import CodecError
from paimon_bridge.model.types import DataType

__all__ = ["Timestamp", "decode_row", "encode_row", "murmur_hash"]


def encode_row(values: Sequence[Any], types: Sequence[DataType]) -> bytes:
    """The arity and the canonical BinaryRow of ``values``; raises CodecError for a value that its type cannot hold.

    Values are bool, int, float, str, bytes, Decimal; a date or days since 1970 for DATE, milliseconds of the day for TIME, Timestamp
    or datetime for timestamps, a sequence for ARRAY and VECTOR, a mapping or pairs for MAP and MULTISET (element, count), a sequence for
    ROW, (value, metadata) bytes for VARIANT; ``None`` for null.
    """
    try:
        return struct.pack(">i", len(types)) + row_layout(tuple(types)).encode(values)
    except Malformed as error:
        raise CodecError(error.reason, path=error.path, code="VALUE_OUT_OF_TYPE") from None


def decode_row(data: bytes, types: Sequence[DataType]) -> tuple[Any, ...]:
    """The values of an arity-prefixed row. Raises CodecError unless the bytes are what ``encode_row`` would write.

    One thing more is accepted, because Paimon up to 1.0 wrote statistics so: a null wide decimal or timestamp without its room.
    """
    data = bytes(data)
    try:
        if len(data) < 4:
            raise Malformed(f"{len(data)} bytes are too few for a row", 0)
        arity = int.from_bytes(data[:4], "big", signed=True)
        if arity != len(types):
            raise Malformed(f"the row has {arity} fields, its types are {len(types)}", 0)
        return tuple(row_layout(tuple(types)).decode(data, 4, len(data)))
    except Malformed as error:
        raise CodecError(error.reason, path=error.path, offset=error.offset) from None


def murmur_hash(row: bytes) -> int:
    """``BinaryRow.hashCode()``: Murmur3 of the raw row (what follows the arity), seed 42, as a signed 32-bit number."""
    state = 42
    for (word,) in struct.iter_unpack("<I", row):
        word = word * 0xCC9E2D51 & 0xFFFFFFFF
        word = (word << 15 | word >> 17) * 0x1B873593 & 0xFFFFFFFF
        state ^= word
        state = ((state << 13 | state >> 19) * 5 + 0xE6546B64) & 0xFFFFFFFF
    state ^= len(row)
    state = (state ^ state >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    state = (state ^ state >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    state ^= state >> 16
    return state - (state >> 31 << 32)
