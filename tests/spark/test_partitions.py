"""Partition folders and partition rows, as Paimon Java names and reads them."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest

from tests import manifest


def partition_folders(bridge: Any, table: str) -> set[str]:
    return {path.rsplit("/bucket-0/", 1)[0] for path in manifest.data_files(manifest.table_folder(bridge.describe(table)))}


def write(bridge: Any, spark: Any, schema: str, rows: list[tuple[Any, ...]], by: list[str], **options: str) -> Any:
    frame = spark.createDataFrame(rows, schema)
    bridge.create_table("db.t", frame.schema, partitioned_by=by, options={key.replace("_", "."): value for key, value in options.items()})
    result = bridge.commit(bridge.write(frame, "db.t"))
    assert result.rows == len(rows)
    read = [tuple(row.values()) for row in bridge.read_arrow("db.t").to_pylist()]
    assert sorted(map(str, read)) == sorted(map(str, rows)), "values come back as they were, whatever the folder is called"
    return frame


def test_names_that_need_escaping_and_several_keys(bridge: Any, spark: Any) -> None:
    odd = ["a/b c:d%=é", "x{y}[z]^", "tab\tnew\nline", '"quoted"#*?', "漢字 🙂", "."]
    write(bridge, spark, "id int, s string, n int", [(i, text, i % 2) for i, text in enumerate(odd)], ["s", "n"])
    folders = partition_folders(bridge, "db.t")
    assert "s=a%2Fb c%3Ad%25%3Dé/n=0" in folders
    assert "s=tab%09new%0Aline/n=0" in folders
    assert len(folders) == len(odd)


def test_null_empty_and_blank_share_the_default_folder_and_keep_their_values(bridge: Any, spark: Any) -> None:
    write(bridge, spark, "id int, s string", [(1, None), (2, ""), (3, "  "), (4, "x")], ["s"])
    assert partition_folders(bridge, "db.t") == {"s=__DEFAULT_PARTITION__", "s=x"}


def test_default_name_is_an_option(bridge: Any, spark: Any) -> None:
    frame = spark.createDataFrame([(1, None)], "id int, s string")
    bridge.create_table("db.t", frame.schema, partitioned_by=["s"], options={"partition.default-name": "nothing here"})
    bridge.commit(bridge.write(frame, "db.t"))
    assert partition_folders(bridge, "db.t") == {"s=nothing here"}
    assert bridge.read_arrow("db.t").to_pylist() == [{"id": 1, "s": None}]


@pytest.mark.parametrize(
    ("legacy", "expected"),
    [
        ("true", "d=20630/c=1.50/b=true/ts=2024-01-02T03%3A04%3A05.123456"),
        ("false", "d=2026-06-26/c=1.50/b=true/ts=2024-01-02 03%3A04%3A05.123456"),
    ],
)
def test_legacy_names_both_ways(legacy: str, expected: str, bridge: Any, spark: Any) -> None:
    rows = [(1, dt.date(2026, 6, 26), Decimal("1.50"), True, dt.datetime(2024, 1, 2, 3, 4, 5, 123456))]
    frame = spark.createDataFrame(rows, "id int, d date, c decimal(10,2), b boolean, ts timestamp_ntz")
    bridge.create_table("db.t", frame.schema, partitioned_by=["d", "c", "b", "ts"], options={"partition.legacy-name": legacy})
    bridge.commit(bridge.write(frame, "db.t"))
    assert partition_folders(bridge, "db.t") == {expected}
    assert [tuple(row.values()) for row in bridge.read_arrow("db.t").to_pylist()] == rows


def test_hundreds_of_partitions_in_one_task(bridge: Any, spark: Any) -> None:
    frame = spark.range(5000).selectExpr("id", "cast(id % 400 as int) as p").coalesce(1)
    bridge.create_table("db.t", frame.schema, partitioned_by=["p"])
    result = bridge.commit(bridge.write(frame, "db.t"))
    assert (result.files, result.rows) == (400, 5000)
    read = bridge.read_arrow("db.t")
    assert sorted(read["id"].to_pylist()) == list(range(5000))
    assert all(row["id"] % 400 == row["p"] for row in read.to_pylist())
