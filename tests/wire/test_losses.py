"""Conversion refuses to drop a value: each loss of the reference, by field, file and value; and what is none."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import pytest

from paimon_bridge.errors import LossError
from paimon_bridge.model.file import DataFileMeta, DeletionVectorMeta, GlobalIndexMeta, IndexFileMeta
from paimon_bridge.model.message import CommitMessage, CompactIncrement, DataIncrement, ManifestCommittable
from paimon_bridge.model.table import FIXED, TableSpec
from paimon_bridge.model.types import Field, parse_type
from paimon_bridge.wire import MESSAGE_VERSIONS, decode, encode, encode_committable, encode_list, losses
from tests.strategies import MessageSource

FILE = DataFileMeta(
    file_name="data-1.parquet",
    file_size=1,
    row_count=1,
    min_sequence_number=0,
    max_sequence_number=0,
    schema_id=0,
    creation_time_millis=0,
)
INDEX = IndexFileMeta(index_type="HASH", file_name="index-1", file_size=1, row_count=1)
VECTOR = DeletionVectorMeta(data_file_name="data-1.parquet", offset=1, length=2)
GLOBAL = GlobalIndexMeta(row_range_start=0, row_range_end=9, index_field_id=1)
TABLE = TableSpec(
    name="db.t",
    path="file:/warehouse/db.db/t",
    table_id="id",
    schema_id=0,
    fields=(Field(id=0, name="a", type=parse_type("INT")), Field(id=1, name="b", type=parse_type("INT"))),
    partition_keys=(),
    primary_keys=("a",),
    options={"bucket": "4"},
    bucket_mode=FIXED,
    release="1.0",
    message_version=6,
    zone_id="UTC",
)


def of_file(**values: Any) -> CommitMessage:
    return CommitMessage(bucket=0, data=DataIncrement(new_files=(replace(FILE, **values),)))


def of_index(**values: Any) -> CommitMessage:
    return CommitMessage(bucket=0, data=DataIncrement(new_index_files=(replace(INDEX, **values),)))


# (message, the first version that carries it, where the loss is, which file)
LOSSES = [
    (CommitMessage(bucket=0, check_from_snapshot=3), 14, "check_from_snapshot", None),
    (of_file(column_max_sequence_numbers=(1,)), 13, "data.new_files[0].column_max_sequence_numbers", "data-1.parquet"),
    (of_index(global_index_meta=replace(GLOBAL, source_meta=b"x")), 12, "data.new_index_files[0].global_index_meta.source_meta", "index-1"),
    (of_index(global_index_meta=GLOBAL), 11, "data.new_index_files[0].global_index_meta", "index-1"),
    (of_index(external_path="s3://b/i"), 9, "data.new_index_files[0].external_path", "index-1"),
    (of_file(write_cols=("a",)), 9, "data.new_files[0].write_cols", "data-1.parquet"),
    (of_file(first_row_id=0), 8, "data.new_files[0].first_row_id", "data-1.parquet"),
    (CommitMessage(bucket=0, total_buckets=4), 7, "total_buckets", None),
    (of_file(external_path="s3://b/f"), 6, "data.new_files[0].external_path", "data-1.parquet"),
    (of_index(dv_ranges=(replace(VECTOR, cardinality=0),)), 5, "data.new_index_files[0].dv_ranges[0].cardinality", "index-1"),
    (of_file(value_stats_cols=()), 4, "data.new_files[0].value_stats_cols", "data-1.parquet"),
    (of_file(file_source=0), 3, "data.new_files[0].file_source", "data-1.parquet"),
    (CommitMessage(bucket=0, data=DataIncrement(deleted_index_files=(INDEX,))), 3, "data.deleted_index_files", None),
]


@pytest.mark.parametrize(("message", "since", "path", "file"), LOSSES, ids=[case[2] for case in LOSSES])
def test_a_value_is_carried_since_its_version_and_refused_before(message: CommitMessage, since: int, path: str, file: str | None) -> None:
    for version in MESSAGE_VERSIONS:
        if version >= since:
            assert losses(message, version) == []
            assert decode(encode(message, version), version) == message
            continue
        # A value inside another that is lost as well is not told twice.
        found = losses(message, version)
        assert len(found) == 1
        assert path.startswith(found[0].path)
        assert (found[0].version, found[0].file) == (version, file)
        with pytest.raises(LossError) as raised:
            encode(message, version)
        assert raised.value.path == found[0].path
        assert raised.value.code == "MESSAGE_WOULD_LOSE_VALUES"


def test_the_error_names_field_file_and_value_of_every_loss() -> None:
    message = replace(of_file(first_row_id=17, write_cols=("a", "b")), total_buckets=4)
    with pytest.raises(LossError) as raised:
        encode(message, 6)
    text = raised.value.message
    assert "cannot carry 3 values" in text
    assert "total_buckets = 4" in text
    assert "data.new_files[0].first_row_id of data-1.parquet = 17" in text
    assert "data.new_files[0].write_cols of data-1.parquet = ('a', 'b')" in text
    assert isinstance(pickle.loads(pickle.dumps(raised.value)), LossError)


def test_a_list_is_refused_as_a_whole() -> None:
    with pytest.raises(LossError, match="cannot carry 2 values"):
        encode_list([CommitMessage(bucket=0), of_file(first_row_id=1), of_file(first_row_id=2)], 7)


@pytest.mark.parametrize("version", [version for version in MESSAGE_VERSIONS if 3 <= version < 10])
def test_index_files_of_both_increments_do_not_fit_one_list(version: int) -> None:
    both = CommitMessage(
        bucket=0, data=DataIncrement(new_index_files=(INDEX,)), compact=CompactIncrement(compact_after=(FILE,), new_index_files=(INDEX,))
    )
    assert [loss.path for loss in losses(both, version)] == ["data.new_index_files"]
    # Readers would take these for the other increment's, even though only one has any.
    beside = replace(both, compact=CompactIncrement(compact_after=(FILE,)))
    assert [loss.path for loss in losses(beside, version)] == ["data.new_index_files"]
    alone = CommitMessage(bucket=0, compact=CompactIncrement(deleted_index_files=(INDEX,)))
    assert [loss.path for loss in losses(alone, version)] == ["compact.deleted_index_files"]
    assert losses(both, 10) == losses(beside, 10) == losses(alone, 10) == []


def test_what_a_reader_fills_in_by_itself_is_no_loss() -> None:
    message = replace(of_file(write_cols=("a", "b")), total_buckets=4)
    assert losses(message, 6, TABLE) == []
    kept = decode(encode(message, 6, TABLE), 6)
    assert (kept.total_buckets, kept.data.new_files[0].write_cols) == (None, None)
    assert [loss.path for loss in losses(replace(message, total_buckets=5), 6, TABLE)] == ["total_buckets"]
    assert [loss.path for loss in losses(of_file(write_cols=("b",)), 6, TABLE)] == ["data.new_files[0].write_cols"]
    assert [loss.path for loss in losses(of_file(write_cols=("a", "b"), schema_id=1), 6, TABLE)] == ["data.new_files[0].write_cols"]


@pytest.mark.parametrize("version", MESSAGE_VERSIONS)
def test_encoding_without_losses_comes_back_whole_and_with_losses_is_refused(version: int) -> None:
    source = MessageSource(seed=300 + version)
    seen = {True: 0, False: 0}
    for newer in range(version, MESSAGE_VERSIONS[-1] + 1):
        for _ in range(15):
            message = source.message(newer)
            whole = not losses(message, version)
            seen[whole] += 1
            if whole:
                assert decode(encode(message, version), version) == message
            else:
                with pytest.raises(LossError):
                    encode(message, version)
    assert seen[True]
    assert seen[False] or version == MESSAGE_VERSIONS[-1]


def test_committables_lose_properties_before_4_but_may_lose_log_offsets() -> None:
    committable = ManifestCommittable(identifier=1, properties=(("a", "b"),), log_offsets=((0, 1),), message_version=3)
    with pytest.raises(LossError, match="properties"):
        encode_committable(committable, 3)
    # Paimon 1.4 and later step over the offsets; their part of Paimon is gone.
    assert encode_committable(committable, 5) == encode_committable(replace(committable, log_offsets=()), 5)
    with pytest.raises(LossError, match="total_buckets"):
        encode_committable(ManifestCommittable(identifier=1, messages=(CommitMessage(bucket=0, total_buckets=1),), message_version=7), 5, 6)
