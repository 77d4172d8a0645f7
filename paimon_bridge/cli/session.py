"""Options that every command with a Spark session shares, and the session they describe."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from paimon_bridge.spark.classpath import DEFAULT_PAIMON, configure

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOptions:
    """Where to run, with which Paimon."""

    master: str
    paimon: str
    paimon_jar: str | None
    conf: tuple[str, ...]


def session_options(command: Command) -> Command:
    """Add --master, --paimon, --paimon-jar and --conf to a click command, handed over as one ``session`` argument."""

    def wrapper(master: str, paimon: str, paimon_jar: str | None, conf: tuple[str, ...], **rest: Any) -> Any:
        return command(session=SessionOptions(master=master, paimon=paimon, paimon_jar=paimon_jar, conf=conf), **rest)

    wrapper.__name__, wrapper.__doc__ = command.__name__, command.__doc__
    wrapper.__dict__.update(command.__dict__)
    for option in (
        click.option("--conf", multiple=True, metavar="KEY=VALUE", help="A Spark setting; may be given several times."),
        click.option(
            "--paimon-jar",
            envvar="PAIMON_BRIDGE_PAIMON_JAR",
            type=click.Path(exists=True, dir_okay=False),
            help="A Paimon jar at hand, instead of fetching one.",
        ),
        click.option("--paimon", default=DEFAULT_PAIMON, show_default=True, help="The Paimon release to fetch by its Maven coordinates."),
        click.option("--master", default="local[*]", show_default=True, help="The Spark master."),
    ):
        option(wrapper)
    return wrapper  # type: ignore[return-value]


@contextmanager
def spark_session(options: SessionOptions, name: str) -> Iterator[SparkSession]:
    """A session for one command, stopped when it is over."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(options.master).appName(name)
    builder = builder.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false").config("spark.log.level", "ERROR")
    for setting in options.conf:
        key, separator, value = setting.partition("=")
        if not separator:
            raise click.BadParameter(f"{setting!r} is not KEY=VALUE", param_hint="--conf")
        builder = builder.config(key, value)
    # On a loopback-only machine Spark would look for an outside address, and warn.
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    spark = configure(builder, options.paimon, paimon_jar=options.paimon_jar).getOrCreate()
    try:
        yield spark
    finally:
        spark.stop()
