"""Table descriptions for tests, as the shim would answer them, and a way to read back what was written."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from paimon_bridge.model.message import CommitMessage
from paimon_bridge.model.table import TableSpec
from paimon_bridge.wire import Envelope, decode
from paimon_bridge.write.task import write_task


def spec_of(
    path: Path | str,
    columns: Mapping[str, Any],
    *,
    partition_keys: Iterable[str] = (),
    primary_keys: Iterable[str] = (),
    options: Mapping[str, str] | None = None,
    bucket_mode: str = "BUCKET_UNAWARE",
    release: str = "1.4.2",
    message_version: int = 11,
    zone_id: str = "UTC",
    state: Mapping[str, Any] | None = None,
) -> TableSpec:
    """A table with these columns: name to Paimon type, as a schema file has it."""
    return TableSpec.from_json(
        {
            "name": "db.t",
            "path": f"file:{path}",
            "tableId": "table-id",
            "schemaId": 3,
            "fields": [{"id": index, "name": name, "type": type_} for index, (name, type_) in enumerate(columns.items())],
            "partitionKeys": list(partition_keys),
            "primaryKeys": list(primary_keys),
            "options": {"bucket": "-1", **(options or {})},
            "bucketMode": bucket_mode,
            "release": release,
            "messageVersion": message_version,
            "zoneId": zone_id,
            "state": state,
        }
    )


def write(spec: TableSpec, rows: pa.Table | Iterable[pa.RecordBatch], **arguments: Any) -> list[CommitMessage]:
    """Write rows as a task would; the messages."""
    batches = rows.to_batches() if isinstance(rows, pa.Table) else rows
    data = write_task(iter(batches), spec, run_id=str(uuid.uuid4()), commit_user="test", task=0, attempt=0, **arguments)
    envelope, end = Envelope.decode(data)
    assert end == len(data)
    return [decode(payload, envelope.version) for payload in envelope.payloads]


def data_files(folder: Path) -> list[Path]:
    """Every file below a folder, in the order of their counters."""
    return sorted((path for path in folder.rglob("*") if path.is_file()), key=lambda path: (str(path.parent), _counter(path)))


def read(folder: Path) -> pa.Table:
    """All rows below a table's folder, file after file."""
    return pa.concat_tables([pq.ParquetFile(path).read() for path in data_files(folder)])


def _counter(path: Path) -> int:
    return int(path.name.split(".")[0].rpartition("-")[2])
