"""Every column type that Spark can hold, with nulls everywhere: written by Python, read by Paimon Java."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import Row
from pyspark.sql import types as t

from tests import manifest

NTZ, UTC = dt.datetime, dt.timezone.utc

# column type, then values as Python hands them to Spark and gets them back from Arrow
CASES: dict[str, tuple[t.DataType, list[Any]]] = {
    "boolean": (t.BooleanType(), [True, False]),
    "tinyint": (t.ByteType(), [-128, 127, 0]),
    "smallint": (t.ShortType(), [-32768, 32767]),
    "int": (t.IntegerType(), [-(2**31), 2**31 - 1]),
    "bigint": (t.LongType(), [-(2**63), 2**63 - 1]),
    "float": (t.FloatType(), [0.5, -1.25, float("inf"), float("-inf")]),
    "double": (t.DoubleType(), [0.1, -1e300, float("inf")]),
    "decimal_narrow": (t.DecimalType(9, 2), [Decimal("-9999999.99"), Decimal("0.01")]),
    "decimal_middle": (t.DecimalType(18, 3), [Decimal("999999999999999.999"), Decimal("-0.001")]),
    "decimal_wide": (t.DecimalType(38, 10), [Decimal("9999999999999999999999999999.9999999999"), Decimal("-1.0000000001")]),
    "string": (t.StringType(), ["", "plain", "ünïcödé 漢字 🙂", "a" * 5000]),
    "char": (t.CharType(4), ["ab", "abcd"]),
    "varchar": (t.VarcharType(8), ["abc", "12345678"]),
    "binary": (t.BinaryType(), [b"", b"\x00\xff", b"x" * 100]),
    "date": (t.DateType(), [dt.date(1969, 12, 31), dt.date(2026, 6, 26), dt.date(9999, 12, 31)]),
    "timestamp": (t.TimestampType(), [NTZ(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC), NTZ(2026, 6, 26, 1, 2, 3, 456789, tzinfo=UTC)]),
    "timestamp_ntz": (t.TimestampNTZType(), [NTZ(1901, 1, 1), NTZ(2026, 6, 26, 1, 2, 3, 456789)]),
    "array": (t.ArrayType(t.IntegerType()), [[], [1, None, 3], list(range(300))]),
    "map": (t.MapType(t.StringType(), t.LongType()), [{}, {"a": 1, "b": None}]),
    "row": (
        t.StructType([t.StructField("x", t.IntegerType()), t.StructField("y", t.StringType())]),
        [Row(x=1, y=None), Row(x=None, y="z")],
    ),
    "nested": (
        t.ArrayType(
            t.StructType(
                [t.StructField("tags", t.MapType(t.StringType(), t.ArrayType(t.DoubleType()))), t.StructField("n", t.DecimalType(20, 2))]
            )
        ),
        [[Row(tags={"k": [1.5, None]}, n=Decimal("1.25")), None], []],
    ),
}  # fmt: skip


def plain(value: Any) -> Any:
    """Spark's and Arrow's containers as one form."""
    if isinstance(value, Row):
        return {key: plain(item) for key, item in value.asDict().items()}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list) and value and all(isinstance(item, tuple) and len(item) == 2 for item in value):
        return {key: plain(item) for key, item in value}
    return [plain(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", CASES)
def test_type_reads_back_equal(name: str, bridge: Any, spark: Any) -> None:
    kind, values = CASES[name]
    rows = [(index, value) for index, value in enumerate([*values, None])]
    # Spark has no char and varchar values: a frame holds them as strings, the table keeps their lengths.
    in_frame = t.StringType() if isinstance(kind, t.CharType | t.VarcharType) else kind
    frame = spark.createDataFrame(rows, t.StructType([t.StructField("id", t.IntegerType(), False), t.StructField("value", in_frame)]))
    table_schema = t.StructType([t.StructField("id", t.IntegerType(), False), t.StructField("value", kind)])
    bridge.create_table("db.t", table_schema)
    messages = bridge.write(frame, "db.t")
    assert bridge.check(messages, level="full").ok
    bridge.commit(messages)
    read = {row["id"]: plain(row["value"]) for row in bridge.read_arrow("db.t").to_pylist()}
    expected = {index: plain(value) for index, value in rows}
    if name in ("map", "nested"):
        read = {key: value if value != [] or expected[key] != {} else {} for key, value in read.items()}
    assert read == expected


@pytest.mark.parametrize("declared", ["TIMESTAMP({p})", "TIMESTAMP({p}) WITH LOCAL TIME ZONE"])
@pytest.mark.parametrize("precision", [0, 3, 6, 9])
def test_timestamp_of_each_precision_reads_back_equal(declared: str, precision: int, bridge: Any, spark: Any) -> None:
    import pyarrow as pa

    zone = "UTC" if "ZONE" in declared else None
    field = pa.field("value", pa.timestamp("us", tz=zone), metadata={"PAIMON:type": declared.format(p=precision)})
    bridge.create_table("db.t", pa.schema([field]))
    unit = 10 ** (6 - min(precision, 6))
    micros = [micro // unit * unit for micro in (-1_234_567_891, 0, 1_782_435_723_456_789)]
    as_spark = "timestamp_micros(m)" if zone else "cast(timestamp_micros(m) as timestamp_ntz)"
    frame = spark.createDataFrame([(micro,) for micro in micros], "m long").selectExpr(f"{as_spark} as value")
    bridge.commit(bridge.write(frame, "db.t"))
    read = bridge.read_arrow("db.t")["value"].cast(pa.timestamp("ns", tz=zone)).cast(pa.int64()).to_pylist()
    assert sorted(read) == sorted(micro * 1000 for micro in micros)


def test_statistics_of_all_null_column_count_the_nulls(bridge: Any, spark: Any) -> None:
    frame = spark.createDataFrame([(1, None), (2, None)], "id int, value string")
    bridge.create_table("db.t", frame.schema)
    messages = bridge.write(frame.coalesce(1), "db.t")
    bridge.commit(messages)
    (entry,) = manifest.live_files(manifest.table_folder(bridge.describe("db.t")))
    assert entry["_FILE"]["_VALUE_STATS"]["_NULL_COUNTS"] == [0, 2]
