"""Versions are named once, in gradle/versions.properties; wherever else a tool needs one, it must agree."""

from __future__ import annotations

import re
from pathlib import Path

import paimon_bridge
from paimon_bridge.jars import shim_jar, shim_properties
from paimon_bridge.wire import RELEASES
from tests.conftest import ROOT, versions


def test_package_shim_and_project_have_one_version() -> None:
    project = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert project is not None
    assert paimon_bridge.__version__ == project[1] == versions()["shim.version"] == shim_properties()["version"]
    assert shim_jar().name == f"paimon-bridge-shim-{paimon_bridge.__version__}.jar"


def test_configure_attaches_the_default_paimon() -> None:
    source = Path(paimon_bridge.__file__).parent / "spark" / "classpath.py"
    assert f'DEFAULT_PAIMON = "{versions()["paimon.default"]}"' in source.read_text()


def test_locked_sparks_are_the_ones_that_are_named() -> None:
    named = {"spark4": versions()["spark.default"], "spark35": versions()["spark.oldest"]}
    for lock, version in named.items():
        for suffix in ("constraints.txt", "lock"):
            assert f"pyspark=={version}" in (ROOT / "requirements" / f"{lock}.{suffix}").read_text()


def test_every_release_with_a_jar_has_a_message_version() -> None:
    for release in versions()["paimon.releases"].split(","):
        assert release.rsplit(".", 1)[0] in RELEASES
