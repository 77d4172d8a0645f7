"""Messages of pypaimon and pypaimon-rust, which no released Java reads rightly, through the gate and into a snapshot by Java."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from paimon_bridge.errors import ConformanceError

pytestmark = pytest.mark.witness

ROWS = pa.table(
    {"id": pa.array(range(100), pa.int64()), "name": [f"name-{i % 7}" for i in range(100)], "p": [f"p{i % 3}" for i in range(100)]}
)


@pytest.fixture
def table(bridge: Any) -> str:
    bridge.create_table("db.t", ROWS.schema, partitioned_by=["p"])
    return "db.t"


def pypaimon_messages(warehouse: str) -> Any:
    pypaimon = pytest.importorskip("pypaimon", reason="pypaimon is not installed")
    write = (
        pypaimon.CatalogFactory.create({"warehouse": warehouse.removeprefix("file:")})
        .get_table("db.t")
        .new_batch_write_builder()
        .new_write()
    )
    write.write_arrow(ROWS)
    return write.prepare_commit()


def pypaimon_rust_messages(warehouse: str) -> Any:
    rust = pytest.importorskip("pypaimon_rust.datafusion", reason="pypaimon-rust is not installed")
    write = rust.PaimonCatalog({"warehouse": warehouse.removeprefix("file:")}).get_table("db.t").new_batch_write_builder().new_write()
    for batch in ROWS.to_batches():
        write.write_arrow(batch)
    return write.prepare_commit()


@pytest.mark.parametrize("peer", [pypaimon_messages, pypaimon_rust_messages])
def test_messages_of_a_peer_are_checked_committed_and_read_by_java(peer: Any, bridge: Any, table: str, warehouse: str) -> None:
    messages = peer(warehouse)
    report = bridge.check(messages, table=table, level="full")
    assert report.ok, str(report)
    result = bridge.commit(messages, table=table, commit_user="peer", identifier=1)
    assert (result.status, result.rows) == ("COMMITTED", 100)
    read = bridge.read_arrow(table).sort_by("id")
    assert read.to_pylist() == ROWS.to_pylist()
    assert bridge.commit(messages, table=table, commit_user="peer", identifier=1).status == "ALREADY_COMMITTED"
    with pytest.raises(ConformanceError):
        bridge.commit(messages, table=table, commit_user="someone else", identifier=1)
