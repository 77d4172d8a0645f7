"""The README's compatibility table, made of what the Spark suite did on each Paimon release.

    python -m tests.compatibility

Every run of tests/spark leaves its counts in build/compatibility, a file per release and Spark; ``make matrix`` runs them all, then this.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tests.conftest import ROOT, versions

FOLDER = ROOT / "build" / "compatibility"
START, END = "<!-- compatibility: make matrix -->", "<!-- /compatibility -->"
# Test modules by what they show; the order is that of the table.
CAPABILITIES = {
    "create, write, commit, read back": ("test_bridge", "test_types", "test_partitions"),
    "every table kind, beside a Java twin": ("test_kinds", "test_plan", "test_file_index", "test_orc"),
    "random tables, beside a Java twin": ("test_property",),
    "overwrite, tags, branches, dry run, abort": ("test_commit",),
    "the gate": ("test_gate",),
    "bad input is refused, the table untouched": ("test_bad_input",),
}


def leave(release: str, spark: str, outcomes: dict[str, Counter[str]]) -> None:
    """Keep the counts of one run; modules that did not run this time keep theirs."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{release}-spark{spark}.json"
    known = json.loads(path.read_text())["modules"] if path.exists() else {}
    path.write_text(json.dumps({"release": release, "spark": spark, "modules": known | outcomes}, indent=1, sort_keys=True))


def table(runs: list[dict[str, object]]) -> str:
    """A row per capability, a column per release."""
    releases = [release for release in versions()["paimon.runtime"].split(",") if any(run["release"] == release for run in runs)]
    lines = ["| | " + " | ".join(releases) + " |", "| --- |" + " --- |" * len(releases)]
    for capability, modules in CAPABILITIES.items():
        cells = []
        for release in releases:
            counts: Counter[str] = Counter()
            for run in runs:
                if run["release"] == release:
                    ran = run["modules"]
                    assert isinstance(ran, dict)
                    for module in modules:
                        counts.update(ran.get(module, {}))
            cells.append(_cell(counts))
        lines.append(f"| {capability} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(counts: Counter[str]) -> str:
    if not counts["passed"] and not counts["failed"]:
        return "–"
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    return f"✘ {counts['failed']} failed" if counts["failed"] else f"✔ {counts['passed']}{skipped}"


def main() -> None:
    runs = [json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))]
    if not runs:
        raise SystemExit("no run left its counts: run make matrix")
    readme: Path = ROOT / "README.md"
    text = readme.read_text()
    before, after = text[: text.index(START) + len(START)], text[text.index(END) :]
    sparks = ", ".join(sorted({str(run["spark"]) for run in runs}))
    readme.write_text(f"{before}\n{table(runs)}\n\nTests passed by Paimon release, on Spark {sparks}.\n{after}")


if __name__ == "__main__":
    main()
