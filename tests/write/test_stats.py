"""Column statistics, against those that Paimon Java wrote for known values, and against plain Python for random ones."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paimon_bridge.binary.row import Timestamp, decode_row
from paimon_bridge.model.file import SimpleStats
from paimon_bridge.model.profile import StatsMode
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import parse_type
from paimon_bridge.write.filetypes import file_schema
from paimon_bridge.write.stats import cut_above, unscaled_decimal
from tests.write.tables import spec_of, write

VECTORS = sorted((Path(__file__).parent.parent / "vectors").glob("java-*-types_*.single.json"))


def column_stats(
    folder: Path, paimon: str, values: list[Any], mode: str = "truncate(16)", release: str = "1.4.2"
) -> tuple[Any, Any, int | None]:
    """Minimum, maximum and null count that a file of these values gets."""
    spec = spec_of(folder, {"c": paimon}, options={"metadata.stats-mode": mode, "metadata.stats-dense-store": "false"}, release=release)
    array = pa.array(values, file_schema(spec.fields).logical.field(0).type)
    (message,) = write(spec, pa.table({"c": array}))
    (file,) = message.data.new_files
    types = [parse_type(paimon).with_nullable(True)]
    low, high = (decode_row(row, types)[0] for row in (file.value_stats.min_values, file.value_stats.max_values))
    return low, high, file.value_stats.null_counts[0]


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.name.split(".v")[0])
def test_statistics_are_those_of_java(path: Path, tmp_path: Path) -> None:
    """A file of Java's minima, Java's maxima and a row of nulls has Java's bounds: the bounds of bounds are the same bounds."""
    vector = json.loads(path.read_text())
    release = path.name.split("-")[1]
    shape = spec_of(tmp_path, {}, release=release, message_version=vector["version"]).to_json()
    spec = TableSpec.from_json(shape | {key: vector["tableSchema"][key] for key in ("fields", "options")})
    (theirs,) = vector["messages"][0]["dataIncrement"]["newFiles"]
    low, high = (bytes.fromhex(theirs["valueStats"][side]["hex"]) for side in ("minValues", "maxValues"))
    names = theirs["valueStatsCols"] if theirs["valueStatsCols"] is not None else [field.name for field in spec.fields]
    types = [spec.field_by_name[name].type.with_nullable(True) for name in names]
    bounds = [dict(zip(names, decode_row(row, types), strict=True)) for row in (low, high)]
    rows = {
        field.name: _column([row.get(field.name) for row in bounds] + [None], file_schema([field]).logical.field(0).type)
        for field in spec.fields
    }

    (message,) = write(spec, pa.table(rows))

    (ours,) = message.data.new_files
    assert ours.value_stats_cols == (None if theirs["valueStatsCols"] is None else tuple(theirs["valueStatsCols"]))
    assert ours.value_stats.null_counts == tuple(rows[name].null_count for name in names)
    assert decode_row(ours.value_stats.min_values, types) == decode_row(low, types)
    assert decode_row(ours.value_stats.max_values, types) == decode_row(high, types)
    if release != "1.0.1":
        # 1.0.1 kept no room for wide values that are null in these rows; readers go by the null bit.
        assert (ours.value_stats.min_values, ours.value_stats.max_values) == (low, high)


def _column(values: list[Any], arrow: pa.DataType) -> pa.Array:
    if pa.types.is_timestamp(arrow):
        per_milli = {"ms": 1, "us": 1000, "ns": 1_000_000}[arrow.unit]
        raw = [None if value is None else value.millis * per_milli + value.nanos_of_milli * per_milli // 1_000_000 for value in values]
        return pa.array(raw, pa.int64()).cast(arrow)
    return pa.array(values, pa.int32()).cast(arrow) if pa.types.is_time(arrow) else pa.array(values, arrow)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("none", (None, None, None)),
        ("counts", (None, None, 1)),
        ("full", ("0123456789abcdefg", "x", 1)),
        ("truncate(16)", ("0123456789abcdef", "x", 1)),
        ("truncate(1)", ("0", "x", 1)),
    ],
)
def test_modes(tmp_path: Path, mode: str, expected: tuple[Any, Any, int | None]) -> None:
    assert column_stats(tmp_path, "STRING", ["x", None, "0123456789abcdefg"], mode) == expected


@pytest.mark.parametrize(
    ("value", "length", "expected"),
    [
        ("0123456789abcdefg", 16, "0123456789abcdeg"),
        ("0123456789abcdef", 16, "0123456789abcdef"),
        ("", 1, ""),
        ("\U0010ffff" * 17, 16, None),
        ("a\U0010ffff\U0010ffffb", 3, "b"),
        ("é\ud7ffx", 2, "é\ue000"),
        ("日本語", 2, "日札"),
        (b"\x01\xff\xffz", 3, b"\x02"),
        (b"\xff\xff", 1, None),
        (b"ab", 2, b"ab"),
    ],
)
def test_upper_bounds_are_cut_by_code_points_and_raised(value: str | bytes, length: int, expected: str | bytes | None) -> None:
    assert cut_above(value, length) == expected


@given(st.text(max_size=8), st.integers(1, 6))
def test_a_cut_upper_bound_is_never_below_the_value(value: str, length: int) -> None:
    cut = cut_above(value, length)
    if cut is not None:
        assert isinstance(cut, str)
        assert cut.encode() >= value.encode()
        assert len(cut) <= max(length, len(value) if len(value) <= length else 0)


def test_bytes_have_bounds_since_release_2_0(tmp_path: Path) -> None:
    values = [b"\xff" * 20, None, b"a" * 20]
    assert column_stats(tmp_path / "old", "BYTES", values, release="1.4.2") == (None, None, 1)
    assert column_stats(tmp_path / "cut", "BYTES", [b"b", None, b"a" * 20], release="2.0.0") == (b"a" * 16, b"b", 1)
    assert column_stats(tmp_path / "top", "BYTES", values, release="2.0.0") == (None, None, 1)
    assert column_stats(tmp_path / "full", "BYTES", values, "full", release="2.0.0") == (b"a" * 20, b"\xff" * 20, 1)


def test_bounds_longer_than_a_footer_takes_are_found_in_the_rows(tmp_path: Path) -> None:
    values = ["b" * 5000, None, "a" * 6000]
    assert column_stats(tmp_path, "STRING", values, "full") == ("a" * 6000, "b" * 5000, 1)


def test_nan_leaves_the_bounds_unknown(tmp_path: Path) -> None:
    assert column_stats(tmp_path / "a", "DOUBLE", [1.0, math.nan, None]) == (None, None, 1)
    assert column_stats(tmp_path / "b", "FLOAT", [math.inf, -math.inf]) == (-math.inf, math.inf, 0)


def test_zeros_keep_their_sign_since_release_1_4_and_are_widened_before(tmp_path: Path) -> None:
    def signs(values: list[float], release: str) -> tuple[float, float]:
        low, high, _ = column_stats(tmp_path / f"{len(list(tmp_path.iterdir()))}", "DOUBLE", values, release=release)
        return math.copysign(1, low), math.copysign(1, high)

    assert signs([0.0, 0.0], "1.4.2") == (1, 1)
    assert signs([-0.0, -0.0], "1.4.2") == (-1, -1)
    assert signs([0.0, -0.0], "2.0.0") == (-1, 1)
    assert signs([0.0, 0.0], "1.3.1") == (-1, 1)
    assert signs([-0.0], "1.0.1") == (-1, 1)


def test_columns_of_nulls_have_a_count_and_no_bounds(tmp_path: Path) -> None:
    assert column_stats(tmp_path, "DECIMAL(38, 18)", [None, None]) == (None, None, 2)


def test_int96_has_a_null_count_only_and_its_neighbours_keep_their_bounds(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, {"fine": "TIMESTAMP(9)", "coarse": "TIMESTAMP(3)"})
    rows = pa.table({"fine": pa.array([1, None], pa.timestamp("ns")), "coarse": pa.array([-1, 5], pa.timestamp("ms"))})
    (message,) = write(spec, rows)
    (file,) = message.data.new_files
    assert decode_row(file.value_stats.min_values, [field.type for field in spec.fields]) == (None, Timestamp(-1))
    assert decode_row(file.value_stats.max_values, [field.type for field in spec.fields]) == (None, Timestamp(5))
    assert file.value_stats.null_counts == (1, 0)


def test_dense_statistics_name_the_columns_they_have(tmp_path: Path) -> None:
    columns = {"a": "INT", "l": {"type": "ARRAY", "element": "INT"}, "b": "INT"}
    rows = pa.table({"a": pa.array([1], pa.int32()), "l": pa.array([[1]], pa.list_(pa.int32())), "b": pa.array([2], pa.int32())})
    (dense,) = write(spec_of(tmp_path / "dense", columns), rows)
    assert dense.data.new_files[0].value_stats_cols == ("a", "b")
    (wide,) = write(spec_of(tmp_path / "wide", columns, options={"metadata.stats-dense-store": "false"}), rows)
    assert wide.data.new_files[0].value_stats_cols is None
    assert wide.data.new_files[0].value_stats.null_counts == (0, None, 0)
    (none,) = write(spec_of(tmp_path / "none", columns, options={"metadata.stats-mode": "none"}), rows)
    assert none.data.new_files[0].value_stats_cols == ()
    assert none.data.new_files[0].value_stats == SimpleStats()


def test_names_with_dots_are_not_taken_for_paths(tmp_path: Path) -> None:
    columns = {"r": {"type": "ROW", "fields": [{"id": 9, "name": "x", "type": "INT"}]}, "r.x": "INT"}
    rows = pa.table({"r": pa.array([{"x": 1}], pa.struct([("x", pa.int32())])), "r.x": pa.array([7], pa.int32())})
    (message,) = write(spec_of(tmp_path, columns), rows)
    (file,) = message.data.new_files
    assert decode_row(file.value_stats.min_values, [parse_type("INT")]) == (7,)


_SAMPLES = {
    "BIGINT": st.integers(-(2**63), 2**63 - 1),
    "TINYINT": st.integers(-128, 127),
    "DECIMAL(9, 2)": st.decimals(-9999999, 9999999, places=2),
    "DECIMAL(38, 10)": st.decimals(-(10**27), 10**27, places=10).map(lambda value: unscaled_decimal(int(value.scaleb(10)), 10)),
    "DOUBLE": st.floats(allow_nan=False),
    "STRING": st.text(max_size=20),
    "BOOLEAN": st.booleans(),
}


@settings(max_examples=60, deadline=None)
@given(data=st.data(), paimon=st.sampled_from(sorted(_SAMPLES)))
def test_bounds_of_random_values_are_their_extremes(data: st.DataObject, paimon: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    values = data.draw(st.lists(st.none() | _SAMPLES[paimon], min_size=1, max_size=30))
    known = [value for value in values if value is not None]
    order = (lambda text: text.encode()) if paimon == "STRING" else (lambda value: (value, math.copysign(1, value)))
    expected = (min(known, key=order), max(known, key=order)) if known else (None, None)
    assert column_stats(tmp_path_factory.mktemp("t"), paimon, values, "full") == (*expected, values.count(None))


def test_exact_decimals_ignore_the_context() -> None:
    unscaled = -(10**37) - 1
    assert unscaled_decimal(unscaled, 18) == Decimal(f"{unscaled}E-18")
    assert str(unscaled_decimal(5, 3)) == "0.005"


def test_a_stats_mode_is_a_value() -> None:
    assert StatsMode.parse(" Truncate(8) ", "x") == StatsMode("truncate", 8)
