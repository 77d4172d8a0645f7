"""Sorted runs of level 0: keys, order, sequence numbers, merge engines, row kinds; a plain model in Python is the judge here."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paimon_bridge.binary.row import decode_row
from paimon_bridge.errors import TableError, WriteError
from paimon_bridge.model.message import CommitMessage
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import parse_type
from paimon_bridge.write import primarykey
from paimon_bridge.write.task import check_table
from tests.write.tables import data_files, spec_of, write

COLUMNS = {"id": "BIGINT NOT NULL", "a": "STRING", "b": "INT"}
NO_STATE: dict[str, Any] = {"snapshotId": None, "buckets": []}
INT = parse_type("BIGINT")


def key_table(path: Path, *, state: Any = NO_STATE, bucket: str = "1", columns: dict[str, Any] | None = None, **options: str) -> TableSpec:
    return spec_of(
        path,
        columns or COLUMNS,
        primary_keys=["id"],
        options={"bucket": bucket, **{name.replace("__", "-").replace("_", "."): value for name, value in options.items()}},
        bucket_mode="HASH_FIXED",
        state=state,
    )


def rows(*values: tuple[Any, ...]) -> pa.Table:
    """Rows of (id, a, b), with a fourth value as their kind."""
    table = pa.table(
        {
            "id": pa.array([row[0] for row in values], pa.int64()),
            "a": pa.array([row[1] for row in values], pa.string()),
            "b": pa.array([row[2] for row in values], pa.int32()),
        }
    )
    return table.append_column("_VALUE_KIND", pa.array([row[3] for row in values])) if len(values[0]) > 3 else table


def contents(folder: Path, messages: Iterable[CommitMessage]) -> list[list[dict[str, Any]]]:
    """The rows of each new file, in the messages' order."""
    paths = {path.name: path for path in data_files(folder)}
    return [pq.ParquetFile(paths[file.file_name]).read().to_pylist() for message in messages for file in message.data.new_files]


def test_a_file_has_the_key_then_number_and_kind_then_the_columns(tmp_path: Path) -> None:
    messages = write(key_table(tmp_path), rows((2, "x", 1, "+I"), (1, None, 2, "-D")))
    (path,) = data_files(tmp_path)
    schema = str(pq.ParquetFile(path).schema)
    assert "required int64 field_id=1073741823 _KEY_id;" in schema
    assert "required int64 field_id=2147483646 _SEQUENCE_NUMBER;" in schema
    assert "required int32 field_id=2147483645 _VALUE_KIND (Int(bitWidth=8, isSigned=true));" in schema
    assert contents(tmp_path, messages) == [
        [
            {"_KEY_id": 1, "_SEQUENCE_NUMBER": 1, "_VALUE_KIND": 3, "id": 1, "a": None, "b": 2},
            {"_KEY_id": 2, "_SEQUENCE_NUMBER": 0, "_VALUE_KIND": 0, "id": 2, "a": "x", "b": 1},
        ]
    ]


def test_a_file_is_described_with_its_keys(tmp_path: Path) -> None:
    (message,) = write(key_table(tmp_path), rows((5, "x", 1, 0), (3, None, 2, 3), (9, "y", None, 1), (4, "z", 4, 2)))
    (file,) = message.data.new_files
    assert (decode_row(file.min_key, [INT]), decode_row(file.max_key, [INT])) == ((3,), (9,))
    assert (decode_row(file.key_stats.min_values, [INT]), decode_row(file.key_stats.max_values, [INT])) == ((3,), (9,))
    assert file.key_stats.null_counts == (0,)
    assert (file.min_sequence_number, file.max_sequence_number, file.delete_row_count, file.level) == (0, 3, 2, 0)
    types = [parse_type(paimon).with_nullable(True) for paimon in COLUMNS.values()]
    assert decode_row(file.value_stats.min_values, types) == (3, "x", 1)
    assert (message.bucket, message.total_buckets, file.file_source) == (0, 1, 0)


def test_thin_files_leave_the_key_columns_out(tmp_path: Path) -> None:
    spec = key_table(tmp_path, **{"data-file.thin-mode": "true", "metadata.stats-mode": "none"})
    messages = write(spec, rows((2, "x", 1), (1, "y", 2)))
    assert list(contents(tmp_path, messages)[0][0]) == ["_SEQUENCE_NUMBER", "_VALUE_KIND", "id", "a", "b"]
    (file,) = messages[0].data.new_files
    assert decode_row(file.min_key, [INT]) == (1,)
    # Keys keep statistics whatever the table says; in thin files they are those of the table's own column.
    assert decode_row(file.key_stats.max_values, [INT]) == (2,)
    assert file.value_stats_cols == ("id",)


def test_sequence_numbers_go_on_from_the_buckets_maximum(tmp_path: Path) -> None:
    spec = key_table(tmp_path, state={"snapshotId": 3, "buckets": [["00" * 12, 0, 1, 41, None]]})
    (message,) = write(spec, rows((1, "a", 1), (1, "b", 2), (2, "c", 3)))
    (file,) = message.data.new_files
    assert (file.min_sequence_number, file.max_sequence_number) == (43, 44)
    (replacing,) = write(spec, rows((1, "a", 1)), overwrite=True)
    assert replacing.data.new_files[0].min_sequence_number == 0


def test_writing_without_the_buckets_state_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="what its buckets hold") as caught:
        write(key_table(tmp_path, state=None), rows((1, "a", 1)))
    assert caught.value.code == "BUCKET_STATE_MISSING"


def test_a_partition_of_another_bucket_count_is_refused_unless_it_is_replaced(tmp_path: Path) -> None:
    spec = key_table(tmp_path, bucket="4", state={"snapshotId": 3, "buckets": [["00" * 12, 0, 2, 41, None]]})
    with pytest.raises(WriteError, match="has files for 2") as caught:
        write(spec, rows((1, "a", 1)))
    assert caught.value.code == "BUCKET_COUNT_CHANGED"
    assert data_files(tmp_path) == []
    (message,) = write(spec, rows((1, "a", 1)), overwrite=True)
    assert message.total_buckets == 4


def test_full_buffers_become_runs_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(primarykey, "_BUFFER_BYTES", 1)
    (message,) = write(
        key_table(tmp_path), [batch for part in (rows((2, "a", 1), (1, "b", 1)), rows((2, "c", 1))) for batch in part.to_batches()]
    )
    first, second = message.data.new_files
    assert (first.row_count, second.row_count) == (2, 1)
    assert (second.min_sequence_number, second.max_sequence_number) == (2, 2)
    assert second.creation_time_millis > first.creation_time_millis


def test_runs_roll_at_the_target_size_in_key_order(tmp_path: Path) -> None:
    table = rows(*((number * 7919 % 5003, f"text {number}", number) for number in range(5000)))
    (message,) = write(key_table(tmp_path, **{"target-file-size": "1 kb", "file.block-size": "1 kb"}), table)
    bounds = [(decode_row(file.min_key, [INT])[0], decode_row(file.max_key, [INT])[0]) for file in message.data.new_files]
    assert len(bounds) > 2
    assert all(before[1] < after[0] for before, after in pairwise(bounds))


def test_a_changelog_has_every_row_in_key_order_under_the_same_uuid(tmp_path: Path) -> None:
    spec = key_table(tmp_path, **{"changelog-producer": "input"})
    (message,) = write(spec, rows((2, "a", 1, 0), (1, "b", 2, 0), (2, "c", 3, 2)))
    (data,), (changelog,) = message.data.new_files, message.data.changelog_files
    assert (data.row_count, changelog.row_count) == (2, 3)
    assert changelog.file_name.startswith("changelog-")
    assert data.file_name.removeprefix("data-").rpartition("-")[0] == changelog.file_name.removeprefix("changelog-").rpartition("-")[0]
    found = pq.ParquetFile(next(path for path in data_files(tmp_path) if path.name == changelog.file_name)).read()
    assert found.select(["id", "_SEQUENCE_NUMBER", "a"]).to_pylist() == [
        {"id": 1, "_SEQUENCE_NUMBER": 1, "a": "b"},
        {"id": 2, "_SEQUENCE_NUMBER": 0, "a": "a"},
        {"id": 2, "_SEQUENCE_NUMBER": 2, "a": "c"},
    ]


def test_a_failed_write_leaves_neither_data_nor_changelog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(primarykey, "_BUFFER_BYTES", 1)
    spec = key_table(tmp_path, **{"changelog-producer": "input"})
    bad = rows((1, "a", 1)).set_column(0, "id", pa.array([None], pa.int64()))
    with pytest.raises(WriteError, match="column id"):
        write(spec, [*rows((1, "a", 1)).to_batches(), *bad.to_batches()])
    assert data_files(tmp_path) == []


# -- merge engines -----------------------------------------------------------------------------------------------------------------------


def merged(
    values: list[tuple[int, str | None, int | None]], engine: str, sequence: str | None, descending: bool
) -> dict[int, tuple[Any, ...]]:
    """What one buffer keeps of each key: (a, b, sequence number)."""
    kept: dict[int, tuple[Any, ...]] = {}
    ordered = list(enumerate(values))
    if sequence is not None:
        place = {"a": 1, "b": 2}[sequence]
        # Python's reverse keeps equal rows in their order, as arrival decides between them either way.
        known = sorted((row for row in ordered if row[1][place] is not None), key=lambda row: row[1][place], reverse=descending)
        ordered = [row for row in ordered if row[1][place] is None] + known
    for number, (key, a, b) in ordered:
        if engine == "first-row":
            kept.setdefault(key, (a, b, number))
        elif engine == "partial-update":
            old = kept.get(key, (None, None, 0))
            kept[key] = (a if a is not None else old[0], b if b is not None else old[1], number)
        else:
            kept[key] = (a, b, number)
    return kept


@settings(max_examples=80, deadline=None)
@given(
    values=st.lists(
        st.tuples(st.integers(0, 6), st.none() | st.sampled_from(["p", "q", "r"]), st.none() | st.integers(-3, 3)), min_size=1, max_size=40
    ),
    engine=st.sampled_from(["deduplicate", "first-row", "partial-update"]),
    sequence=st.sampled_from([None, "a", "b"]),
    descending=st.booleans(),
)
def test_each_key_keeps_what_its_engine_says(
    values: list[tuple[int, str | None, int | None]],
    engine: str,
    sequence: str | None,
    descending: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("t")
    if engine == "first-row":
        sequence = None
    options = {"merge-engine": engine}
    if sequence is not None:
        options |= {"sequence.field": sequence, "sequence.field.sort-order": "descending" if descending else "ascending"}
    messages = write(key_table(folder, **options), rows(*values))
    found = {row["id"]: (row["a"], row["b"], row["_SEQUENCE_NUMBER"]) for file in contents(folder, messages) for row in file}
    assert found == merged(values, engine, sequence, descending)
    assert [row["id"] for row in contents(folder, messages)[0]] == sorted(found)


def test_several_rows_of_a_partial_update_become_an_insert(tmp_path: Path) -> None:
    messages = write(
        key_table(tmp_path, **{"merge-engine": "partial-update"}), rows((1, "a", None, "+U"), (1, None, 2, "+U"), (2, "b", 1, "+U"))
    )
    assert [(row["id"], row["_VALUE_KIND"], row["a"], row["b"]) for row in contents(tmp_path, messages)[0]] == [
        (1, 0, "a", 2),
        (2, 2, "b", 1),
    ]


@pytest.mark.parametrize(
    "options",
    [
        {"merge-engine": "aggregation", "fields.b.aggregate-function": "sum"},
        {"merge-engine": "partial-update", "fields.b.sequence-group": "a"},
        {"merge-engine": "partial-update", "partial-update.remove-record-on-delete": "true"},
    ],
)
def test_rules_of_single_columns_are_left_to_the_reader(tmp_path: Path, options: dict[str, str]) -> None:
    messages = write(key_table(tmp_path, **options), rows((1, "a", 1), (2, "b", 1), (1, "c", 2), (1, "d", 3)))
    assert [[(row["id"], row["a"], row["_SEQUENCE_NUMBER"]) for row in file] for file in contents(tmp_path, messages)] == [
        [(1, "a", 0), (2, "b", 1)],
        [(1, "c", 2)],
        [(1, "d", 3)],
    ]


def test_too_many_versions_of_a_key_are_refused(tmp_path: Path) -> None:
    spec = key_table(tmp_path, **{"merge-engine": "aggregation"})
    with pytest.raises(WriteError, match="one key has 100 rows") as caught:
        write(spec, rows(*((1, "a", number) for number in range(100))))
    assert caught.value.code == "TOO_MANY_VERSIONS_OF_A_KEY"
    assert data_files(tmp_path) == []


# -- row kinds ---------------------------------------------------------------------------------------------------------------------------


def kinds(folder: Path, spec: TableSpec, table: pa.Table, **arguments: Any) -> dict[int, int]:
    messages = write(spec, table, **arguments)
    return {row["id"]: row["_VALUE_KIND"] for file in contents(folder, messages) for row in file}


def test_kinds_come_from_a_column_by_name_or_number_or_from_the_caller(tmp_path: Path) -> None:
    assert kinds(tmp_path, key_table(tmp_path), rows((1, "a", 1, "+I"), (2, "a", 1, "-U"), (3, "a", 1, "+U"), (4, "a", 1, "-D"))) == {
        1: 0,
        2: 1,
        3: 2,
        4: 3,
    }
    assert kinds(tmp_path, key_table(tmp_path), rows((1, "a", 1, 0), (2, "a", 1, 3))) == {1: 0, 2: 3}
    assert kinds(tmp_path, key_table(tmp_path), rows((1, "a", 1)), row_kind="-D") == {1: 3}


def test_the_tables_rowkind_field_wins_and_is_stored(tmp_path: Path) -> None:
    spec = key_table(tmp_path, **{"rowkind.field": "a"})
    assert kinds(tmp_path, spec, rows((1, "+U", 1), (2, "-D", 1))) == {1: 2, 2: 3}
    with pytest.raises(WriteError, match="None is no row kind") as caught:
        write(spec, rows((1, "+U", 1), (2, None, 1)))
    assert caught.value.code == "ROW_KIND_UNKNOWN"
    assert caught.value.details["findings"][0]["row"] == 1


def test_ignored_kinds_are_dropped_before_numbers_are_given(tmp_path: Path) -> None:
    table = rows((1, "a", 1, "-D"), (2, "a", 1, "-U"), (3, "a", 1, "+I"))
    (message,) = write(key_table(tmp_path / "a", **{"ignore-delete": "true"}), table)
    assert (message.data.new_files[0].row_count, message.data.new_files[0].max_sequence_number) == (1, 0)
    (message,) = write(key_table(tmp_path / "b", **{"ignore-update-before": "true"}), table)
    assert message.data.new_files[0].row_count == 2
    assert write(key_table(tmp_path / "c", **{"deduplicate.ignore-delete": "true"}), rows((1, "a", 1, "-D"))) == []
    assert data_files(tmp_path / "c") == []


@pytest.mark.parametrize("engine", ["first-row", "partial-update"])
def test_deletes_are_refused_where_the_engine_has_no_place_for_them(tmp_path: Path, engine: str) -> None:
    with pytest.raises(WriteError, match="cannot take deletes") as caught:
        write(key_table(tmp_path, **{"merge-engine": engine}), rows((1, "a", 1, "-D")))
    assert caught.value.code == "ROW_KIND_REFUSED"
    assert data_files(tmp_path) == []


def test_a_kind_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="no row kind 'D'"):
        write(key_table(tmp_path), rows((1, "a", 1)), row_kind="D")
    with pytest.raises(WriteError, match="7 is no row kind"):
        write(key_table(tmp_path), rows((1, "a", 1, 7)))


def test_append_tables_know_no_kinds(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="column _VALUE_KIND"):
        write(spec_of(tmp_path, COLUMNS), rows((1, "a", 1, 0)))


# -- options per file --------------------------------------------------------------------------------------------------------------------


def test_options_of_level_0_and_of_changelogs_hold(tmp_path: Path) -> None:
    spec = key_table(
        tmp_path,
        **{
            "changelog-producer": "input",
            "file.compression.per.level": "0:snappy,5:zstd",
            "metadata.stats-mode.per.level": "0:none",
            "changelog-file.compression": "gzip",
            "changelog-file.stats-mode": "counts",
            "changelog-file.prefix": "log-",
        },
    )
    (message,) = write(spec, rows((1, "a", 1)))
    (data,), (changelog,) = message.data.new_files, message.data.changelog_files
    codecs = {path.name.partition("-")[0]: pq.read_metadata(path).row_group(0).column(0).compression for path in data_files(tmp_path)}
    assert codecs == {"data": "SNAPPY", "log": "GZIP"}
    assert (data.value_stats_cols, changelog.value_stats.null_counts) == ((), (0, 0, 0))


def test_files_of_level_0_in_another_format_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="format avro") as caught:
        check_table(key_table(tmp_path, **{"file.format.per.level": "0:avro"}))
    assert caught.value.code == "TABLE_KIND_UNSUPPORTED"


@pytest.mark.parametrize("encoders", [1, 2])
def test_every_row_is_in_its_bucket_whatever_the_number_of_encoders(tmp_path: Path, encoders: int) -> None:
    dice = random.Random(5)
    table = rows(*((dice.randrange(10**9), "x", number) for number in range(2000)))
    messages = write(key_table(tmp_path, bucket="8"), table.to_batches(100), encoders=encoders)
    assert {message.bucket for message in messages} == set(range(8))
    assert sum(file.row_count for message in messages for file in message.data.new_files) == len(set(table.column("id").to_pylist()))
    for message in messages:
        (file,) = message.data.new_files
        assert file.min_sequence_number == 0
        assert (tmp_path / f"bucket-{message.bucket}" / file.file_name).is_file()
