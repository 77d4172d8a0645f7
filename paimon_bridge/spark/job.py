"""The Spark job of a write: record batches to the executors' writers, one envelope per task back to the driver.

``mapInArrow`` is lazy and would write again with every action, so the frame never leaves this module: it is collected exactly once.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from paimon_bridge import __version__
from paimon_bridge.errors import WriteError
from paimon_bridge.model.table import TableSpec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# How rows travel to the workers, where the user chose nothing. To bound a batch in bytes, Spark 4 measures the Arrow buffers anew with
# every row, which costs half of the JVM's time; the largest number turns that off, and the bound in rows alone is what Spark 3.5 has.
# A few more rows per batch mean fewer calls in the writers.
_ARROW_SETTINGS = {
    "spark.sql.execution.arrow.maxBytesPerBatch": str(2**31 - 1),
    "spark.sql.execution.arrow.maxRecordsPerBatch": "16384",
}
_REASON = re.compile(r"(Caused by: )?([\w.$]+(Error|Exception): (?!Traceback|Job aborted|Task failed)|\[[A-Z_.]+\] )")


def run_write(df: DataFrame, spec: TableSpec, *, run_id: str, commit_user: str, progress: bool) -> list[bytes]:
    """Write ``df`` on the executors. Runs one Spark job, to its end.

    Returns the tasks' envelopes. Raises WriteError with what the first failing task said; files of tasks that had finished by then are
    left in the table's folders, unseen by readers, and are the caller's to clean.
    """
    spark = df.sparkSession
    task = _task(json.dumps(spec.to_json()), __version__, run_id, commit_user)
    with _arrow_settings(spark), _progress_bar(spark, f"writing {spec.name}", progress):
        try:
            rows = df.mapInArrow(task, "envelope binary, error string").collect()
        except Exception as failure:
            raise _job_failed(failure, spec) from failure
    errors = [json.loads(row["error"]) for row in rows if row["error"] is not None]
    if errors:
        raise _rows_refused(errors, spec)
    return [bytes(row["envelope"]) for row in rows]


def _task(spec_json: str, version: str, run_id: str, commit_user: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    # A nested function travels by value and this one holds only plain values: an executor without the package can still say so.
    def write(batches: Iterator[Any]) -> Iterator[Any]:
        import json as json_module
        import sys

        import pyarrow as arrow
        from pyspark import TaskContext

        try:
            import paimon_bridge as package
            from paimon_bridge.errors import WriteError as RowsRefused
            from paimon_bridge.model.table import TableSpec as Spec
            from paimon_bridge.write.task import write_task
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
        schema = arrow.schema([("envelope", arrow.binary()), ("error", arrow.string())])
        envelope: bytes | None = None
        error: str | None = None
        try:
            envelope = write_task(
                batches,
                Spec.from_json(json_module.loads(spec_json)),
                run_id=run_id,
                commit_user=commit_user,
                task=context.partitionId(),
                attempt=context.taskAttemptId(),
            )
        except RowsRefused as refused:
            # Bad rows stay bad in the next attempt: the task ends well and hands its findings over as data. Other failures may pass
            # on another executor, so they go to Spark, which tries again.
            if not refused.details.get("final"):
                raise
            error = json_module.dumps(
                {
                    "message": refused.message,
                    "code": refused.code,
                    "where": refused.where,
                    "remedy": refused.remedy,
                    "task": context.partitionId(),
                }
            )
        yield arrow.record_batch([arrow.array([envelope], arrow.binary()), arrow.array([error], arrow.string())], schema=schema)

    return write


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
def _arrow_settings(spark: SparkSession) -> Iterator[None]:
    """Change how rows travel for this job, except where the user chose a value."""
    # With None as default, Spark answers None for a setting that nobody set, even where it has a default of its own.
    free = [key for key in _ARROW_SETTINGS if spark.conf.get(key, None) is None]
    for key in free:
        spark.conf.set(key, _ARROW_SETTINGS[key])
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
