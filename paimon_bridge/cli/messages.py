"""paimon-bridge check, explain and commit: saved messages through the gate, from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import click

from paimon_bridge.cli.session import SessionOptions, session_options, spark_session
from paimon_bridge.wire import Messages


def _catalog(options: tuple[str, ...]) -> dict[str, str]:
    return _pairs(options, "--catalog")


def _pairs(options: tuple[str, ...], hint: str) -> dict[str, str]:
    pairs = [option.partition("=") for option in options]
    for key, separator, _ in pairs:
        if not separator:
            raise click.BadParameter(f"{key!r} is not KEY=VALUE", param_hint=hint)
    return {key: value for key, _, value in pairs}


def _replacing(options: tuple[str, ...]) -> dict[str, str] | str | None:
    """``--overwrite`` as the argument of ``commit``."""
    if options in ((), ("truncate",)):
        return options[0] if options else None
    return {} if options == ("dynamic",) else _pairs(options, "--overwrite")


_file = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
_catalog_option = click.option(
    "--catalog", multiple=True, required=True, metavar="KEY=VALUE", help="A catalog option, such as warehouse=file:/data."
)
_table = click.option("--table", help="The table; must be the one the messages were written for.")
_level = click.option("--level", type=click.Choice(["off", "fast", "full"]), default="fast", show_default=True)
_overwrite = click.option(
    "--overwrite",
    multiple=True,
    metavar="dynamic|truncate|COLUMN=VALUE",
    help="Replace the partitions of the new rows, the whole table, or the stated partition (may be given several times).",
)
_commit_user = click.option("--commit-user", help="By default the one of the write.")
_identifier = click.option("--identifier", type=int, help="By default 1.")
_tag = click.option("--tag", help="A tag for the snapshot.")
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command("check")
@session_options
@_file
@_catalog_option
@_table
@_level
@_overwrite
@_json
def check_command(
    session: SessionOptions,
    file: Path,
    catalog: tuple[str, ...],
    table: str | None,
    level: str,
    overwrite: tuple[str, ...],
    as_json: bool,
) -> None:
    """Run the gate over the messages saved in FILE, without committing. Exit code 1 with findings."""
    from paimon_bridge.spark.bridge import Bridge

    messages, replacing = Messages.load(file), _replacing(overwrite)
    with spark_session(session, "paimon-bridge check") as spark:
        report = Bridge(spark, _catalog(catalog)).check(messages, table=table, level=level, overwrite=replacing)
    click.echo(json.dumps(report.to_json(), indent=2) if as_json else str(report))
    raise SystemExit(0 if report.ok else 1)


@click.command("explain")
@session_options
@_file
@_catalog_option
@_table
@_level
@_commit_user
@_identifier
@_overwrite
@_tag
@_json
def explain_command(
    session: SessionOptions,
    file: Path,
    catalog: tuple[str, ...],
    table: str | None,
    level: str,
    commit_user: str | None,
    identifier: int | None,
    overwrite: tuple[str, ...],
    tag: str | None,
    as_json: bool,
) -> None:
    """Say what a commit of the messages saved in FILE would do. Exit code 1 if it would be refused."""
    from paimon_bridge.spark.bridge import Bridge

    messages, replacing = Messages.load(file), _replacing(overwrite)
    with spark_session(session, "paimon-bridge explain") as spark:
        plan = Bridge(spark, _catalog(catalog)).explain_commit(
            messages, table=table, level=level, commit_user=commit_user, identifier=identifier, overwrite=replacing, tag=tag
        )
    click.echo(json.dumps(plan.to_json(), indent=2) if as_json else str(plan))
    raise SystemExit(0 if plan else 1)


@click.command("commit")
@session_options
@_file
@_catalog_option
@_table
@_level
@_commit_user
@_identifier
@_overwrite
@_tag
@_json
def commit_command(
    session: SessionOptions,
    file: Path,
    catalog: tuple[str, ...],
    table: str | None,
    level: str,
    commit_user: str | None,
    identifier: int | None,
    overwrite: tuple[str, ...],
    tag: str | None,
    as_json: bool,
) -> None:
    """Commit the messages saved in FILE. Safe to repeat."""
    from paimon_bridge.spark.bridge import Bridge

    messages, replacing = Messages.load(file), _replacing(overwrite)
    with spark_session(session, "paimon-bridge commit") as spark:
        result = Bridge(spark, _catalog(catalog)).commit(
            messages, table=table, level=level, commit_user=commit_user, identifier=identifier, overwrite=replacing, tag=tag
        )
    click.echo(json.dumps(result.to_json(), indent=2) if as_json else str(result))
