"""Bloom filters that Python writes, beside those of a Java twin of the same rows; and Java's reader, which goes by them."""

from __future__ import annotations

import struct
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from paimon_bridge.model.state import TableState
from tests.manifest import live_files, table_folder

pytestmark = pytest.mark.spark

BLOOM = "file-index.bloom-filter"
COUNT = 300


def rows() -> pa.Table:
    texts = ["x" * (i % 70) + str(i) for i in range(COUNT)]
    columns = {
        "id": pa.array([i * 7919 - 900_000 for i in range(COUNT)], pa.int64()),
        "tiny": pa.array([i % 256 - 128 for i in range(COUNT)], pa.int8()),
        "small": pa.array([i * 31 - 5000 for i in range(COUNT)], pa.int16()),
        "number": pa.array([None if i % 7 == 0 else i * 65_537 for i in range(COUNT)], pa.int32()),
        "ratio": pa.array([float("nan") if i == 5 else -0.0 if i == 6 else i / 3 for i in range(COUNT)], pa.float32()),
        "amount": pa.array([float("nan") if i == 5 else -i / 7 for i in range(COUNT)], pa.float64()),
        "text": pa.array([None if i % 11 == 0 else text for i, text in enumerate(texts)]),
        "raw": pa.array([text.encode() for text in texts], pa.binary()),
        "day": pa.array([date(1960, 1, 1) + timedelta(days=i * 40) for i in range(COUNT)]),
        "milli": pa.array([datetime(1969, 12, 1) + timedelta(milliseconds=i * 7_777_777) for i in range(COUNT)], pa.timestamp("ms")),
        "micro": pa.array([datetime(1969, 12, 1) + timedelta(microseconds=i * 7_777_777_777) for i in range(COUNT)], pa.timestamp("us")),
        "zoned": pa.array([datetime(1969, 12, 1) + timedelta(microseconds=i * 333) for i in range(COUNT)], pa.timestamp("us", "UTC")),
    }
    return pa.table(columns)


def index_bytes(folder: Path) -> list[bytes]:
    """The index of every live file, wherever it is."""
    found = []
    for entry in live_files(folder):
        file = entry["_FILE"]
        extra = [name for name in file["_EXTRA_FILES"] if name.endswith(".index")]
        assert (file["_EMBEDDED_FILE_INDEX"] is None) == bool(extra)
        (path,) = folder.rglob(extra[0]) if extra else (None,)
        found.append(file["_EMBEDDED_FILE_INDEX"] if path is None else path.read_bytes())
    return found


def columns_of(index: bytes) -> int:
    return int(struct.unpack_from(">i", index, 16)[0])


@pytest.mark.parametrize("primary_key", [[], ["id"]])
@pytest.mark.parametrize("items", ["20", "1000"])
def test_indexes_are_those_that_java_writes(
    spark: Any, bridge: Any, warehouse: str, tmp_path: Path, primary_key: list[str], items: str
) -> None:
    table = rows()
    names = table.column_names if items == "1000" else ["id", "text"]
    options = {f"{BLOOM}.columns": ",".join(names), **{f"{BLOOM}.{name}.items": items for name in names}}
    options |= {f"{BLOOM}.id.fpp": "0.02", "bucket": "1" if primary_key else "-1"}
    schema = pa.schema([field.with_nullable(field.name not in primary_key) for field in table.schema])
    for name in ("db.ours", "db.twin"):
        bridge.create_table(name, schema, primary_key=primary_key, options=options)
    spec = replace(bridge.describe("db.ours"), state=TableState())
    with spec.new_write_builder().new_write() as write:
        write.write_arrow(table.cast(schema))
        bridge.commit(write.prepare_commit())
    assert spark._jvm.org.paimonbridge.twin.TableTwin.copy(warehouse, "db.ours", "db.twin", str(tmp_path)) == COUNT
    ours, twin = (index_bytes(table_folder(bridge.describe(name))) for name in ("db.ours", "db.twin"))
    assert ours == twin
    assert [columns_of(index) for index in ours] == [len(names)]


def read_equal(spark: Any, warehouse: str, table: str, column: int, value: Any) -> list[int]:
    """The ids of the rows that Java hands out of a table where a column equals a value."""
    paimon = spark._jvm.org.apache.paimon
    context = paimon.catalog.CatalogContext.create(paimon.fs.Path(warehouse))
    j_table = paimon.catalog.CatalogFactory.createCatalog(context).getTable(paimon.catalog.Identifier.fromString(table))
    # Py4J sees no default methods, such as Table.newReadBuilder.
    builder = paimon.table.source.ReadBuilderImpl(j_table).withFilter(
        paimon.predicate.PredicateBuilder(j_table.rowType()).equal(column, value)
    )
    ids: list[int] = []
    for split in builder.newScan().plan().splits():
        rows = paimon.reader.RecordReaderIterator(builder.newRead().createReader(split))
        while rows.hasNext():
            ids.append(rows.next().getLong(0))
        rows.close()
    return ids


@pytest.mark.parametrize("items", ["20", "1000"])
def test_java_reads_by_the_index_and_misses_nothing(spark: Any, bridge: Any, warehouse: str, items: str) -> None:
    """Statistics are off, so that only the index can tell Java that a file has nothing to read."""
    schema = pa.schema([("id", pa.int64()), ("name", pa.string())])
    options = {
        f"{BLOOM}.columns": "name",
        f"{BLOOM}.name.items": items,
        "metadata.stats-mode": "none",
        "parquet.enable.dictionary": "false",
    }
    bridge.create_table("db.ours", schema, options=options)
    names = [f"name-{number}" for number in range(10)]
    for half in (range(5), range(5, 10)):
        with bridge.describe("db.ours").new_write_builder().new_write() as write:
            write.write_arrow(pa.table({"id": pa.array(half, pa.int64()), "name": [names[number] for number in half]}))
            bridge.commit(write.prepare_commit())
    j_text = spark._jvm.org.apache.paimon.data.BinaryString.fromString
    for number, name in enumerate(names):
        ids = read_equal(spark, warehouse, "db.ours", 1, j_text(name))
        # The index says which files may have the value, not which rows: those of the other file must be gone.
        assert number in ids
        assert set(ids) <= set(range(5) if number < 5 else range(5, 10))
    assert read_equal(spark, warehouse, "db.ours", 1, j_text("name-of-nobody")) == []
