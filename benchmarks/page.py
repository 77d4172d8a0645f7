"""The result page: docs/performance.md and its charts, from what the benchmarks kept in benchmarks/results.

    python -m benchmarks.page

Nothing is measured here, and no figure is written by hand.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from benchmarks import chart

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
PAGE = ROOT / "docs" / "performance.md"
CHARTS = ROOT / "docs" / "charts"
FINDINGS = ROOT / "benchmarks" / "findings.md"

# Results with contestants: file, heading, goal of the last line's ratio, our contestant, what the reader must know.
RACES = [
    ("On Spark", "4,000,000 rows read from Parquet and written on `local[2]`, beside Spark's own Parquet writer with zstd. "
     "`python -m benchmarks.spark_write`.", [
        ("append-on-spark", 1.0), ("postpone-on-spark", 1.0), ("primary-key-on-spark", 0.5), ("dynamic-bucket-on-spark", 0.4)]),
    ("One process", "2,000,000 rows through the builder API with two encoders, beside pyarrow's plain `ParquetWriter` (zstd 1) of the "
     "same rows. `python -m benchmarks.one_process`.", [
        ("append", 1.4), ("postpone", 1.2), ("bigint-key", 0.7), ("string-key", None), ("composite-key", None), ("dynamic-bucket", None)]),
    ("Messages", "Beside pypaimon's serializer (`python -m benchmarks.codec`), and 100,000 messages to the JVM beside Java reading the "
     "same bytes from disk and decoding them (`python -m benchmarks.handover`; the goal is for the hand-over).", [
        ("encode", 3.0), ("decode", 3.0), ("hand-over", 0.5)]),
    ("Gate and commit", "Beside a plain Java commit of the same messages. `python -m benchmarks.gate`.", [
        ("gate-and-commit", 0.5)]),
]  # fmt: skip
GROWTH = {
    "growth-with-rows": "Append, the same two million rows over and over.",
    "growth-with-partitions": "Two million rows; every batch of 131,072 rows has rows of every partition. With ten thousand partitions the "
    "buffers fill before a partition is whole, so it gets several files; making files is what takes the time.",
    "growth-with-buckets": "Two million rows with a random bigint key.",
    "growth-with-columns": "262,144 rows; bigint, string and double columns in turn.",
    "growth-with-files-in-the-table": "One more file committed to a table that has so many; the gate at level `off`.",
}


def main() -> None:
    CHARTS.mkdir(exist_ok=True)
    races = [_races(*section) for section in RACES]
    growth = [_growth(name, text) for name, text in GROWTH.items()]
    sections = [HEAD, *races, _memory(), "## How cost grows\n", *growth, FINDINGS.read_text()]
    PAGE.write_text("\n".join(section for section in sections if section))


def _races(heading: str, text: str, races: list[tuple[str, float | None]]) -> str:
    known = [(name, goal, _result(name)) for name, goal in races]
    parts = [_race(name, goal, result) for name, goal, result in known if result is not None]
    return "\n".join([f"## {heading}", f"{text}\n", *parts]) if parts else ""


def _race(name: str, goal: float | None, result: dict[str, Any]) -> str:
    ratios: dict[str, float] = result["ratios"]
    own = next(contestant for contestant in ratios if contestant in OWN)
    (CHARTS / f"{name}.svg").write_text(chart.bars(result["title"], ratios, goal, own))
    verdict = ""
    if goal is not None:
        verdict = f" Goal {goal:g}: **{'reached' if ratios[own] >= goal else 'not reached'}**."
    rows = [
        f"| {contestant} | {statistics.median(result['seconds'][contestant]):.3f} s | {ratio:.2f} |" for contestant, ratio in ratios.items()
    ]
    return "\n".join(
        [f"![{result['title']}](charts/{name}.svg)\n", f"{result['title']}; {_machine(result)}.{verdict}\n",
         "| contestant | median | ratio |", "| --- | --- | --- |", *rows, ""]
    )  # fmt: skip


def _memory() -> str:
    results = [json.loads(path.read_text()) for path in sorted(RESULTS.glob("*-worker-memory.json"))]
    rows = [f"| {result['kind']} | {int(size):,} | {peak:.0f} MB |" for result in results for size, peak in result["peaks"].items()]
    text = "The peak of a Python worker on Spark, two partitions. `python -m benchmarks.spark_write --memory`.\n"
    return "\n".join(["## Memory", text, "| kind | rows | peak |", "| --- | --- | --- |", *rows, ""]) if rows else ""


def _growth(name: str, text: str) -> str:
    result = _result(name)
    if result is None:
        return ""
    axis, sizes, points = result["axis"], result["sizes"], result["points"]
    picture = chart.line(result["title"], axis, "seconds", sizes, [point["seconds"] for point in points])
    (CHARTS / f"{name}.svg").write_text(picture)
    with_memory = "memory" in points[0]
    head = [f"| {axis} | seconds | files | peak memory | of that before the first row |", "| --- | --- | --- | --- | --- |"]
    rows = [
        f"| {size:,} | {point['seconds']:.2f} | {point['files']:,} | {point['memory']:.0f} MB | {point['before']:.0f} MB |"
        for size, point in zip(sizes, points, strict=True)
        if with_memory
    ]
    if not with_memory:
        head = [f"| {axis} | seconds |", "| --- | --- |"]
        rows = [f"| {size:,} | {point['seconds']:.3f} |" for size, point in zip(sizes, points, strict=True)]
    return "\n".join([f"![{result['title']}](charts/{name}.svg)\n", f"{text} {_machine(result)}.\n", *head, *rows, ""])


def _machine(result: dict[str, Any]) -> str:
    machine = result["machine"]
    return f"Python {machine['python']}, pyarrow {machine['pyarrow']}, {machine['cores']} cores"


def _result(name: str) -> dict[str, Any] | None:
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else None


OWN = ("paimon-bridge", "bridge.write + commit", "handed over", "gate and commit")

HEAD = """# Performance

Generated by `python -m benchmarks.page` from what `make bench` measured and kept in `benchmarks/results`; the data is described in
`benchmarks/README.md`. Contestants take turns; a ratio is the median over rounds of the round's ratio, above 1 is faster than the first
contestant of its table, the limit. The machines are shared and noisy: only ratios of one run mean anything.
"""


if __name__ == "__main__":
    main()
