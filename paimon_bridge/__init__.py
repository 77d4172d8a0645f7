"""Write Apache Paimon tables from PySpark: Python makes the files, Paimon Java checks and commits them.

Driver names resolve on first use, so that executors, which import this package too, never meet pyspark or py4j.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from paimon_bridge.model.report import CommitResult, ConformanceReport, Finding
    from paimon_bridge.model.table import TableSpec
    from paimon_bridge.spark.bridge import Bridge
    from paimon_bridge.spark.classpath import configure
    from paimon_bridge.wire import Messages

_HOMES = {
    "Bridge": "paimon_bridge.spark.bridge",
    "CommitResult": "paimon_bridge.model.report",
    "ConformanceReport": "paimon_bridge.model.report",
    "Finding": "paimon_bridge.model.report",
    "Messages": "paimon_bridge.wire",
    "TableSpec": "paimon_bridge.model.table",
    "configure": "paimon_bridge.spark.classpath",
}

__all__ = ["Bridge", "CommitResult", "ConformanceReport", "Finding", "Messages", "TableSpec", "__version__", "configure"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'paimon_bridge' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
