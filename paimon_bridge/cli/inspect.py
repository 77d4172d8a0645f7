"""paimon-bridge inspect: what is in a file of messages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from paimon_bridge.cli.source import (
    Source,
    file_argument,
    form_option,
    json_option,
    read_source,
    read_table,
    table_option,
    version_option,
)
from paimon_bridge.model.message import CommitMessage
from paimon_bridge.model.table import TableSpec
from paimon_bridge.wire import encode
from paimon_bridge.wire.dictionary import camel
from paimon_bridge.wire.envelope import FOREIGN
from paimon_bridge.wire.loss import index_files_belong_to_compact
from paimon_bridge.wire.trace import Span, trace

_LONGEST = 120


@click.command("inspect")
@click.argument("file", type=file_argument)
@version_option
@form_option
@table_option
@json_option
@click.option("--bytes", "show_bytes", is_flag=True, help="Show where each field lies, and its bytes in hex.")
def inspect_command(file: Path, version: int | None, form: str | None, table_file: Path | None, as_json: bool, show_bytes: bool) -> None:
    """Show the messages in FILE: bare bytes of any writer, a committable, or saved Messages."""
    source = read_source(file, version, form)
    table = read_table(table_file)
    if as_json:
        click.echo(json.dumps(source_to_dict(source, table), indent=2))
        return
    console = Console(soft_wrap=True, highlight=False)
    for line in _lines(source, table, show_bytes):
        console.print(line)


def source_to_dict(source: Source, table: TableSpec | None) -> dict[str, Any]:
    """The whole file as JSON, in the form of the test vectors."""
    shape: dict[str, Any] = {
        "version": source.version,
        "form": source.form,
        "length": len(source.data),
        "sha256": hashlib.sha256(source.data).hexdigest(),
    }
    if source.committable is not None:
        shape["committable"] = {
            "version": source.committable_version,
            "identifier": source.committable.identifier,
            "watermark": source.committable.watermark,
            "legacyLogOffsets": {str(bucket): offset for bucket, offset in source.committable.log_offsets},
            "properties": dict(source.committable.properties),
        }
    if source.envelopes is not None:
        shape["envelopes"] = list(_heads(source))
    shape["messages"] = [message.to_dict(table) for message in source.messages]
    return shape


def _heads(source: Source) -> Iterator[dict[str, Any]]:
    assert source.envelopes is not None
    for envelope in source.envelopes.envelopes:
        yield {
            "origin": "foreign" if envelope.origin == FOREIGN else "paimon-bridge",
            "table": envelope.table,
            "tableId": envelope.table_id,
            "schemaId": envelope.schema_id,
            "commitUser": envelope.commit_user,
            "runId": envelope.run_id,
            "task": envelope.task,
            "attempt": envelope.attempt,
            "messages": len(envelope.payloads),
        }


def _lines(source: Source, table: TableSpec | None, show_bytes: bool) -> Iterator[Text]:
    what = {"single": "1 message", "envelope": f"{len(source.messages)} messages in an envelope"}
    title = what.get(source.form, f"{len(source.messages)} messages in a {source.form}")
    yield Text(f"{title}, version {source.version}, {len(source.data)} bytes", style="bold")
    if source.committable is not None:
        shape = source_to_dict(source, None)["committable"]
        yield from _tree("committable", shape, 0, {}, b"")
    for index, head in enumerate(_heads(source) if source.envelopes is not None else ()):
        yield from _tree(f"envelope {index}", head, 0, {}, b"")
    for index, (message, data, spans) in enumerate(_traced(source, show_bytes)):
        shape = _without_empty(message.to_dict(table))
        places = {_camel_path(span.path, message): span for span in spans}
        yield from _tree(f"message {index}", shape, 0, places, data)


def _traced(source: Source, show_bytes: bool) -> Iterator[tuple[CommitMessage, bytes, list[Span]]]:
    """Each message with the bytes it stands in and, if asked for, the place of its fields."""
    payloads = [payload for envelope in source.envelopes.envelopes for payload in envelope.payloads] if source.envelopes else []
    at = {"single": 0, "list": 4}.get(source.form, 0)
    if source.form == "committable" and show_bytes:
        at = _first_message(source)
    for index, message in enumerate(source.messages):
        spans: list[Span] = []
        data = payloads[index] if payloads else source.data
        # The one layout without a version of its own is not traced.
        if show_bytes and not (source.committable is not None and source.committable.from_0_7):
            spans, at = trace(data, source.version, 0 if payloads else at)
        yield message, data, spans


def _first_message(source: Source) -> int:
    """Messages come last in a committable: what is not theirs is in front of them."""
    assert source.committable is not None
    if source.committable.from_0_7:
        return 0
    return len(source.data) - sum(len(encode(message, source.version)) for message in source.messages)


def _tree(name: str, value: Any, depth: int, spans: Mapping[str, Span], data: bytes, path: str = "", width: int = 0) -> Iterator[Text]:
    """A value as lines: names aligned among siblings, one level of indentation per structure."""
    label = Text("  " * depth)
    label.append(name, style="bold cyan" if isinstance(value, (dict, list)) else "cyan")
    row = isinstance(value, dict) and "hex" in value
    inline = row or not isinstance(value, (dict, list)) or _is_flat(value)
    if inline:
        label.append(" " * (width - len(name) + 1))
        label.append(_shorten(_row_text(value) if row else json.dumps(value, ensure_ascii=False)))
    span = spans.get(path)
    if span is not None:
        label.append(f"  @{span.offset}+{span.size}", style="dim")
        if inline:
            label.append(f" {_shorten(data[span.offset : span.offset + span.size].hex())}", style="dim")
    yield label
    if inline:
        return
    items = list(value.items()) if isinstance(value, dict) else [(f"[{index}]", item) for index, item in enumerate(value)]
    widest = max((len(key) for key, _ in items), default=0)
    for key, item in items:
        inner = f"{path}{key}" if key.startswith("[") or not path else f"{path}.{key}"
        yield from _tree(key, item, depth + 1, spans, data, inner, widest)


def _is_flat(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(item, (dict, list)) for item in value)


def _row_text(row: dict[str, Any]) -> str:
    return json.dumps(row["values"], ensure_ascii=False) if "values" in row else row["hex"]


def _shorten(text: str) -> str:
    # Java's strings may hold half a character, which no terminal takes.
    text = text.encode("utf-8", "backslashreplace").decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... ({len(text)} characters)"


def _without_empty(shape: dict[str, Any]) -> dict[str, Any]:
    """Without the lists that hold nothing: most of them, in most messages."""
    kept = dict(shape)
    for group in ("dataIncrement", "compactIncrement"):
        kept[group] = {name: files for name, files in shape[group].items() if files}
        if not kept[group]:
            del kept[group]
    return kept


def _camel_path(path: str, message: CommitMessage) -> str:
    """The path of a span as the keys of the dictionary say it."""
    shared = "compactIncrement" if index_files_belong_to_compact(message.compact) else "dataIncrement"
    groups = {"data": "dataIncrement", "compact": "compactIncrement", "shared": shared}
    head, separator, rest = path.partition(".")
    names = rest if head in groups else path
    prefix = f"{groups[head]}." if head in groups and separator else ""
    return prefix + ".".join(camel(name) for name in names.split("."))
