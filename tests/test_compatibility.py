from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests import compatibility
from tests.conftest import ROOT


def test_counts_of_several_runs_become_one_cell_and_a_failure_shows() -> None:
    runs: list[dict[str, object]] = [
        {"release": "1.0.1", "spark": "4.3", "modules": {"test_bridge": {"passed": 3}, "test_types": {"passed": 2, "skipped": 1}}},
        {"release": "1.0.1", "spark": "3.5", "modules": {"test_bridge": {"passed": 3}}},
        {"release": "2.0.0", "spark": "4.3", "modules": {"test_bridge": {"passed": 3, "failed": 1}}},
    ]
    lines = compatibility.table(runs).splitlines()
    assert lines[0] == "| | 1.0.1 | 2.0.0 |"
    assert lines[2] == "| create, write, commit, read back | ✔ 8, 1 skipped | ✘ 1 failed |"
    assert lines[-1].endswith("| – | – |")


def test_modules_that_did_not_run_keep_their_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compatibility, "FOLDER", tmp_path)
    compatibility.leave("1.0.1", "4.3", {"test_gate": Counter(passed=4)})
    compatibility.leave("1.0.1", "4.3", {"test_bridge": Counter(passed=2)})
    text = (tmp_path / "1.0.1-spark4.3.json").read_text()
    assert '"test_gate"' in text
    assert '"test_bridge"' in text


def test_the_readme_has_room_for_the_table() -> None:
    text = (ROOT / "README.md").read_text()
    assert text.index(compatibility.START) < text.index(compatibility.END)
