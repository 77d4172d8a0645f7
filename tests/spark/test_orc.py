"""ORC files of pyarrow's writer: rows as Java reads them, and statistics beside those of a Java twin."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from paimon_bridge.errors import TableError, WriteError
from tests.manifest import live_files, table_folder

pytestmark = pytest.mark.spark

COUNT = 3000


def rows() -> pa.Table:
    def some(values: list[Any]) -> list[Any]:
        return [None if index % 9 == 4 else value for index, value in enumerate(values)]

    numbers = range(COUNT)
    millis = [datetime(1900, 1, 1) + timedelta(days=number * 30, milliseconds=number) for number in numbers]
    micros = [datetime(1970, 1, 1) + timedelta(microseconds=number * 777_777_777) for number in numbers]
    return pa.table(
        {
            "id": pa.array([(number * 7919) % 100_003 for number in numbers], pa.int64()),
            "flag": pa.array(some([number % 2 == 0 for number in numbers])),
            "tiny": pa.array(some([number % 256 - 128 for number in numbers]), pa.int8()),
            "small": pa.array(some([number - 500 for number in numbers]), pa.int16()),
            "number": pa.array(some([number * 65_537 for number in numbers]), pa.int32()),
            "ratio": pa.array(some([number / 3 for number in numbers]), pa.float32()),
            "amount": pa.array(some([-number / 7 for number in numbers])),
            "text": pa.array(some([f"é{'x' * (number % 40)}{number}" for number in numbers])),
            "raw": pa.array(some([bytes([number % 256, 0, 255]) for number in numbers]), pa.binary()),
            "narrow": pa.array(some([Decimal(number * 13 - 999) / 100 for number in numbers]), pa.decimal128(10, 2)),
            "wide": pa.array(some([Decimal(f"{number - 5}12345678901234567890.5") for number in numbers]), pa.decimal128(38, 10)),
            "day": pa.array(some([date(1890, 1, 1) + timedelta(days=number * 40) for number in numbers])),
            "milli": pa.array(some(millis), pa.timestamp("ms")),
            "micro": pa.array(some(micros), pa.timestamp("us")),
            "items": pa.array(some([[number, None, 3] for number in numbers]), pa.list_(pa.int32())),
            "pairs": pa.array(some([[("a", number), ("b", None)] for number in numbers]), pa.map_(pa.string(), pa.int64())),
            "inner": pa.array(some([{"x": number, "y": None} for number in numbers]), pa.struct([("x", pa.int32()), ("y", pa.string())])),
        }
    )  # fmt: skip


@pytest.mark.parametrize("primary_key", [[], ["id"]])
def test_java_reads_what_was_written_and_would_have_said_the_same(
    spark: Any, bridge: Any, warehouse: str, tmp_path: Path, primary_key: list[str]
) -> None:
    table = rows()
    schema = pa.schema([field.with_nullable(field.name not in primary_key) for field in table.schema])
    options = {"file.format": "orc", "bucket": "1" if primary_key else "-1"}
    for name in ("db.ours", "db.twin"):
        bridge.create_table(name, schema, primary_key=primary_key, options=options)
    with bridge.describe("db.ours").new_write_builder().new_write() as write:
        write.write_arrow(table.cast(schema))
        messages = write.prepare_commit()
    report = bridge.check(messages, level="full")
    assert report.ok, str(report)
    bridge.commit(messages)
    assert bridge.read_arrow("db.ours").sort_by("id").to_pylist() == table.sort_by("id").to_pylist()
    assert spark._jvm.org.paimonbridge.twin.TableTwin.copy(warehouse, "db.ours", "db.twin", str(tmp_path)) == COUNT
    ours, twin = (live_files(table_folder(bridge.describe(name))) for name in ("db.ours", "db.twin"))
    assert [entry["_FILE"]["_FILE_NAME"].endswith(".orc") for entry in (*ours, *twin)] == [True, True]
    for field in ("_ROW_COUNT", "_MIN_KEY", "_MAX_KEY", "_KEY_STATS", "_VALUE_STATS", "_VALUE_STATS_COLS", "_DELETE_ROW_COUNT"):
        assert ours[0]["_FILE"].get(field) == twin[0]["_FILE"].get(field), field


def test_nanoseconds_and_times_are_read_back(bridge: Any) -> None:
    nanos, times = pa.array([None, 0, 1_700_000_000_123_456_789], pa.timestamp("ns")), pa.array([None, 1, 86_399_999], pa.time32("ms"))
    table = pa.table({"nano": nanos, "time": times})
    bridge.create_table("db.t", table.schema, options={"file.format": "orc"})
    with bridge.describe("db.t").new_write_builder().new_write() as write:
        write.write_arrow(table)
        bridge.commit(write.prepare_commit())
    read = bridge.read_arrow("db.t")
    assert read.column("nano").cast(pa.int64()).to_pylist() == nanos.cast(pa.int64()).to_pylist()
    assert read.column("time").cast(pa.int32()).to_pylist() == times.cast(pa.int32()).to_pylist()


def test_a_moment_that_java_would_fail_on_is_refused(bridge: Any) -> None:
    bridge.create_table("db.t", pa.schema([("at", pa.timestamp("us"))]), options={"file.format": "orc"})
    write = bridge.describe("db.t").new_write_builder().new_write()
    write.write_arrow(pa.table({"at": pa.array([-1_000, 1, -1_500], pa.timestamp("us"))}))
    with pytest.raises(WriteError, match="column at has a moment before 1970") as caught:
        write.prepare_commit()
    assert caught.value.code == "VALUE_DOES_NOT_FIT"


@pytest.mark.parametrize("data_type", [b"CHAR(3)", b"VARCHAR(3)", b"BINARY(2)", b"TIMESTAMP(6) WITH LOCAL TIME ZONE"])
def test_types_that_java_would_not_read_back_right_are_refused(bridge: Any, data_type: bytes) -> None:
    kind = {b"B": pa.binary(), b"T": pa.timestamp("us", "UTC")}.get(data_type[:1], pa.string())
    bridge.create_table("db.t", pa.schema([pa.field("c", kind, metadata={b"PAIMON:type": data_type})]), options={"file.format": "orc"})
    with pytest.raises(TableError, match="column") as caught:
        bridge.describe("db.t").new_write_builder().new_write()
    assert caught.value.code == "COLUMN_TYPE_UNSUPPORTED"
