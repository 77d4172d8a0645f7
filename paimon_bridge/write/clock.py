"""Java's default time zone, which Paimon uses for file creation times and for some partition names."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from paimon_bridge.errors import TableError

_OFFSET = re.compile(r"(?:GMT|UTC|UT)?([+-])(\d{1,2})(?::?(\d{2}))?(?::?(\d{2}))?")


def java_zone(zone_id: str) -> tzinfo:
    """The zone of a Java zone id: a region such as ``Asia/Shanghai``, or an offset such as ``GMT+08:00``."""
    if zone_id in ("Z", "UTC", "GMT"):
        return timezone.utc
    match = _OFFSET.fullmatch(zone_id)
    if match:
        seconds = int(match[2]) * 3600 + int(match[3] or 0) * 60 + int(match[4] or 0)
        return timezone(timedelta(seconds=-seconds if match[1] == "-" else seconds))
    try:
        return ZoneInfo(zone_id)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise TableError(
            f"the JVM's time zone {zone_id!r} is not known to this Python",
            code="TIME_ZONE_UNKNOWN",
            remedy="install the tzdata package here, or start the JVM with -Duser.timezone set to a region of the tz database.",
        ) from error


def local_millis(zone: tzinfo) -> int:
    """The wall clock of a zone, in milliseconds as if it were UTC: what Paimon stores as a file's creation time."""
    epoch_millis = time.time_ns() // 1_000_000
    offset = datetime.fromtimestamp(epoch_millis / 1000, zone).utcoffset()
    assert offset is not None
    return epoch_millis + offset // timedelta(milliseconds=1)


def local_clock(utc: datetime, zone: tzinfo) -> datetime:
    """The wall clock of a zone at a moment that is given as a UTC wall clock; both without tzinfo."""
    return utc.replace(tzinfo=timezone.utc).astimezone(zone).replace(tzinfo=None)
