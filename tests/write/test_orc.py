from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import orc

from paimon_bridge.errors import TableError
from paimon_bridge.write.kinds import check_table
from tests.write.tables import data_files, spec_of, write

COLUMNS = {"id": "BIGINT", "v": "DOUBLE"}


def rows(count: int) -> pa.Table:
    return pa.table({"id": np.arange(count), "v": np.random.default_rng(1).random(count)})


def test_files_roll_and_hold_all_rows_in_order(tmp_path: Path) -> None:
    options = {"file.format": "orc", "target-file-size": "512 kb", "file.block-size": "512 kb"}
    (message,) = write(spec_of(tmp_path, COLUMNS, options=options), rows(300_000))
    files = message.data.new_files
    assert len(files) > 2
    assert [file.file_size for file in files] == [path.stat().st_size for path in data_files(tmp_path)]
    found = pa.concat_tables([orc.ORCFile(path).read() for path in data_files(tmp_path)])
    assert found.column("id").to_pylist() == list(range(300_000))


def test_an_aborted_file_is_deleted(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, COLUMNS, options={"file.format": "orc", "file.block-size": "64 kb"})
    writer = spec.new_write_builder().new_write()
    writer.write_arrow(rows(100_000))
    writer._writer._sink._lanes.drain()  # type: ignore[attr-defined]
    assert data_files(tmp_path)
    writer.close()
    assert data_files(tmp_path) == []


@pytest.mark.parametrize(("codec", "stored"), [("zstd", "ZSTD"), ("snappy", "SNAPPY"), ("none", "UNCOMPRESSED")])
def test_the_tables_codec_is_used(tmp_path: Path, codec: str, stored: str) -> None:
    write(spec_of(tmp_path, COLUMNS, options={"file.format": "orc", "file.compression": codec}), rows(10))
    assert orc.ORCFile(data_files(tmp_path)[0]).compression == stored


def test_an_unknown_codec_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="'brotli'") as caught:
        write(spec_of(tmp_path, COLUMNS, options={"file.format": "orc", "file.compression": "brotli"}), rows(10))
    assert caught.value.code == "COMPRESSION_UNSUPPORTED"


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/New_York"])
def test_timestamps_are_refused_where_the_jvms_clock_skips_hours(zone: str) -> None:
    """Java in Shanghai read 1941-03-15 00:15, in the hour that summer time skipped, as 01:15."""
    columns, options = {"at": "TIMESTAMP(3)"}, {"file.format": "orc"}
    with pytest.raises(TableError, match=f"at .TIMESTAMP.3..; the JVM's time zone is {zone}"):
        check_table(spec_of("/t", columns, options=options, zone_id=zone))
    for steady in ("UTC", "Etc/UTC", "GMT+08:00"):
        check_table(spec_of("/t", columns, options=options, zone_id=steady))
    check_table(spec_of("/t", {"id": "INT", "day": "DATE"}, options=options, zone_id=zone))
