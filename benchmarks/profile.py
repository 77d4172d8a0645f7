"""Where the time of our writers goes: processor seconds of each step by itself, on the calling thread and on the encoders."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow.parquet as pq

from paimon_bridge.write import append, primarykey, runs
from paimon_bridge.write.columns import ColumnConverter
from paimon_bridge.write.describe import KeyValueDescriber
from paimon_bridge.write.merge import Run
from paimon_bridge.write.parquet import DataFile
from paimon_bridge.write.router import Router
from paimon_bridge.write.stats import FileStats

_STEPS: list[tuple[str, Any, str]] = [
    ("convert input", ColumnConverter, "convert"),
    ("find buckets", Router, "assign"),
    ("number rows", primarykey.PrimaryKeySink, "_sequences"),
    ("join batches", primarykey.PrimaryKeySink, "_flush"),
    ("join batches", append.AppendSink, "_route_staged"),
    ("sort", runs.RunWriter, "_sorted"),
    ("take rows in order", Run, "table"),
    ("look at keys", KeyValueDescriber, "observe"),
    ("statistics", FileStats, "observe"),
    ("encode and compress", pq.ParquetWriter, "write_table"),
    ("close files", DataFile, "close"),
]


def profiled(run: Callable[[], object]) -> str:
    """Run once; a line per thread and step."""
    clock = _Clock()
    with clock.attached():
        started, used = time.perf_counter(), time.process_time()
        run()
        lines = [f"  {time.process_time() - used:6.3f} s of all processors, {time.perf_counter() - started:.3f} s on the wall"]
    for (thread, step), seconds in sorted(clock.seconds.items(), key=lambda item: (item[0][0], -item[1])):
        lines.append(f"  {seconds:6.3f} s  {thread}: {step}")
    return "\n".join(lines)


class _Clock:
    """Charges each moment of a thread to the innermost step it is in."""

    def __init__(self) -> None:
        self.seconds: dict[tuple[str, str], float] = defaultdict(float)
        self._threads = threading.local()

    @contextmanager
    def attached(self) -> Iterator[None]:
        originals = [(owner, name, getattr(owner, name)) for _, owner, name in _STEPS]
        for (step, owner, name), (_, _, original) in zip(_STEPS, originals, strict=True):
            setattr(owner, name, self._timed(step, original))
        try:
            yield
        finally:
            for owner, name, original in originals:
                setattr(owner, name, original)

    def _timed(self, step: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            stack: list[str] = self._threads.__dict__.setdefault("stack", [])
            self._charge(stack)
            stack.append(step)
            try:
                return original(*arguments, **named)
            finally:
                self._charge(stack)
                stack.pop()

        return timed

    def _charge(self, stack: list[str]) -> None:
        now = time.thread_time()
        if stack:
            self.seconds[threading.current_thread().name.removesuffix("_0"), stack[-1]] += now - self._threads.since
        self._threads.since = now
