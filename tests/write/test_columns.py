from __future__ import annotations

import decimal
from typing import Any

import pyarrow as pa
import pytest

from paimon_bridge.errors import WriteError
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import parse_type
from paimon_bridge.write.columns import ColumnConverter, match_columns, misfit
from paimon_bridge.write.nested import null_in_required
from tests.write.tables import spec_of


def convert(spec: TableSpec, columns: dict[str, pa.Array], first_row: int = 0) -> pa.RecordBatch:
    batch = pa.record_batch(columns)
    return ColumnConverter(match_columns(batch.schema, spec), spec).convert(batch, first_row)


def one(paimon: Any, array: pa.Array) -> pa.Array:
    return convert(spec_of("/t", {"c": paimon}), {"c": array}).column(0)


def refused(paimon: Any, array: pa.Array) -> dict[str, Any]:
    with pytest.raises(WriteError) as caught:
        one(paimon, array)
    assert caught.value.details["final"] is True
    (finding,) = caught.value.details["findings"]
    assert caught.value.code == finding["code"]
    assert "column c: " in caught.value.message
    return dict(finding)


def test_columns_are_matched_by_name_and_put_in_the_tables_order() -> None:
    spec = spec_of("/t", {"a": "INT", "b": "STRING"})
    batch = convert(spec, {"b": pa.array(["x"]), "a": pa.array([1], pa.int32())})
    assert batch.to_pydict() == {"a": [1], "b": ["x"]}


def test_all_misfits_of_a_schema_are_told_at_once() -> None:
    spec = spec_of("/t", {"id": "INT", "Name": "STRING", "at": "TIMESTAMP(3)"})
    with pytest.raises(WriteError) as caught:
        match_columns(pa.schema([("id", pa.int64()), ("name", pa.string()), ("at", pa.timestamp("ms")), ("at", pa.int8())]), spec)
    told = {(finding["code"], finding["column"]) for finding in caught.value.details["findings"]}
    assert told == {("COLUMN_TYPE", "id"), ("COLUMN_MISSING", "Name"), ("COLUMN_UNKNOWN", "name"), ("COLUMN_DUPLICATE", "at")}
    assert caught.value.code == "INPUT_REFUSED"
    assert "did you mean its column name?" in caught.value.message


@pytest.mark.parametrize(
    ("arrow", "paimon"),
    [
        (pa.int64(), "INT"),
        (pa.uint64(), "BIGINT"),
        (pa.float64(), "FLOAT"),
        (pa.string(), "INT"),
        (pa.int32(), "STRING"),
        (pa.timestamp("us"), "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
        (pa.timestamp("us", tz="UTC"), "TIMESTAMP(6)"),
        (pa.int32(), "DECIMAL(10, 0)"),
        (pa.list_(pa.int64()), {"type": "ARRAY", "element": "INT"}),
        (pa.map_(pa.string(), pa.string()), {"type": "MAP", "key": "STRING", "value": "INT"}),
        (pa.struct([("x", pa.int32()), ("y", pa.int32())]), {"type": "ROW", "fields": [{"id": 1, "name": "x", "type": "INT"}]}),
        (pa.struct([("z", pa.int32())]), {"type": "ROW", "fields": [{"id": 1, "name": "x", "type": "INT"}]}),
        (pa.null(), "INT NOT NULL"),
    ],
)
def test_types_that_could_lose_something_are_refused(arrow: pa.DataType, paimon: Any) -> None:
    assert misfit(arrow, parse_type(paimon)) is not None


@pytest.mark.parametrize(
    ("array", "paimon", "expected"),
    [
        (pa.array([1, None], pa.int8()), "BIGINT", [1, None]),
        (pa.array([1.5], pa.float32()), "DOUBLE", [1.5]),
        (pa.array(["a", None], pa.large_string()), "STRING", ["a", None]),
        (pa.array(["a", "b", "a"]).dictionary_encode(), "STRING", ["a", "b", "a"]),
        (pa.array([b"ab"], pa.binary(2)), "BYTES", [b"ab"]),
        (pa.nulls(2), "ARRAY<INT>", [None, None]),
        (pa.array([[1]], pa.list_(pa.int8())), {"type": "ARRAY", "element": "INT"}, [[1]]),
        (
            pa.array([{"b": 1, "a": "x"}], pa.struct([("b", pa.int8()), ("a", pa.string())])),
            {"type": "ROW", "fields": [{"id": 1, "name": "a", "type": "STRING"}, {"id": 2, "name": "b", "type": "INT"}]},
            [{"a": "x", "b": 1}],
        ),
        (pa.array([{"metadata": b"m", "value": b"v"}]), "VARIANT", [{"value": b"v", "metadata": b"m"}]),
    ],
)
def test_types_that_lose_nothing_are_taken(array: pa.Array, paimon: Any, expected: list[Any]) -> None:
    if paimon == "ARRAY<INT>":
        paimon = {"type": "ARRAY", "element": "INT"}
    assert one(paimon, array).to_pylist() == expected


def test_columns_of_the_right_type_are_not_copied() -> None:
    array = pa.array([1, 2, 3], pa.int64())
    assert one("BIGINT", array).buffers()[1].address == array.buffers()[1].address


def test_a_null_in_a_required_column_is_found_with_its_row_and_partition() -> None:
    spec = spec_of("/t", {"id": "INT NOT NULL", "dt": "STRING"}, partition_keys=["dt"])
    with pytest.raises(WriteError, match="partition dt=2024-01-02") as caught:
        convert(spec, {"id": pa.array([1, None], pa.int32()), "dt": pa.array(["2024-01-01", "2024-01-02"])}, first_row=100)
    assert caught.value.details["findings"][0]["row"] == 101
    assert caught.value.code == "NULL_IN_REQUIRED_COLUMN"


def test_findings_of_several_columns_of_a_batch_are_collected() -> None:
    spec = spec_of("/t", {"id": "INT NOT NULL", "at": "TIMESTAMP(3)", "d": "DECIMAL(3, 1)"})
    columns = {
        "id": pa.array([1, None], pa.int32()),
        "at": pa.array([1000, 1001], pa.timestamp("us")),
        "d": pa.array([decimal.Decimal("1.0"), decimal.Decimal("100.0")], pa.decimal128(38, 1)),
    }
    with pytest.raises(WriteError) as caught:
        convert(spec, columns)
    assert [finding["column"] for finding in caught.value.details["findings"]] == ["id", "at", "d"]
    assert {finding["row"] for finding in caught.value.details["findings"]} == {1}


def test_timestamps_that_would_lose_digits_are_refused() -> None:
    finding = refused("TIMESTAMP(3)", pa.array([1_000, 2_000, 3_001, 4_001], pa.timestamp("us")))
    assert (finding["code"], finding["row"]) == ("VALUE_DOES_NOT_FIT", 2)
    assert one("TIMESTAMP(3)", pa.array([1_000], pa.timestamp("us"))).cast(pa.int64()).to_pylist() == [1]


def test_decimals_that_overflow_or_need_more_digits_are_refused() -> None:
    values = [decimal.Decimal("1.50"), decimal.Decimal("1000.00")]
    assert refused("DECIMAL(4, 1)", pa.array(values, pa.decimal128(38, 2)))["row"] == 1
    assert refused("DECIMAL(4, 1)", pa.array([decimal.Decimal("1.55")], pa.decimal128(38, 2)))["code"] == "VALUE_DOES_NOT_FIT"
    assert one("DECIMAL(4, 1)", pa.array(values[:1], pa.decimal128(38, 2))).to_pylist() == [decimal.Decimal("1.5")]


def test_nanoseconds_are_kept_only_where_the_input_has_them() -> None:
    far = pa.array([253_402_300_799_000_000], pa.timestamp("us"))  # the year 9999, beyond nanoseconds
    assert one("TIMESTAMP(9)", far).type == pa.timestamp("us")
    assert one("TIMESTAMP(9)", pa.array([1], pa.timestamp("ns"))).type == pa.timestamp("ns")


def test_defaults_fill_nulls_but_never_those_of_required_columns() -> None:
    shape = spec_of("/t", {"n": "INT", "s": "STRING", "d": "DATE"}).to_json()
    for field, value in zip(shape["fields"], ["7", "'it''s'", "2024-02-29"], strict=True):
        field["defaultValue"] = value
    columns = {"n": pa.array([1, None], pa.int32()), "s": pa.array([None, "x"]), "d": pa.array([None, 0], pa.date32())}
    filled = convert(TableSpec.from_json(shape), columns)
    assert filled.column("n").to_pylist() == [1, 7]
    assert filled.column("s").to_pylist() == ["it''s", "x"]
    assert str(filled.column("d")[0]) == "2024-02-29"
    shape["fields"][0]["type"] = "INT NOT NULL"
    with pytest.raises(WriteError, match="null in a column"):
        convert(TableSpec.from_json(shape), columns)


ROW = {"type": "ROW", "fields": [{"id": 1, "name": "a", "type": "INT NOT NULL"}]}


@pytest.mark.parametrize(
    ("paimon", "values", "arrow", "row"),
    [
        (ROW, [None, {"a": 1}, {"a": None}], pa.struct([("a", pa.int32())]), 2),
        ({"type": "ARRAY", "element": "INT NOT NULL"}, [None, [], [1], [1, None]], pa.list_(pa.int32()), 3),
        ({"type": "ARRAY", "element": ROW}, [[{"a": 1}], None, [None, {"a": None}]], pa.list_(pa.struct([("a", pa.int32())])), 2),
        ({"type": "MAP", "key": "STRING", "value": "INT NOT NULL"}, [[("a", 1)], None, [("b", None)]], pa.map_(pa.string(), pa.int32()), 2),
        ({"type": "MAP", "key": "STRING", "value": "INT"}, [[("a", 1)], None, [("b", None)]], pa.map_(pa.string(), pa.int32()), None),
        ({"type": "MULTISET", "element": "STRING"}, [[("a", 1)], [("b", None)]], pa.map_(pa.string(), pa.int32()), 1),
        ("VARIANT", [None, {"value": b"", "metadata": None}], pa.struct([("value", pa.binary()), ("metadata", pa.binary())]), 1),
    ],
)
def test_forbidden_nulls_inside_a_value_are_found(paimon: Any, values: list[Any], arrow: pa.DataType, row: int | None) -> None:
    array = pa.array(values, arrow)
    data_type = parse_type(paimon)
    assert null_in_required(array, data_type) == row
    # A slice sees only its own rows, whatever lies before it in the same buffers.
    padded = pa.concat_arrays([array, array]).slice(len(array))
    assert null_in_required(padded, data_type) == row
    if row is not None:
        assert null_in_required(array.slice(0, row), data_type) is None
