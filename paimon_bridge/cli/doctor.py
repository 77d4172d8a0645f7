"""paimon-bridge doctor: would a job work here? One line each, with a remedy where it would not."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table

from paimon_bridge import __version__
from paimon_bridge.cli.session import SessionOptions, session_options, spark_session
from paimon_bridge.errors import BridgeError
from paimon_bridge.jars import shim_jar, shim_properties

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SPARKS = ((3, 5), (4, 3))
_JAVAS = (8, 11, 17, 21)


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One thing looked at. ``status`` is ok, warning (works, with a catch) or failed (would break a job)."""

    name: str
    status: str
    found: str
    remedy: str = ""


def examine(options: SessionOptions, warehouse: str) -> list[Probe]:
    """Look at this machine, then at a session and its executors. Starts and stops a Spark session; leaves no file in the warehouse."""
    probes = [_python(), *_packages(), _java(), _connect(), _shim()]
    if any(probe.status == "failed" for probe in probes):
        return [*probes, Probe(name="session", status="failed", found="not started", remedy="mend the lines above first.")]
    try:
        with spark_session(options, "paimon-bridge doctor") as spark:
            probes.extend(_session(spark, warehouse))
    except BridgeError as error:
        probes.append(Probe(name="session", status="failed", found=error.message, remedy=error.remedy))
    except Exception as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        remedy = "check --master, --paimon (is the package registry reachable?) or pass --paimon-jar."
        probes.append(Probe(name="session", status="failed", found=first, remedy=remedy))
    return probes


def _python() -> Probe:
    found = f"{platform.python_version()} at {sys.executable}, paimon-bridge {__version__}"
    return Probe(name="python", status="ok", found=found)


def _packages() -> Iterator[Probe]:
    for name, why in (
        ("pyspark", "pip install 'paimon-bridge[spark]'"),
        ("pyarrow", "pip install pyarrow"),
        ("pandas", "pip install pandas"),
    ):
        try:
            found = version(name)
        except PackageNotFoundError:
            yield Probe(name=name, status="failed", found="not installed", remedy=f"{why}.")
            continue
        if name == "pyspark" and not _SPARKS[0] <= tuple(int(part) for part in found.split(".")[:2]) <= _SPARKS[1]:
            yield Probe(name=name, status="warning", found=found, remedy="tested are Spark 3.5 to 4.3.")
        else:
            yield Probe(name=name, status="ok", found=found)


def _java() -> Probe:
    home = os.environ.get("JAVA_HOME")
    command = os.path.join(home, "bin", "java") if home else shutil.which("java")
    if not command or not os.path.exists(command):
        where = f"JAVA_HOME={home} has no bin/java" if home else "no java on PATH"
        return Probe(name="java", status="failed", found=where, remedy="install a JDK 17 and set JAVA_HOME, or put java on PATH.")
    told = subprocess.run([command, "-version"], capture_output=True, text=True, check=False)
    lines = [line for line in (told.stderr + told.stdout).splitlines() if '"' in line]
    if told.returncode != 0 or not lines:
        return Probe(name="java", status="failed", found=f"{command} does not run", remedy="install a JDK 17.")
    number = lines[0].split('"')[1]
    major = int(number.split(".")[1] if number.startswith("1.") else number.split(".")[0])
    if major not in _JAVAS:
        return Probe(
            name="java", status="warning", found=number, remedy="Spark is tested with Java 17 and 21 (Spark 3.5 also with 8 and 11)."
        )
    return Probe(name="java", status="ok", found=number)


def _connect() -> Probe:
    remote = os.environ.get("SPARK_REMOTE") or os.environ.get("SPARK_CONNECT_MODE_ENABLED")
    if remote:
        remedy = "unset SPARK_REMOTE and SPARK_CONNECT_MODE_ENABLED: a Connect session has no gateway to commit through."
        return Probe(name="spark connect", status="failed", found="this environment asks for Spark Connect", remedy=remedy)
    return Probe(name="spark connect", status="ok", found="not in use")


def _shim() -> Probe:
    try:
        jar, stated = shim_jar(), shim_properties()
    except BridgeError as error:
        return Probe(name="shim jar", status="failed", found=error.message, remedy=error.remedy)
    if stated["version"] != __version__:
        found = f"the jar is version {stated['version']}, the package {__version__}"
        return Probe(name="shim jar", status="failed", found=found, remedy="run 'make jar', or install the wheel again.")
    return Probe(name="shim jar", status="ok", found=f"{jar.name}, SHA-256 {stated['sha256'][:16]}…")


def _session(spark: SparkSession, warehouse: str) -> Iterator[Probe]:
    from paimon_bridge.spark.gateway import Shim

    shim = Shim(spark)
    yield Probe(name="session", status="ok", found=f"Spark {spark.version} on {spark.sparkContext.master}, Java {shim.info['javaVersion']}")
    yield Probe(name="paimon", status="ok", found=f"{shim.info['paimonRelease']} from {shim.info['paimonSource'].rsplit('/', 1)[-1]}")
    yield Probe(name="message version", status="ok", found=str(shim.info["messageVersion"]))
    workers = _ask_executors(spark, warehouse)
    yield from _executors(workers)
    yield _zones(str(shim.info["zoneId"]), workers)
    yield _speculation(spark)
    yield _warehouse(warehouse, workers)


def _ask_executors(spark: SparkSession, warehouse: str) -> list[dict[str, Any]]:
    # A nested function over plain values: it must run where neither pyarrow nor this package is installed.
    probe = _executor_probe(warehouse)
    context = spark.sparkContext
    tasks = max(2 * context.defaultParallelism, 4)
    answers = context.parallelize(range(tasks), tasks).mapPartitions(probe).collect()
    return [json.loads(answer) for answer in sorted(set(answers))]


def _executor_probe(warehouse: str) -> Callable[[Iterable[int]], Iterator[str]]:
    def probe(_: Iterable[int]) -> Iterator[str]:
        import json as json_module
        import os as os_module
        import platform as platform_module
        import sys as sys_module
        import time as time_module
        import uuid
        from importlib.metadata import PackageNotFoundError as Absent
        from importlib.metadata import version as version_of

        answer: dict[str, Any] = {"python": platform_module.python_version(), "executable": sys_module.executable}
        for name in ("pyarrow", "numpy", "paimon-bridge"):
            try:
                answer[name] = version_of(name)
            except Absent:
                answer[name] = None
        answer["zone"] = list(time_module.tzname)
        if warehouse.startswith(("file:", "/")):
            folder = "/" + warehouse.removeprefix("file:").lstrip("/")
            scratch = os_module.path.join(folder, f".paimon-bridge-doctor-{uuid.uuid4()}")
            try:
                os_module.makedirs(folder, exist_ok=True)
                with open(scratch, "xb"):
                    answer["warehouse"] = "writable"
                os_module.unlink(scratch)
            except OSError as refused:
                answer["warehouse"] = str(refused).replace(scratch, folder)
        yield json_module.dumps(answer, sort_keys=True)

    return probe


def _executors(workers: list[dict[str, Any]]) -> Iterator[Probe]:
    for worker in workers:
        name = "executor python"
        found = f"{worker['python']} at {worker['executable']}, pyarrow {worker['pyarrow']}, paimon-bridge {worker['paimon-bridge']}"
        missing = [package for package in ("pyarrow", "numpy", "paimon-bridge") if worker[package] is None]
        if missing:
            remedy = f"install {', '.join(missing)} there, or set PYSPARK_PYTHON to a Python that has them."
            yield Probe(name=name, status="failed", found=found, remedy=remedy)
        elif worker["paimon-bridge"] != __version__:
            yield Probe(name=name, status="failed", found=found, remedy=f"install paimon-bridge {__version__} there, as on the driver.")
        elif worker["pyarrow"] != version("pyarrow"):
            yield Probe(name=name, status="warning", found=found, remedy=f"the driver has pyarrow {version('pyarrow')}; prefer the same.")
        else:
            yield Probe(name=name, status="ok", found=found)


def _zones(jvm_zone: str, workers: list[dict[str, Any]]) -> Probe:
    zones = {tuple(worker["zone"]) for worker in workers} | {time.tzname}
    found = f"JVM {jvm_zone}; Python {', '.join('/'.join(zone) for zone in sorted(zones))}"
    if len(zones) > 1:
        remedy = "set TZ alike on driver and executors: file creation times are the JVM's wall clock."
        return Probe(name="time zones", status="warning", found=found, remedy=remedy)
    return Probe(name="time zones", status="ok", found=found)


def _speculation(spark: SparkSession) -> Probe:
    if spark.sparkContext.getConf().get("spark.speculation", "false").lower() == "true":
        remedy = "safe, but losing attempts leave files that no snapshot refers to; set spark.speculation=false for writes."
        return Probe(name="speculation", status="warning", found="on", remedy=remedy)
    return Probe(name="speculation", status="ok", found="off")


def _warehouse(warehouse: str, workers: list[dict[str, Any]]) -> Probe:
    answers = sorted({str(worker["warehouse"]) for worker in workers if "warehouse" in worker})
    if not answers:
        return Probe(
            name="warehouse", status="warning", found=f"{warehouse} is not a local folder", remedy="not tried: only local ones are."
        )
    if answers != ["writable"]:
        found = "; ".join(answer for answer in answers if answer != "writable")
        return Probe(name="warehouse", status="failed", found=found, remedy="let the user that runs the executors write there.")
    return Probe(name="warehouse", status="ok", found=f"{warehouse} is writable from the executors")


@click.command("doctor")
@session_options
@click.option("--warehouse", help="The warehouse that jobs will write to; by default a temporary folder.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor_command(session: SessionOptions, warehouse: str | None, as_json: bool) -> None:
    """Say whether a job would work here: Java, Spark, pyarrow, jars, executors, time zones, permissions."""
    with tempfile.TemporaryDirectory(prefix="paimon-bridge-doctor-") as scratch:
        probes = examine(session, warehouse or f"file:{scratch}")
    failed = any(probe.status == "failed" for probe in probes)
    if as_json:
        click.echo(json.dumps({"ok": not failed, "probes": [asdict(probe) for probe in probes]}, indent=2))
    else:
        _print(probes)
    raise SystemExit(1 if failed else 0)


def _print(probes: list[Probe]) -> None:
    marks = {"ok": "[green]✓[/]", "warning": "[yellow]![/]", "failed": "[red]✗[/]"}
    table = Table(box=None, show_header=False, pad_edge=False)
    for probe in probes:
        remedy = f"\n[dim]{probe.remedy}[/]" if probe.remedy else ""
        table.add_row(marks[probe.status], probe.name, probe.found.replace("[", r"\[") + remedy)
    Console(soft_wrap=False).print(table)
