"""Messages of other writers, made ours: pypaimon and pypaimon-rust objects, and bare bytes with their version.

Runs on the driver. Neither package is imported; an object is known by the module of its class. pypaimon keeps values rather than
rows, so its rows are encoded here, the way Java would (its own encoder saves the room of a null timestamp or decimal, which makes
another partition of it in Java's eyes).
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from typing import Any

from paimon_bridge.binary.row import decode_row, encode_row
from paimon_bridge.errors import CodecError
from paimon_bridge.model.file import DataFileMeta, DeletionVectorMeta, GlobalIndexMeta, IndexFileMeta, SimpleStats
from paimon_bridge.model.message import CommitMessage, CompactIncrement, DataIncrement
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import DataType, parse_type
from paimon_bridge.wire.codec import decode, encode
from paimon_bridge.wire.envelope import FOREIGN, Envelope
from paimon_bridge.wire.messages import Messages
from paimon_bridge.wire.versions import MESSAGE_VERSIONS

# The version in which pypaimon 2.1 and pypaimon-rust 0.4 speak, the newest there is.
_PEER_VERSION = MESSAGE_VERSIONS[-1]


def wrap_foreign(messages: Any, table: TableSpec, commit_user: str | None = None) -> Messages:
    """One message or several, of pypaimon, of pypaimon-rust, as ``(data, version)`` or our own values, as ``Messages`` for ``table``.

    Bytes that are all of one version are kept as they are; otherwise everything is brought to the newest version among them.
    CodecError for bytes that are not what their version says, and for partitions that are not rows of the table's partition columns.
    """
    pairs = [_payload(item, table) for item in _items(messages)]
    version = max((version for _, version in pairs), default=table.message_version)
    types = [field.type for field in table.partition_fields]
    payloads = []
    for index, (data, own) in enumerate(pairs):
        message = decode(data, own)
        _check_partition(message.partition, types, f"Message {index} has no partition of {table.name}", own)
        payloads.append(data if own == version else encode(message, version))
    envelope = Envelope(
        origin=FOREIGN,
        version=version,
        table_id=table.table_id,
        table=table.name,
        schema_id=table.schema_id,
        commit_user=commit_user or f"pb-{uuid.uuid4()}",
        payloads=tuple(payloads),
    )
    return Messages([envelope])


def _check_partition(partition: bytes, types: list[DataType], complaint: str, version: int) -> None:
    """Java tells partitions apart by their bytes: two encodings of one value would be two partitions."""
    try:
        values = decode_row(partition, types)
    except CodecError as error:
        raise CodecError(f"{complaint}: {error.message}", version=version, path=f"partition{error.path}", offset=error.offset) from None
    if encode_row(values, types) != partition:
        raise CodecError(f"{complaint}: its bytes are not those Java writes for {values}", version=version, path="partition")


def _items(messages: Any) -> Iterator[Any]:
    if _is_message(messages):
        yield messages
    elif isinstance(messages, Iterable) and not isinstance(messages, (str, bytes)):
        yield from messages
    else:
        raise _unknown(messages)


def _is_message(value: Any) -> bool:
    return isinstance(value, CommitMessage) or _is_pair(value) or _package(value) in ("pypaimon", "pypaimon_rust")


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], (bytes, bytearray, memoryview)) and isinstance(value[1], int)
    )


def _package(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


def _payload(item: Any, table: TableSpec) -> tuple[bytes, int]:
    if _is_pair(item):
        return bytes(item[0]), item[1]
    if isinstance(item, CommitMessage):
        return encode(item, _PEER_VERSION), _PEER_VERSION
    if _package(item) == "pypaimon_rust" and hasattr(item, "serialize"):
        return bytes(item.serialize()), _PEER_VERSION
    if _package(item) == "pypaimon" and hasattr(item, "new_files"):
        return encode(from_pypaimon(item, table), _PEER_VERSION), _PEER_VERSION
    raise _unknown(item)


def _unknown(value: Any) -> CodecError:
    return CodecError(
        f"A {type(value).__module__}.{type(value).__qualname__} is not a commit message.",
        code="MESSAGE_TYPE_UNKNOWN",
        remedy="Give CommitMessage objects of pypaimon or pypaimon-rust, or pairs of bytes and message version.",
    )


def from_pypaimon(message: Any, table: TableSpec) -> CommitMessage:
    """A pypaimon CommitMessage as our value, with the rows Java would have written."""
    return CommitMessage(
        partition=encode_row(list(message.partition), [field.type for field in table.partition_fields]),
        bucket=message.bucket,
        total_buckets=message.total_buckets,
        data=DataIncrement(
            new_files=_files(message.new_files),
            deleted_files=_files(message.deleted_files),
            changelog_files=_files(message.changelog_files),
            new_index_files=_index_files(message.index_adds),
            deleted_index_files=_index_files(message.index_deletes),
        ),
        compact=CompactIncrement(
            compact_before=_files(message.compact_before),
            compact_after=_files(message.compact_after),
            changelog_files=_files(message.compact_changelog_files),
            new_index_files=_index_files(message.compact_index_adds),
            deleted_index_files=_index_files(message.compact_index_deletes),
        ),
        check_from_snapshot=message.check_from_snapshot,
    )


def _files(files: Iterable[Any]) -> tuple[DataFileMeta, ...]:
    return tuple(_file(file) for file in files)


def _file(file: Any) -> DataFileMeta:
    if file.creation_time is None:
        raise CodecError(f"File {file.file_name} has no creation time, which Paimon Java cannot read.", path="creation_time_millis")
    return DataFileMeta(
        file_name=file.file_name,
        file_size=file.file_size,
        row_count=file.row_count,
        min_key=_row(file.min_key),
        max_key=_row(file.max_key),
        key_stats=_stats(file.key_stats),
        value_stats=_stats(file.value_stats),
        min_sequence_number=file.min_sequence_number,
        max_sequence_number=file.max_sequence_number,
        schema_id=file.schema_id,
        level=file.level,
        extra_files=tuple(file.extra_files),
        creation_time_millis=file.creation_time.get_millisecond(),
        delete_row_count=file.delete_row_count,
        embedded_index=file.embedded_index,
        file_source=file.file_source,
        value_stats_cols=_tuple(file.value_stats_cols),
        external_path=file.external_path,
        first_row_id=file.first_row_id,
        write_cols=_tuple(file.write_cols),
        column_max_sequence_numbers=_tuple(file.write_cols_sequences),
    )


def _stats(stats: Any) -> SimpleStats:
    if stats is None:
        return SimpleStats()
    return SimpleStats(min_values=_row(stats.min_values), max_values=_row(stats.max_values), null_counts=tuple(stats.null_counts or ()))


def _index_files(entries: Iterable[Any]) -> tuple[IndexFileMeta, ...]:
    return tuple(_index_file(entry.index_file) for entry in entries)


def _index_file(file: Any) -> IndexFileMeta:
    ranges, whole = file.dv_ranges, file.global_index_meta
    return IndexFileMeta(
        index_type=file.index_type,
        file_name=file.file_name,
        file_size=file.file_size,
        row_count=file.row_count,
        dv_ranges=None if ranges is None else tuple(_deletion_vector(item) for item in ranges.values()),
        external_path=file.external_path,
        global_index_meta=None if whole is None else _global_index(whole),
    )


def _deletion_vector(item: Any) -> DeletionVectorMeta:
    return DeletionVectorMeta(data_file_name=item.data_file_name, offset=item.offset, length=item.length, cardinality=item.cardinality)


def _global_index(whole: Any) -> GlobalIndexMeta:
    return GlobalIndexMeta(
        row_range_start=whole.row_range_start,
        row_range_end=whole.row_range_end,
        index_field_id=whole.index_field_id,
        extra_field_ids=_tuple(whole.extra_field_ids),
        index_meta=whole.index_meta,
        source_meta=whole.source_meta,
    )


def _row(row: Any) -> bytes:
    """A row of pypaimon. It has values and fields, or it came from somewhere as bytes and keeps them."""
    if row is None:
        return encode_row((), ())
    data = getattr(row, "data", None)
    if isinstance(data, bytes):
        return data
    types = [_type(field) for field in row.fields[: len(row.values)]]
    return encode_row([_plain(value) for value in row.values], types)


def _type(field: Any) -> DataType:
    return parse_type(field.to_dict()["type"])


def _plain(value: Any) -> Any:
    """The value as ``encode_row`` takes it: pypaimon has classes of its own for BLOB and VARIANT."""
    if _package(value) != "pypaimon":
        return value
    return value.to_data() if hasattr(value, "to_data") else (value.value(), value.metadata())


def _tuple(values: Iterable[Any] | None) -> tuple[Any, ...] | None:
    return None if values is None else tuple(values)
