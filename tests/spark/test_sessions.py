"""Sessions that cannot serve: each gets its own sentence. A process each, since a process has one Spark."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

from tests.conftest import paimon_jar, release_under_test, versions

_PREAMBLE = """
import os, sys
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
from pyspark.sql import SparkSession
from paimon_bridge import Bridge, configure
from paimon_bridge.errors import ShimError
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config("spark.log.level", "OFF")
def refused(spark):
    try:
        Bridge(spark, {"warehouse": "file:/nowhere"})
    except ShimError as error:
        print(error)
"""


def told(script: str, tmp_path: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _PREAMBLE + script, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=180, check=False,
        env={key: value for key, value in os.environ.items() if key != "PYSPARK_PYTHON"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_session_without_jars_says_which_are_missing_and_what_to_do(tmp_path: Path) -> None:
    text = told("refused(builder.getOrCreate())", tmp_path)
    assert "[JAR_MISSING] The driver's class path lacks the paimon-bridge shim jar and Paimon (a paimon-bundle jar)." in text
    assert "paimon_bridge.configure" in text


def test_session_without_paimon_says_so(tmp_path: Path) -> None:
    text = told("from paimon_bridge.jars import shim_jar\nrefused(builder.config('spark.jars', str(shim_jar())).getOrCreate())", tmp_path)
    assert "[JAR_MISSING] The driver's class path lacks Paimon (a paimon-bundle jar)." in text


def test_stopped_session_says_so(tmp_path: Path) -> None:
    script = "spark = configure(builder, paimon_jar=sys.argv[1]).getOrCreate()\nspark.stop()\nrefused(spark)"
    assert "[SPARK_STOPPED]" in told(script, tmp_path, str(paimon_jar(release_under_test())))


def test_two_copies_of_paimon_are_refused_and_both_named(tmp_path: Path) -> None:
    other = next(release for release in versions()["paimon.runtime"].split(",") if release != release_under_test())
    jars = (str(paimon_jar(release_under_test())), str(paimon_jar(other)))
    script = "refused(configure(builder.config('spark.jars', sys.argv[2]), paimon_jar=sys.argv[1]).getOrCreate())"
    text = told(script, tmp_path, *jars)
    assert "[PAIMON_TWICE]" in text
    assert all(Path(jar).name in text for jar in jars)


def test_spark_connect_session_says_so(tmp_path: Path) -> None:
    if pyspark.__version__.startswith("3."):
        pytest.skip("the Spark 3.5 wheel carries no Connect server to open a session with")
    script = "refused(SparkSession.builder.remote('local[1]').getOrCreate())"
    assert "[SPARK_CONNECT]" in told(script, tmp_path)


def test_configure_keeps_what_the_builder_has_and_refuses_what_cannot_be_fetched(tmp_path: Path) -> None:
    script = """
configure(builder.config("spark.jars.packages", "a:b:1").config("spark.jars", "/x.jar"))
print(builder._options["spark.jars.packages"], builder._options["spark.jars"].split(",")[0])
for wrong in ({"paimon": "2.0.0"}, {"paimon_jar": "/no/such.jar"}):
    try:
        configure(builder, **wrong)
    except ShimError as error:
        print(error)
print(os.environ["PYSPARK_PYTHON"] == sys.executable)
"""
    text = told(script, tmp_path)
    assert "a:b:1,org.apache.paimon:paimon-bundle:1.4.2 /x.jar" in text
    assert "[PAIMON_NOT_FETCHABLE]" in text
    assert "[PAIMON_JAR_ABSENT]" in text
    assert text.endswith("True\n")
