from __future__ import annotations

import pytest

from paimon_bridge.errors import TableError
from paimon_bridge.model.options import TableOptions, at_least, parse_size
from paimon_bridge.model.profile import KEY_STATS, NO_STATS, StatsMode
from tests.write.tables import spec_of


def options(release: str = "1.4.2", primary_keys: tuple[str, ...] = (), **values: str) -> TableOptions:
    stated = {name.replace("__", "-").replace("_", "."): value for name, value in values.items()}
    return TableOptions(spec_of("/t", {"id": "INT NOT NULL"}, options=stated, release=release, primary_keys=primary_keys))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("4096", 4096), ("128 mb", 128 << 20), ("1g", 1 << 30), ("2KB", 2048), (" 3 kibibytes ", 3072), ("1 tb", 1 << 40), ("5 bytes", 5)],
)
def test_sizes_are_read_as_paimon_reads_them(text: str, expected: int) -> None:
    assert parse_size(text) == expected


@pytest.mark.parametrize("text", ["", "mb", "-1 mb", "1.5 mb", "1 eb"])
def test_a_size_that_paimon_refuses_is_refused_by_the_options_name(text: str) -> None:
    with pytest.raises(TableError, match="target-file-size") as caught:
        parse_size(text, "target-file-size")
    assert caught.value.code == "OPTION_INVALID"


def test_defaults_are_those_of_core_options() -> None:
    plain = options()
    assert plain.file_format == "parquet"
    assert (plain.data_profile.compression, plain.zstd_level) == ("zstd", 1)
    assert plain.target_file_size == 256 << 20
    assert options(primary_keys=("id",)).target_file_size == 128 << 20
    assert plain.row_group_size == 128 << 20
    assert (plain.data_file_prefix, plain.file_extension("parquet")) == ("data-", ".parquet")
    assert plain.partition_default_name == "__DEFAULT_PARTITION__"
    assert plain.partition_legacy_name
    assert plain.stats_dense_store
    assert plain.data_profile.stats_mode == StatsMode("truncate", 16)
    assert plain.external_paths_strategy == "none"
    assert plain.target_file_row_num is None


def test_parquet_options_win_over_general_ones() -> None:
    stated = options(file_compression="snappy", parquet_compression="ZSTD", parquet_compression_codec_zstd_level="3")
    assert (stated.data_profile.compression, stated.zstd_level) == ("zstd", 3)


def test_file_names_say_their_compression_when_asked_to() -> None:
    stated = {"file.suffix.include.compression": "true"}
    assert TableOptions(spec_of("/t", {"a": "INT"}, options=stated)).file_extension("parquet") == ".zst.parquet"
    assert TableOptions(spec_of("/t", {"a": "INT"}, options=stated | {"file.compression": "none"})).file_extension("parquet") == ".parquet"


def test_a_column_keeps_its_own_stats_mode_and_counts_towards_the_first_n() -> None:
    stated = {"metadata.stats-keep-first-n-columns": "2", "fields.b.stats-mode": "full", "fields.d.stats-mode": "counts"}
    modes = TableOptions(spec_of("/t", {"a": "INT"}, options=stated)).stats_modes(["a", "b", "c", "d"], StatsMode("truncate", 16))
    assert modes == (StatsMode("truncate", 16), StatsMode("full"), NO_STATS, StatsMode("counts"))


def test_the_first_n_columns_are_unknown_before_release_1_2() -> None:
    stated = {"metadata.stats-keep-first-n-columns": "0"}
    assert TableOptions(spec_of("/t", {"a": "INT"}, options=stated, release="1.1.1")).stats_modes(["a"], KEY_STATS) == (KEY_STATS,)
    assert TableOptions(spec_of("/t", {"a": "INT"}, options=stated, release="1.2.0")).stats_modes(["a"], KEY_STATS) == (NO_STATS,)


def test_key_and_system_columns_keep_their_statistics_and_do_not_count() -> None:
    stated = {"metadata.stats-mode": "none", "metadata.stats-keep-first-n-columns": "1"}
    table = TableOptions(spec_of("/t", {"a": "INT"}, options=stated))
    assert table.stats_modes(["_KEY_a", "_SEQUENCE_NUMBER", "_VALUE_KIND", "a"], NO_STATS) == (KEY_STATS, KEY_STATS, KEY_STATS, NO_STATS)
    assert table.stats_modes(["a", "b"], NO_STATS, thin_keys=["a"]) == (KEY_STATS, NO_STATS)


@pytest.mark.parametrize("text", ["truncate(0)", "truncate", "some", "truncate(-1)"])
def test_unknown_stats_modes_are_refused(text: str) -> None:
    with pytest.raises(TableError, match=r"metadata\.stats-mode"):
        _ = TableOptions(spec_of("/t", {"a": "INT"}, options={"metadata.stats-mode": text})).data_profile


def test_booleans_and_numbers_are_strict() -> None:
    table = TableOptions(spec_of("/t", {"a": "INT"}, options={"x": "yes", "n": "1.5", "old": "TRUE"}))
    with pytest.raises(TableError, match="option x"):
        table.boolean("x", False)
    with pytest.raises(TableError, match="option n"):
        table.integer("n", 0)
    assert table.boolean("new", False, "old")


def test_releases_compare_by_number() -> None:
    assert at_least("1.10.0", "1.4")
    assert at_least("2.1-SNAPSHOT", "2.0")
    assert not at_least("1.3.2", "1.4")
