from __future__ import annotations

import pyarrow as pa
import pytest

from paimon_bridge.errors import TableError, WriteError
from paimon_bridge.model.types import Field, parse_type
from paimon_bridge.write.schema import TYPE_KEY, check_input, paimon_fields, paimon_type, read_schema
from tests.write.tables import spec_of


@pytest.mark.parametrize(
    ("arrow", "paimon"),
    [
        (pa.bool_(), "BOOLEAN"),
        (pa.int8(), "TINYINT"),
        (pa.uint8(), "SMALLINT"),
        (pa.int32(), "INT"),
        (pa.uint32(), "BIGINT"),
        (pa.float32(), "FLOAT"),
        (pa.decimal128(20, 3), "DECIMAL(20, 3)"),
        (pa.large_string(), "STRING"),
        (pa.dictionary(pa.int8(), pa.string()), "STRING"),
        (pa.binary(4), "BINARY(4)"),
        (pa.binary(), "BYTES"),
        (pa.date64(), "DATE"),
        (pa.time32("ms"), "TIME(3)"),
        (pa.timestamp("s"), "TIMESTAMP(0)"),
        (pa.timestamp("ns"), "TIMESTAMP(9)"),
        (pa.timestamp("us", tz="Asia/Tokyo"), "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
        (pa.list_(pa.int64()), "ARRAY<BIGINT>"),
        (pa.map_(pa.string(), pa.list_(pa.float64())), "MAP<STRING NOT NULL, ARRAY<DOUBLE>>"),
        (pa.struct([("a", pa.int32()), pa.field("b", pa.string(), nullable=False)]), "ROW<a INT, b STRING NOT NULL>"),
    ],
)
def test_arrow_types_have_a_paimon_type(arrow: pa.DataType, paimon: str) -> None:
    assert str(paimon_type(pa.field("c", arrow))) == paimon


def test_fields_carry_nullability_comments_and_named_types() -> None:
    schema = pa.schema(
        [
            pa.field("id", pa.int64(), nullable=False),
            pa.field("code", pa.string(), metadata={TYPE_KEY: b"CHAR(3)", b"comment": "Ländercode".encode()}),
            pa.field("at", pa.timestamp("us"), nullable=False, metadata={TYPE_KEY: b"TIMESTAMP(4)"}),
        ]
    )
    assert paimon_fields(schema) == [
        {"name": "id", "type": "BIGINT NOT NULL"},
        {"name": "code", "type": "CHAR(3)", "description": "Ländercode"},
        {"name": "at", "type": "TIMESTAMP(4) NOT NULL"},
    ]


def test_every_column_without_a_type_is_named() -> None:
    schema = pa.schema([("a", pa.duration("s")), ("b", pa.int32()), ("c", pa.list_(pa.uint64()))])
    with pytest.raises(TableError, match=r"column a: .*column c: ") as caught:
        paimon_fields(schema)
    assert caught.value.code == "COLUMN_TYPE_UNSUPPORTED"


def test_rows_are_read_in_the_types_they_are_written_in() -> None:
    fields = [Field(id=4, name="t", type=parse_type("TIMESTAMP(3)")), Field(id=5, name="n", type=parse_type("TIMESTAMP(9) NOT NULL"))]
    schema = read_schema(fields)
    assert schema == pa.schema([("t", pa.timestamp("ms")), pa.field("n", pa.timestamp("ns"), nullable=False)])
    assert schema.field("t").metadata is None


def test_a_driver_can_refuse_columns_before_any_row_is_written() -> None:
    spec = spec_of("/t", {"id": "INT", "name": "STRING"})
    check_input(pa.schema([("name", pa.string()), ("id", pa.int32())]), spec)
    with pytest.raises(WriteError, match="column id") as caught:
        check_input(pa.schema([("name", pa.string()), ("id", pa.int64())]), spec)
    assert caught.value.code == "COLUMN_TYPE"
