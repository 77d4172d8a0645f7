"""The shim's verifier in a JVM of its own with little memory: mutated messages never crash it, though they crash Paimon's decoder."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT, paimon_jar, versions
from tests.java.witness import logging_jars

pytestmark = pytest.mark.java

MUTANTS = int(os.environ.get("PAIMON_BRIDGE_MUTATIONS", "20000"))


def fuzz(release: str, mutants: int, seed: int, *more: str) -> subprocess.CompletedProcess[str]:
    classes = [ROOT / "jvm" / "build" / "classes" / "java" / part for part in ("main", "test")]
    assert classes[1].is_dir(), "the shim's tests are not compiled: run 'gradle -p jvm testClasses'"
    path = os.pathsep.join([*map(str, classes), str(paimon_jar(release)), *map(str, logging_jars())])
    command = ["java", "-Xmx256m", "-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=/dev/null", "-cp", path]
    seeds = [str(ROOT / "tests" / "vectors"), str(mutants), str(seed)]
    return subprocess.run([*command, "org.paimonbridge.verify.VerifierFuzz", *seeds, *more], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("release", versions()["paimon.runtime"].split(","))
def test_mutated_messages_never_crash_the_shim(release: str) -> None:
    done = fuzz(release, MUTANTS, 7)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    figures = {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", done.stdout)}
    # All were tried, some were refused, and some reached Paimon's decoder: a verifier that lets nothing through proves nothing.
    assert figures["mutants"] >= MUTANTS, done.stdout
    assert figures["refused"] > 0
    assert figures["decoded"] > 0


def test_the_same_mutants_crash_paimon_without_the_verifier(tmp_path: Path) -> None:
    culprit = tmp_path / "culprit.bin"
    done = fuzz(versions()["paimon.default"], 5000, 7, "--no-verifier", f"--culprit={culprit}")
    assert done.returncode not in (0, 2), "Paimon's decoder survived: the verifier would not be needed"
    assert "SIGSEGV" in done.stdout + done.stderr or "OutOfMemory" in done.stdout + done.stderr, done.stdout[-500:]
