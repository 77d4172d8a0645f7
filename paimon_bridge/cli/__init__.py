"""The command ``paimon-bridge``. Exit codes: 0 good, 1 a check failed, 2 usage, 3 conflict, 4 outcome unknown."""

from __future__ import annotations

from importlib import import_module
from typing import NoReturn

import click

from paimon_bridge import __version__
from paimon_bridge.errors import BridgeError, CommitConflictError, CommitStateUnknownError

# Commands load when they are asked for: `inspect` must not wait for pyspark.
_COMMANDS = {
    "check": "paimon_bridge.cli.messages:check_command",
    "commit": "paimon_bridge.cli.messages:commit_command",
    "demo": "paimon_bridge.cli.demo:demo_command",
    "diff": "paimon_bridge.cli.diff:diff_command",
    "doctor": "paimon_bridge.cli.doctor:doctor_command",
    "explain": "paimon_bridge.cli.messages:explain_command",
    "inspect": "paimon_bridge.cli.inspect:inspect_command",
    "transcode": "paimon_bridge.cli.transcode:transcode_command",
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, _, name = _COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BridgeError as error:
            _exit(error)


def _exit(error: BridgeError) -> NoReturn:
    click.echo(str(error), err=True)
    raise SystemExit(3 if isinstance(error, CommitConflictError) else 4 if isinstance(error, CommitStateUnknownError) else 1)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="paimon-bridge")
def main() -> None:
    """Write Apache Paimon tables from PySpark, and look into the messages that describe them."""
