"""Directories, against the texts that Paimon Java was seen to write (reference page, section 2, and runs of 1.0.1 to 2.0.0)."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from paimon_bridge.binary.row import Timestamp
from paimon_bridge.errors import TableError, WriteError
from paimon_bridge.write.clock import java_zone, local_millis
from paimon_bridge.write.names import run_mark, writer_uuid
from paimon_bridge.write.paths import PathFactory, java_float_text
from tests.write.tables import spec_of

# 2024-01-02 03:04:05 UTC
MOMENT = 1_704_164_645_000


def directory(paimon: str, value: Any, *, legacy: bool = True, zone_id: str = "UTC", **options: str) -> str:
    stated = {"partition.legacy-name": str(legacy).lower(), **options}
    return PathFactory(spec_of("/t", {"k": paimon}, partition_keys=["k"], options=stated, zone_id=zone_id)).partition([value])


@pytest.mark.parametrize(
    ("paimon", "value", "legacy", "other"),
    [
        ("STRING", "a/b c:d%=é", "k=a%2Fb c%3Ad%25%3Dé/", "k=a%2Fb c%3Ad%25%3Dé/"),
        ("INT", -5, "k=-5/", "k=-5/"),
        ("BOOLEAN", True, "k=true/", "k=true/"),
        ("DOUBLE", 1e20, "k=1.0E20/", "k=1.0E20/"),
        ("FLOAT", 1.0, "k=1.0/", "k=1.0/"),
        ("DECIMAL(10, 2)", Decimal("1.50"), "k=1.50/", "k=1.50/"),
        ("DECIMAL(30, 10)", Decimal("-1E-10"), "k=-0.0000000001/", "k=-0.0000000001/"),
        ("DATE", datetime.date(2024, 1, 2), "k=19724/", "k=2024-01-02/"),
        ("DATE", -719000, "k=-719000/", "k=0001-06-12/"),
        ("TIME(3)", 3661001, "k=3661001/", "k=01%3A01%3A01.001/"),
        ("TIME(3)", 100, "k=100/", "k=00%3A00%3A00.1/"),
        ("TIME(3)", 0, "k=0/", "k=00%3A00%3A00.0/"),
        ("TIME(2)", 3661005, "k=3661005/", "k=01%3A01%3A01.00/"),
        ("TIME(0)", 3661000, "k=3661000/", "k=01%3A01%3A01/"),
        ("TIMESTAMP(3)", Timestamp(MOMENT), "k=2024-01-02T03%3A04%3A05/", "k=2024-01-02 03%3A04%3A05.000/"),
        ("TIMESTAMP(3)", Timestamp(MOMENT - 5000), "k=2024-01-02T03%3A04/", "k=2024-01-02 03%3A04%3A00.000/"),
        ("TIMESTAMP(6)", Timestamp(MOMENT + 123, 456000), "k=2024-01-02T03%3A04%3A05.123456/", "k=2024-01-02 03%3A04%3A05.123456/"),
        ("TIMESTAMP(0)", Timestamp(MOMENT), "k=2024-01-02T03%3A04%3A05/", "k=2024-01-02 03%3A04%3A05/"),
        ("TIMESTAMP(9)", Timestamp(-1, 999999), "k=1969-12-31T23%3A59%3A59.999999999/", "k=1969-12-31 23%3A59%3A59.999999999/"),
    ],
)
def test_partition_values_have_javas_text(paimon: str, value: Any, legacy: str, other: str) -> None:
    assert directory(paimon, value) == legacy
    assert directory(paimon, value, legacy=False) == other


@pytest.mark.parametrize("value", [None, "", " ", "\t\n", "\u3000", "\x1c"])
def test_null_empty_and_blank_values_share_the_default_directory(value: str | None) -> None:
    assert directory("STRING", value) == "k=__DEFAULT_PARTITION__/"
    assert directory("STRING", value, **{"partition.default-name": "no ne"}) == "k=no ne/"


@pytest.mark.parametrize("value", ["\u00a0", "\u0085", "\u202f"])
def test_spaces_that_java_does_not_count_as_blank_are_names(value: str) -> None:
    assert directory("STRING", value) == f"k={value}/"


def test_every_character_java_escapes_is_escaped() -> None:
    escaped = "\x00\x1f\x7f\"#%'*/:=?\\{}[]^"
    assert directory("STRING", f"a{escaped}b") == "k=a" + "".join(f"%{ord(character):02X}" for character in escaped) + "b/"
    untouched = "a b!$&()+,-.;<>@_`|~é日😀"
    assert directory("STRING", untouched) == f"k={untouched}/"


def test_zoned_timestamps_use_the_jvms_zone_without_legacy_names_only() -> None:
    zoned = "TIMESTAMP(3) WITH LOCAL TIME ZONE"
    assert directory(zoned, Timestamp(MOMENT), zone_id="Asia/Shanghai") == "k=2024-01-02T03%3A04%3A05/"
    assert directory(zoned, Timestamp(MOMENT), legacy=False, zone_id="Asia/Shanghai") == "k=2024-01-02 11%3A04%3A05.000/"
    assert directory(zoned, Timestamp(MOMENT), legacy=False, zone_id="GMT-03:30") == "k=2024-01-01 23%3A34%3A05.000/"


def test_binary_partitions_have_no_stable_legacy_name() -> None:
    assert directory("BYTES", b"ab\xff", legacy=False) == "k=ab\ufffd/"
    with pytest.raises(TableError, match="BYTES") as caught:
        directory("BYTES", b"ab")
    assert caught.value.code == "PARTITION_TYPE_UNSUPPORTED"


def test_a_moment_without_a_directory_name_is_refused() -> None:
    with pytest.raises(WriteError, match="outside the years") as caught:
        directory("TIMESTAMP(3)", Timestamp(10**15))
    assert caught.value.details["final"] is True


def test_bucket_directories() -> None:
    spec = spec_of("/t", {"a b=": "STRING", "c": "INT"}, partition_keys=["c", "a b="], options={"data-file.path-directory": "data"})
    assert PathFactory(spec).bucket([1, "x"], 7) == "data/c=1/a b%3D=x/bucket-7"
    assert PathFactory(spec_of("/t", {"a": "INT"})).bucket([], 0) == "bucket-0"
    assert PathFactory(spec_of("/t", {"a": "INT"})).bucket([], -2) == "bucket-postpone"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.float64("nan"), "NaN"),
        (np.float64("-inf"), "-Infinity"),
        (np.float64(-0.0), "-0.0"),
        (np.float64(9999999.0), "9999999.0"),
        (np.float64(1e7), "1.0E7"),
        (np.float64(1e-3), "0.001"),
        (np.float64(1.5e-5), "1.5E-5"),
        (np.float64(1 / 3), "0.3333333333333333"),
        (np.float32(1 / 3), "0.33333334"),
        (np.float32(3.4e38), "3.4E38"),
        (np.float64(123456.789), "123456.789"),
    ],
)
def test_floats_have_javas_text(value: np.floating[Any], text: str) -> None:
    assert java_float_text(value) == text


def test_java_zone_ids_are_understood() -> None:
    moment = datetime.datetime(2024, 7, 1)
    assert java_zone("GMT+08:00").utcoffset(moment) == datetime.timedelta(hours=8)
    assert java_zone("-05:30").utcoffset(moment) == datetime.timedelta(hours=-5, minutes=-30)
    assert java_zone("Z").utcoffset(moment) == datetime.timedelta(0)
    with pytest.raises(TableError, match="Mars/Base") as caught:
        java_zone("Mars/Base")
    assert caught.value.code == "TIME_ZONE_UNKNOWN"


def test_creation_times_are_a_zones_wall_clock() -> None:
    apart = local_millis(java_zone("GMT+08:00")) - local_millis(java_zone("UTC"))
    assert abs(apart - 8 * 3_600_000) < 1000


def test_file_names_of_a_run_share_its_mark_and_nothing_else() -> None:
    run_id = "01234567-89ab-4cde-8f01-23456789abcd"
    names = {writer_uuid(run_id) for _ in range(100)}
    assert len(names) == 100
    assert run_mark(run_id) == "01234567-89ab-4cde-"
    assert all(name.startswith(run_mark(run_id)) and len(name) == 36 for name in names)
    assert run_mark("any other text") == run_mark("any other text") != run_mark("another")
