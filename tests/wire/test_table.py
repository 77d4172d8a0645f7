"""The version table against itself: what a typing error in it would break."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

import pytest

from paimon_bridge.model.message import CommitMessage, CompactIncrement, DataIncrement, ManifestCommittable
from paimon_bridge.wire.fields import Struct, default_of
from paimon_bridge.wire.versions import (
    COMMIT_MESSAGE,
    COMMITTABLE,
    COMMITTABLE_VERSIONS,
    DATA_FILE,
    DELETION_VECTOR,
    GLOBAL_INDEX,
    INDEX_FILE,
    LAYOUT_OF_0_7,
    MESSAGE_VERSIONS,
    RELEASES,
    SIMPLE_STATS,
)

STRUCTS = [DATA_FILE, INDEX_FILE, DELETION_VECTOR, GLOBAL_INDEX, SIMPLE_STATS]
LAYOUTS = range(LAYOUT_OF_0_7, MESSAGE_VERSIONS[-1] + 1)


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.name)
def test_a_row_has_exactly_the_fields_of_its_value_in_their_order(struct: Struct) -> None:
    assert [item.name for item in struct.fields] == [item.name for item in fields(struct.value_class)]


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.name)
def test_rows_grow_only_at_their_end(struct: Struct) -> None:
    for older, newer in pairwise(LAYOUTS):
        assert struct.at(newer)[: len(struct.at(older))] == struct.at(older)
    assert struct.at(MESSAGE_VERSIONS[-1]) == struct.fields


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.name)
def test_a_field_that_came_later_is_nullable_and_absent_by_default(struct: Struct) -> None:
    for item in struct.fields:
        if item.since > LAYOUT_OF_0_7:
            assert item.nullable
            assert default_of(struct.value_class, item.name) is None


@pytest.mark.parametrize(
    ("version", "file_fields", "index_fields"),
    [(2, 15, 5), (3, 16, 5), (4, 17, 5), (5, 17, 5), (6, 18, 5), (7, 18, 5), (8, 19, 5), (9, 20, 6), (10, 20, 6), (11, 20, 7), (13, 21, 7)],
)
def test_rows_have_the_number_of_fields_that_the_reference_counts(version: int, file_fields: int, index_fields: int) -> None:
    assert (len(DATA_FILE.at(version)), len(INDEX_FILE.at(version))) == (file_fields, index_fields)


def test_parts_name_fields_that_exist() -> None:
    owners = {"": CommitMessage, "data": DataIncrement, "compact": CompactIncrement, "shared": DataIncrement}
    for part in COMMIT_MESSAGE.parts:
        group, _, name = part.path.rpartition(".")
        assert name in {item.name for item in fields(owners[group])}
        assert part.since <= part.until
    assert {part.path for part in COMMITTABLE.parts} | {"from_0_7"} == {item.name for item in fields(ManifestCommittable)}


def test_releases_speak_versions_that_exist_and_never_older_ones_than_before() -> None:
    pairs = list(RELEASES.values())
    assert pairs == sorted(pairs)
    assert all(message in MESSAGE_VERSIONS and committable in COMMITTABLE_VERSIONS for message, committable in pairs)
