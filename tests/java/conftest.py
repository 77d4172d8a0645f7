"""The Paimon releases as witnesses, each started when a test first asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import versions
from tests.java.witness import Witness, compile_witness, has_jdk


@pytest.fixture(scope="session")
def witness_classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not has_jdk():
        pytest.skip("no JDK (java and javac) on the path")
    return compile_witness(tmp_path_factory.mktemp("witness"))


@pytest.fixture(scope="session", params=versions()["paimon.releases"].split(","))
def witness(request: pytest.FixtureRequest, witness_classes: Path) -> Iterator[Witness]:
    started = Witness(request.param, witness_classes)
    yield started
    started.close()
