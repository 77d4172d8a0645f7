"""The wheel as users get it: one jar, the right one; without a jar it is not built at all."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    copy = tmp_path / "checkout"
    copy.mkdir()
    for name in ("pyproject.toml", "build_hook.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    shutil.copytree(ROOT / "paimon_bridge", copy / "paimon_bridge", ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def build(checkout: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    return subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)


def test_wheel_has_exactly_one_jar_and_works_with_the_core_install(checkout: Path, tmp_path: Path) -> None:
    done = build(checkout)
    assert done.returncode == 0, done.stderr
    (wheel,) = (checkout / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path / "installed")
    assert len([name for name in names if name.endswith(".jar")]) == 1
    assert "paimon_bridge/py.typed" in names
    script = "from paimon_bridge.jars import shim_jar; import paimon_bridge.wire, paimon_bridge.write; print(shim_jar())"
    imported = subprocess.run([sys.executable, "-c", script], cwd=tmp_path / "installed", capture_output=True, text=True, check=False)
    assert imported.returncode == 0, imported.stderr
    assert imported.stdout.startswith(str(tmp_path / "installed"))


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("no jar", "needs exactly one shim jar"),
        ("two jars", "needs exactly one shim jar"),
        ("another jar", "is not the jar that"),
        ("another version", "the shim jar is version 9.9.9"),
    ],
)
def test_wheel_without_its_jar_fails_loudly(damage: str, told: str, checkout: Path) -> None:
    folder = checkout / "paimon_bridge" / "jars"
    (jar,) = folder.glob("*.jar")
    stated = folder / "paimon-bridge-shim.properties"
    if damage == "no jar":
        jar.unlink()
    elif damage == "two jars":
        shutil.copy(jar, folder / "second.jar")
    elif damage == "another jar":
        jar.write_bytes(jar.read_bytes() + b"x")
    else:
        stated.write_text(stated.read_text().replace("version=0.1.0", "version=9.9.9"))
    done = build(checkout)
    assert done.returncode != 0
    assert told in done.stderr + done.stdout


def test_changed_jar_is_refused_when_it_is_loaded(checkout: Path) -> None:
    (jar,) = (checkout / "paimon_bridge" / "jars").glob("*.jar")
    jar.write_bytes(jar.read_bytes() + b"x")
    done = subprocess.run(
        [sys.executable, "-c", "from paimon_bridge.jars import shim_jar; shim_jar()"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "SHIM_JAR_CHANGED" in done.stderr
