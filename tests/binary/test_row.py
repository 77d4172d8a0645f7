"""Bytes and hashes that Paimon Java 1.4.2 and 2.0.0 were seen to produce, and every way in which bytes can be wrong."""

from __future__ import annotations

import datetime
import random
from decimal import Decimal
from typing import Any

import pytest

from paimon_bridge.binary.row import Timestamp, decode_row, encode_row, murmur_hash
from paimon_bridge.errors import CodecError
from paimon_bridge.model.types import DataType, Field, parse_type

STRING_INT_ROW = DataType(
    root="ROW", fields=(Field(id=0, name="a", type=parse_type("INT")), Field(id=1, name="b", type=parse_type("STRING")))
)


def array_of(element: str) -> DataType:
    return DataType(root="ARRAY", element=parse_type(element))


def types_of(*texts: str | DataType) -> list[DataType]:
    return [text if isinstance(text, DataType) else parse_type(text) for text in texts]


# (types, values, the raw row in words of eight bytes)
VERIFIED: list[tuple[list[DataType], tuple[Any, ...], str]] = [
    (types_of(), (), "0000000000000000"),
    (types_of("INT"), (1,), "0000000000000000 0100000000000000"),
    (types_of("INT"), (-1,), "0000000000000000 ffffffff00000000"),
    (types_of("INT"), (None,), "0001000000000000 0000000000000000"),
    (types_of("BOOLEAN"), (True,), "0000000000000000 0100000000000000"),
    (types_of("TINYINT"), (-1,), "0000000000000000 ff00000000000000"),
    (types_of("SMALLINT"), (258,), "0000000000000000 0201000000000000"),
    (types_of("FLOAT"), (1.5,), "0000000000000000 0000c03f00000000"),
    (types_of("DOUBLE"), (1.5,), "0000000000000000 000000000000f83f"),
    (types_of("STRING"), ("",), "0000000000000000 0000000000000080"),
    (types_of("STRING"), ("abc",), "0000000000000000 6162630000000083"),
    (types_of("STRING"), ("abcdefg",), "0000000000000000 6162636465666787"),
    (types_of("STRING"), ("abcdefgh",), "0000000000000000 0800000010000000 6162636465666768"),
    (types_of("STRING"), ("2024-01-02",), "0000000000000000 0a00000010000000 323032342d30312d 3032000000000000"),
    (types_of("BYTES"), (b"\x01\x02",), "0000000000000000 0102000000000082"),
    (types_of("DECIMAL(10, 2)"), (Decimal("-1.23"),), "0000000000000000 85ffffffffffffff"),
    (types_of("DECIMAL(20, 2)"), (Decimal("-1.23"),), "0000000000000000 0100000010000000 8500000000000000 0000000000000000"),
    (types_of("DECIMAL(20, 2)"), (Decimal("255.00"),), "0000000000000000 0200000010000000 639c000000000000 0000000000000000"),
    (types_of("DECIMAL(20, 2)"), (None,), "0001000000000000 0000000010000000 0000000000000000 0000000000000000"),
    (types_of("TIMESTAMP(3)"), (Timestamp(1),), "0000000000000000 0100000000000000"),
    (types_of("TIMESTAMP(6)"), (Timestamp(1, 2000),), "0000000000000000 d007000010000000 0100000000000000"),
    (types_of("TIMESTAMP(6)"), (Timestamp(-1, 999_000),), "0000000000000000 583e0f0010000000 ffffffffffffffff"),
    (types_of("TIMESTAMP(6)"), (None,), "0001000000000000 0000000010000000 0000000000000000"),
    (
        types_of("INT", "STRING", "BIGINT"),
        (7, "hello world", None),
        "0004000000000000 0700000000000000 0b00000020000000 0000000000000000 68656c6c6f20776f 726c640000000000",
    ),
    (types_of(array_of("INT")), ([1, None, 3],), "0000000000000000 1800000010000000 0300000002000000 0100000000000000 0300000000000000"),
    (
        types_of(array_of("STRING")),
        (["a", "longlonglong"],),
        "0000000000000000 2800000010000000 0200000000000000 6100000000000081 0c00000018000000 6c6f6e676c6f6e67 6c6f6e6700000000",
    ),
    (types_of(array_of("TIMESTAMP(6)")), ([None],), "0000000000000000 1000000010000000 0100000001000000 0000000000000000"),
    (
        types_of(DataType(root="MAP", key=parse_type("STRING"), value=parse_type("INT"))),
        ([("k", 1)],),
        "0000000000000000 2400000010000000 1000000001000000 000000006b000000 0000008101000000 0000000001000000 0000000000000000",
    ),
    (types_of(STRING_INT_ROW), ((5, "x"),), "0000000000000000 1800000010000000 0000000000000000 0500000000000000 7800000000000081"),
    (types_of(*["INT"] * 56), (None,) * 56, "00ffffffffffffff" + "00" * 448),
    (types_of(*["INT"] * 57), (None,) * 57, "00ffffffffffffff 0100000000000000" + "00" * 456),
]

# (types, values, BinaryRow.hashCode)
HASHES: list[tuple[list[DataType], tuple[Any, ...], int]] = [
    (types_of("INT"), (1,), 1465514398),
    (types_of("INT"), (-7,), 1485184587),
    (types_of("BIGINT"), (1234567890123,), -1873221036),
    (types_of("STRING"), ("abc",), -101922419),
    (types_of("STRING"), ("hello world",), 161593394),
    (types_of("STRING"), ("",), 302122119),
    (types_of("INT", "STRING"), (1, "a"), -948407462),
    (types_of("DECIMAL(10, 2)"), (Decimal("1.23"),), 681710603),
    (types_of("DECIMAL(20, 2)"), (Decimal("1.23"),), -333196876),
    (types_of("TIMESTAMP(3)"), (Timestamp(1000),), 18631685),
    (types_of("TIMESTAMP(6)"), (Timestamp(1000, 1000),), 36293557),
    (types_of("DATE"), (19724,), 1827046836),
    (types_of("DOUBLE"), (1.5,), 1860889473),
    (types_of("INT"), (None,), -1748325344),
    (types_of(), (), -1670924195),
]


def prefixed(raw: str, arity: int) -> bytes:
    return arity.to_bytes(4, "big") + bytes.fromhex(raw)


@pytest.mark.parametrize(("types", "values", "raw"), VERIFIED)
def test_rows_are_the_bytes_java_was_seen_to_write(types: list[DataType], values: tuple[Any, ...], raw: str) -> None:
    data = prefixed(raw, len(types))
    assert encode_row(values, types) == data
    assert decode_row(data, types) == values


@pytest.mark.parametrize(("types", "values", "expected"), HASHES)
def test_hashes_are_the_ones_java_was_seen_to_compute(types: list[DataType], values: tuple[Any, ...], expected: int) -> None:
    assert murmur_hash(encode_row(values, types)[4:]) == expected


ROUND_TRIPS: list[tuple[DataType, Any]] = [
    (parse_type("DATE"), datetime.date(1969, 12, 31)),
    (parse_type("DATE"), -800_000),
    (parse_type("TIME(0)"), 86_399_999),
    (parse_type("DECIMAL(38, 10)"), Decimal("-1234567890123456789012345678.0123456789")),
    (parse_type("DECIMAL(38, 0)"), Decimal(-(2**63))),
    (parse_type("DECIMAL(19, 0)"), Decimal(-128)),
    (parse_type("DECIMAL(19, 0)"), Decimal(0)),
    (parse_type("TIMESTAMP(9) WITH LOCAL TIME ZONE"), Timestamp(-62_135_596_800_000, 999_999)),
    (parse_type("DOUBLE"), float("-inf")),
    (parse_type("STRING"), "žluťoučký 🐎"),
    (DataType(root="MULTISET", element=parse_type("STRING")), [("a", 2), ("longer than seven", 1)]),
    (DataType(root="VARIANT"), (b"\x0c\x01", b"\x01\x00\x00")),
    (DataType(root="VECTOR", element=parse_type("FLOAT"), length=3), [1.0, -2.5, 0.0]),
    (DataType(root="VECTOR", element=parse_type("BOOLEAN"), length=2), [True, False]),
    (DataType(root="BLOB"), b"0123456789"),
    (DataType(root="ARRAY", element=STRING_INT_ROW), [(1, None), None, (None, "a long enough string")]),
    (DataType(root="ARRAY", element=parse_type("DECIMAL(20, 1)")), [Decimal("1.5"), None]),
    (DataType(root="ARRAY", element=parse_type("BOOLEAN")), [True, None, False] * 20),
]


@pytest.mark.parametrize(("type_", "value"), ROUND_TRIPS)
def test_values_come_back(type_: DataType, value: Any) -> None:
    data = encode_row((value,), (type_,))
    assert len(data) % 8 == 4
    assert decode_row(data, (type_,)) == (value,)


@pytest.mark.parametrize(
    ("type_", "given", "kept"),
    [
        (parse_type("DATE"), datetime.date(1970, 1, 2), datetime.date(1970, 1, 2)),
        (parse_type("TIME(3)"), datetime.time(0, 0, 1, 5000), 1005),
        (parse_type("TIMESTAMP(6)"), datetime.datetime(1969, 12, 31, 23, 59, 59, 999_999), Timestamp(-1, 999_000)),
        (
            parse_type("TIMESTAMP(3) WITH LOCAL TIME ZONE"),
            datetime.datetime(1970, 1, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=1))),
            Timestamp(0),
        ),
        (DataType(root="MAP", key=parse_type("INT"), value=parse_type("INT")), {1: 2}, [(1, 2)]),
        (parse_type("DECIMAL(5, 2)"), Decimal("1e2"), Decimal("100.00")),
        (parse_type("DECIMAL(5, 2)"), Decimal("1.230000"), Decimal("1.23")),
    ],
)
def test_convenient_python_values_are_accepted(type_: DataType, given: Any, kept: Any) -> None:
    assert decode_row(encode_row((given,), (type_,)), (type_,)) == (kept,)


@pytest.mark.parametrize(
    ("type_", "value", "sentence"),
    [
        ("TINYINT", 128, "does not fit"),
        ("INT", "1", "does not fit"),
        ("BOOLEAN", 2, "not a boolean"),
        ("FLOAT", 1e300, "does not fit"),
        ("STRING", 7, "does not fit"),
        ("STRING", "\ud800", "does not fit"),
        ("BYTES", 7, "not bytes"),
        ("DECIMAL(4, 2)", Decimal("100"), "does not fit DECIMAL(4, 2)"),
        ("DECIMAL(4, 2)", Decimal("0.001"), "does not fit DECIMAL(4, 2)"),
        ("DECIMAL(4, 2)", Decimal("1e1000000"), "does not fit DECIMAL(4, 2)"),
        ("DECIMAL(4, 2)", Decimal("1e-1000000"), "does not fit DECIMAL(4, 2)"),
        ("DECIMAL(4, 2)", Decimal("NaN"), "not a number"),
        ("TIMESTAMP(3)", Timestamp(0, 1), "finer than TIMESTAMP(3)"),
        ("TIMESTAMP(9)", Timestamp(0, 1_000_000), "do not fit into a millisecond"),
        ("TIMESTAMP(6)", datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc), "has a time zone"),
        ("DATE", datetime.datetime(2020, 1, 1), "not a date"),
        ("TIME(3)", datetime.time(0, 0, 0, 1), "finer than the milliseconds"),
    ],
)
def test_values_that_do_not_fit_are_refused_by_field(type_: str, value: Any, sentence: str) -> None:
    with pytest.raises(CodecError) as raised:
        encode_row((1, value), (parse_type("INT"), parse_type(type_)))
    assert sentence in raised.value.message
    assert raised.value.path == "[1]"
    assert raised.value.code == "VALUE_OUT_OF_TYPE"


def test_the_number_of_values_must_be_that_of_the_types() -> None:
    with pytest.raises(CodecError, match="1 values for 2 fields"):
        encode_row((1,), types_of("INT", "INT"))


WRONG = [
    ("too short", ["INT"], "0000000000000000", "at least 16", 4),
    ("not a multiple of eight", ["INT"], "0000000000000000 0100000000000000 00000000", "in steps of 8", 4),
    ("row kind", ["INT"], "0100000000000000 0100000000000000", "must be zero", 4),
    ("null bit of no field", ["INT"], "0002000000000000 0100000000000000", "must be zero", 5),
    ("unused slot bytes", ["INT"], "0000000000000000 0100000001000000", "must be zero", 16),
    ("null slot", ["BIGINT"], "0001000000000000 0100000000000000", "null slot is not zero", 12),
    ("null double of minus zero", ["DOUBLE"], "0001000000000000 0000000000000080", "null slot is not zero", 12),
    ("boolean", ["BOOLEAN"], "0000000000000000 0200000000000000", "0 or 1", 12),
    ("inline length", ["STRING"], "0000000000000000 0000000000000088", "impossible length", 12),
    ("inline padding", ["STRING"], "0000000000000000 6162636400000083", "impossible length", 12),
    ("inline rule", ["STRING"], "0000000000000000 0300000010000000 6162630000000000", "into the slot itself", 20),
    ("offset", ["STRING"], "0000000000000000 0800000018000000 0000000000000000 6162636465666768", "points to offset 24", 12),
    ("length", ["STRING"], "0000000000000000 0900000010000000 6162636465666768", "9 bytes announced, 8 left", 20),
    ("huge length", ["STRING"], "0000000000000000 ffffff7f10000000 6162636465666768", "bytes announced", 20),
    ("padding", ["STRING"], "0000000000000000 0900000010000000 6162636465666768 6901000000000000", "padding is not zero", 29),
    ("leftover", ["INT"], "0000000000000000 0100000000000000 0000000000000000", "no slot points to", 20),
    ("UTF-8", ["STRING"], "0000000000000000 0800000010000000 61ff636465666768", "invalid UTF-8", 21),
    ("inline UTF-8", ["STRING"], "0000000000000000 ff00000000000081", "invalid UTF-8", 12),
    ("decimal not minimal", ["DECIMAL(20, 2)"], "0000000000000000 0200000010000000 0001000000000000 0000000000000000", "longer than", 20),
    ("decimal length", ["DECIMAL(20, 2)"], "0000000000000000 1100000010000000 0101010101010101 0101010101010101", "impossible length", 20),
    ("decimal precision", ["DECIMAL(2, 0)"], "0000000000000000 e803000000000000", "more digits", 12),
    ("reserved", ["TIMESTAMP(6)"], "0001000000000000 0000000010000000 0100000000000000", "reserved for a null", 20),
    ("reserved elsewhere", ["TIMESTAMP(6)"], "0001000000000000 0000000018000000 0000000000000000", "points to offset 24", 12),
    ("nanos", ["TIMESTAMP(6)"], "0000000000000000 40420f0010000000 0000000000000000", "do not fit into a millisecond", 12),
]


@pytest.mark.parametrize(("types", "raw", "sentence", "offset"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_bytes_a_canonical_writer_never_writes_are_refused_where_they_are(types: list[str], raw: str, sentence: str, offset: int) -> None:
    with pytest.raises(CodecError, match=sentence) as raised:
        decode_row(prefixed(raw, 1), types_of(*types))
    assert raised.value.offset == offset


@pytest.mark.parametrize("data", [b"", b"\0\0\0", b"\0\0\0\x02" + bytes(24), b"\xff\xff\xff\xff" + bytes(16)])
def test_the_arity_is_checked(data: bytes) -> None:
    with pytest.raises(CodecError):
        decode_row(data, types_of("INT"))


def test_a_null_without_its_room_is_read_as_paimon_1_0_wrote_it() -> None:
    assert decode_row(prefixed("0001000000000000 0000000000000000", 1), types_of("TIMESTAMP(6)")) == (None,)


def test_an_array_cannot_announce_more_elements_than_its_bytes_hold() -> None:
    data = prefixed("0000000000000000 1000000010000000 ffffff7f00000000 0100000000000000", 1)
    with pytest.raises(CodecError, match="2147483647 elements announced"):
        decode_row(data, [array_of("INT")])


def test_a_mutated_row_is_refused_or_encodes_to_itself() -> None:
    dice = random.Random(4)
    kinds = [type_ for type_, _ in ROUND_TRIPS]
    original = encode_row([value for _, value in ROUND_TRIPS], kinds)
    kept = 0
    for _ in range(3000):
        data = bytearray(original)
        for _ in range(dice.randint(1, 3)):
            data[dice.randrange(len(data))] = dice.choice((0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)))
        try:
            values = decode_row(bytes(data), kinds)
        except CodecError:
            continue
        kept += 1
        assert encode_row(values, kinds) == bytes(data)
    assert kept > 0
