"""How files of one purpose are made, as a table's options say it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from paimon_bridge.errors import TableError

# Columns that Paimon adds to key-value files; their statistics never follow metadata.stats-mode.
KEY_PREFIX = "_KEY_"
SYSTEM_COLUMNS = frozenset({"_SEQUENCE_NUMBER", "_VALUE_KIND", "_LEVEL", "rowkind", "_ROW_ID"})


@dataclass(frozen=True, slots=True)
class StatsMode:
    """One of Paimon's ways to keep column statistics; ``length`` belongs to ``truncate``."""

    kind: str
    length: int | None = None

    @classmethod
    def parse(cls, text: str, option: str) -> StatsMode:
        lowered = text.strip().lower()
        if lowered in ("none", "counts", "full"):
            return cls(lowered)
        match = re.fullmatch(r"truncate\((\d+)\)", lowered)
        if match and int(match[1]) > 0:
            return cls("truncate", int(match[1]))
        raise option_invalid(option, text, "none, counts, truncate(n) with n > 0, or full")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProfile:
    """How files of one purpose are made: format and codec, the statistics of their columns, the start of their names."""

    format: str
    compression: str
    stats_mode: StatsMode
    prefix: str


NO_STATS = StatsMode("none")
# Paimon keeps key columns at this mode whatever the table says: reads rely on their bounds.
KEY_STATS = StatsMode("truncate", 128)


def option_invalid(option: str, value: str, expected: str) -> TableError:
    """A value that Paimon would refuse, by the option's name."""
    return TableError(
        f"table option {option} has the value {value!r}",
        code="OPTION_INVALID",
        remedy=f"set it to {expected}",
        details={"option": option, "value": value},
    )
