from __future__ import annotations

import inspect
import pickle

import pytest

from paimon_bridge import errors
from paimon_bridge.model.report import ConformanceReport

REPORT = ConformanceReport(table="db.t", level="fast", messages=1, files=1, rows=1, size_bytes=1, findings=(), rules=(), millis=1)
KINDS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, errors.BridgeError)]


def example(kind: type[errors.BridgeError]) -> errors.BridgeError:
    if issubclass(kind, errors.CodecError):
        return kind("what happened", version=11, path="data.new_files[0].file_name", offset=99, remedy="do this")
    if issubclass(kind, errors.ConformanceError):
        return kind("what happened", report=REPORT, where="there", remedy="do this")
    return kind("what happened", where="there", remedy="do this", details={"files": ["a"]})


@pytest.mark.parametrize("kind", KINDS)
def test_error_says_what_where_and_what_to_do_also_after_pickling(kind: type[errors.BridgeError]) -> None:
    error = example(kind)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == str(error)
    first, where, remedy = str(error).splitlines()
    assert first == f"[{kind.code}] what happened"
    assert where.startswith("Where: ")
    assert remedy == "Do: do this"


def test_codes_are_unique() -> None:
    assert len({kind.code for kind in KINDS}) == len(KINDS)


def test_unknown_and_conflict_are_never_one_type() -> None:
    assert not issubclass(errors.CommitStateUnknownError, errors.CommitConflictError)
    assert not issubclass(errors.CommitConflictError, errors.CommitStateUnknownError)
