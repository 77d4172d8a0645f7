"""configure(builder): put the shim jar and one Paimon on the class path of a Spark session that is about to start."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from paimon_bridge.errors import ShimError
from paimon_bridge.jars import shim_jar

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DEFAULT_PAIMON = "1.4.2"
_BUNDLE = "org.apache.paimon:paimon-bundle"


def configure(
    builder: SparkSession.Builder, paimon: str = DEFAULT_PAIMON, *, paimon_jar: str | os.PathLike[str] | None = None
) -> SparkSession.Builder:
    """Add the shipped shim jar and the chosen Paimon to ``builder``, and return it.

    Runs on the driver, before ``getOrCreate``; starts nothing. ``paimon`` is a release that Spark fetches by its Maven coordinates when
    the session starts; ``paimon_jar`` is a jar at hand and is used instead. Jars and packages that the builder has already are kept.

    On a local master the workers' Python becomes this one, unless PYSPARK_PYTHON says otherwise: Spark would take ``python3`` from PATH,
    which may lack pyarrow.
    """
    jars = [str(shim_jar())]
    if paimon_jar is not None:
        path = Path(paimon_jar)
        if not path.is_file():
            raise ShimError(f"There is no Paimon jar at {path}.", code="PAIMON_JAR_ABSENT", remedy="correct paimon_jar=, or leave it out.")
        jars.append(str(path.resolve()))
    else:
        _add(builder, "spark.jars.packages", [f"{_BUNDLE}:{_fetchable(paimon)}"])
    _add(builder, "spark.jars", jars)
    if _option(builder, "spark.master", os.environ.get("SPARK_MASTER", "local")).startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    return builder


def _fetchable(paimon: str) -> str:
    if paimon.startswith("2."):
        # paimon-bundle ends at 1.4; 2.0.0's core lies inside paimon-flink-2.0, whose parent POM is not published, so Ivy refuses it.
        raise ShimError(
            f"Paimon {paimon} cannot be fetched by Spark: there is no paimon-bundle of it.",
            code="PAIMON_NOT_FETCHABLE",
            remedy=f"download the jar org.apache.paimon:paimon-flink-2.0:{paimon} and pass its path as paimon_jar=.",
        )
    return paimon


def _option(builder: SparkSession.Builder, key: str, default: str = "") -> str:
    # The builder has no public getter; a copy of its options is the only way not to overwrite what the user set.
    return str(getattr(builder, "_options", {}).get(key, default))


def _add(builder: SparkSession.Builder, key: str, values: list[str]) -> None:
    present = [value for value in _option(builder, key).split(",") if value]
    builder.config(key, ",".join(present + [value for value in values if value not in present]))
