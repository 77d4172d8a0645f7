"""Paimon's types as slots: how a typed Python value gets into a row, and out of it."""

from __future__ import annotations

import datetime
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from paimon_bridge.binary.layout import ArrayLayout, RowLayout
from paimon_bridge.binary.slot import Fixed, Malformed, Slot, Tail, Variable, bytes_slot, entry, nested_slot, string_slot
from paimon_bridge.model.types import DataType

# Up to these precisions the value itself is in the slot (Decimal.isCompact, Timestamp.isCompact).
_COMPACT_DECIMAL = 18
_COMPACT_TIMESTAMP = 3

_EPOCH_DAY = datetime.date(1970, 1, 1).toordinal()
_EPOCH = datetime.datetime(1970, 1, 1)
_MICROSECOND = datetime.timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, order=True)
class Timestamp:
    """A point in time as Paimon keeps it: milliseconds since 1970 (rounded down) and the nanoseconds within that millisecond."""

    millis: int
    nanos_of_milli: int = 0


@lru_cache(maxsize=512)
def row_layout(types: tuple[DataType, ...], names: tuple[str, ...] | None = None) -> RowLayout:
    """The layout of rows of these types; made once per table and kept."""
    return RowLayout([_slot(type_) for type_ in types], names)


def _slot(type_: DataType) -> Slot:
    make = _SLOTS.get(type_.root)
    if make is None:
        raise Malformed(f"no binary layout is known for type {type_}")
    return make(type_)


def _boolean(_: DataType) -> Slot:
    def put(value: Any) -> int:
        if value not in (True, False):
            raise Malformed(f"{value!r} is not a boolean")
        return int(value)

    def get(word: int) -> bool:
        if word > 1:
            raise Malformed(f"a boolean is 0 or 1, not {word}")
        return word == 1

    return Fixed("B", put, get)


def _integer(code: str) -> Callable[[DataType], Slot]:
    return lambda _: Fixed(code)


def _float(value_code: str, word_code: str) -> Callable[[DataType], Slot]:
    # Kept as its bits until asked for, so that a null slot holding -0.0 is noticed.
    value_format, word_format = struct.Struct("<" + value_code), struct.Struct("<" + word_code)

    def put(value: float) -> int:
        word: int = word_format.unpack(value_format.pack(value))[0]
        return word

    def get(word: int) -> float:
        value: float = value_format.unpack(word_format.pack(word))[0]
        return value

    return lambda _: Fixed(word_code, put, get)


def _date(_: DataType) -> Slot:
    def put(value: datetime.date | int) -> int:
        if isinstance(value, datetime.datetime):
            raise Malformed(f"{value!r} is not a date")
        return value.toordinal() - _EPOCH_DAY if isinstance(value, datetime.date) else value

    def get(word: int) -> datetime.date | int:
        ordinal = word + _EPOCH_DAY
        # Paimon's dates reach further than Python's; what datetime.date cannot say stays a number of days.
        return datetime.date.fromordinal(ordinal) if 0 < ordinal <= datetime.date.max.toordinal() else word

    return Fixed("i", put, get)


def _time(_: DataType) -> Slot:
    def put(value: datetime.time | int) -> int:
        if isinstance(value, datetime.time):
            seconds = (value.hour * 60 + value.minute) * 60 + value.second
            millis, rest = divmod(value.microsecond, 1000)
            if rest:
                raise Malformed(f"{value} is finer than the milliseconds that TIME holds")
            return seconds * 1000 + millis
        return value

    return Fixed("i", put)


def _decimal(type_: DataType) -> Slot:
    precision, scale = type_.precision or 0, type_.scale or 0
    limit = 10**precision

    def unscaled(value: Decimal | int) -> int:
        sign, digits, exponent = Decimal(value).as_tuple()
        if not isinstance(exponent, int):
            raise Malformed(f"{value} is not a number")
        number = int("".join(map(str, digits)))
        if not number:
            return 0
        shift = exponent + scale
        if shift > precision:
            raise Malformed(f"{value} does not fit {type_}")
        rest = 0
        if shift >= 0:
            number *= int(10**shift)
        else:
            number, rest = divmod(number, int(10 ** min(-shift, len(digits) + 1)))
        if rest or number >= limit:
            raise Malformed(f"{value} does not fit {type_}")
        return -number if sign else number

    def scaled(number: int) -> Decimal:
        if abs(number) >= limit:
            raise Malformed(f"{number} has more digits than {type_} holds")
        return Decimal(f"{number}E-{scale}")

    def store(value: Decimal | int, tail: Tail) -> int:
        number = unscaled(value)
        # Minimal two's complement, as BigInteger.toByteArray; always in a field of 16 bytes.
        size = ((number if number >= 0 else ~number).bit_length() >> 3) + 1
        place = tail.add(number.to_bytes(size, "big", signed=True).ljust(16, b"\0"))
        return place & ~0xFFFFFFFF | size

    def fetch(word: int, data: bytes, base: int, at: int, end: int) -> tuple[Decimal, int]:
        size = word & 0xFFFFFFFF
        stop, following = entry(word & ~0xFFFFFFFF | 16, data, base, at, end)
        raw = data[at:stop]
        if not 1 <= size <= 16 or any(raw[size:]):
            raise Malformed("a wide decimal has an impossible length or is not zero behind it", at)
        number = int.from_bytes(raw[:size], "big", signed=True)
        if size != ((number if number >= 0 else ~number).bit_length() >> 3) + 1:
            raise Malformed("a wide decimal is longer than its value needs", at)
        return scaled(number), following

    if precision <= _COMPACT_DECIMAL:
        return Fixed("q", unscaled, scaled)
    return Variable(store, fetch, reserve=16)


def _timestamp(type_: DataType) -> Slot:
    precision = type_.precision if type_.precision is not None else 6
    zoned = type_.root == "TIMESTAMP_LTZ"

    def split(value: Timestamp | datetime.datetime) -> Timestamp:
        if isinstance(value, datetime.datetime):
            if value.tzinfo is not None:
                if not zoned:
                    raise Malformed(f"{value!r} has a time zone, {type_} has none")
                value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
            millis, micros = divmod((value - _EPOCH) // _MICROSECOND, 1000)
            value = Timestamp(millis, micros * 1000)
        if not 0 <= value.nanos_of_milli < 1_000_000:
            raise Malformed(f"{value.nanos_of_milli} nanoseconds do not fit into a millisecond")
        return value

    def put(value: Timestamp | datetime.datetime) -> int:
        value = split(value)
        if value.nanos_of_milli:
            raise Malformed(f"{value} is finer than {type_}")
        return value.millis

    def store(value: Timestamp | datetime.datetime, tail: Tail) -> int:
        # Java does not cut the value to its precision here, and neither do we.
        value = split(value)
        return tail.add(struct.pack("<q", value.millis)) & ~0xFFFFFFFF | value.nanos_of_milli

    def fetch(word: int, data: bytes, base: int, at: int, end: int) -> tuple[Timestamp, int]:
        nanos = word & 0xFFFFFFFF
        stop, following = entry(word & ~0xFFFFFFFF | 8, data, base, at, end)
        if nanos >= 1_000_000:
            raise Malformed(f"{nanos} nanoseconds do not fit into a millisecond")
        return Timestamp(int.from_bytes(data[at:stop], "little", signed=True), nanos), following

    if precision <= _COMPACT_TIMESTAMP:
        return Fixed("q", put, Timestamp)
    return Variable(store, fetch, reserve=8)


def _array(type_: DataType) -> Slot:
    assert type_.element is not None
    layout = ArrayLayout(_slot(type_.element))
    return nested_slot(layout.encode, lambda data, start, end: list(layout.decode(data, start, end)))


def _map(type_: DataType) -> Slot:
    if type_.root == "MULTISET":
        assert type_.element is not None
        return _map_of(_slot(type_.element), Fixed("i"))
    assert type_.key is not None
    assert type_.value is not None
    return _map_of(_slot(type_.key), _slot(type_.value))


def _map_of(key: Slot, value: Slot) -> Slot:
    """A BinaryMap: the size of the key array, the key array, the value array."""
    keys, values = ArrayLayout(key), ArrayLayout(value)

    def encode(entries: Mapping[Any, Any] | Sequence[tuple[Any, Any]]) -> bytes:
        pairs = list(entries.items()) if isinstance(entries, Mapping) else list(entries)
        key_bytes = keys.encode([pair[0] for pair in pairs])
        return struct.pack("<i", len(key_bytes)) + key_bytes + values.encode([pair[1] for pair in pairs])

    def decode(data: bytes, start: int, end: int) -> list[tuple[Any, Any]]:
        if end - start < 4:
            raise Malformed(f"{end - start} bytes for a map: at least 20", start)
        middle = start + 4 + int.from_bytes(data[start : start + 4], "little")
        if middle > end:
            raise Malformed("the keys reach beyond the map", start)
        decoded = keys.decode(data, start + 4, middle), values.decode(data, middle, end)
        if len(decoded[0]) != len(decoded[1]):
            raise Malformed(f"{len(decoded[0])} keys and {len(decoded[1])} values", start)
        return list(zip(*decoded, strict=True))

    return nested_slot(encode, decode)


def _row(type_: DataType) -> Slot:
    layout = row_layout(tuple(field.type for field in type_.fields), tuple(field.name for field in type_.fields))
    return nested_slot(layout.encode, lambda data, start, end: tuple(layout.decode(data, start, end)))


def _variant(_: DataType) -> Slot:
    def encode(value: tuple[bytes, bytes]) -> bytes:
        body, metadata = value
        return struct.pack("<i", len(body)) + body + metadata

    def decode(data: bytes, start: int, end: int) -> tuple[bytes, bytes]:
        middle = start + 4 + int.from_bytes(data[start : start + 4], "little")
        if end - start < 4 or middle > end:
            raise Malformed("the value reaches beyond the variant", start)
        return data[start + 4 : middle], data[middle:end]

    return nested_slot(encode, decode)


def _vector(type_: DataType) -> Slot:
    """Packed elements behind their count, without null bits. The elements are of a fixed width and never null."""
    assert type_.element is not None
    element = _slot(type_.element)
    if isinstance(element, Variable):
        raise Malformed(f"no binary layout is known for type {type_}")
    put, get = element.put, element.get

    def encode(values: Sequence[Any]) -> bytes:
        if type_.length is not None and len(values) != type_.length:
            raise Malformed(f"{len(values)} elements in a {type_}")
        words = values if put is None else [put(value) for value in values]
        return struct.pack(f"<i{len(values)}{element.code}", len(values), *words)

    def decode(data: bytes, start: int, end: int) -> list[Any]:
        count = int.from_bytes(data[start : start + 4], "little")
        if end - start != 4 + count * element.width or count != (type_.length or count):
            raise Malformed(f"{count} elements announced in {end - start} bytes of a {type_}", start)
        words = struct.unpack_from(f"<{count}{element.code}", data, start + 4)
        return list(words) if get is None else [get(word) for word in words]

    return nested_slot(encode, decode)


_SLOTS: dict[str, Callable[[DataType], Slot]] = {
    "BOOLEAN": _boolean,
    "TINYINT": _integer("b"),
    "SMALLINT": _integer("h"),
    "INT": _integer("i"),
    "BIGINT": _integer("q"),
    "FLOAT": _float("f", "I"),
    "DOUBLE": _float("d", "Q"),
    "DATE": _date,
    "TIME": _time,
    "CHAR": lambda _: string_slot(),
    "VARCHAR": lambda _: string_slot(),
    "BINARY": lambda _: bytes_slot(),
    "VARBINARY": lambda _: bytes_slot(),
    "BLOB": lambda _: bytes_slot(),
    "DECIMAL": _decimal,
    "TIMESTAMP": _timestamp,
    "TIMESTAMP_LTZ": _timestamp,
    "ARRAY": _array,
    "MAP": _map,
    "MULTISET": _map,
    "ROW": _row,
    "VARIANT": _variant,
    "VECTOR": _vector,
}
