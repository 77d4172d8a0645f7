"""The doctor's verdicts, on sessions that would work and on ones that would not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import paimon_jar, release_under_test


def doctor(tmp_path: Path, *arguments: str, **environment: str) -> tuple[int, dict[str, Any]]:
    clean = {key: value for key, value in os.environ.items() if key not in ("PYSPARK_PYTHON", "SPARK_REMOTE")}
    command = [sys.executable, "-m", "paimon_bridge.cli", "doctor", "--json", "--master", "local[2]"]
    jar = ["--paimon-jar", str(paimon_jar(release_under_test()))]
    done = subprocess.run([*command, *jar, *arguments], cwd=tmp_path, env=clean | environment, capture_output=True, text=True, check=False)
    told = json.loads(done.stdout)
    return done.returncode, {probe["name"]: probe for probe in told["probes"]} | {"ok": told["ok"]}


def test_healthy_machine_passes_and_leaves_nothing_in_the_warehouse(tmp_path: Path) -> None:
    code, told = doctor(tmp_path, "--warehouse", f"file:{tmp_path}/warehouse")
    assert code == 0, told
    assert told["ok"] is True
    assert told["paimon"]["found"].startswith(release_under_test())
    assert list((tmp_path / "warehouse").iterdir()) == []


def test_worker_python_without_pyarrow_is_named_with_the_remedy(tmp_path: Path) -> None:
    bare = tmp_path / "bare-python"
    # pyspark and what it needs, but neither pyarrow nor this package.
    only = tmp_path / "only"
    only.mkdir()
    for name in ("pyspark", "py4j"):
        (only / name).symlink_to(Path(import_module(name).__file__).parent)
    bare.write_text(f'#!/bin/sh\nPYTHONPATH="{only}" exec "{sys.executable}" -S "$@"\n')
    bare.chmod(0o755)
    code, told = doctor(tmp_path, PYSPARK_PYTHON=str(bare))
    assert code == 1
    assert told["executor python"]["status"] == "failed"
    assert "pyarrow" in told["executor python"]["remedy"]
    assert "PYSPARK_PYTHON" in told["executor python"]["remedy"]


@pytest.mark.parametrize(
    ("arguments", "environment", "probe", "status", "said"),
    [
        ([], {"SPARK_REMOTE": "sc://localhost"}, "spark connect", "failed", "unset SPARK_REMOTE"),
        ([], {"JAVA_HOME": "/no/such/java"}, "java", "failed", "JDK 17"),
        (["--conf", "spark.speculation=true"], {}, "speculation", "warning", "spark.speculation=false"),
        (["--warehouse", "file:/proc/nowhere"], {}, "warehouse", "failed", "write there"),
    ],
)
def test_what_would_break_a_job_has_a_remedy(
    arguments: list[str], environment: dict[str, str], probe: str, status: str, said: str, tmp_path: Path
) -> None:
    code, told = doctor(tmp_path, *arguments, **environment)
    assert told[probe]["status"] == status, told
    assert said in told[probe]["remedy"]
    assert code == (1 if status == "failed" else 0)
