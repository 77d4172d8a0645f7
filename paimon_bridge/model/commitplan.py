"""What a commit would do, as the shim's dry run answers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from paimon_bridge.model.report import ConformanceReport, html_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Files and rows that come and go in one partition (its path text; empty for a table without partitions), or in all of them."""

    partition: str = ""
    files_added: int = 0
    rows_added: int = 0
    files_removed: int = 0
    rows_removed: int = 0

    @classmethod
    def from_json(cls, shape: Mapping[str, Any]) -> Change:
        return cls(
            partition=shape.get("partition", ""),
            files_added=shape["filesAdded"],
            rows_added=shape["rowsAdded"],
            files_removed=shape["filesRemoved"],
            rows_removed=shape["rowsRemoved"],
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "partition": self.partition,
            "filesAdded": self.files_added,
            "rowsAdded": self.rows_added,
            "filesRemoved": self.files_removed,
            "rowsRemoved": self.rows_removed,
        }

    def cells(self) -> tuple[str, ...]:
        return (self.partition, f"{self.files_added:,}", f"{self.rows_added:,}", f"{self.files_removed:,}", f"{self.rows_removed:,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """What would keep the commit from happening, with the code of the error that it would raise."""

    code: str
    message: str
    remedy: str = ""


_COLUMNS = ("partition", "files +", "rows +", "files -", "rows -")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitPlan:
    """A dry run. ``status`` is what the commit would answer, or REFUSED; true when it would be committed or already is.

    ``kinds`` are Paimon's kinds of the snapshots it would make. Rows are counted as stored, before merging. ``partitions`` lists the
    first of ``partition_count``. Other writers may still change the table between this and the commit.
    """

    table: str
    status: str
    snapshot_id: int | None
    kinds: tuple[str, ...]
    overwrite: str
    total: Change
    changelog_files: int
    index_files: int
    partitions: tuple[Change, ...]
    partition_count: int
    obstacles: tuple[Obstacle, ...]
    report: ConformanceReport

    @classmethod
    def from_json(cls, table: str, shape: Mapping[str, Any]) -> CommitPlan:
        return cls(
            table=table,
            status=shape["status"],
            snapshot_id=shape["snapshotId"],
            kinds=tuple(shape["kinds"]),
            overwrite=shape["overwrite"],
            total=Change.from_json(shape),
            changelog_files=shape["changelogFiles"],
            index_files=shape["indexFiles"],
            partitions=tuple(Change.from_json(partition) for partition in shape["partitions"]),
            partition_count=shape["partitionCount"],
            obstacles=tuple(Obstacle(code=each["code"], message=each["message"], remedy=each["remedy"]) for each in shape["obstacles"]),
            report=ConformanceReport.from_json(shape["report"]),
        )

    def to_json(self) -> dict[str, Any]:
        total = self.total.to_json()
        del total["partition"]
        return {
            "table": self.table,
            "status": self.status,
            "snapshotId": self.snapshot_id,
            "kinds": list(self.kinds),
            "overwrite": self.overwrite,
            **total,
            "changelogFiles": self.changelog_files,
            "indexFiles": self.index_files,
            "partitions": [partition.to_json() for partition in self.partitions],
            "partitionCount": self.partition_count,
            "obstacles": [{"code": each.code, "message": each.message, "remedy": each.remedy} for each in self.obstacles],
            "report": self.report.to_json(),
        }

    def __bool__(self) -> bool:
        return self.status != "REFUSED"

    def _headline(self) -> str:
        if self.status == "COMMITTED":
            made = " and ".join(self.kinds)
            return f"would be committed as {made}" + (f", replacing {self.overwrite}" if self.overwrite else "")
        told = {
            "ALREADY_COMMITTED": f"is committed already, in snapshot {self.snapshot_id}",
            "EMPTY": "would do nothing: there is nothing to add or to replace",
        }
        return told.get(self.status, "would be refused")

    def _notes(self) -> list[str]:
        beside = f"{self.changelog_files:,} changelog files, {self.index_files:,} index files"
        notes = [beside] if self.changelog_files or self.index_files else []
        notes += [f"{each.code}: {each.message} {each.remedy}".rstrip() for each in self.obstacles]
        errors, all_findings = len(self.report.errors), len(self.report.findings) + self.report.findings_not_listed
        return [*notes, f"gate at level {self.report.level}: {all_findings:,} findings, {errors:,} of them errors"]

    def _rows(self) -> list[tuple[str, ...]]:
        rows = [partition.cells() for partition in self.partitions if partition.partition]
        if self.partition_count > len(self.partitions):
            rows.append((f"… {self.partition_count - len(self.partitions):,} more", "", "", "", ""))
        return [*rows, ("all", *self.total.cells()[1:])]

    def __str__(self) -> str:
        lines = [f"{self.table}: {self._headline()}"]
        if self.status in ("COMMITTED", "REFUSED"):
            table = [_COLUMNS, *self._rows()]
            widths = [max(len(row[column]) for row in table) for column in range(len(_COLUMNS))]
            for first, *numbers in table:
                cells = "  ".join(f"{cell:>{width}}" for cell, width in zip(numbers, widths[1:], strict=True))
                lines.append(f"  {first:<{widths[0]}}  {cells}".rstrip())
        return "\n".join([*lines, *(f"  {note}" for note in self._notes())])

    def _repr_html_(self) -> str:
        notes = "".join(f"<li>{escape(note)}</li>" for note in self._notes())
        return f"<b>{escape(self.table)}</b>: {escape(self._headline())}{html_table(_COLUMNS, self._rows())}<ul>{notes}</ul>"
