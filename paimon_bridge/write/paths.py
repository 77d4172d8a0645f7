"""Where a file goes and what it is called: the text of partition values, directories, file names.

Java computes these texts again from the partition's values whenever it reads, so a difference of one character is a lost file. Rules:
``InternalRowPartitionComputer``, ``PartitionPathUtils``, ``FileStorePathFactory`` and the cast rules to string, alike in 1.0.1 to 2.0.0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from typing import Any

import numpy as np

from paimon_bridge.binary.row import Timestamp
from paimon_bridge.errors import TableError, WriteError
from paimon_bridge.model.options import TableOptions
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import DataType
from paimon_bridge.write.clock import java_zone, local_clock

POSTPONE_BUCKET = -2

# Java's Character.isWhitespace: unlike Python's str.isspace it knows no no-break spaces and no U+0085.
_BLANK = re.compile("[\t-\r\x1c-\x20\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]*")
_ESCAPED = re.compile("[\x00-\x1f\x7f\"#%'*/:=?\\\\{}\\[\\]^]")
_EPOCH = datetime(1970, 1, 1)


class PathFactory:
    """The directories of one table's files, relative to the table's own."""

    def __init__(self, spec: TableSpec) -> None:
        options = TableOptions(spec)
        self._keys = [escape(key) for key in spec.partition_keys]
        self._default_name = options.partition_default_name
        self._texts = [_text_of(field.type, options.partition_legacy_name, spec) for field in spec.partition_fields]
        directory = options.data_file_path_directory
        self._prefix = f"{directory.strip('/')}/" if directory else ""

    def bucket(self, partition: Sequence[Any], bucket: int) -> str:
        """The directory of a bucket, such as ``dt=2024-01-02/bucket-0``."""
        return f"{self._prefix}{self.partition(partition)}bucket-{'postpone' if bucket == POSTPONE_BUCKET else bucket}"

    def partition(self, values: Sequence[Any]) -> str:
        """``key=value/`` for each partition key; the empty text for a table without partitions."""
        return "".join(
            f"{key}={escape(self._name(text, value))}/" for key, text, value in zip(self._keys, self._texts, values, strict=True)
        )

    def _name(self, text: Callable[[Any], str], value: Any) -> str:
        name = "" if value is None else text(value)
        # Null, empty and blank values share the default directory; the partition's row keeps them apart.
        return self._default_name if _BLANK.fullmatch(name) else name


def escape(name: str) -> str:
    return _ESCAPED.sub(lambda match: f"%{ord(match[0]):02X}", name)


def _text_of(data_type: DataType, legacy: bool, spec: TableSpec) -> Callable[[Any], str]:
    """How Java writes values of a type: with ``toString`` (legacy names), or cast to a string."""
    root, precision = data_type.root, data_type.precision or 0
    if root in ("CHAR", "VARCHAR", "TINYINT", "SMALLINT", "INT", "BIGINT"):
        return str
    if root == "BOOLEAN":
        return lambda value: "true" if value else "false"
    if root == "DECIMAL":
        return lambda value: f"{Decimal(value):f}"
    if root in ("FLOAT", "DOUBLE"):
        narrow = np.float32 if root == "FLOAT" else np.float64
        return lambda value: java_float_text(narrow(value))
    if root == "DATE":
        return (lambda value: str(_days(value))) if legacy else _date_text
    if root == "TIME":
        return str if legacy else lambda value: _time_text(value, precision)
    if root in ("TIMESTAMP", "TIMESTAMP_LTZ"):
        if legacy:
            return _iso_text
        zone = java_zone(spec.zone_id) if root == "TIMESTAMP_LTZ" else timezone.utc
        return lambda value: _sql_text(value, zone, precision)
    if root in ("BINARY", "VARBINARY") and not legacy:
        return lambda value: bytes(value).decode("utf-8", "replace")
    raise TableError(
        f"{spec.name} is partitioned by a column of type {data_type}, whose directory Java names differently every time",
        code="PARTITION_TYPE_UNSUPPORTED",
        remedy="partition by another type, or set partition.legacy-name to false for binary columns.",
    )


def java_float_text(value: np.floating[Any]) -> str:
    """Java's ``Float.toString`` and ``Double.toString``: the shortest digits, an exponent below 10^-3 and from 10^7 on.

    JDKs before 19 print a few numbers with more digits than needed; a partition of such a number has another directory there, which
    the gate notices before the commit.
    """
    if np.isnan(value):
        return "NaN"
    if np.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "-0.0" if np.signbit(value) else "0.0"
    if 1e-3 <= abs(value) < 1e7:
        return np.format_float_positional(value, unique=True, trim="0")
    digits, exponent = np.format_float_scientific(value, unique=True, trim="0").split("e")
    return f"{digits}E{int(exponent)}"


def _days(value: date | int) -> int:
    return value if isinstance(value, int) else value.toordinal() - date(1970, 1, 1).toordinal()


def _date_text(value: date | int) -> str:
    clock = _clock(_days(value) * 86_400_000)
    return f"{clock.year:04}-{clock:%m-%d}"


def _time_text(millis: int, precision: int) -> str:
    """``DateTimeUtils.formatTimestampMillis``: at most ``precision`` digits, ending early when nothing but zeros would follow."""
    seconds, rest = divmod(millis, 1000)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if precision == 0:
        return text
    digits = ""
    while len(digits) < precision:
        digits += str(rest // 100)
        rest = rest % 100 * 10
        if rest == 0:
            break
    return f"{text}.{digits}"


def _iso_text(value: Timestamp) -> str:
    """``LocalDateTime.toString``: seconds, and groups of three fraction digits, only as far as needed."""
    clock = _clock(value.millis)
    nanos = _nanos(value)
    text = f"{clock.year:04}-{clock:%m-%dT%H:%M}"
    if clock.second or nanos:
        text += f":{clock.second:02}"
    if nanos:
        digits = 3 if nanos % 1_000_000 == 0 else 6 if nanos % 1000 == 0 else 9
        text += f".{nanos:09}"[: 1 + digits]
    return text


def _sql_text(value: Timestamp, zone: tzinfo, precision: int) -> str:
    """``DateTimeUtils.formatTimestamp``: a fraction of at least ``precision`` digits, and more while they are not zero."""
    clock = local_clock(_clock(value.millis), zone)
    fraction = f"{_nanos(value):09}"
    while len(fraction) > precision and fraction.endswith("0"):
        fraction = fraction[:-1]
    text = f"{clock.year:04}-{clock:%m-%d %H:%M:%S}"
    return f"{text}.{fraction}" if fraction else text


def _nanos(value: Timestamp) -> int:
    return value.millis % 1000 * 1_000_000 + value.nanos_of_milli


def _clock(millis: int) -> datetime:
    """The second of a moment, as a UTC wall clock."""
    try:
        return _EPOCH + timedelta(seconds=millis // 1000)
    except OverflowError:
        raise WriteError(
            f"a partition value lies {millis} ms from 1970, outside the years 1 to 9999 that have a directory name",
            code="PARTITION_VALUE_UNSUPPORTED",
            remedy="filter such rows out, or mend the value.",
            details={"final": True},
        ) from None
