"""paimon-bridge diff: how two files of messages differ, field by field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from paimon_bridge.cli.inspect import source_to_dict
from paimon_bridge.cli.source import Source, file_argument, form_option, json_option, read_source, read_table, table_option, version_option
from paimon_bridge.model.table import TableSpec

_LONGEST = 200

# How the bytes were wrapped, not what they say: two files may hold the same messages in different versions and forms.
_WRAPPING = ("version", "form", "length", "sha256", "envelopes")


@click.command("diff")
@click.argument("a", type=file_argument)
@click.argument("b", type=file_argument)
@version_option
@form_option
@table_option
@json_option
def diff_command(a: Path, b: Path, version: int | None, form: str | None, table_file: Path | None, as_json: bool) -> None:
    """Compare the messages in A and B, whatever their versions and forms. Exit code 1 if a value differs.

    --version and --form are for files that do not tell themselves.
    """
    table = read_table(table_file)
    one, other = (_read(path, version, form) for path in (a, b))
    found = list(differences(_values(one, table), _values(other, table)))
    if as_json:
        click.echo(
            json.dumps({"same": not found, "differences": [dict(zip(("path", "a", "b"), item, strict=True)) for item in found]}, indent=2)
        )
    else:
        _print(found, one, other)
    raise SystemExit(1 if found else 0)


def _read(path: Path, version: int | None, form: str | None) -> Source:
    """What the file itself says goes before the options, which are meant for the one of the two that says nothing."""
    try:
        return read_source(path, None, None)
    except click.UsageError:
        return read_source(path, version, form)


def _values(source: Source, table: TableSpec | None) -> dict[str, Any]:
    shape = source_to_dict(source, table)
    committable = shape.pop("committable", None)
    kept = {key: value for key, value in shape.items() if key not in _WRAPPING}
    if committable is not None:
        kept["committable"] = {key: value for key, value in committable.items() if key != "version"}
    return kept


def differences(one: Any, other: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The leaves that differ: path, value there, value here. A row is compared by its bytes and shown by its values, if known."""
    if isinstance(one, dict) and isinstance(other, dict):
        if "hex" in one and "hex" in other:
            if one["hex"] != other["hex"]:
                yield (path, *_telling(one, other))
            return
        for key in {**one, **other}:
            yield from differences(one.get(key), other.get(key), f"{path}.{key}" if path else key)
    elif isinstance(one, list) and isinstance(other, list) and any(isinstance(item, (dict, list)) for item in one + other):
        if len(one) != len(other):
            yield f"{path}.length", len(one), len(other)
        for index, (item, twin) in enumerate(zip(one, other, strict=False)):
            yield from differences(item, twin, f"{path}[{index}]")
    elif one != other:
        yield path, one, other


def _telling(one: dict[str, Any], other: dict[str, Any]) -> tuple[Any, Any]:
    """Values where they show the difference; the bytes where the values are unknown, or the same in another encoding."""
    values = one.get("values"), other.get("values")
    return values if None not in values and values[0] != values[1] else (one["hex"], other["hex"])


def _print(found: list[tuple[str, Any, Any]], one: Source, other: Source) -> None:
    console = Console(soft_wrap=True, highlight=False)
    wrapping = [f"{len(source.messages)} messages, version {source.version}, {source.form}" for source in (one, other)]
    about = wrapping[0] if wrapping[0] == wrapping[1] else f"{wrapping[0]} against {wrapping[1]}"
    console.print(Text(f"{len(found)} differences ({about})" if found else f"the same ({about})", style="bold"))
    for path, here, there in found:
        console.print(Text(path, style="cyan"))
        console.print(Text(f"  - {_shorten(here)}", style="red"))
        console.print(Text(f"  + {_shorten(there)}", style="green"))


def _shorten(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
