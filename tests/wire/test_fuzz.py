"""A sample of the fuzzing; `make fuzz` runs the full million (tests/wire/fuzz.py)."""

from __future__ import annotations

import os

from tests.wire.fuzz import SLOWEST_SECONDS, Outcome, corpus, mutations, truncations
from tests.wire.vectors import committed_vectors

SAMPLE = int(os.environ.get("PAIMON_BRIDGE_MUTATIONS", "20000"))


def test_every_truncation_of_every_vector_is_refused() -> None:
    outcome = Outcome()
    truncations(committed_vectors(), outcome)
    assert not outcome.wrong
    assert outcome.kept == 0
    assert outcome.refused == sum(len(vector.data) for vector in committed_vectors())
    assert outcome.slowest_seconds < SLOWEST_SECONDS


def test_a_mutated_message_is_refused_or_encodes_to_itself() -> None:
    outcome = Outcome()
    mutations(corpus(), SAMPLE, seed=2, outcome=outcome)
    assert not outcome.wrong
    # Both must happen, or the test tests nothing.
    assert outcome.refused > SAMPLE // 4
    assert outcome.kept > SAMPLE // 50
    assert outcome.slowest_seconds < SLOWEST_SECONDS
    assert outcome.most_memory_share < 1
