"""paimon-bridge transcode: the same messages in another version."""

from __future__ import annotations

from pathlib import Path

import click

from paimon_bridge.cli.source import Source, file_argument, form_option, read_source, read_table, table_option
from paimon_bridge.model.table import TableSpec
from paimon_bridge.wire import encode, encode_committable, encode_list


@click.command("transcode")
@click.argument("file", type=file_argument)
@click.option("--from", "from_version", type=int, help="The message version of FILE; by default from its name or content.")
@click.option("--to", "to_version", type=int, required=True, help="The message version to write.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, metavar="OUT")
@form_option
@click.option("--committable-version", type=int, help="Of a committable: its own version to write; by default the one it has.")
@table_option
def transcode_command(
    file: Path,
    from_version: int | None,
    to_version: int,
    output: Path,
    form: str | None,
    committable_version: int | None,
    table_file: Path | None,
) -> None:
    """Write the messages in FILE to OUT in another version. Refuses, and writes nothing, if that version cannot carry them all.

    With --table, a value that readers of that version find out by themselves is no loss: the number of buckets that is the table's
    bucket option, written columns that are the whole schema.
    """
    source = read_source(file, None if form == "committable" else from_version, form)
    if from_version is not None and from_version != source.version:
        raise click.UsageError(f"{file.name} holds messages of version {source.version}, not {from_version}.")
    data = _encode(source, to_version, committable_version, read_table(table_file))
    output.write_bytes(data)
    click.echo(f"{len(source.messages)} messages, version {source.version} to {to_version}: {len(source.data)} to {len(data)} bytes")


def _encode(source: Source, version: int, committable_version: int | None, table: TableSpec | None) -> bytes:
    if source.envelopes is not None:
        return source.envelopes.at_version(version, table).to_bytes()
    if source.committable is not None:
        own = committable_version or source.committable_version
        assert own is not None
        return encode_committable(source.committable, own, version, table)
    if source.form == "list":
        return encode_list(source.messages, version, table)
    return encode(source.messages[0], version, table)
