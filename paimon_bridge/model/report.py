"""What the shim answered, as values: findings of the gate, the outcome of a commit, the files an abort removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One defect that one rule found. ``rule`` is stable API; every rule has its section in the documentation."""

    rule: str
    severity: str
    message: str
    where: str = ""
    remedy: str = ""
    file: str | None = None
    message_index: int | None = None

    def __str__(self) -> str:
        return "\n    ".join(
            part for part in (f"{self.severity} {self.rule}: {self.message}", self.where and f"at {self.where}", self.remedy) if part
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCount:
    """How often one rule looked, and how often it objected."""

    id: str
    checked: int
    findings: int
    millis: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformanceReport:
    """Everything the gate saw of one set of messages. True when nothing forbids the commit."""

    table: str
    level: str
    messages: int
    files: int
    rows: int
    size_bytes: int
    findings: tuple[Finding, ...]
    rules: tuple[RuleCount, ...]
    millis: int
    findings_not_listed: int = 0

    @classmethod
    def from_json(cls, shape: Mapping[str, Any]) -> ConformanceReport:
        return cls(
            table=shape["table"],
            level=shape["level"],
            messages=shape["messages"],
            files=shape["files"],
            rows=shape["rows"],
            size_bytes=shape["bytes"],
            findings=tuple(
                Finding(
                    rule=finding["rule"],
                    severity=finding["severity"],
                    message=finding["message"],
                    where=finding.get("where") or "",
                    remedy=finding.get("remedy") or "",
                    file=finding.get("file"),
                    message_index=finding.get("messageIndex"),
                )
                for finding in shape["findings"]
            ),
            rules=tuple(
                RuleCount(id=rule["id"], checked=rule["checked"], findings=rule["findings"], millis=rule.get("millis", 0))
                for rule in shape["rules"]
            ),
            millis=shape["millis"],
            findings_not_listed=shape.get("findingsNotListed", 0),
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "table": self.table,
            "level": self.level,
            "messages": self.messages,
            "files": self.files,
            "rows": self.rows,
            "bytes": self.size_bytes,
            "findings": [
                {
                    "rule": finding.rule,
                    "severity": finding.severity,
                    "message": finding.message,
                    "where": finding.where,
                    "remedy": finding.remedy,
                    "file": finding.file,
                    "messageIndex": finding.message_index,
                }
                for finding in self.findings
            ],
            "rules": [{"id": rule.id, "checked": rule.checked, "findings": rule.findings, "millis": rule.millis} for rule in self.rules],
            "millis": self.millis,
            "findingsNotListed": self.findings_not_listed,
        }

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "ERROR")

    @property
    def ok(self) -> bool:
        return not self.errors

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        verdict = "conforms" if self.ok else f"refused, {len(self.errors)} errors"
        lines = [f"{self.table}: {verdict} ({self._summary()})"]
        lines.extend(f"  {finding}" for finding in self.findings)
        lines.extend([f"  and {self.findings_not_listed:,} findings more"] if self.findings_not_listed else [])
        return "\n".join(lines)

    def _summary(self) -> str:
        counted = f"{self.messages} messages, {self.files} files, {self.rows:,} rows"
        return f"{counted}, {len(self.rules)} rules at level {self.level}, {self.millis} ms"

    def _repr_html_(self) -> str:
        head = f"<b>{escape(self.table)}</b>: {'conforms' if self.ok else 'refused'} <small>({escape(self._summary())})</small>"
        if not self.findings:
            return head
        rows = ((finding.rule, finding.severity, finding.message, finding.where, finding.remedy) for finding in self.findings)
        more = f"<p>and {self.findings_not_listed:,} findings more</p>" if self.findings_not_listed else ""
        return head + html_table(("rule", "severity", "what", "where", "do"), rows) + more


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitResult:
    """The outcome of a commit that did not fail: COMMITTED, ALREADY_COMMITTED or EMPTY.

    ``kind`` is Paimon's kind of the snapshot (two where a compaction came with it, the later first). ``files_removed`` and
    ``rows_removed`` are what an overwrite replaced; rows are counted as stored, before merging. ``visible`` is False where readers see
    the rows only after a compaction; ``hint`` then says what to run. ``warning`` tells what failed after the snapshot was made.
    """

    table: str
    status: str
    snapshot_id: int | None
    commit_user: str
    identifier: int
    files: int
    rows: int
    size_bytes: int
    visible: bool
    report: ConformanceReport
    millis: Mapping[str, int]
    kind: str = ""
    files_removed: int = 0
    rows_removed: int = 0
    tag: str | None = None
    hint: str = ""
    warning: str = ""

    @classmethod
    def from_json(cls, table: str, shape: Mapping[str, Any]) -> CommitResult:
        return cls(
            table=table,
            status=shape["status"],
            snapshot_id=shape.get("snapshotId"),
            commit_user=shape["commitUser"],
            identifier=shape["identifier"],
            files=shape["files"],
            rows=shape["rows"],
            size_bytes=shape["bytes"],
            visible=shape["visible"],
            report=ConformanceReport.from_json(shape["report"]),
            millis=dict(shape["millis"]),
            kind=shape.get("kind") or "",
            files_removed=shape.get("filesRemoved", 0),
            rows_removed=shape.get("rowsRemoved", 0),
            tag=shape.get("tag"),
            hint=shape.get("hint") or "",
            warning=shape.get("warning") or "",
        )

    def to_json(self) -> dict[str, Any]:
        return dict(self._items()) | {"millis": dict(self.millis), "report": self.report.to_json()}

    def _items(self) -> list[tuple[str, Any]]:
        return [
            ("table", self.table),
            ("status", self.status),
            ("snapshot_id", self.snapshot_id),
            ("kind", self.kind),
            ("commit_user", self.commit_user),
            ("identifier", self.identifier),
            ("files", self.files),
            ("rows", self.rows),
            ("size_bytes", self.size_bytes),
            ("files_removed", self.files_removed),
            ("rows_removed", self.rows_removed),
            ("tag", self.tag),
            ("visible", self.visible),
            ("hint", self.hint),
            ("warning", self.warning),
        ]

    def __str__(self) -> str:
        snapshot = f"snapshot {self.snapshot_id}" if self.snapshot_id is not None else "no snapshot"
        text = f"{self.status} {self.table}: {snapshot}, {self.files} files, {self.rows:,} rows, {self.size_bytes:,} bytes"
        if self.files_removed:
            text += f"; replaced {self.files_removed} files, {self.rows_removed:,} rows"
        text += f"; tag {self.tag}" if self.tag else ""
        text += f" (user {self.commit_user}, identifier {self.identifier}; {sum(self.millis.values())} ms)"
        text += "" if self.visible else f"\n  not visible yet: {self.hint}"
        return text + (f"\n  warning: {self.warning}" if self.warning else "")

    def _repr_html_(self) -> str:
        return html_table((self.status, ""), ((name, value) for name, value in self._items() if value not in ("", None)))


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFile:
    """A file that an abort left in place, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AbortResult:
    """What an abort removed and what it left."""

    deleted: tuple[str, ...]
    kept: tuple[KeptFile, ...]

    @classmethod
    def from_json(cls, shape: Mapping[str, Any]) -> AbortResult:
        return cls(
            deleted=tuple(shape["deleted"]),
            kept=tuple(KeptFile(path=kept["path"], reason=kept["reason"]) for kept in shape["kept"]),
        )

    def to_json(self) -> dict[str, Any]:
        return {"deleted": list(self.deleted), "kept": [{"path": kept.path, "reason": kept.reason} for kept in self.kept]}

    def __str__(self) -> str:
        lines = [f"{len(self.deleted)} files deleted, {len(self.kept)} kept"]
        lines.extend(f"  kept {kept.path}: {kept.reason}" for kept in self.kept)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [(path, "deleted") for path in self.deleted] + [(kept.path, f"kept: {kept.reason}") for kept in self.kept]
        return html_table(("file", "what became of it"), rows)


def html_table(header: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """A plain HTML table; every cell is escaped, since names and values come from users' tables."""
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return "<table><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in header) + f"</tr>{body}</table>"
