"""What a commit message says about files. Values only: binary rows stay exact bytes, in the form "arity (big-endian), row"."""

from __future__ import annotations

from dataclasses import dataclass

# A BinaryRow without fields, with its arity in front: what append files carry as keys.
EMPTY_ROW = bytes(12)

# DataFileMeta.file_source
APPEND_SOURCE = 0
COMPACT_SOURCE = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SimpleStats:
    """Minimum, maximum and null count per column; ``None`` in ``null_counts`` means unknown."""

    min_values: bytes = EMPTY_ROW
    max_values: bytes = EMPTY_ROW
    null_counts: tuple[int | None, ...] = ()


EMPTY_STATS = SimpleStats()


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFileMeta:
    """One data or changelog file. Names and meanings are those of Paimon's class of the same name."""

    file_name: str
    file_size: int
    row_count: int
    min_key: bytes = EMPTY_ROW
    max_key: bytes = EMPTY_ROW
    key_stats: SimpleStats = EMPTY_STATS
    value_stats: SimpleStats = EMPTY_STATS
    min_sequence_number: int
    max_sequence_number: int
    schema_id: int
    level: int = 0
    extra_files: tuple[str, ...] = ()
    creation_time_millis: int
    delete_row_count: int | None = None
    embedded_index: bytes | None = None
    file_source: int | None = None
    value_stats_cols: tuple[str, ...] | None = None
    external_path: str | None = None
    first_row_id: int | None = None
    write_cols: tuple[str, ...] | None = None
    column_max_sequence_numbers: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletionVectorMeta:
    """Where one data file's deletion vector lies inside an index file."""

    data_file_name: str
    offset: int
    length: int
    cardinality: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GlobalIndexMeta:
    """The row range a global index file covers; ``row_range_end`` is inclusive."""

    row_range_start: int
    row_range_end: int
    index_field_id: int
    extra_field_ids: tuple[int, ...] | None = None
    index_meta: bytes | None = None
    source_meta: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexFileMeta:
    """One index file: hashes of a dynamic bucket, deletion vectors, or a global index."""

    index_type: str
    file_name: str
    file_size: int
    row_count: int
    dv_ranges: tuple[DeletionVectorMeta, ...] | None = None
    external_path: str | None = None
    global_index_meta: GlobalIndexMeta | None = None
