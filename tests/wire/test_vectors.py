"""What Paimon releases wrote: read as Paimon reads it, written again to the byte, converted as Paimon converts it."""

from __future__ import annotations

import hashlib
import json
import pickle

import pytest

from paimon_bridge.model.message import CommitMessage
from paimon_bridge.wire import MESSAGE_VERSIONS, encode, encode_committable, encode_list
from tests.wire.vectors import FURTHER, Vector, committed_vectors, further_vectors, messages_of, same_json

EVERY = [pytest.param(vector, id=vector.path.stem) for vector in committed_vectors()]


def check(vector: Vector) -> None:
    twin, data = vector.twin, vector.data
    assert hashlib.sha256(data).hexdigest() == twin["sha256"]
    value = vector.decode(data)
    messages = messages_of(value)
    assert same_json([message.to_dict(vector.types) for message in messages], twin["messages"])
    assert tuple(CommitMessage.from_dict(shape) for shape in twin["messages"]) == messages
    assert vector.encode(value) == data
    assert pickle.loads(pickle.dumps(value)) == value
    if vector.form == "committable":
        stated = twin["committable"]
        assert (value.identifier, value.watermark) == (stated["identifier"], stated["watermark"])
        assert list(value.properties) == list(stated["properties"].items())
        assert {str(bucket): offset for bucket, offset in value.log_offsets} == stated.get("legacyLogOffsets", {})
        assert value.message_version == vector.version
    again = twin.get("reserialized")
    if again is not None:
        newer = {
            "single": lambda: encode(value, again["version"]),
            "list": lambda: encode_list(value, again["version"]),
            "committable": lambda: encode_committable(value, again["committableVersion"], again["version"]),
        }[vector.form]()
        assert newer.hex() == again["hex"]


@pytest.mark.parametrize("vector", EVERY)
def test_committed_vector_is_read_and_written_as_paimon_does(vector: Vector) -> None:
    check(vector)


def test_committed_vectors_cover_every_form_and_every_version_a_release_writes() -> None:
    vectors = committed_vectors()
    assert {vector.form for vector in vectors} == {"single", "list", "committable"}
    assert {2, 3, 6, 7, 10, 11, 12, 13} <= {vector.version for vector in vectors} <= set(MESSAGE_VERSIONS)


@pytest.mark.skipif(not FURTHER, reason="PAIMON_BRIDGE_VECTORS names no folder of further vectors")
def test_every_further_vector_is_read_and_written_as_paimon_does() -> None:
    vectors = further_vectors()
    assert vectors, f"no vectors in {FURTHER}"
    failed = {}
    for vector in vectors:
        try:
            check(vector)
        except Exception as error:
            failed[vector.path.name] = repr(error)
    assert not failed, json.dumps(failed, indent=1)
