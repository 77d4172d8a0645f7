"""Files of a run that ended badly: found by their names, removed, or named."""

from __future__ import annotations

from paimon_bridge.model.table import TableSpec
from paimon_bridge.write.names import run_mark
from paimon_bridge.write.storage import Storage


def remove_run_files(spec: TableSpec, run_id: str) -> list[str]:
    """Delete every file that the tasks of a run have left in the table's folders; the paths that could not be deleted, with the reason.

    Only for a run none of whose messages was committed. Lists the whole table, so it is for failures only. Runs on the driver.
    """
    storage = Storage(spec.path)
    mark = run_mark(run_id)
    return storage.delete_all(path for path in storage.list_files() if mark in path.rpartition("/")[2])
