"""Contestants in turn, several rounds, medians and ratios: these machines are noisy, so only figures of one run are compared.

Where PAIMON_BRIDGE_RESULTS names a folder, every result is kept there as JSON, for ``benchmarks.page`` to make the result page of.
"""

from __future__ import annotations

import json
import os
import platform
import re
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pyarrow


@dataclass
class Rounds:
    """Seconds of every contestant in every round; the first contestant that was added is the limit that ratios refer to."""

    title: str
    seconds: dict[str, list[float]] = field(default_factory=dict)

    def run(self, contestants: dict[str, Callable[[], object]], rounds: int) -> None:
        """One warm-up each, then ``rounds`` rounds, every contestant once per round, in an order that alternates."""
        names = list(contestants)
        for name in names:
            contestants[name]()
        for index in range(rounds):
            for name in names if index % 2 == 0 else reversed(names):
                started = time.perf_counter()
                contestants[name]()
                self.seconds.setdefault(name, []).append(time.perf_counter() - started)
        self.seconds = {name: self.seconds[name] for name in names}
        keep(self.title, {"seconds": self.seconds, "ratios": self.ratios()})

    def median(self, name: str) -> float:
        return statistics.median(self.seconds[name])

    def ratios(self) -> dict[str, float]:
        """How fast each is, as a multiple of the first: above 1 is faster than the limit. The median over rounds of the round's ratio."""
        limit = self.seconds[next(iter(self.seconds))]
        return {name: statistics.median(a / b for a, b in zip(limit, own, strict=True)) for name, own in self.seconds.items()}

    def __str__(self) -> str:
        width = max(map(len, self.seconds))
        lines = [self.title]
        for name, ratio in self.ratios().items():
            own = self.seconds[name]
            lines.append(f"  {name:<{width}}  {self.median(name):7.3f} s  ({min(own):.3f} to {max(own):.3f})  {ratio:5.2f} ×")
        return "\n".join(lines)


def keep(title: str, result: dict[str, Any]) -> None:
    """Keep a result under its title, with what it was measured on."""
    folder = os.environ.get("PAIMON_BRIDGE_RESULTS")
    if folder is None:
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^a-z0-9]+", "-", re.split("[:,]", title)[0].lower()).strip("-")
    machine = {"python": platform.python_version(), "pyarrow": pyarrow.__version__, "cores": os.cpu_count()}
    (Path(folder) / f"{name}.json").write_text(json.dumps({"title": title, "machine": machine, **result}, indent=1) + "\n")


@contextmanager
def peak_worker_memory() -> Iterator[dict[str, float]]:
    """The largest resident size, in MB, of any one Python worker below this process while the block runs."""
    peak = {"mb": 0.0}
    stop = threading.Event()
    this = psutil.Process(os.getpid())

    def watch() -> None:
        while not stop.wait(0.05):
            for child in this.children(recursive=True):
                try:
                    if "python" in child.name():
                        peak["mb"] = max(peak["mb"], child.memory_info().rss / 1e6)
                except psutil.NoSuchProcess:
                    continue

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        stop.set()
        watcher.join()
