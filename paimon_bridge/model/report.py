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
            rules=tuple(RuleCount(id=rule["id"], checked=rule["checked"], findings=rule["findings"]) for rule in shape["rules"]),
            millis=shape["millis"],
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
            "rules": [{"id": rule.id, "checked": rule.checked, "findings": rule.findings} for rule in self.rules],
            "millis": self.millis,
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
        return "\n".join(lines)

    def _summary(self) -> str:
        counted = f"{self.messages} messages, {self.files} files, {self.rows:,} rows"
        return f"{counted}, {len(self.rules)} rules at level {self.level}, {self.millis} ms"

    def _repr_html_(self) -> str:
        head = f"<b>{escape(self.table)}</b>: {'conforms' if self.ok else 'refused'} <small>({escape(self._summary())})</small>"
        if not self.findings:
            return head
        rows = ((finding.rule, finding.severity, finding.message, finding.where, finding.remedy) for finding in self.findings)
        return head + html_table(("rule", "severity", "what", "where", "do"), rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitResult:
    """The outcome of a commit that did not fail: COMMITTED, ALREADY_COMMITTED or EMPTY.

    ``visible`` is False where readers see the rows only after a compaction; ``hint`` then says what to run.
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
    hint: str = ""

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
            hint=shape.get("hint") or "",
        )

    def to_json(self) -> dict[str, Any]:
        return dict(self._items()) | {"millis": dict(self.millis), "report": self.report.to_json()}

    def _items(self) -> list[tuple[str, Any]]:
        return [
            ("table", self.table),
            ("status", self.status),
            ("snapshot_id", self.snapshot_id),
            ("commit_user", self.commit_user),
            ("identifier", self.identifier),
            ("files", self.files),
            ("rows", self.rows),
            ("size_bytes", self.size_bytes),
            ("visible", self.visible),
            ("hint", self.hint),
        ]

    def __str__(self) -> str:
        snapshot = f"snapshot {self.snapshot_id}" if self.snapshot_id is not None else "no snapshot"
        text = f"{self.status} {self.table}: {snapshot}, {self.files} files, {self.rows:,} rows, {self.size_bytes:,} bytes"
        text += f" (user {self.commit_user}, identifier {self.identifier}; {sum(self.millis.values())} ms)"
        return text if self.visible else f"{text}\n  not visible yet: {self.hint}"

    def _repr_html_(self) -> str:
        return html_table((self.status, ""), ((name, value) for name, value in self._items() if value != ""))


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

    def __str__(self) -> str:
        lines = [f"{len(self.deleted)} files deleted, {len(self.kept)} kept"]
        lines.extend(f"  kept {kept.path}: {kept.reason}" for kept in self.kept)
        return "\n".join(lines)


def html_table(header: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """A plain HTML table; every cell is escaped, since names and values come from users' tables."""
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return "<table><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in header) + f"</tr>{body}</table>"
