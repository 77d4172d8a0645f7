"""A file of messages, in whatever form it is: what inspect, diff and transcode read."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from paimon_bridge.errors import CodecError
from paimon_bridge.model.message import CommitMessage, ManifestCommittable
from paimon_bridge.model.table import FIXED, UNAWARE, TableSpec
from paimon_bridge.model.types import parse_field
from paimon_bridge.wire import COMMITTABLE_VERSIONS, MESSAGE_VERSIONS, RELEASES, Messages, decode, decode_committable, decode_list
from paimon_bridge.wire.envelope import MAGIC

FORMS = ("single", "list", "committable", "envelope")

# As vectors are called: orders.v11.list.bin
_NAME = re.compile(r".*\.v(?P<version>\d+)\.(?P<form>single|list|committable)(\.\w+)?")

file_argument = click.Path(exists=True, dir_okay=False, path_type=Path)
version_option = click.option(
    "--version", type=int, help="The message version; of a committable, its own. By default from the file's name or content."
)
form_option = click.option("--form", type=click.Choice(FORMS), help="By default from the file's name or content.")
table_option = click.option(
    "--table", "table_file", type=file_argument, metavar="SPEC", help="A TableSpec in JSON, or a Paimon schema file: shows rows as values."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The messages of a file and the wrapping they came in."""

    data: bytes
    form: str
    version: int
    messages: tuple[CommitMessage, ...]
    committable: ManifestCommittable | None = None
    committable_version: int | None = None
    envelopes: Messages | None = None


def read_source(path: Path, version: int | None, form: str | None) -> Source:
    """Read a file. What is not said is taken from its name (``x.v11.list.bin``) or its first bytes; a usage error if neither tells."""
    data = path.read_bytes()
    named = _NAME.fullmatch(path.name)
    if form is None:
        form = "envelope" if data.startswith(MAGIC) else named["form"] if named else None
    if form is None:
        raise click.UsageError(f"{path.name} does not say what it holds: give --form, and --version unless it is an envelope.")
    if form == "envelope":
        messages = Messages.from_bytes(data)
        return Source(data=data, form=form, version=messages.version, messages=tuple(messages), envelopes=messages)
    if form == "committable":
        return _read_committable(data, version)
    if version is None:
        version = int(named["version"]) if named else None
    if version is None:
        raise click.UsageError(f"{path.name} does not say its message version: give --version, one of {_span(MESSAGE_VERSIONS)}.")
    decoded = (decode(data, version),) if form == "single" else decode_list(data, version)
    return Source(data=data, form=form, version=version, messages=decoded)


def _read_committable(data: bytes, version: int | None) -> Source:
    """Its version is not in the bytes. Where several fit, it is the one that goes with the messages inside."""
    fitting: dict[int, ManifestCommittable] = {}
    failure: CodecError | None = None
    for candidate in [version] if version is not None else reversed(COMMITTABLE_VERSIONS):
        try:
            fitting[candidate] = decode_committable(data, candidate)
        except CodecError as error:
            failure = failure or error
    if not fitting:
        assert failure is not None
        raise failure
    usual = max(_usual_version(value) for value in fitting.values())
    chosen = max((candidate for candidate in fitting if candidate <= usual), default=max(fitting))
    value = fitting[chosen]
    inner = value.message_version or 0
    return Source(data=data, form="committable", version=inner, messages=value.messages, committable=value, committable_version=chosen)


def _usual_version(value: ManifestCommittable) -> int:
    """The newest committable version in which a release wraps messages of that version."""
    return max((own for inner, own in RELEASES.values() if inner <= (value.message_version or 0)), default=COMMITTABLE_VERSIONS[0])


def read_table(path: Path | None) -> TableSpec | None:
    """A table's description: the JSON of ``TableSpec.to_json``, or a schema file of the table (``schema/schema-0``)."""
    if path is None:
        return None
    try:
        shape = json.loads(path.read_text(encoding="utf-8"))
        return TableSpec.from_json(shape) if "tableId" in shape else _of_schema(shape)
    except (KeyError, TypeError, ValueError) as error:
        raise click.UsageError(f"{path.name} is neither a TableSpec nor a Paimon schema file: {error!r}") from None


def _of_schema(shape: dict[str, Any]) -> TableSpec:
    options = {key: str(value) for key, value in shape["options"].items()}
    return TableSpec(
        name="",
        path="",
        table_id="",
        schema_id=shape["id"],
        fields=tuple(parse_field(field) for field in shape["fields"]),
        partition_keys=tuple(shape["partitionKeys"]),
        primary_keys=tuple(shape["primaryKeys"]),
        options=options,
        bucket_mode=UNAWARE if options.get("bucket", "-1") == "-1" else FIXED,
        release="",
        message_version=MESSAGE_VERSIONS[-1],
        zone_id="UTC",
    )


def _span(versions: range) -> str:
    return f"{versions[0]} to {versions[-1]}"
