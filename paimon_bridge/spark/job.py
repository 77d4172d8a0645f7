"""The Spark job of a write: record batches to the executors' writers, one envelope per task back to the driver.

``mapInArrow`` is lazy and would write again with every action, so the frame never leaves this module: it is collected exactly once.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from paimon_bridge import __version__
from paimon_bridge.errors import WriteError
from paimon_bridge.model.table import TableSpec
from paimon_bridge.spark.plan import WritePlan, is_chosen
from paimon_bridge.write.stages import WriteRequest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_REASON = re.compile(r"(Caused by: )?([\w.$]+(Error|Exception): (?!Traceback|Job aborted|Task failed)|\[[A-Z_.]+\] )")
_RESULTS = "envelope binary, error string"
_PIECES = "slot int, owner int, source int, number int, rows binary, error string"

ArrowFunction = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def run_write(df: DataFrame, plan: WritePlan, request: WriteRequest, *, progress: bool) -> list[bytes]:
    """Write ``df`` on the executors. Runs one Spark job, to its end.

    Returns the tasks' envelopes. Raises WriteError with what the first failing task said; files of tasks that had finished by then are
    left in the table's folders, unseen by readers, and are the caller's to clean.
    """
    spark, spec = df.sparkSession, request.spec
    with _arrow_settings(spark, plan.arrow_settings), _progress_bar(spark, f"writing {spec.name}", progress):
        try:
            rows = _written(df, plan, request.to_json()).collect()
        except Exception as failure:
            raise _job_failed(failure, spec) from failure
    errors = [json.loads(row["error"]) for row in rows if row["error"] is not None]
    if errors:
        raise _rows_refused(errors, spec)
    return [bytes(row["envelope"]) for row in rows]


def _written(df: DataFrame, plan: WritePlan, request: str) -> DataFrame:
    if not plan.shuffle:
        return df.mapInArrow(_task("write", request, __version__), _RESULTS)
    pieces = df.mapInArrow(_task("split", request, __version__), _PIECES)
    # With a number given, adaptive execution neither joins nor splits these partitions.
    return pieces.repartition(plan.owners, "slot").mapInArrow(_task("write_pieces", request, __version__), _RESULTS)


def _task(stage: str, request: str, version: str) -> ArrowFunction:
    # A nested function travels by value and this one holds only plain values: an executor without the package can still say so.
    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import sys

        from pyspark import TaskContext

        try:
            import paimon_bridge as package
            from paimon_bridge.write.stages import STAGES
            from paimon_bridge.write.stages import WriteRequest as Request
        except ImportError as absent:
            raise RuntimeError(
                f"[EXECUTOR_LACKS_PACKAGE] The driver has paimon-bridge {version}, this worker's Python ({sys.executable}) cannot import "
                f"it: {absent}. Install the same paimon-bridge there, or point PYSPARK_PYTHON at a Python that has it."
            ) from absent
        if package.__version__ != version:
            raise RuntimeError(
                f"[EXECUTOR_OTHER_VERSION] The driver has paimon-bridge {version}, this worker's Python ({sys.executable}) has "
                f"{package.__version__}. Install the same version on both sides."
            )
        context = TaskContext.get()
        yield from STAGES[stage](batches, Request.from_json(request), context.partitionId(), context.taskAttemptId())

    return run


def _rows_refused(errors: list[dict[str, Any]], spec: TableSpec) -> WriteError:
    first = errors[0]
    others = f" ({len(errors)} tasks refused rows; the first is shown)" if len(errors) > 1 else ""
    return WriteError(
        f"Cannot write to {spec.name}: {first['message']}{others}",
        code=first["code"],
        where=f"task {first['task']}" + (f", {first['where']}" if first["where"] else ""),
        remedy=first["remedy"],
        details={"errors": errors},
    )


def _job_failed(failure: Exception, spec: TableSpec) -> WriteError:
    # Spark hands a failure over as text: a JVM stack trace, and inside it the worker's traceback. The innermost error is the reason.
    reasons = [line for line in map(str.strip, str(failure).splitlines()) if _REASON.match(line)]
    reason = reasons[-1].removeprefix("Caused by: ") if reasons else (str(failure).strip() or type(failure).__name__).splitlines()[0]
    return WriteError(
        f"Spark could not finish writing to {spec.name}: {reason}",
        code="SPARK_JOB_FAILED",
        remedy="mend the cause and write again; no snapshot was made.",
    )


@contextmanager
def _arrow_settings(spark: SparkSession, settings: Mapping[str, str]) -> Iterator[None]:
    """Change how rows travel for this job, except where the user chose a value."""
    free = [key for key in settings if not is_chosen(spark, key)]
    for key in free:
        spark.conf.set(key, settings[key])
    try:
        yield
    finally:
        for key in free:
            spark.conf.unset(key)


@contextmanager
def _progress_bar(spark: SparkSession, label: str, wanted: bool) -> Iterator[None]:
    """A bar over the tasks of all active stages, fed by a thread of its own while the job runs in the caller's."""
    if not wanted:
        yield
        return
    tracker = spark.sparkContext.statusTracker()
    stop = threading.Event()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("tasks"), TimeElapsedColumn())
    with Progress(*columns, transient=True) as bar:
        shown = bar.add_task(label, total=None)

        def follow() -> None:
            while not stop.wait(0.2):
                stages = [stage for stage in map(tracker.getStageInfo, tracker.getActiveStageIds()) if stage is not None]
                if stages:
                    total = sum(stage.numTasks for stage in stages)
                    bar.update(shown, total=total, completed=sum(stage.numCompletedTasks for stage in stages))

        follower = threading.Thread(target=follow, name="paimon-bridge-progress", daemon=True)
        follower.start()
        try:
            yield
        finally:
            stop.set()
            follower.join()
