"""inspect, diff and transcode, as someone types them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from paimon_bridge.cli import main
from paimon_bridge.model.message import CommitMessage, DataIncrement, ManifestCommittable
from paimon_bridge.wire import Messages, decode, decode_committable, decode_list, encode, encode_committable, encode_list
from tests.wire.test_envelope import envelope
from tests.wire.test_losses import FILE, TABLE
from tests.wire.vectors import Vector, committed_vectors, same_json

MESSAGE = CommitMessage(bucket=3, total_buckets=4, data=DataIncrement(new_files=(FILE,)))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def some(kind: str) -> Vector:
    return next(vector for vector in committed_vectors() if kind in vector.path.name)


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "schema-0"
    path.write_text(json.dumps(some("2.0.0-types_default").twin["tableSchema"]))
    return path


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector.path.stem) for vector in committed_vectors()[::6]])
def test_inspect_json_is_the_json_of_the_vectors(vector: Vector, tmp_path: Path) -> None:
    twin = vector.twin
    arguments: list[object] = ["inspect", vector.path, "--json"]
    if twin["tableSchema"]:
        (tmp_path / "schema").write_text(json.dumps(twin["tableSchema"]))
        arguments += ["--table", tmp_path / "schema"]
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    shape = json.loads(result.output)
    assert same_json(shape["messages"], twin["messages"])
    for key in ("version", "form", "length", "sha256"):
        assert shape[key] == twin[key]
    if vector.form == "committable":
        assert {"legacyLogOffsets": {}} | twin["committable"] == shape["committable"]


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector.path.stem) for vector in committed_vectors()[::6]])
def test_inspect_shows_every_file_and_where_it_lies(vector: Vector) -> None:
    result = run("inspect", vector.path, "--bytes")
    assert result.exit_code == 0, result.output
    for message in vector.twin["messages"]:
        for increment in (message["dataIncrement"], message["compactIncrement"]):
            for file in (file for files in increment.values() for file in files):
                line = next(line for line in result.output.splitlines() if file["fileName"] in line)
                offset, size = map(int, line.rsplit("@", 1)[1].split()[0].split("+"))
                raw = vector.data[offset : offset + size]
                assert raw == file["fileName"].encode() or (len(raw) == 8 and raw.startswith(file["fileName"].encode()))


def test_inspect_shows_values_when_the_table_is_known(schema: Path) -> None:
    result = run("inspect", some("2.0.0-types_default").path, "--table", schema)
    assert result.exit_code == 0
    assert "minValues  [false, -5, -300, " in result.output
    assert "compactIncrement" not in result.output


def test_inspect_takes_a_table_spec_too(tmp_path: Path) -> None:
    (tmp_path / "m.v11.single.bin").write_bytes(encode(MESSAGE, 11))
    (tmp_path / "spec.json").write_text(json.dumps(TABLE.to_json()))
    result = run("inspect", tmp_path / "m.v11.single.bin", "--table", tmp_path / "spec.json", "--json")
    assert json.loads(result.output)["messages"][0]["partition"] == {"hex": "00" * 12, "values": []}


def test_inspect_of_saved_messages_shows_who_wrote_them(tmp_path: Path) -> None:
    messages = Messages([envelope(0), envelope(1)])
    messages.save(tmp_path / "saved")
    result = run("inspect", tmp_path / "saved", "--bytes")
    assert result.exit_code == 0
    assert "4 messages in an envelope, version 11" in result.output
    assert "nightly" in result.output
    shape = json.loads(run("inspect", tmp_path / "saved", "--json").output)
    assert [head["task"] for head in shape["envelopes"]] == [0, 1]
    assert len(shape["messages"]) == 4


def test_inspect_needs_to_know_what_it_reads(tmp_path: Path) -> None:
    path = tmp_path / "anything"
    path.write_bytes(encode(MESSAGE, 11))
    result = run("inspect", path)
    assert result.exit_code == 2
    assert "give --form" in result.output
    assert run("inspect", path, "--form", "single").exit_code == 2
    assert run("inspect", path, "--form", "single", "--version", "11").exit_code == 0
    assert run("inspect", tmp_path / "missing").exit_code == 2
    assert run("inspect", path, "--form", "single", "--version", "11", "--table", path).exit_code == 2


def test_inspect_says_what_is_wrong_without_a_stack_trace(tmp_path: Path) -> None:
    path = tmp_path / "m.v11.single.bin"
    path.write_bytes(encode(MESSAGE, 11)[:-1])
    result = run("inspect", path)
    assert result.exit_code == 1
    assert result.output.startswith("[MESSAGE_MALFORMED] ")
    assert "field compact.deleted_index_files" in result.output
    assert "Traceback" not in result.output
    assert run("inspect", path, "--version", "99").exit_code == 1


@pytest.mark.parametrize(("version", "message_version"), [(2, 2), (3, 3), (3, 7), (4, 7), (4, 10), (5, 11), (5, 14)])
def test_a_committable_tells_its_version_by_its_bytes(tmp_path: Path, version: int, message_version: int) -> None:
    path = tmp_path / "state"
    message = CommitMessage(bucket=1, data=DataIncrement(new_files=(FILE,)))
    properties = (("k", "half \ud800"),) if version >= 4 else ()
    committable = ManifestCommittable(identifier=9, messages=(message,), message_version=message_version, properties=properties)
    path.write_bytes(encode_committable(committable, version))
    assert json.loads(run("inspect", path, "--form", "committable", "--json").output)["committable"]["version"] == version
    result = run("inspect", path, "--form", "committable", "--bytes")
    assert result.exit_code == 0
    assert FILE.file_name in result.output


def test_diff_is_silent_about_version_and_form_and_loud_about_values(tmp_path: Path) -> None:
    old, new, other = tmp_path / "a.v7.single.bin", tmp_path / "b.v11.list.bin", tmp_path / "c.v11.list.bin"
    old.write_bytes(encode(MESSAGE, 7))
    new.write_bytes(encode_list([MESSAGE], 11))
    changed = replace(MESSAGE, bucket=2, data=DataIncrement(new_files=(replace(FILE, row_count=2), FILE)))
    other.write_bytes(encode_list([changed], 11))
    same = run("diff", old, new)
    assert (same.exit_code, same.output.splitlines()[0][:8]) == (0, "the same")
    different = run("diff", new, other)
    assert different.exit_code == 1
    assert "messages[0].bucket\n  - 3\n  + 2\n" in different.output
    assert "messages[0].dataIncrement.newFiles[0].rowCount\n  - 1\n  + 2\n" in different.output
    assert "messages[0].dataIncrement.newFiles.length\n  - 1\n  + 2\n" in different.output
    shape = json.loads(run("diff", new, other, "--json").output)
    assert not shape["same"]
    assert {"path": "messages[0].bucket", "a": 3, "b": 2} in shape["differences"]


def test_diff_shows_rows_by_their_values_where_these_differ(schema: Path, tmp_path: Path) -> None:
    vector = some("2.0.0-types_default")
    message = decode(vector.data, vector.version)
    file = message.data.new_files[0]
    swapped = replace(file, value_stats=replace(file.value_stats, min_values=file.value_stats.max_values))
    path = tmp_path / "b.v12.single.bin"
    path.write_bytes(encode(replace(message, data=replace(message.data, new_files=(swapped,))), 12))
    result = run("diff", vector.path, path, "--table", schema)
    assert result.exit_code == 1
    assert "valueStats.minValues\n  - [false, -5," in result.output


def test_transcode_writes_the_same_messages_in_another_version(tmp_path: Path) -> None:
    single, listed, state, saved = (tmp_path / name for name in ("a.v11.single.bin", "b.v11.list.bin", "c.v11.committable.bin", "d"))
    single.write_bytes(encode(MESSAGE, 11))
    listed.write_bytes(encode_list([MESSAGE, MESSAGE], 11))
    state.write_bytes(encode_committable(ManifestCommittable(identifier=1, messages=(MESSAGE,), message_version=11), 5))
    Messages([replace(envelope(), payloads=(encode(MESSAGE, 11),))]).save(saved)
    out = tmp_path / "out"
    assert run("transcode", single, "--from", 11, "--to", 7, "-o", out).exit_code == 0
    assert decode(out.read_bytes(), 7) == MESSAGE
    assert run("transcode", listed, "--to", 12, "-o", out).exit_code == 0
    assert decode_list(out.read_bytes(), 12) == (MESSAGE, MESSAGE)
    assert run("transcode", state, "--to", 7, "--committable-version", 4, "-o", out).exit_code == 0
    assert decode_committable(out.read_bytes(), 4).messages == (MESSAGE,)
    assert run("transcode", saved, "--from", 11, "--to", 10, "-o", out).exit_code == 0
    assert Messages.load(out).version == 10


def test_transcode_refuses_to_lose_and_writes_nothing(tmp_path: Path) -> None:
    path, out = tmp_path / "a.v11.single.bin", tmp_path / "out"
    path.write_bytes(encode(MESSAGE, 11))
    result = run("transcode", path, "--to", 6, "-o", out)
    assert result.exit_code == 1
    assert "total_buckets = 4" in result.output
    assert not out.exists()
    (tmp_path / "spec.json").write_text(json.dumps(TABLE.to_json()))
    assert run("transcode", path, "--to", 6, "-o", out, "--table", tmp_path / "spec.json").exit_code == 0
    assert decode(out.read_bytes(), 6) == replace(MESSAGE, total_buckets=None)


def test_transcode_notices_a_wrong_from(tmp_path: Path) -> None:
    saved = tmp_path / "saved"
    Messages([envelope()]).save(saved)
    result = run("transcode", saved, "--from", 7, "--to", 12, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "holds messages of version 11, not 7" in result.output
