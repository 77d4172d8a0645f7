"""The Parquet schema of our files, against what Paimon Java 1.4.2 and 2.0.0 were seen to write."""

from __future__ import annotations

import io
import re
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paimon_bridge.errors import TableError
from paimon_bridge.model.options import TableOptions
from paimon_bridge.model.types import Field, parse_type
from paimon_bridge.write.encoding import writer_arguments
from paimon_bridge.write.filetypes import file_schema
from tests.write.tables import spec_of


def parquet_lines(*types: Any) -> list[str]:
    """The lines of the Parquet schema that columns c0, c1, … of these types get."""
    spec = spec_of("/t", {f"c{index}": type_ for index, type_ in enumerate(types)})
    schema = file_schema(spec.fields)
    sink = io.BytesIO()
    rows = schema.stored.empty_table()
    with pq.ParquetWriter(sink, schema.stored, **writer_arguments(TableOptions(spec), "zstd", schema, rows)) as writer:
        writer.write_table(rows)
    text = str(pq.ParquetFile(sink).schema)
    return [
        re.sub(r", is_from_converted_type=\w+, force_set_converted_type=\w+", "", line.strip().rstrip(";"))
        for line in text.splitlines()[2:-1]
    ]


@pytest.mark.parametrize(
    ("paimon", "parquet"),
    [
        ("BOOLEAN", "optional boolean field_id=0 c0"),
        ("BOOLEAN NOT NULL", "required boolean field_id=0 c0"),
        ("TINYINT", "optional int32 field_id=0 c0 (Int(bitWidth=8, isSigned=true))"),
        ("SMALLINT", "optional int32 field_id=0 c0 (Int(bitWidth=16, isSigned=true))"),
        ("INT", "optional int32 field_id=0 c0"),
        ("BIGINT", "optional int64 field_id=0 c0"),
        ("FLOAT", "optional float field_id=0 c0"),
        ("DOUBLE", "optional double field_id=0 c0"),
        ("DECIMAL(9, 2)", "optional int32 field_id=0 c0 (Decimal(precision=9, scale=2))"),
        ("DECIMAL(10, 2)", "optional int64 field_id=0 c0 (Decimal(precision=10, scale=2))"),
        ("DECIMAL(18, 2)", "optional int64 field_id=0 c0 (Decimal(precision=18, scale=2))"),
        ("DECIMAL(19, 2)", "optional fixed_len_byte_array(9) field_id=0 c0 (Decimal(precision=19, scale=2))"),
        ("DECIMAL(38, 18)", "optional fixed_len_byte_array(16) field_id=0 c0 (Decimal(precision=38, scale=18))"),
        ("CHAR(3)", "optional binary field_id=0 c0 (String)"),
        ("VARCHAR(3)", "optional binary field_id=0 c0 (String)"),
        ("STRING", "optional binary field_id=0 c0 (String)"),
        ("BINARY(3)", "optional binary field_id=0 c0"),
        ("BYTES", "optional binary field_id=0 c0"),
        ("DATE", "optional int32 field_id=0 c0 (Date)"),
        ("TIME(0)", "optional int32 field_id=0 c0 (Time(isAdjustedToUTC=true, timeUnit=milliseconds))"),
        ("TIME(9)", "optional int32 field_id=0 c0 (Time(isAdjustedToUTC=true, timeUnit=milliseconds))"),
        ("TIMESTAMP(0)", "optional int64 field_id=0 c0 (Timestamp(isAdjustedToUTC=false, timeUnit=milliseconds))"),
        ("TIMESTAMP(3)", "optional int64 field_id=0 c0 (Timestamp(isAdjustedToUTC=false, timeUnit=milliseconds))"),
        ("TIMESTAMP(4)", "optional int64 field_id=0 c0 (Timestamp(isAdjustedToUTC=false, timeUnit=microseconds))"),
        ("TIMESTAMP(6)", "optional int64 field_id=0 c0 (Timestamp(isAdjustedToUTC=false, timeUnit=microseconds))"),
        ("TIMESTAMP(7)", "optional int96 field_id=0 c0"),
        ("TIMESTAMP(3) WITH LOCAL TIME ZONE", "optional int64 field_id=0 c0 (Timestamp(isAdjustedToUTC=true, timeUnit=milliseconds))"),
        ("TIMESTAMP(6) WITH LOCAL TIME ZONE", "optional int64 field_id=0 c0 (Timestamp(isAdjustedToUTC=true, timeUnit=microseconds))"),
        ("TIMESTAMP(9) WITH LOCAL TIME ZONE", "optional int96 field_id=0 c0"),
    ],
)
def test_each_type_has_the_physical_type_that_java_writes(paimon: str, parquet: str) -> None:
    assert parquet_lines(paimon) == [parquet]


def test_nested_types_carry_javas_ids() -> None:
    inner = {"type": "ROW", "fields": [{"id": 7, "name": "x", "type": {"type": "ARRAY", "element": "INT NOT NULL"}}]}
    lines = parquet_lines(
        "INT",
        {"type": "ARRAY", "element": {"type": "MAP", "key": "INT", "value": {"type": "ARRAY", "element": "INT"}}},
        inner,
    )
    ids = {match[2]: int(match[1]) for line in lines if (match := re.search(r"field_id=(-?\d+) (\w+)", line))}
    # The example of Paimon's SpecialFields, for column 1: array, map in it, its key and value, the value's element.
    assert [int(match) for line in lines for match in re.findall(r"field_id=(\d+)", line)] == [
        0,
        1,
        536870911 + 1024 + 1,
        536870911 - 1024 - 2,
        536870911 + 1024 + 2,
        536870911 + 1024 + 3,
        2,
        7,
        536870911 + 7 * 1024 + 1,
    ]
    assert ids["x"] == 7
    assert "required int32 field_id=536878080 element" in lines
    assert "required int32 field_id=536869885 key" in lines


def test_a_multiset_is_a_map_to_required_counts() -> None:
    lines = parquet_lines({"type": "MULTISET", "element": "STRING"})
    assert "required binary field_id=536870910 key (String)" in lines
    assert "required int32 field_id=536870912 value" in lines


def test_a_variant_is_a_group_of_two_binaries() -> None:
    assert parquet_lines("VARIANT") == [
        "optional group field_id=0 c0 {",
        "required binary field_id=0 value",
        "required binary field_id=1 metadata",
        "}",
    ]


def test_lower_precisions_beside_int96_are_plain_int64_columns() -> None:
    nested = {"type": "ARRAY", "element": "TIMESTAMP(6)"}
    lines = parquet_lines("TIMESTAMP(3)", "TIMESTAMP(9)", nested)
    assert lines[:2] == ["optional int64 field_id=0 c0", "optional int96 field_id=1 c1"]
    assert "optional int64 field_id=536872960 element" in lines


@pytest.mark.parametrize("paimon", ["BLOB", {"type": "VECTOR", "element": "FLOAT", "length": 3}, {"type": "ARRAY", "element": "BLOB"}])
def test_types_with_files_of_their_own_are_refused_by_name(paimon: Any) -> None:
    with pytest.raises(TableError, match="picture") as caught:
        file_schema([Field(id=0, name="picture", type=parse_type(paimon))])
    assert caught.value.code == "COLUMN_TYPE_UNSUPPORTED"


def test_the_finest_unit_of_int96_columns_can_be_microseconds() -> None:
    fields = [Field(id=0, name="t", type=parse_type("TIMESTAMP(9)"))]
    assert file_schema(fields).logical.field("t").type == pa.timestamp("ns")
    assert file_schema(fields, finest_unit="us").logical.field("t").type == pa.timestamp("us")
