"""Which tables this package can write, and why not the others."""

from __future__ import annotations

from paimon_bridge.errors import TableError
from paimon_bridge.model.options import TableOptions
from paimon_bridge.model.table import CROSS_PARTITION, DYNAMIC, FIXED, POSTPONE, UNAWARE, TableSpec
from paimon_bridge.write.buckets import BucketKey
from paimon_bridge.write.fileindex import index_plan
from paimon_bridge.write.filetypes import file_schema
from paimon_bridge.write.paths import PathFactory

_REASONS = {
    CROSS_PARTITION: "its primary key does not contain its partition keys, so a writer would have to know where every key is",
}


def check_table(spec: TableSpec) -> None:
    """Raise TableError unless this package can write the table. Looks at the description only."""
    if spec.bucket_mode not in (UNAWARE, FIXED, DYNAMIC, POSTPONE):
        raise _unsupported(spec, _REASONS.get(spec.bucket_mode, f"its bucket mode is {spec.bucket_mode}"))
    options = TableOptions(spec)
    if options.text("type", "table").lower() not in ("table", "materialized-table"):
        raise _unsupported(spec, f"it is a {options.text('type', '')}")
    profiles = [options.level_0_profile if spec.primary_keys else options.data_profile]
    if spec.primary_keys and options.changelog_producer == "input":
        profiles.append(options.changelog_profile)
    for profile in profiles:
        if profile.format != "parquet":
            remedy = "set file.format to parquet: a table may hold files of several formats."
            raise _unsupported(spec, f"its {profile.prefix}files are of format {profile.format}", remedy)
    if options.external_paths_strategy != "none":
        raise _unsupported(spec, f"its data files go to external paths ({options.external_paths_strategy})")
    file_schema(spec.fields)
    index_plan(spec)
    PathFactory(spec)
    if spec.bucket_mode in (FIXED, POSTPONE):
        BucketKey(spec)


def _unsupported(spec: TableSpec, reason: str, remedy: str = "") -> TableError:
    return TableError(
        f"{spec.name} cannot be written by this package yet: {reason}.",
        code="TABLE_KIND_UNSUPPORTED",
        remedy=remedy or "write it with Paimon Java, or use an append table without buckets (bucket = -1, no primary key).",
        details={"table": spec.name, "bucket_mode": spec.bucket_mode},
    )
