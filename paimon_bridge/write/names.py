"""Names of files: Paimon's pattern, with the run that wrote them readable in the name.

Java names files ``<prefix><uuid>-<counter>.<format>`` with a random uuid per writer. Ours is random too, but for its first digits,
which are those of the run's id: whatever a killed task leaves behind can be found and removed without a list.
"""

from __future__ import annotations

import uuid

# Eight, four and four digits with their dashes: 56 random bits of the run's id, and the version digit of a random uuid.
_RUN_DIGITS = 19


def run_mark(run_id: str) -> str:
    """The text that every file name of a run has in it."""
    return str(_as_uuid(run_id))[:_RUN_DIGITS]


def writer_uuid(run_id: str) -> str:
    """A new uuid for one writer of a run."""
    return run_mark(run_id) + str(uuid.uuid4())[_RUN_DIGITS:]


def _as_uuid(run_id: str) -> uuid.UUID:
    try:
        return uuid.UUID(run_id)
    except ValueError:
        return uuid.uuid5(uuid.NAMESPACE_OID, run_id)


class FileNames:
    """The names of one writer's files: one uuid, one counter for all of them, whatever their prefix."""

    def __init__(self, run_id: str) -> None:
        self._uuid = writer_uuid(run_id)
        self._count = 0

    def next(self, prefix: str, extension: str) -> str:
        name = f"{prefix}{self._uuid}-{self._count}{extension}"
        self._count += 1
        return name
