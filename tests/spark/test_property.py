"""Random tables, written by Python, committed and read by Paimon Java, equal value by value; and Java's statistics equal to ours."""

from __future__ import annotations

import os
from typing import Any

import pyarrow as pa
import pytest

from tests import manifest
from tests.random_tables import RandomTable, random_table

SEEDS = range(int(os.environ.get("PAIMON_BRIDGE_SEEDS", "8" if os.environ.get("PAIMON_BRIDGE_SHORT") else "30")))


def canonical(table: pa.Table) -> list[str]:
    return sorted(repr(row) for row in table.to_pylist())


def write(bridge: Any, name: str, random: RandomTable) -> Any:
    spec = bridge.create_table(name, random.schema, partitioned_by=random.partitioned_by, options=random.options)
    writer = spec.new_batch_write_builder().new_write()
    try:
        writer.write_arrow(random.rows)
        messages = writer.prepare_commit()
    finally:
        writer.close()
    result = bridge.commit(messages, level="full")
    assert result.rows == random.rows.num_rows
    return spec


def statistics(bridge: Any, name: str) -> dict[Any, list[Any]]:
    """What the manifests say about each partition's rows, as fastavro reads them."""
    spec = bridge.describe(name)
    folder = manifest.table_folder(spec)
    if not (folder / "snapshot").exists():
        return {}
    told: dict[Any, list[Any]] = {}
    for entry in manifest.live_files(folder):
        file = entry["_FILE"]
        told.setdefault(entry["_PARTITION"], []).append(
            (
                file["_ROW_COUNT"],
                manifest.canonical_stats(file, spec),
                file["_VALUE_STATS_COLS"],
                file["_KEY_STATS"],
                file["_LEVEL"],
                file["_DELETE_ROW_COUNT"],
                file["_FILE_SOURCE"],
            )
        )
    return told


@pytest.mark.parametrize("seed", SEEDS)
def test_random_table_reads_back_equal_and_its_statistics_are_javas(
    seed: int, bridge: Any, spark: Any, warehouse: str, tmp_path: Any
) -> None:
    random = random_table(seed)
    write(bridge, "db.ours", random)
    read = bridge.read_arrow("db.ours")
    assert canonical(read) == canonical(random.rows)
    bridge.create_table("db.java", random.schema, partitioned_by=random.partitioned_by, options=random.options)
    copied = spark._jvm.org.paimonbridge.twin.TableTwin.copy(warehouse, "db.ours", "db.java", str(tmp_path))
    assert copied == random.rows.num_rows
    assert statistics(bridge, "db.ours") == statistics(bridge, "db.java")
