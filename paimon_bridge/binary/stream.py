"""Big-endian primitives, as Java's DataInput and DataOutput. Readers take a buffer and a position, and return the value and the next.

Every read checks what is left before it believes a length or a count, so damaged bytes can neither run over the end nor make
anyone allocate more than the input holds.
"""

from __future__ import annotations

import re
import struct

from paimon_bridge.binary.slot import Malformed

I32 = struct.Struct(">i")
I64 = struct.Struct(">q")
_U16 = struct.Struct(">H")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def take(data: bytes, at: int, size: int) -> int:
    """The position behind ``size`` bytes, if there are that many."""
    end = at + size
    if size < 0 or end > len(data):
        raise Malformed(f"{size} bytes announced or needed, {len(data) - at} left", at)
    return end


def read_i32(data: bytes, at: int) -> tuple[int, int]:
    try:
        return I32.unpack_from(data, at)[0], at + 4
    except struct.error:
        raise Malformed(f"4 bytes needed, {len(data) - at} left", at) from None


def read_i64(data: bytes, at: int) -> tuple[int, int]:
    end = take(data, at, 8)
    return I64.unpack_from(data, at)[0], end


def read_u16(data: bytes, at: int) -> tuple[int, int]:
    end = take(data, at, 2)
    return _U16.unpack_from(data, at)[0], end


def read_flag(data: bytes, at: int) -> tuple[bool, int]:
    flag = data[at : at + 1]
    if flag not in (b"\0", b"\1"):
        raise Malformed(f"a flag is 0 or 1, not {flag.hex() or 'missing'}", at)
    return flag == b"\1", at + 1


def read_count(data: bytes, at: int, smallest: int) -> tuple[int, int]:
    """A number of entries, refused if not even entries of the ``smallest`` size could all follow."""
    end = take(data, at, 4)
    count: int = I32.unpack_from(data, at)[0]
    if count < 0 or count * smallest > len(data) - end:
        raise Malformed(f"{count} entries announced, {len(data) - end} bytes left", at)
    return count, end


def read_utf(data: bytes, at: int) -> tuple[str, int]:
    """``DataInput.readUTF``: modified UTF-8 behind its length in two bytes; only what ``writeUTF`` would have written."""
    size, start = read_u16(data, at)
    end = take(data, start, size)
    raw = data[start:end]
    try:
        # Zero is written in two bytes and a character beyond 16 bits as its two surrogates of three bytes each.
        text = raw.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise Malformed(f"invalid modified UTF-8: {error.reason}", start) from None
    text = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
    if _modified(text) != raw:
        raise Malformed("modified UTF-8 that Java does not write", start)
    return text, end


def write_utf(text: str) -> bytes:
    raw = _modified(text)
    if len(raw) > 0xFFFF:
        raise Malformed(f"{len(raw)} bytes of text, where 65535 are the most")
    return _U16.pack(len(raw)) + raw


def _modified(text: str) -> bytes:
    units = text.encode("utf-16-be", "surrogatepass")
    split = "".join(chr(unit) for (unit,) in _U16.iter_unpack(units))
    return split.encode("utf-8", "surrogatepass").replace(b"\0", b"\xc0\x80")
