"""What every part of one write shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

import pyarrow as pa

from paimon_bridge.errors import TableError
from paimon_bridge.model.options import TableOptions
from paimon_bridge.model.profile import FileProfile
from paimon_bridge.model.state import TableState
from paimon_bridge.model.table import TableSpec
from paimon_bridge.write.clock import java_zone
from paimon_bridge.write.encoding import sample_of, writer_arguments
from paimon_bridge.write.fileindex import index_plan
from paimon_bridge.write.filetypes import FileSchema
from paimon_bridge.write.orc import orc_arguments
from paimon_bridge.write.parquet import ROW_GROUP_BYTES, FileFormat
from paimon_bridge.write.paths import PathFactory
from paimon_bridge.write.stats import StatsPlan
from paimon_bridge.write.storage import Storage

# Open files cost file handles and, on object stores, an upload buffer each.
_OPEN_FILES_LOCAL = 256
_OPEN_FILES_REMOTE = 32


@dataclass(frozen=True, kw_only=True)
class WriteContext:
    """One write of one table by one task. ``owner`` of ``owners`` tasks writes its share of a dynamic table's buckets."""

    spec: TableSpec
    options: TableOptions
    storage: Storage
    paths: PathFactory
    zone: tzinfo
    run_id: str
    commit_user: str
    encoders: int
    overwrite: bool
    task: int
    owner: int
    owners: int

    @classmethod
    def of(
        cls,
        spec: TableSpec,
        *,
        run_id: str,
        commit_user: str = "",
        encoders: int = 1,
        overwrite: bool = False,
        task: int = -1,
        owner: int = 0,
        owners: int = 1,
    ) -> WriteContext:
        return cls(
            spec=spec,
            options=TableOptions(spec),
            storage=Storage(spec.path),
            paths=PathFactory(spec),
            zone=java_zone(spec.zone_id),
            run_id=run_id,
            commit_user=commit_user,
            encoders=encoders,
            overwrite=overwrite,
            task=task,
            owner=owner,
            owners=owners,
        )

    @property
    def open_limit(self) -> int:
        return _OPEN_FILES_LOCAL if self.storage.is_local else _OPEN_FILES_REMOTE

    @property
    def group_bytes(self) -> int:
        """Rows in memory that become one row group; with several encoders each gets its share."""
        return min(self.options.row_group_size, ROW_GROUP_BYTES // self.encoders)

    @property
    def state(self) -> TableState:
        """What the table's buckets hold; nothing for a write that replaces them. Raises TableError where nobody asked."""
        if self.overwrite:
            return TableState()
        if self.spec.state is None:
            raise TableError(
                f"writing to {self.spec.name} needs to know what its buckets hold, and this description does not say",
                code="BUCKET_STATE_MISSING",
                remedy="use the description that bridge.describe gives for writing, taken after the last commit.",
            )
        return self.spec.state

    def file_format(self, profile: FileProfile, schema: FileSchema, rows: pa.Table, *, thin_keys: Sequence[str] = ()) -> FileFormat:
        """The format of files with these columns; ``rows``, of the logical schema, tell how their columns are best encoded."""
        modes = self.options.stats_modes([field.name for field in schema.fields], profile.stats_mode, thin_keys=thin_keys)
        is_orc = profile.format == "orc"
        arguments = (
            orc_arguments(self.options, profile.compression)
            if is_orc
            else writer_arguments(self.options, profile.compression, schema, sample_of(rows).cast(schema.stored))
        )
        return FileFormat(
            storage=self.storage,
            schema=schema,
            stats=StatsPlan(schema.fields, modes, self.spec.release, footers=not is_orc),
            arguments=arguments,
            orc=is_orc,
            extension=self.options.file_extension(profile.format),
            target_size=self.options.target_file_size,
            target_rows=self.options.target_file_row_num,
            group_bytes=min(self.options.row_group_size, ROW_GROUP_BYTES),
            index=index_plan(self.spec),
        )
