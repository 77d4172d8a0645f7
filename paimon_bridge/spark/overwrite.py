"""What ``overwrite=`` means, and partition values as the text that Paimon reads them from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from paimon_bridge.errors import CommitError
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import DataType

TRUNCATE = "truncate"

Overwrite = Mapping[str, Any] | bool | str | None


def overwrite_request(overwrite: Overwrite, describe: Callable[[], TableSpec]) -> dict[str, Any] | None:
    """The shim's form of ``overwrite=``; None for an append. The table is asked for only where values must be turned into text."""
    if overwrite is None or overwrite is False:
        return None
    if overwrite is True or overwrite == {}:
        return {"mode": "dynamic"}
    if overwrite == TRUNCATE:
        return {"mode": TRUNCATE}
    if not isinstance(overwrite, Mapping):
        raise CommitError(
            f"overwrite={overwrite!r} is no way to overwrite.",
            code="OVERWRITE_UNKNOWN",
            remedy='use {} for the partitions of the new rows, {"column": value} for stated ones, or "truncate" for the whole table.',
        )
    spec = describe()
    types = {field.name: field.type for field in spec.partition_fields}
    # A column that is no partition column is named by the shim, together with those that are.
    partition = {name: partition_text(name, value, types[name], spec.zone_id) if name in types else "" for name, value in overwrite.items()}
    return {"mode": "static", "partition": partition}


def partition_text(column: str, value: Any, kind: DataType, zone_id: str) -> str | None:
    """One value as Paimon's text of its type; None for null. CommitError where it is not a value of the type, or not exactly."""
    if value is None:
        return None
    try:
        text = _TEXTS[kind.root](value, kind, zone_id)
    except (KeyError, ValueError, ArithmeticError, UnicodeDecodeError) as error:
        raise _invalid(column, value, kind) from error
    if text is None:
        raise _invalid(column, value, kind)
    return text


def _invalid(column: str, value: Any, kind: DataType) -> CommitError:
    return CommitError(
        f"{column} = {value!r} is not a value of the type {kind}.",
        code="OVERWRITE_VALUE_INVALID",
        remedy="give a Python value of the column's type, such as datetime.date(2026, 6, 26) for a DATE; None is the null partition.",
    )


def _string(value: Any, kind: DataType, zone_id: str) -> str | None:
    return value if isinstance(value, str) else None


def _boolean(value: Any, kind: DataType, zone_id: str) -> str | None:
    text = str(value).lower()
    return text if isinstance(value, (bool, str)) and text in ("true", "false") else None


def _integer(value: Any, kind: DataType, zone_id: str) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer, str)):
        return None
    return str(int(value))


def _double(value: Any, kind: DataType, zone_id: str) -> str | None:
    return None if isinstance(value, bool) else repr(float(value))


def _float(value: Any, kind: DataType, zone_id: str) -> str | None:
    return None if isinstance(value, bool) else str(np.float32(value))


def _decimal(value: Any, kind: DataType, zone_id: str) -> str | None:
    if isinstance(value, (bool, float)):
        return None
    number = Decimal(value)
    assert kind.precision is not None
    assert kind.scale is not None
    # Paimon would round, and then replace the partition of another value; what does not fit it would take for null.
    fits = number.is_finite() and number == round(number, kind.scale) and abs(number) < Decimal(10) ** (kind.precision - kind.scale)
    return format(number, "f") if fits else None


def _date(value: Any, kind: DataType, zone_id: str) -> str | None:
    if isinstance(value, str):
        value = date.fromisoformat(value)
    return value.isoformat() if isinstance(value, date) and not isinstance(value, datetime) else None


def _time(value: Any, kind: DataType, zone_id: str) -> str | None:
    if isinstance(value, str):
        value = time.fromisoformat(value)
    if not isinstance(value, time) or value.tzinfo is not None or not _fits(value.microsecond, kind):
        return None
    return value.isoformat(timespec="milliseconds") if value.microsecond else value.isoformat(timespec="seconds")


def _timestamp(value: Any, kind: DataType, zone_id: str) -> str | None:
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if not isinstance(value, datetime) or value.tzinfo is not None or not _fits(value.microsecond, kind):
        return None
    return value.isoformat(sep=" ")


def _zoned_timestamp(value: Any, kind: DataType, zone_id: str) -> str | None:
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if not isinstance(value, datetime) or value.tzinfo is None or not _fits(value.microsecond, kind):
        return None
    # Paimon reads the text in the JVM's zone; in the hour that occurs twice in autumn, text cannot name the second one.
    local = value.astimezone(ZoneInfo(zone_id))
    return local.replace(tzinfo=None).isoformat(sep=" ") if local.fold == 0 else None


def _binary(value: Any, kind: DataType, zone_id: str) -> str | None:
    return bytes(value).decode() if isinstance(value, (bytes, bytearray)) else None


def _fits(microsecond: int, kind: DataType) -> bool:
    """Paimon would cut what is finer than the type, and find another partition."""
    step: int = 10 ** max(0, 6 - (kind.precision or 0))
    return microsecond % step == 0


_TEXTS: dict[str, Callable[[Any, DataType, str], str | None]] = {
    "CHAR": _string,
    "VARCHAR": _string,
    "BOOLEAN": _boolean,
    "TINYINT": _integer,
    "SMALLINT": _integer,
    "INT": _integer,
    "BIGINT": _integer,
    "FLOAT": _float,
    "DOUBLE": _double,
    "DECIMAL": _decimal,
    "DATE": _date,
    "TIME": _time,
    "TIMESTAMP": _timestamp,
    "TIMESTAMP_LTZ": _zoned_timestamp,
    "BINARY": _binary,
    "VARBINARY": _binary,
}
