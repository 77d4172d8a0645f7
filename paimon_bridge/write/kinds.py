"""Which tables this package can write, and why not the others."""

from __future__ import annotations

from paimon_bridge.errors import TableError
from paimon_bridge.model.options import TableOptions
from paimon_bridge.model.table import CROSS_PARTITION, DYNAMIC, FIXED, POSTPONE, UNAWARE, TableSpec
from paimon_bridge.write.buckets import BucketKey
from paimon_bridge.write.fileindex import index_plan
from paimon_bridge.write.filetypes import file_schema
from paimon_bridge.write.orc import check_orc_types
from paimon_bridge.write.paths import PathFactory

_JAVA = "write it with Paimon Java (Flink or Spark)"
# What makes a table another kind of thing: why it cannot be written here, and what to do.
_MODES = {
    CROSS_PARTITION: (
        "its primary key does not contain its partition keys (cross-partition upsert), so a writer would have to know where every key is",
        f"put the partition keys into the primary key, or {_JAVA}.",
    ),
}
_TYPES = {
    "format-table": (
        "it is a format-table: plain files in folders, without snapshots to commit to",
        "write it with Spark's own writer of that format, or make it a Paimon table.",
    ),
    "object-table": (
        "it is an object-table: a listing of files that Paimon itself refreshes",
        "put the objects into its location and refresh the table; rows belong into a Paimon table.",
    ),
}


def check_table(spec: TableSpec) -> None:
    """Raise TableError unless this package can write the table. Looks at the description only."""
    options = TableOptions(spec)
    kind = options.text("type", "table").strip().lower()
    if kind not in ("table", "materialized-table"):
        raise _unsupported(spec, *_TYPES.get(kind, (f"it is a {kind}", f"{_JAVA}.")))
    if spec.bucket_mode not in (UNAWARE, FIXED, DYNAMIC, POSTPONE):
        raise _unsupported(spec, *_MODES.get(spec.bucket_mode, (f"its bucket mode is {spec.bucket_mode}", f"{_JAVA}.")))
    if options.bucket == -1 and options.bucket_keys:
        raise TableError(
            f"{spec.name} has a bucket-key ({', '.join(options.bucket_keys)}) with bucket = -1, which Paimon does not allow",
            code="OPTION_INVALID",
            remedy="remove the bucket-key, or set bucket to a number of buckets.",
            details={"option": "bucket-key"},
        )
    profiles = [options.level_0_profile if spec.primary_keys else options.data_profile]
    if spec.primary_keys and options.changelog_producer == "input":
        profiles.append(options.changelog_profile)
    for profile in profiles:
        if profile.format == "orc":
            check_orc_types(spec)
        elif profile.format != "parquet":
            remedy = "set file.format to parquet: a table may hold files of several formats."
            raise _unsupported(spec, f"its {profile.prefix}files are of format {profile.format}", remedy)
    if options.external_paths_strategy != "none":
        reason = f"its data files go to external paths (data-file.external-paths.strategy = {options.external_paths_strategy})"
        raise _unsupported(spec, reason, f"set the strategy to none: files inside the table and outside may live together; or {_JAVA}.")
    file_schema(spec.fields)
    index_plan(spec)
    PathFactory(spec)
    if spec.bucket_mode in (FIXED, POSTPONE):
        BucketKey(spec)


def _unsupported(spec: TableSpec, reason: str, remedy: str) -> TableError:
    return TableError(
        f"{spec.name} cannot be written by this package: {reason}.",
        code="TABLE_KIND_UNSUPPORTED",
        remedy=remedy,
        details={"table": spec.name, "bucket_mode": spec.bucket_mode},
    )
