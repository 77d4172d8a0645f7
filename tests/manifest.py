"""An independent witness: a table's snapshots and manifests read as plain JSON and Avro, with no code of Paimon's or ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import fastavro

from paimon_bridge.binary.row import decode_row, encode_row


def table_folder(spec: Any) -> Path:
    return Path("/" + spec.path.removeprefix("file:").lstrip("/"))


def snapshot_ids(folder: Path) -> list[int]:
    return sorted(int(path.name.removeprefix("snapshot-")) for path in (folder / "snapshot").glob("snapshot-*"))


def snapshot(folder: Path, snapshot_id: int) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((folder / "snapshot" / f"snapshot-{snapshot_id}").read_text())
    return loaded


def _avro(path: Path) -> list[dict[str, Any]]:
    with path.open("rb") as file:
        return [dict(record) for record in fastavro.reader(file)]  # type: ignore[arg-type]


def entries(folder: Path, snapshot_id: int, lists: tuple[str, ...] = ("baseManifestList", "deltaManifestList")) -> list[dict[str, Any]]:
    """The manifest entries of a snapshot: kind 0 adds a file, 1 deletes it. The file's fields stand under ``_FILE``."""
    stated = snapshot(folder, snapshot_id)
    found = []
    for name in lists:
        if stated.get(name) is None:
            continue
        for manifest in _avro(folder / "manifest" / stated[name]):
            found.extend(_avro(folder / "manifest" / manifest["_FILE_NAME"]))
    return found


def live_files(folder: Path, snapshot_id: int | None = None) -> list[dict[str, Any]]:
    """Entries that are added and not deleted, in a stable order."""
    chosen = snapshot_ids(folder)[-1] if snapshot_id is None else snapshot_id
    alive: dict[tuple[Any, ...], dict[str, Any]] = {}
    for entry in entries(folder, chosen):
        key = (entry["_PARTITION"], entry["_BUCKET"], entry["_FILE"]["_FILE_NAME"], entry["_FILE"]["_LEVEL"])
        if entry["_KIND"] == 0:
            alive[key] = entry
        else:
            alive.pop(key)
    return [alive[key] for key in sorted(alive)]


def data_files(folder: Path) -> set[str]:
    """Every file below the table that is not metadata, relative to the table."""
    meta = {"snapshot", "manifest", "schema", "statistics", "tag", "branch", "consumer"}
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and path.relative_to(folder).parts[0] not in meta and not path.name.endswith(".crc")
    }


def canonical_stats(file: dict[str, Any], spec: Any) -> dict[str, Any]:
    """A file's value statistics, in one spelling: Java 1.0 keeps no room there for a null wide decimal or timestamp, others do."""
    stats, columns = file["_VALUE_STATS"], file["_VALUE_STATS_COLS"]
    types = [field.type.with_nullable(True) for field in spec.fields if columns is None or field.name in columns]
    bounds = {key: encode_row(decode_row(stats[key], types), types).hex() for key in ("_MIN_VALUES", "_MAX_VALUES")}
    return {**stats, **bounds}
