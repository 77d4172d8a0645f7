"""TableSpec: everything a writer must know of a table. Asked of the shim once, then shipped to executors; no JVM behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from paimon_bridge.model.report import html_table
from paimon_bridge.model.state import TableState
from paimon_bridge.model.types import Field, parse_field

if TYPE_CHECKING:
    from paimon_bridge.write.builder import WriteBuilder

# Paimon's BucketMode names.
UNAWARE = "BUCKET_UNAWARE"
FIXED = "HASH_FIXED"
DYNAMIC = "HASH_DYNAMIC"
CROSS_PARTITION = "CROSS_PARTITION"
POSTPONE = "POSTPONE_MODE"


@dataclass(frozen=True, kw_only=True)
class TableSpec:
    """A table as its Java side describes it: schema, keys, options, and the message version that Java speaks.

    ``table_id`` is Paimon's identity of this very table (it changes when a table is dropped and made again); ``zone_id`` is the
    JVM's default time zone, in which Paimon writes file creation times. ``state`` is what the table's buckets hold, where a writer
    needs to know it.
    """

    name: str
    path: str
    table_id: str
    schema_id: int
    fields: tuple[Field, ...]
    partition_keys: tuple[str, ...]
    primary_keys: tuple[str, ...]
    options: Mapping[str, str]
    bucket_mode: str
    release: str
    message_version: int
    zone_id: str
    latest_snapshot_id: int | None = None
    comment: str | None = None
    state: TableState | None = None

    @classmethod
    def from_json(cls, shape: Mapping[str, Any]) -> TableSpec:
        """Read what the shim's ``describe`` answers."""
        return cls(
            name=shape["name"],
            path=shape["path"],
            table_id=shape["tableId"],
            schema_id=shape["schemaId"],
            fields=tuple(parse_field(field) for field in shape["fields"]),
            partition_keys=tuple(shape["partitionKeys"]),
            primary_keys=tuple(shape["primaryKeys"]),
            options=dict(shape["options"]),
            bucket_mode=shape["bucketMode"],
            release=shape["release"],
            message_version=shape["messageVersion"],
            zone_id=shape["zoneId"],
            latest_snapshot_id=shape.get("latestSnapshotId"),
            comment=shape.get("comment"),
            state=TableState.from_json(shape["state"]) if shape.get("state") is not None else None,
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "path": self.path,
            "tableId": self.table_id,
            "schemaId": self.schema_id,
            "fields": [field.to_json() for field in self.fields],
            "partitionKeys": list(self.partition_keys),
            "primaryKeys": list(self.primary_keys),
            "options": dict(self.options),
            "bucketMode": self.bucket_mode,
            "release": self.release,
            "messageVersion": self.message_version,
            "zoneId": self.zone_id,
            "latestSnapshotId": self.latest_snapshot_id,
            "comment": self.comment,
            "state": None if self.state is None else self.state.to_json(),
        }

    @cached_property
    def field_by_name(self) -> dict[str, Field]:
        return {field.name: field for field in self.fields}

    @cached_property
    def partition_fields(self) -> tuple[Field, ...]:
        return tuple(self.field_by_name[name] for name in self.partition_keys)

    @cached_property
    def trimmed_primary_keys(self) -> tuple[str, ...]:
        """The primary key without partition columns: what Paimon stores as the key of a file's rows."""
        return tuple(name for name in self.primary_keys if name not in self.partition_keys)

    def _columns(self) -> list[tuple[str, str, str]]:
        def role(name: str) -> str:
            roles = ("primary key" if name in self.primary_keys else "", "partition" if name in self.partition_keys else "")
            return ", ".join(filter(None, roles))

        return [(field.name, str(field.type), role(field.name)) for field in self.fields]

    def __str__(self) -> str:
        width = max((len(field.name) for field in self.fields), default=0)
        lines = [
            f"{self.name}  ({self.bucket_mode}, schema {self.schema_id}, Paimon {self.release}, messages at version {self.message_version})"
        ]
        lines.extend(f"  {name:<{width}}  {kind}{f'  [{role}]' if role else ''}" for name, kind, role in self._columns())
        lines.extend(f"  {key} = {value}" for key, value in sorted(self.options.items()) if key != "path")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        facts = [
            ("bucket mode", self.bucket_mode),
            ("schema id", self.schema_id),
            ("snapshot", self.latest_snapshot_id),
            ("path", self.path),
        ]
        facts += sorted((key, value) for key, value in self.options.items() if key != "path")
        return html_table((self.name, "type", "role"), self._columns()) + html_table(("property", "value"), facts)

    def new_write_builder(self, *, commit_user: str | None = None) -> WriteBuilder:
        """Writers of this table without Spark; see ``paimon_bridge.write.builder``."""
        # Values know no writers; users look for the builder here, where pypaimon has it. It is imported when it is asked for.
        from paimon_bridge.write.builder import WriteBuilder

        return WriteBuilder(self, commit_user=commit_user)

    new_batch_write_builder = new_write_builder
