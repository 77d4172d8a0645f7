"""THE table: every version of the commit message and of the committable around it, and which Paimon release speaks which.

Upstream keeps a serializer class per row shape, yet each shape is a prefix of the next: fields were only ever added at the end. Only
the message around them was rearranged, once, at 10. So a version is a filter over one list, and adding a version means adding rows.

Version 2 is two layouts: releases 0.7 and 0.8 both wrote "2", with different fields. Layout 1 stands for the one of 0.7; it is read
and written inside committables only, as in Paimon (docs/decisions/0001-version-2-is-two-layouts.md).
"""

from __future__ import annotations

from paimon_bridge.errors import CodecError
from paimon_bridge.model.file import DataFileMeta, DeletionVectorMeta, GlobalIndexMeta, IndexFileMeta, SimpleStats
from paimon_bridge.model.message import CommitMessage, ManifestCommittable
from paimon_bridge.model.table import TableSpec
from paimon_bridge.wire.fields import (
    BIGINT,
    BYTES,
    FLAGGED_INT32,
    FLAGGED_INT64,
    FRAMED_ROW,
    INT,
    INT32,
    INT64,
    LOG_OFFSETS,
    MESSAGES,
    MILLIS,
    NULL_FLAGGED_INT64,
    PROPERTIES,
    ROW_BYTES,
    STRING,
    array,
    field,
    list_of,
    nested,
    part,
    sequence,
    struct,
    tinyint,
)

MESSAGE_VERSIONS = range(2, 15)
COMMITTABLE_VERSIONS = range(2, 6)

# What release 0.7 wrote under the name of version 2.
LAYOUT_OF_0_7 = 1

# Builds between 1.2 and 1.3 wrote the rows of version 9 while the number was still 8. Readers since 1.3 take the fields of 8 from such
# a row and ignore what follows (docs/decisions/0002-version-8-has-two-shapes.md).
WIDER_ROWS = {8: 9}

# Release: (message version it writes, committable version it writes). It reads every message version up to its own, 0.8 only its own.
# Versions 4, 5, 8 and 9 were written by unreleased builds only, 13 by the development line of 2.1, 14 by pypaimon and pypaimon-rust.
RELEASES = {
    "0.8": (2, 2),
    "0.9": (3, 3),
    "1.0": (6, 3),
    "1.1": (7, 3),
    "1.2": (7, 4),
    "1.3": (10, 4),
    "1.4": (11, 5),
    "2.0": (12, 5),
}


def _is_bucket_option(total_buckets: int, message: CommitMessage, table: TableSpec) -> bool:
    """A reader without the field takes the table's ``bucket`` option instead."""
    return total_buckets == int(table.options.get("bucket", "-1"))


def _is_whole_schema(write_cols: tuple[str, ...], file: DataFileMeta, table: TableSpec) -> bool:
    """A reader without the field takes all columns of the file's schema."""
    return file.schema_id == table.schema_id and write_cols == tuple(column.name for column in table.fields)


SIMPLE_STATS = struct(
    SimpleStats,
    field("min_values", ROW_BYTES, "_MIN_VALUES", note="nullable types; null = unknown"),
    field("max_values", ROW_BYTES, "_MAX_VALUES"),
    field("null_counts", array(BIGINT, nullable_elements=True), "_NULL_COUNTS", note="one per column, null = unknown"),
)

DATA_FILE = struct(
    DataFileMeta,
    field("file_name", STRING, "_FILE_NAME", note="name only, no directory"),
    field("file_size", BIGINT, "_FILE_SIZE", note="exact bytes; readers find the footer with it"),
    field("row_count", BIGINT, "_ROW_COUNT", note="physical rows, adds and deletes together"),
    field("min_key", ROW_BYTES, "_MIN_KEY", note="append tables: the empty row"),
    field("max_key", ROW_BYTES, "_MAX_KEY"),
    field("key_stats", nested(SIMPLE_STATS), "_KEY_STATS", note="over the key columns"),
    field("value_stats", nested(SIMPLE_STATS), "_VALUE_STATS", note="over the value columns, see value_stats_cols"),
    field("min_sequence_number", BIGINT, "_MIN_SEQUENCE_NUMBER"),
    field("max_sequence_number", BIGINT, "_MAX_SEQUENCE_NUMBER"),
    field("schema_id", BIGINT, "_SCHEMA_ID"),
    field("level", INT, "_LEVEL", note="0 for new files"),
    field("extra_files", array(STRING), "_EXTRA_FILES", note="in the same directory, e.g. the file index"),
    field("creation_time_millis", MILLIS, "_CREATION_TIME", note="wall clock of the JVM's zone, as if it were UTC"),
    field("delete_row_count", BIGINT, "_DELETE_ROW_COUNT", nullable=True, since=2, note="rows of kind -U and -D"),
    field("embedded_index", BYTES, "_EMBEDDED_FILE_INDEX", nullable=True, since=2),
    field("file_source", tinyint(0, 1), "_FILE_SOURCE", nullable=True, since=3, note="0 APPEND, 1 COMPACT"),
    field("value_stats_cols", array(STRING), "_VALUE_STATS_COLS", nullable=True, since=4, note="null = every written column"),
    field("external_path", STRING, "_EXTERNAL_PATH", nullable=True, since=6, note="full path, outside the table directory"),
    field("first_row_id", BIGINT, "_FIRST_ROW_ID", nullable=True, since=8, note="assigned at commit"),
    field(
        "write_cols",
        array(STRING),
        "_WRITE_COLS",
        nullable=True,
        since=9,
        note="columns in the file; null = all of the schema",
        implied=_is_whole_schema,
    ),
    field("column_max_sequence_numbers", array(BIGINT), "_WRITE_COLS_SEQUENCES", nullable=True, since=13),
)

DELETION_VECTOR = struct(
    DeletionVectorMeta,
    field("data_file_name", STRING, "f0"),
    field("offset", INT, "f1", note="of the vector's length field"),
    field("length", INT, "f2"),
    field("cardinality", BIGINT, "_CARDINALITY", nullable=True, since=5),
)

GLOBAL_INDEX = struct(
    GlobalIndexMeta,
    field("row_range_start", BIGINT, "_ROW_RANGE_START"),
    field("row_range_end", BIGINT, "_ROW_RANGE_END", note="inclusive"),
    field("index_field_id", INT, "_INDEX_FIELD_ID"),
    field("extra_field_ids", array(INT), "_EXTRA_FIELD_IDS", nullable=True),
    field("index_meta", BYTES, "_INDEX_META", nullable=True),
    field("source_meta", BYTES, "_SOURCE_META", nullable=True, since=12),
)

INDEX_FILE = struct(
    IndexFileMeta,
    field("index_type", STRING, "_INDEX_TYPE", note="HASH, DELETION_VECTORS, or the name of a global index"),
    field("file_name", STRING, "_FILE_NAME"),
    field("file_size", BIGINT, "_FILE_SIZE"),
    field("row_count", BIGINT, "_ROW_COUNT", note="hashes, or deletion vectors"),
    field("dv_ranges", array(nested(DELETION_VECTOR)), "_DELETIONS_VECTORS_RANGES", nullable=True, since=2, note="in file order"),
    field("external_path", STRING, "_EXTERNAL_PATH", nullable=True, since=9),
    field("global_index_meta", nested(GLOBAL_INDEX), "_GLOBAL_INDEX", nullable=True, since=11),
)

COMMIT_MESSAGE = sequence(
    CommitMessage,
    part("partition", FRAMED_ROW),
    part("bucket", INT32),
    part("total_buckets", FLAGGED_INT32, since=7, note="absent = the table's bucket option", implied=_is_bucket_option),
    part("data.new_files", list_of(DATA_FILE)),
    part("data.deleted_files", list_of(DATA_FILE), since=2),
    part("data.changelog_files", list_of(DATA_FILE)),
    part("data.new_index_files", list_of(INDEX_FILE), since=10, note="each increment has its own pair from 10 on"),
    part("data.deleted_index_files", list_of(INDEX_FILE), since=10),
    part("compact.compact_before", list_of(DATA_FILE)),
    part("compact.compact_after", list_of(DATA_FILE)),
    part("compact.changelog_files", list_of(DATA_FILE)),
    part("compact.new_index_files", list_of(INDEX_FILE), since=10),
    part("compact.deleted_index_files", list_of(INDEX_FILE), since=10),
    # One pair for the whole message before 10; which increment it belongs to is not in the bytes (decisions/0003).
    part("shared.new_index_files", list_of(INDEX_FILE), until=9, note="compact's if compact has data files, else data's"),
    part("shared.deleted_index_files", list_of(INDEX_FILE), since=3, until=9),
    part("check_from_snapshot", FLAGGED_INT64, since=14, note="row-id conflicts are looked for from this snapshot on"),
)

COMMITTABLE = sequence(
    ManifestCommittable,
    part("identifier", INT64),
    part("watermark", NULL_FLAGGED_INT64, note="mind the flag: 1 means there is none"),
    # Offsets of a log system that no longer exists; readers since 1.4 step over them.
    part("log_offsets", LOG_OFFSETS, until=4, note="bucket, offset; a leftover, ignored by readers since 1.4", droppable=True),
    part("properties", PROPERTIES, since=4, note="in the order of Java's map"),
    part("message_version", INT32),
    part("messages", MESSAGES),
)


def known(version: int) -> int:
    """The version, if this table has it."""
    if version not in MESSAGE_VERSIONS:
        first, last = MESSAGE_VERSIONS[0], MESSAGE_VERSIONS[-1]
        raise CodecError(
            f"Commit message version {version} is not known: this package reads and writes {first} to {last}.",
            version=version,
            code="MESSAGE_VERSION_UNKNOWN",
            remedy="Ask the writer of these bytes for their version; they do not contain it.",
        )
    return version
