"""Three proofs per release: Paimon Java reads our bytes, its value is ours, and its own bytes are the same.

A sample of generated messages by default; PAIMON_BRIDGE_JAVA_SAMPLE=10000 is the full form (`make java-full`).
"""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from paimon_bridge.model.message import CommitMessage, ManifestCommittable
from paimon_bridge.wire import MESSAGE_VERSIONS, RELEASES, decode, decode_committable, encode, encode_committable
from paimon_bridge.wire.versions import LAYOUT_OF_0_7
from tests.java.witness import Witness
from tests.strategies import MessageSource

pytestmark = pytest.mark.java

SAMPLE = int(os.environ.get("PAIMON_BRIDGE_JAVA_SAMPLE", "300"))


def assert_same_value(java: dict[str, Any], message: CommitMessage) -> None:
    """Java's value is ours. A key that the release does not have must be one that the message does not need."""
    ours = message.to_dict()
    shared = java.pop("indexIncrement", None)
    if shared is not None:
        # Up to 1.2 index files are an increment of their own.
        for name, files in shared.items():
            assert_same(files, ours["dataIncrement"].pop(name) + ours["compactIncrement"].pop(name), name)
    assert_same(java, ours, "message")


def assert_same(java: Any, ours: Any, path: str) -> None:
    if isinstance(java, dict) and isinstance(ours, dict):
        assert java.keys() <= ours.keys(), path
        for key, value in ours.items():
            if key in java:
                assert_same(java[key], value, f"{path}.{key}")
            else:
                assert value in (None, [], {}), f"{path}.{key} is unknown to this release"
    elif isinstance(java, list) and isinstance(ours, list):
        assert len(java) == len(ours), path
        for index, (one, other) in enumerate(zip(java, ours, strict=True)):
            assert_same(one, other, f"{path}[{index}]")
    else:
        assert java == ours, path


def generated(count: int, version: int) -> list[CommitMessage]:
    source = MessageSource(seed=version)
    return [source.message(version) for _ in range(count)]


def test_the_table_names_the_versions_this_release_speaks(witness: Witness, request: pytest.FixtureRequest) -> None:
    release = request.node.callspec.params["witness"].rpartition(".")[0]
    assert RELEASES[release] == (witness.message_version, witness.committable_version)


def test_java_reads_our_bytes_as_our_value_and_writes_the_same_bytes(witness: Witness) -> None:
    version = witness.message_version
    messages = generated(SAMPLE, version)
    items = [(encode(message, version), version) for message in messages]
    for message, (data, _), testimony in zip(messages, items, witness.messages(items), strict=True):
        assert not testimony.failure
        assert_same_value(json.loads(testimony.value), message)
        assert testimony.again == data
        assert decode(testimony.again, version) == message


def test_java_reads_the_older_versions_we_write(witness: Witness) -> None:
    """And what it makes of them at its own version is what our conversion makes of them."""
    own = witness.message_version
    # 0.8 refuses every version but its own.
    older = [version for version in MESSAGE_VERSIONS if version < own]
    for version in older:
        messages = generated(max(20, SAMPLE // 10), version)
        items = [(encode(message, version), version) for message in messages]
        for message, testimony in zip(messages, witness.messages(items), strict=True):
            assert not testimony.failure
            assert_same_value(json.loads(testimony.value), message)
            assert testimony.again == encode(message, own)
    assert older or own == MESSAGE_VERSIONS[0]


def test_java_reads_our_committables_and_writes_the_same_bytes(witness: Witness) -> None:
    version, message_version = witness.committable_version, witness.message_version
    source = MessageSource(seed=version)
    committables = [source.committable(version, message_version) for _ in range(max(20, SAMPLE // 10))]
    items = [(encode_committable(committable, version), version) for committable in committables]
    for committable, (data, _), testimony in zip(committables, items, witness.committables(items), strict=True):
        assert not testimony.failure
        java = json.loads(testimony.value)
        assert (java["identifier"], java["watermark"]) == (committable.identifier, committable.watermark)
        assert java.get("logOffsets", {}) == {str(bucket): str(offset) for bucket, offset in committable.log_offsets}
        assert java.get("properties", {}) == dict(committable.properties)
        for one, other in zip(java["messages"], committable.messages, strict=True):
            assert_same_value(one, other)
        assert testimony.again == data


def test_java_reads_the_older_committables_we_write(witness: Witness) -> None:
    older = sorted({pair for pair in RELEASES.values() if pair < (witness.message_version, witness.committable_version)})
    for message_version, version in older:
        source = MessageSource(seed=message_version)
        committables = [source.committable(version, message_version) for _ in range(20)]
        items = [(encode_committable(committable, version), version) for committable in committables]
        for committable, testimony in zip(committables, witness.committables(items), strict=True):
            assert not testimony.failure
            for one, other in zip(json.loads(testimony.value)["messages"], committable.messages, strict=True):
                assert_same_value(one, other)
    assert older or witness.message_version == MESSAGE_VERSIONS[0]


def test_java_reads_the_layout_of_0_7_as_we_do_if_at_all(witness: Witness) -> None:
    """Java tries the layout of 0.8 first and counts on an exception. Often it runs out of memory instead, which it does not catch."""
    source = MessageSource(seed=7)
    messages = [source.message(LAYOUT_OF_0_7) for _ in range(40)]
    committables = [ManifestCommittable(identifier=1, messages=(message,), message_version=2, from_0_7=True) for message in messages]
    items = [(encode_committable(committable, 2), 2) for committable in committables]
    read = 0
    for committable, (data, _), testimony in zip(committables, items, witness.committables(items), strict=True):
        assert decode_committable(data, 2) == committable
        if testimony.failure:
            assert "OutOfMemoryError" in testimony.failure
            continue
        read += 1
        assert_same_value(json.loads(testimony.value)["messages"][0], committable.messages[0])
    assert read > len(items) // 2
