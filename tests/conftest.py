"""One Spark per run, one shim, a fresh warehouse per test."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


def versions() -> dict[str, str]:
    """gradle/versions.properties, the one place that names versions."""
    lines = (ROOT / "gradle" / "versions.properties").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


def paimon_jar(release: str) -> Path:
    """The jar of a release, as Gradle's paimonJars task laid it down (PAIMON_BRIDGE_JARS names another folder)."""
    folder = Path(os.environ.get("PAIMON_BRIDGE_JARS", ROOT / "build" / "paimon-jars"))
    stated = versions()
    artifact = stated.get(f"paimon.artifact.{release}", stated["paimon.artifact"]).split(":")[1]
    path = folder / f"{artifact}-{release}.jar"
    assert path.is_file(), f"{path.name} is missing: run 'gradle -p jvm paimonJars'"
    return path


def release_under_test() -> str:
    """The Paimon release of this run; `make matrix` runs the suite once for each."""
    return os.environ.get("PAIMON_BRIDGE_RELEASE", versions()["paimon.default"])


def start_spark(master: str, **conf: str) -> Any:
    from pyspark.sql import SparkSession

    from paimon_bridge import configure

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    twin = sorted((ROOT / "jvm" / "build" / "libs").glob("paimon-bridge-twin*.jar"))
    builder = SparkSession.builder.master(master).appName("paimon-bridge tests")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "4",
        "spark.driver.memory": "2g",
        "spark.jars": ",".join(map(str, twin)),
    }
    for key, value in (settings | conf).items():
        builder = builder.config(key, value)
    return configure(builder, paimon_jar=paimon_jar(release_under_test())).getOrCreate()


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    session = start_spark("local[2]")
    yield session
    session.stop()


@pytest.fixture
def warehouse(tmp_path: Path) -> str:
    return f"file:{tmp_path}/warehouse"


@pytest.fixture
def bridge(spark: Any, warehouse: str) -> Any:
    from paimon_bridge import Bridge

    return Bridge(spark, {"warehouse": warehouse})
