"""The same job on other masters, and with workers that cannot do it: a process each, since a process has one Spark."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import manifest
from tests.conftest import ROOT, paimon_jar, release_under_test


def run_job(master: str, tmp_path: Path, script: str = "job.py", **environment: str) -> dict[str, Any]:
    # Away from the checkout: `python -m pyspark.daemon` puts the working folder on the workers' path.
    command = [
        sys.executable,
        str(ROOT / "tests" / "spark" / script),
        master,
        f"file:{tmp_path}/warehouse",
        str(paimon_jar(release_under_test())),
    ]
    clean = {key: value for key, value in os.environ.items() if key not in ("PYSPARK_PYTHON", "PYTHONPATH")}
    done = subprocess.run(command, cwd=tmp_path, env=clean | environment, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return answer


@pytest.mark.cluster
@pytest.mark.parametrize("master", ["local[2]", "local-cluster[2,1,1024]"])
def test_same_job_on_each_master(master: str, tmp_path: Path) -> None:
    answer = run_job(master, tmp_path)
    assert (answer["status"], answer["rows"], answer["sum"]) == ("COMMITTED", 10_000, sum(range(10_000)))
    assert answer["tasks"] == list(range(6))


@pytest.mark.cluster
@pytest.mark.parametrize(("master", "jobs"), [("local[2]", 0), ("local-cluster[2,1,1024]", 1)])
def test_full_gate_reads_on_executors_where_there_are_any(master: str, jobs: int, tmp_path: Path) -> None:
    answer = run_job(master, tmp_path, script="full_job.py")
    assert (answer["ok"], answer["jobs"]) == (True, jobs)
    assert answer["findings"] == [["FILE_READS", answer["damaged"]]]


@pytest.mark.cluster
def test_worker_without_the_package_fails_with_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    import pyarrow

    site = Path(pyarrow.__file__).parent.parent
    bare = tmp_path / "python-without-package"
    # -S leaves out the .pth file through which the checkout is installed; everything else is found on PYTHONPATH.
    bare.write_text(f'#!/bin/sh\nPYTHONPATH="{site}:$PYTHONPATH" exec "{sys.executable}" -S "$@"\n')
    bare.chmod(0o755)
    answer = run_job("local[2]", tmp_path, PYSPARK_PYTHON=str(bare))
    assert answer["error"] == "SPARK_JOB_FAILED", answer
    assert "EXECUTOR_LACKS_PACKAGE" in answer["text"]
    assert "Install the same paimon-bridge" in answer["text"]
    folder = tmp_path / "warehouse" / "db.db" / "t"
    assert manifest.data_files(folder) == set()
    assert not (folder / "snapshot").exists()
