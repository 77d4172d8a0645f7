from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests import compatibility
from tests.conftest import release_under_test

HERE = Path(__file__).parent
_OUTCOMES: dict[str, Counter[str]] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.spark)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    # A test is counted once: when it was called, or when its set-up skipped it or failed.
    if report.when == "call" or (report.when == "setup" and not report.passed):
        _OUTCOMES.setdefault(Path(report.location[0]).stem, Counter())[report.outcome] += 1


def pytest_sessionfinish() -> None:
    if _OUTCOMES:
        import pyspark

        compatibility.leave(release_under_test(), ".".join(pyspark.__version__.split(".")[:2]), _OUTCOMES)
