"""Bloom filters against bytes that Paimon Java was seen to write, and xxHash64 against its published values."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from paimon_bridge.errors import TableError
from paimon_bridge.write.fileindex import index_plan
from paimon_bridge.write.kinds import check_table
from paimon_bridge.write.xxhash import xxhash64
from tests.write.tables import data_files, spec_of, write

BLOOM = "file-index.bloom-filter"


def test_a_small_index_is_embedded_as_java_writes_it(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, {"id": "INT"}, options={f"{BLOOM}.columns": "id", f"{BLOOM}.id.items": "10"})
    (message,) = write(spec, pa.table({"id": pa.array([1, 2, None], pa.int32())}))
    (file,) = message.data.new_files
    assert file.embedded_index == bytes.fromhex(
        "00054e4ed01a35ae0000000100000036000000010002696400000001000c626c6f6f6d2d66696c746572000000360000000a0000000000000003882001404000"
    )
    assert file.extra_files == ()


def test_a_large_index_is_a_file_beside_its_data_file(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, {"id": "INT"}, options={f"{BLOOM}.columns": "id"})
    (message,) = write(spec, pa.table({"id": pa.array([1, 2], pa.int32())}))
    (file,) = message.data.new_files
    assert file.embedded_index is None
    assert file.extra_files == (f"{file.file_name}.index",)
    assert {path.name for path in data_files(tmp_path)} == {file.file_name, *file.extra_files}


def test_an_aborted_write_leaves_no_index(tmp_path: Path) -> None:
    write = spec_of(tmp_path, {"id": "INT"}, options={f"{BLOOM}.columns": "id", "target-file-size": "1 b"}).new_write_builder().new_write()
    write.write_arrow(pa.table({"id": pa.array(range(5000), pa.int32())}))
    write._writer.prepare()
    assert any(path.suffix == ".index" for path in data_files(tmp_path))
    write.close()
    assert data_files(tmp_path) == []


def test_xxhash64_agrees_with_its_published_values() -> None:
    texts = [b"", b"a", b"abc", b"xxhash", b"Call me Ishmael. Some years ago--never mind how long precisely-"]
    expected = [0xEF46DB3751D8E999, 0xD24EC4F1A98C6E5B, 0x44BC2CF5AD770999, 0x32DD38952C4BC720, 0x02A2E85470D6FD96]
    assert [value % 2**64 for value in xxhash64(pa.array(texts, pa.binary())).tolist()] == expected


@pytest.mark.parametrize(
    ("columns", "options", "code"),
    [
        ({"m": {"type": "MAP", "key": "STRING", "value": "INT"}}, {"columns": "m[a]"}, "FILE_INDEX_UNSUPPORTED"),
        ({"b": "BOOLEAN"}, {"columns": "b"}, "FILE_INDEX_UNSUPPORTED"),
        ({"b": "INT"}, {"columns": "c"}, "FILE_INDEX_UNSUPPORTED"),
        ({"b": "INT"}, {"columns": "b", "b.fpp": "2"}, "OPTION_INVALID"),
        ({"b": "INT"}, {"columns": "b", "b.items": "0"}, "OPTION_INVALID"),
    ],
)
def test_what_java_could_not_index_is_refused(tmp_path: Path, columns: dict[str, str], options: dict[str, str], code: str) -> None:
    spec = spec_of(tmp_path, columns, options={f"{BLOOM}.{name}": value for name, value in options.items()})
    with pytest.raises(TableError) as caught:
        check_table(spec)
    assert caught.value.code == code


def test_a_table_without_bloom_filters_has_no_plan(tmp_path: Path) -> None:
    assert index_plan(spec_of(tmp_path, {"id": "INT"}, options={"file-index.bitmap.columns": "id"})) is None
