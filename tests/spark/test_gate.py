"""For every rule of the gate: a message that breaks exactly it is refused by the rule's id, and the table stays as it was."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from paimon_bridge import Messages
from paimon_bridge.binary.row import encode_row
from paimon_bridge.errors import BridgeError, CodecError, ConformanceError
from paimon_bridge.model.message import CommitMessage, CompactIncrement
from paimon_bridge.model.types import parse_type
from paimon_bridge.wire import encode
from tests import manifest


@pytest.fixture
def written(bridge: Any, spark: Any) -> Messages:
    frame = spark.range(100).selectExpr("id", "cast(id % 2 as string) as p", "cast(id as double) as v").coalesce(1)
    bridge.create_table("db.t", frame.schema, partitioned_by=["p"])
    messages: Messages = bridge.write(frame, "db.t")
    return messages


def forge(messages: Messages, change: Callable[[CommitMessage], CommitMessage]) -> Messages:
    """The same envelopes with the first message changed, sealed again: what a careless writer would send."""
    first, *rest = messages.envelopes
    payloads = (encode(change(messages[0]), messages.version), *first.payloads[1:])
    return Messages([replace(first, payloads=payloads), *rest])


def with_file(**changes: Any) -> Callable[[CommitMessage], CommitMessage]:
    def change(message: CommitMessage) -> CommitMessage:
        file, *others = message.data.new_files
        return replace(message, data=replace(message.data, new_files=(replace(file, **changes), *others)))

    return change


def longer(message: CommitMessage) -> CommitMessage:
    return with_file(file_size=message.data.new_files[0].file_size + 1)(message)


def more_rows(message: CommitMessage) -> CommitMessage:
    return with_file(row_count=message.data.new_files[0].row_count + 1)(message)


def twice(message: CommitMessage) -> CommitMessage:
    return replace(message, data=replace(message.data, new_files=message.data.new_files * 2))


def deletes(message: CommitMessage) -> CommitMessage:
    return replace(message, data=replace(message.data, deleted_files=message.data.new_files))


def compacts(message: CommitMessage) -> CommitMessage:
    return replace(message, compact=CompactIncrement(compact_before=message.data.new_files))


def narrow_stats(message: CommitMessage) -> CommitMessage:
    stats = message.data.new_files[0].value_stats
    return with_file(value_stats=replace(stats, null_counts=stats.null_counts[:-1]))(message)


def wrong_partition_arity(message: CommitMessage) -> CommitMessage:
    return replace(message, partition=encode_row(["0", "1"], [parse_type("STRING")] * 2))


DEFECTS: dict[str, tuple[str, Callable[[CommitMessage], CommitMessage]]] = {
    "a missing file": ("FILE_EXISTS", with_file(file_name="data-00000000-0000-4000-8000-000000000000-0.parquet")),
    "a wrong size": ("FILE_SIZE", longer),
    "a wrong row count": ("FILE_ROW_COUNT", more_rows),
    "the same file twice": ("FILE_UNIQUE", twice),
    "an unknown schema": ("SCHEMA_ID", with_file(schema_id=42)),
    "a level above 0": ("FILE_LEVEL", with_file(level=3)),
    "deleted files": ("ADD_ONLY", deletes),
    "compacted files": ("ADD_ONLY", compacts),
    "a bucket that is not there": ("BUCKET", lambda message: replace(message, bucket=99)),
    "another bucket count": ("BUCKET", lambda message: replace(message, total_buckets=4)),
    "a partition of wrong arity": ("PARTITION_ROW", wrong_partition_arity),
    "statistics of wrong width": ("STATS_SHAPE", narrow_stats),
    "a name that climbs out": ("FILE_NAME", with_file(file_name="../../../canary.parquet")),
    "an absolute name": ("FILE_NAME", with_file(file_name="/etc/canary.parquet")),
    "a name of another scheme": ("FILE_NAME", with_file(file_name="s3://other/canary.parquet")),
    "a name with a folder": ("FILE_NAME", with_file(file_name="a/b.parquet")),
    "an empty name": ("FILE_NAME", with_file(file_name="")),
    "an escaped name": ("FILE_NAME", with_file(file_name="%2e%2e%2fcanary.parquet")),
    "an external path": ("FILE_NAME", with_file(external_path="file:/tmp/canary.parquet")),
    "an extra file elsewhere": ("FILE_NAME", with_file(extra_files=("../x.index",))),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_defect_is_refused_by_its_rule_and_the_table_is_untouched(defect: str, bridge: Any, written: Messages) -> None:
    rule, change = DEFECTS[defect]
    if defect == "another bucket count" and written.version < 7:
        pytest.skip(f"messages of version {written.version} carry no bucket count")
    folder = manifest.table_folder(bridge.describe("db.t"))
    before = manifest.data_files(folder)
    with pytest.raises(ConformanceError) as refused:
        bridge.commit(forge(written, change))
    report = refused.value.report
    assert rule in {finding.rule for finding in report.errors}, str(report)
    assert all(finding.message and finding.where and finding.remedy for finding in report.errors)
    assert bridge.describe("db.t").latest_snapshot_id is None
    assert manifest.data_files(folder) == before
    assert bridge.commit(written).status == "COMMITTED", "the honest messages still commit"


def test_all_findings_are_reported_not_the_first(bridge: Any, written: Messages) -> None:
    def change(message: CommitMessage) -> CommitMessage:
        return replace(with_file(schema_id=42, level=2)(longer(message)), bucket=7)

    report = bridge.check(forge(written, change))
    assert {"SCHEMA_ID", "FILE_LEVEL", "BUCKET"} <= {finding.rule for finding in report.errors}
    assert not report
    assert "SCHEMA_ID" in str(report)
    assert "SCHEMA_ID" in report._repr_html_()


def test_both_attempts_of_one_task_are_refused(bridge: Any, spark: Any, written: Messages) -> None:
    (envelope,) = written.envelopes
    both = Messages([envelope, replace(envelope, attempt=envelope.attempt + 1)])
    with pytest.raises(ConformanceError) as refused:
        bridge.commit(both)
    assert "ONE_ATTEMPT_PER_TASK" in {finding.rule for finding in refused.value.report.errors}


def test_messages_of_another_table_are_refused(bridge: Any, spark: Any, written: Messages) -> None:
    frame = spark.range(10).selectExpr("id", "cast(id % 2 as string) as p", "cast(id as double) as v")
    bridge.create_table("db.other", frame.schema, partitioned_by=["p"])
    other = bridge.describe("db.other")
    moved = Messages([replace(envelope, table="db.other") for envelope in written.envelopes])
    assert moved.table_id != other.table_id
    with pytest.raises(ConformanceError) as refused:
        bridge.commit(moved)
    assert "TABLE_IDENTITY" in {finding.rule for finding in refused.value.report.errors}
    assert bridge.describe("db.other").latest_snapshot_id is None


def test_every_single_bit_flip_of_a_hand_over_is_rejected(bridge: Any, written: Messages) -> None:
    blob = written.to_bytes()
    for position in range(0, len(blob), max(1, len(blob) // 40)):
        changed = bytearray(blob)
        changed[position] ^= 1 << (position % 8)
        with pytest.raises(CodecError):
            Messages.from_bytes(bytes(changed))
        with pytest.raises(BridgeError) as refused:
            bridge._shim.call_with_blob(
                "check", bridge._catalog, {"table": "db.t", "requestId": str(position), "level": "fast"}, bytes(changed)
            )
        assert isinstance(refused.value, CodecError), refused.value


@pytest.mark.parametrize("change", ["truncated", "trailing", "length bomb", "wrong version"])
def test_payload_that_is_not_its_version_is_refused_before_paimon_sees_it(change: str, bridge: Any, written: Messages) -> None:
    import struct

    (envelope,) = written.envelopes
    payload = envelope.payloads[0]
    forged = {
        "truncated": replace(envelope, payloads=(payload[:-5],)),
        "trailing": replace(envelope, payloads=(payload + b"\x00",)),
        "length bomb": replace(envelope, payloads=(struct.pack(">i", 0x70000000) + payload[4:],)),
        "wrong version": replace(envelope, version=12 if envelope.version != 12 else 11),
    }[change]
    # Sealed by hand: Python's own decoder would refuse these before they reach the JVM.
    blob = forged.encode()
    assert hashlib.sha256(blob[:-32]).digest() == blob[-32:]
    request = {"table": "db.t", "requestId": change, "level": "fast", "commitUser": "u", "identifier": 1}
    with pytest.raises(BridgeError) as refused:
        bridge._shim.call_with_blob("commit", bridge._catalog, request, blob)
    assert isinstance(refused.value, CodecError | ConformanceError)
    assert bridge.describe("db.t").latest_snapshot_id is None


def test_file_that_vanishes_or_is_cut_after_the_write_is_refused(bridge: Any, written: Messages) -> None:
    folder = manifest.table_folder(bridge.describe("db.t"))
    gone, cut = sorted(manifest.data_files(folder))
    (folder / gone).unlink()
    (folder / cut).write_bytes((folder / cut).read_bytes()[:-10])
    with pytest.raises(ConformanceError) as refused:
        bridge.commit(written)
    assert {"FILE_EXISTS", "FILE_SIZE"} <= {finding.rule for finding in refused.value.report.errors}


def test_foreign_bytes_pass_the_same_gate(bridge: Any, written: Messages) -> None:
    pairs = [(encode(message, written.version), written.version) for message in written]
    assert bridge.check(pairs, table="db.t").ok
    assert bridge.commit(pairs, table="db.t").rows == 100
    names = {file.file_name for file in written.new_files}
    folder = manifest.table_folder(bridge.describe("db.t"))
    assert {entry["_FILE"]["_FILE_NAME"] for entry in manifest.live_files(folder)} == names
