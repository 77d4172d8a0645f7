"""Every error of the package: one root, a few branches, stable codes.

An error says what happened, where, and what to do. Codes cross the gateway as data and are never recognised by text.
Nothing here needs Spark or a JVM, so executors and driver raise and catch the same classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paimon_bridge.model.report import ConformanceReport


class BridgeError(Exception):
    """The root. ``code`` is stable API; ``where`` and ``remedy`` complete the sentence."""

    code = "BRIDGE_ERROR"

    def __init__(
        self, message: str, *, code: str | None = None, where: str = "", remedy: str = "", details: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.where = where
        self.remedy = remedy
        self.details: dict[str, Any] = dict(details or {})

    def __str__(self) -> str:
        lines = [f"[{self.code}] {self.message}"]
        if self.where:
            lines.append(f"Where: {self.where}")
        if self.remedy:
            lines.append(f"Do: {self.remedy}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        # Executors send these to the driver pickled; keyword-only arguments need their own way back.
        return (
            _rebuild,
            (type(self), self.message, {"code": self.code, "where": self.where, "remedy": self.remedy, "details": self.details}),
        )


def _rebuild(kind: type[BridgeError], message: str, parts: dict[str, Any]) -> BridgeError:
    error = kind.__new__(kind)
    BridgeError.__init__(error, message, **parts)
    return error


class TableError(BridgeError):
    """The table does not exist, already exists, or is of a kind that cannot be written."""

    code = "TABLE_ERROR"


class WriteError(BridgeError):
    """Rows could not become data files. Nothing was committed; left-over files are named in ``details["files"]``."""

    code = "WRITE_FAILED"


class CodecError(BridgeError):
    """Bytes are not what their version says. Names version, dotted field path and byte offset."""

    code = "MESSAGE_MALFORMED"

    def __init__(
        self,
        message: str,
        *,
        version: int | None = None,
        path: str = "",
        offset: int | None = None,
        code: str | None = None,
        remedy: str = "",
    ) -> None:
        self.version = version
        self.path = path
        self.offset = offset
        where = ", ".join(
            part
            for part in (
                f"message version {version}" if version is not None else "",
                f"field {path}" if path else "",
                f"byte {offset}" if offset is not None else "",
            )
            if part
        )
        details = {"version": version, "path": path, "offset": offset}
        super().__init__(message, code=code, where=where, remedy=remedy, details=details)

    def __reduce__(self) -> tuple[Any, ...]:
        parts = {"version": self.version, "path": self.path, "offset": self.offset, "code": self.code, "remedy": self.remedy}
        return (_rebuild_codec, (type(self), self.message, parts))


def _rebuild_codec(kind: type[CodecError], message: str, parts: dict[str, Any]) -> CodecError:
    return kind(message, **parts)


class LossError(CodecError):
    """A value does not fit the message version asked for; encoding would have dropped it."""

    code = "MESSAGE_WOULD_LOSE_VALUES"


class ShimError(BridgeError):
    """The driver's JVM cannot serve: no session, Spark Connect, a missing or foreign jar."""

    code = "SHIM_UNAVAILABLE"


class ConformanceError(BridgeError):
    """The gate refused. ``report`` carries every finding; the table is untouched."""

    code = "MESSAGES_REFUSED"

    def __init__(self, message: str, *, report: ConformanceReport, where: str = "", remedy: str = "") -> None:
        super().__init__(message, where=where, remedy=remedy)
        self.report = report

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuild_conformance, (self.message, self.report, self.where, self.remedy))


def _rebuild_conformance(message: str, report: ConformanceReport, where: str, remedy: str) -> ConformanceError:
    return ConformanceError(message, report=report, where=where, remedy=remedy)


class CommitError(BridgeError):
    """A commit did not succeed. The subclasses say what that means for the table."""

    code = "COMMIT_FAILED"


class CommitConflictError(CommitError):
    """Known not to be committed: another writer changed the table. The data files are kept; write again or retry."""

    code = "COMMIT_CONFLICT"


class CommitStateUnknownError(CommitError):
    """The snapshot may or may not exist. Nothing was deleted; look before retrying, as the text says."""

    code = "COMMIT_STATE_UNKNOWN"
