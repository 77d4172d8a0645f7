"""The doorway to the JVM: the only file that touches py4j. Finds the shim, checks its version, calls it, translates its errors.

Every call sends strings, numbers and one ``bytes``, and gets one JSON string back. Java handles start with ``_j`` and stay here.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from py4j.java_gateway import JavaPackage
from py4j.protocol import Py4JError, Py4JNetworkError

from paimon_bridge import __version__
from paimon_bridge.errors import (
    BridgeError,
    CodecError,
    CommitConflictError,
    CommitError,
    CommitStateUnknownError,
    ConformanceError,
    ShimError,
    TableError,
)
from paimon_bridge.model.report import ConformanceReport


def _above_debug(record: logging.LogRecord) -> bool:
    return record.levelno > logging.DEBUG


# At DEBUG py4j logs every command, catalog secrets included. A level could be lowered again by whoever turns DEBUG on; a filter stays.
for _name in ("py4j", "py4j.java_gateway", "py4j.clientserver"):
    logging.getLogger(_name).addFilter(_above_debug)

# One byte[] argument travels as base64 in one line; above this size a file is faster (measured: 6 MB, 8 ms against 100 ms).
HANDOVER_BYTES = 1 << 20

_SERIALIZER = "org/apache/paimon/table/sink/CommitMessageSerializer.class"
_CONFIGURE = "build the session with paimon_bridge.configure(SparkSession.builder).getOrCreate(), before any other session is started."


class Shim:
    """One session's shim. Made once per Bridge; every problem of the session gets its own sentence here."""

    def __init__(self, spark: Any) -> None:
        if "connect" in type(spark).__module__.split("."):
            raise ShimError(
                "This is a Spark Connect session, which has no gateway to the driver's JVM.",
                code="SPARK_CONNECT",
                remedy="run the commit in a classic session: SparkSession.builder.master(...), or spark-submit without --remote.",
            )
        context = spark.sparkContext
        if context._jsc is None:
            raise ShimError("This Spark session is stopped.", code="SPARK_STOPPED", remedy=f"start a new one: {_CONFIGURE}")
        try:
            self._j_entry = self._find(spark._jvm, context)
        except Py4JNetworkError as broken:
            raise ShimError(
                "The driver's JVM does not answer.", code="GATEWAY_GONE", remedy="start a new Spark session; the old one is gone."
            ) from broken
        self.info: dict[str, Any] = self.call("info")
        self._check_versions()

    @staticmethod
    def _find(j_jvm: Any, context: Any) -> Any:
        j_entry = j_jvm.org.paimonbridge.BridgeEntryPoint
        j_loader = j_jvm.java.lang.Thread.currentThread().getContextClassLoader()
        missing = []
        if isinstance(j_entry, JavaPackage):
            missing.append("the paimon-bridge shim jar")
        if j_loader.getResource(_SERIALIZER) is None:
            missing.append("Paimon (a paimon-bundle jar)")
        if missing:
            jars = context.getConf().get("spark.jars", "") or "empty"
            packages = context.getConf().get("spark.jars.packages", "") or "empty"
            raise ShimError(
                f"The driver's class path lacks {' and '.join(missing)}.",
                code="JAR_MISSING",
                where=f"spark.jars is {jars}; spark.jars.packages is {packages}",
                remedy=f"{_CONFIGURE} A session that is already running cannot take jars into its driver: stop it first.",
            )
        return j_entry

    def _check_versions(self) -> None:
        if self.info["shimVersion"] != __version__:
            raise ShimError(
                f"The shim jar on the driver's class path is version {self.info['shimVersion']}, this package is {__version__}.",
                code="SHIM_VERSION",
                remedy="use the jar that this package carries (configure() adds it), and remove the other from spark.jars.",
            )
        copies = self.info["paimonCopies"]
        if len(copies) > 1:
            raise ShimError(
                f"{len(copies)} copies of Paimon are on the driver's class path; which one commits would be chance.",
                code="PAIMON_TWICE",
                where="; ".join(copies),
                remedy="keep one of these jars in spark.jars, spark.jars.packages and Spark's jars folder.",
            )

    def call(self, method: str, *arguments: str | int | bool | bytes) -> dict[str, Any]:
        """Call one shim method; its JSON value, or the error it describes raised as ours."""
        try:
            answer = json.loads(getattr(self._j_entry, method)(*arguments))
        except Py4JNetworkError as broken:
            raise ShimError(
                "The driver's JVM went away during a call.", code="GATEWAY_GONE", where=method, remedy="start a new Spark session."
            ) from broken
        except Py4JError as broken:
            raise ShimError(
                f"The shim could not be called: {broken}", code="SHIM_CALL_FAILED", where=method, remedy="run 'paimon-bridge doctor'."
            ) from broken
        if answer["ok"]:
            value: dict[str, Any] = answer["value"]
            return value
        raise _translate(answer["error"])

    def call_with_blob(self, method: str, catalog: str, request: dict[str, Any], blob: bytes) -> dict[str, Any]:
        """As ``call``, with message bytes beside the request: in the call when small, by a private file when large."""
        if len(blob) <= HANDOVER_BYTES:
            return self.call(method, catalog, json.dumps(request), blob)
        with _private_file(blob) as path:
            # No hash of the whole: every envelope inside ends with its own, which the shim compares.
            handover = {"path": str(path), "length": len(blob)}
            return self.call(method, catalog, json.dumps(request | {"handover": handover}), b"")


@contextmanager
def _private_file(blob: bytes) -> Iterator[Path]:
    """A file that only this user can read, gone when the call is over."""
    folder = tempfile.mkdtemp(prefix="paimon-bridge-")  # mkdtemp makes it 0700
    try:
        path = Path(folder) / "messages.bin"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(blob)
        yield path
    finally:
        shutil.rmtree(folder)


def _translate(error: dict[str, Any]) -> BridgeError:
    """The shim's error as the Python class of its kind; the Java cause is kept in ``details``."""
    if error["kind"] == "CONFORMANCE":
        report = ConformanceReport.from_json(error["details"]["report"])
        return ConformanceError(f"{error['message']}\n{report}", report=report, where=error["where"], remedy=error["remedy"])
    if error["kind"] == "CODEC":
        return CodecError(error["message"], code=error["code"], remedy=error["remedy"])
    kinds: dict[str, Callable[..., BridgeError]] = {
        "TABLE": TableError,
        "SHIM": ShimError,
        "CONFLICT": CommitConflictError,
        "UNKNOWN": CommitStateUnknownError,
        "COMMIT": CommitError,
    }
    details = dict(error.get("details") or {}) | {"cause": error.get("cause"), "java_stack_trace": error.get("stackTrace")}
    cause = error.get("cause")
    message = error["message"] if not cause or cause in error["message"] else f"{error['message']} ({cause})"
    kind = kinds.get(error["kind"], BridgeError)
    return kind(message, code=error["code"], where=error["where"] or "", remedy=error["remedy"] or "", details=details)


def estimated_bytes(df: Any) -> int | None:
    """Spark's estimate of a frame's size; None where it has none. Runs no job."""
    size = int(str(df._jdf.queryExecution().optimizedPlan().stats().sizeInBytes()))
    return None if size >= 2**62 else size
