"""How Spark must lay rows out for a table: in place, or each bucket to one owner. Worked out on the driver before anything runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from paimon_bridge.errors import WriteError
from paimon_bridge.model.options import MEBIBYTE, TableOptions
from paimon_bridge.model.report import html_table
from paimon_bridge.model.table import DYNAMIC, FIXED, POSTPONE, TableSpec
from paimon_bridge.spark.gateway import estimated_bytes
from paimon_bridge.write.buckets import BucketKey
from paimon_bridge.write.kinds import check_table
from paimon_bridge.write.owners import needs_owners

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# How rows travel to the workers, where the user chose nothing. To bound a batch in bytes, Spark 4 measures the Arrow buffers anew with
# every row, which costs half of the JVM's time; the largest number turns that off, and the bound in rows alone is what Spark 3.5 has.
BATCH_ROWS_KEY = "spark.sql.execution.arrow.maxRecordsPerBatch"
_BATCH_BYTES_KEY = "spark.sql.execution.arrow.maxBytesPerBatch"
_UNBOUNDED_BYTES = 2**31 - 1
# A few more rows per batch than Spark's 10,000 mean fewer calls in the writers.
_BATCH_ROWS = 16_384
# What a batch of the exchange may weigh.
_EXCHANGE_BYTES = 64 * MEBIBYTE
# Waves of tasks per core: a bucket with more rows than others keeps one core busy while the others go on.
_WAVES = 2
_MOST_OWNERS = 2**15


@dataclass(frozen=True, slots=True, kw_only=True)
class WritePlan:
    """What ``bridge.write`` would do. ``owners`` is the number of tasks that write; None where it is the frame's own."""

    table: str
    kind: str
    bucket_key: tuple[str, ...]
    shuffle: bool
    owners: int | None
    batch_rows: int
    file_format: str
    compression: str
    overwrite: bool
    input_bytes: int | None
    visible: bool
    warnings: tuple[str, ...]

    @classmethod
    def of(cls, df: DataFrame, spec: TableSpec, *, owners: int | None = None, overwrite: bool = False) -> WritePlan:
        """Plan a write of ``df``. Runs nothing; raises TableError for tables that cannot be written."""
        check_table(spec)
        options = TableOptions(spec)
        spark = df.sparkSession
        shuffle = needs_owners(spec)
        count = _owners(spec, spark, owners) if shuffle else None
        profile = options.level_0_profile if spec.primary_keys else options.data_profile
        hidden = _hidden_until_compaction(spec, options)
        return cls(
            table=spec.name,
            kind=_kind(spec, options),
            bucket_key=_bucket_key(spec),
            shuffle=shuffle,
            owners=count,
            batch_rows=_batch_rows(spark),
            file_format=profile.format,
            compression=profile.compression,
            overwrite=overwrite,
            input_bytes=estimated_bytes(df),
            visible=hidden is None,
            warnings=tuple(_warnings(spec, options, count, hidden)),
        )

    @property
    def arrow_settings(self) -> dict[str, str]:
        """Spark's settings for the job, where the user chose none."""
        return {BATCH_ROWS_KEY: str(self.batch_rows), _BATCH_BYTES_KEY: str(_UNBOUNDED_BYTES)}

    @property
    def exchange_row_bytes(self) -> int:
        """What one row of the exchange may stand for, so that a batch of them stays within bounds."""
        return max(1, _EXCHANGE_BYTES // self.batch_rows)

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"bucket_key": list(self.bucket_key), "warnings": list(self.warnings)}

    def _facts(self) -> list[tuple[str, str]]:
        size = "not known" if self.input_bytes is None else f"about {self.input_bytes / MEBIBYTE:,.1f} MB by Spark's estimate"
        if self.shuffle:
            layout = f"every bucket to one owner, {self.owners} tasks; rows travel there as Arrow pieces"
        else:
            layout = "no shuffle: every task writes the rows it has"
        return [
            ("kind", self.kind),
            *([("bucket key", ", ".join(self.bucket_key))] if self.bucket_key else []),
            ("layout", layout),
            ("input", size),
            ("Arrow batches", f"{self.batch_rows:,} rows"),
            ("files", f"{self.file_format}, {self.compression}"),
            *([("replaces", "what the commit's overwrite= says")] if self.overwrite else []),
            ("visible", "when committed" if self.visible else "after a compaction"),
            *(("warning", warning) for warning in self.warnings),
        ]

    def __str__(self) -> str:
        return "\n".join([f"Write to {self.table}", *(f"  {name:<13}  {value}" for name, value in self._facts())])

    def _repr_html_(self) -> str:
        return html_table((self.table, "plan"), self._facts())


def slots_of(owners: int) -> tuple[int, ...]:
    """For each owner a number that Spark's hash partitioning sends to the task of that owner's number."""
    found: dict[int, int] = {}
    candidate = 0
    while len(found) < owners:
        found.setdefault(_spark_hash(candidate) % owners, candidate)
        candidate += 1
    return tuple(found[owner] for owner in range(owners))


def _spark_hash(value: int) -> int:
    """Spark's ``hash`` of an INT: Murmur3 with seed 42. Spark's own buckets on disk depend on it, so it does not change."""
    word = value * 0xCC9E2D51 & 0xFFFFFFFF
    word = ((word << 15 | word >> 17) & 0xFFFFFFFF) * 0x1B873593 & 0xFFFFFFFF
    state = 42 ^ word
    state = ((state << 13 | state >> 19) & 0xFFFFFFFF) * 5 + 0xE6546B64 & 0xFFFFFFFF
    state ^= 4
    state = (state ^ state >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    state = (state ^ state >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    state ^= state >> 16
    return state - (1 << 32) if state >> 31 else state


def _owners(spec: TableSpec, spark: SparkSession, asked: int | None) -> int:
    if asked is not None:
        if not 1 <= asked <= _MOST_OWNERS:
            raise WriteError(f"{asked} owners cannot share a write", code="OWNERS_INVALID", remedy=f"use 1 to {_MOST_OWNERS:,}.")
        return asked
    options = TableOptions(spec)
    cores = spark.sparkContext.defaultParallelism
    if spec.bucket_mode == DYNAMIC:
        # Every owner opens buckets of its own, so more owners than cores would only make more and smaller buckets.
        wanted = options.integer("dynamic-bucket.assigner-parallelism", cores)
    else:
        wanted = _WAVES * cores
        if not spec.partition_keys:
            wanted = min(wanted, _bucket_count(spec, options))
    return max(1, min(wanted, int(str(spark.conf.get("spark.sql.shuffle.partitions"))), _MOST_OWNERS))


def _bucket_count(spec: TableSpec, options: TableOptions) -> int:
    if spec.bucket_mode == FIXED:
        return options.bucket
    stored = (state.total_buckets for state in (spec.state.buckets if spec.state else ()))
    return max([options.integer("postpone.default-bucket-num", 1), *stored])


def is_chosen(spark: SparkSession, key: str) -> bool:
    """Whether the user set a value. With None as default, Spark answers None for what nobody set, even where it has a default."""
    return spark.conf.get(key, None) is not None


def _batch_rows(spark: SparkSession) -> int:
    rows = int(str(spark.conf.get(BATCH_ROWS_KEY))) if is_chosen(spark, BATCH_ROWS_KEY) else _BATCH_ROWS
    return rows if rows > 0 else _BATCH_ROWS


def _kind(spec: TableSpec, options: TableOptions) -> str:
    key = f"primary key ({', '.join(spec.primary_keys)}), {options.merge_engine}" if spec.primary_keys else "append"
    if spec.bucket_mode == FIXED:
        return f"{key}, {options.bucket} buckets"
    if spec.bucket_mode == DYNAMIC:
        return f"{key}, dynamic buckets"
    if spec.bucket_mode == POSTPONE:
        return f"{key}, postponed buckets" + (", written to real ones at once" if options.postpone_fixed_bucket else "")
    return f"{key}, no buckets" + (", row tracking" if options.row_tracking else "")


def _bucket_key(spec: TableSpec) -> tuple[str, ...]:
    if spec.bucket_mode == DYNAMIC:
        return spec.trimmed_primary_keys
    return tuple(BucketKey(spec).names) if needs_owners(spec) else ()


def _hidden_until_compaction(spec: TableSpec, options: TableOptions) -> str | None:
    """Why readers do not see new files of a table at once; None if they do. The shim's Visibility says the same of a commit."""
    if not spec.primary_keys:
        return None
    if spec.bucket_mode == POSTPONE and not options.postpone_fixed_bucket:
        return "postponed rows have no bucket yet"
    if options.boolean("deletion-vectors.enabled", False) and not options.boolean("deletion-vectors.merge-on-read", False):
        return "readers of tables with deletion vectors skip level 0"
    return "readers of first-row tables skip level 0" if options.merge_engine == "first-row" else None


def _warnings(spec: TableSpec, options: TableOptions, owners: int | None, hidden: str | None) -> Iterator[str]:
    if hidden is not None:
        yield f"rows become visible when the table is compacted: {hidden}"
    if owners == 1:
        yield "one task writes all rows: the table has one bucket, or one owner was asked for"
    if spec.bucket_mode == DYNAMIC:
        yield "only one job may write a partition with dynamic buckets at a time"
    if spec.primary_keys and not options.sequence_fields and options.merge_engine != "first-row":
        yield "rows of one key in different source tasks have no defined order; sequence.field would give them one"
    if options.changelog_producer in ("lookup", "full-compaction"):
        yield f"changelog-producer {options.changelog_producer}: changes are told by the next compaction"
