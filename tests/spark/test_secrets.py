"""Secrets of the catalog stay where they were given, and jars outside the tested list are noticed."""

from __future__ import annotations

import json
import logging
import os
import stat
import subprocess
import sys
import tempfile
import uuid
import warnings
from pathlib import Path
from typing import Any

import pytest

from paimon_bridge import Bridge
from paimon_bridge.errors import ShimError
from paimon_bridge.spark import gateway
from paimon_bridge.spark.tested import TESTED_JARS, UntestedPaimonWarning, require_tested
from tests.conftest import ROOT, versions


def test_canary_secret_is_in_no_log_exception_event_message_or_file(tmp_path: Path) -> None:
    secret = f"canary{uuid.uuid4().hex}"
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    environment = os.environ | {"TMPDIR": str(temporary), "PYTHONPATH": str(ROOT), "_JAVA_OPTIONS": f"-Djava.io.tmpdir={temporary}"}
    run = subprocess.run(
        [sys.executable, "-m", "tests.spark.secret_job", str(tmp_path), secret],
        capture_output=True,
        timeout=300,
        env=environment,
        cwd=ROOT,
    )
    assert b"4 of 4 failed as they should" in run.stdout, run.stderr[-3000:].decode(errors="replace")
    assert b"DEBUG" in run.stderr, "the JVM's log must be part of what is searched"
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any("events" in path.parts for path in files)
    assert any(path.name == "messages.bin" for path in files)
    hits = [str(path) for path in files if secret.encode() in path.read_bytes()]
    hits += [name for name, text in (("stdout", run.stdout), ("stderr", run.stderr)) if secret.encode() in text]
    assert hits == []
    assert not [path for path in temporary.iterdir() if path.name.startswith("paimon-bridge-")]


def test_hand_over_is_private_and_gone_afterwards(bridge: Any, spark: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    call = gateway.Shim.call

    def watched(self: gateway.Shim, method: str, *arguments: Any) -> dict[str, Any]:
        for argument in arguments:
            if isinstance(argument, str) and '"handover"' in argument:
                file = Path(json.loads(argument)["handover"]["path"])
                seen.append((stat.S_IMODE(file.parent.stat().st_mode), stat.S_IMODE(file.stat().st_mode)))
        return call(self, method, *arguments)

    monkeypatch.setattr(gateway, "HANDOVER_BYTES", 100)
    monkeypatch.setattr(gateway.Shim, "call", watched)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    bridge.create_table("db.t", spark.range(10).schema)
    messages = bridge.write(spark.range(10), "db.t")
    bridge.commit(messages)
    with pytest.raises(Exception, match="FILE_NOT_IN_TABLE"):
        bridge.commit(messages, commit_user="other")
    assert seen == [(0o700, 0o600)] * 2
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("paimon-bridge-")]


def test_py4j_is_never_heard_at_debug(caplog: pytest.LogCaptureFixture, bridge: Any) -> None:
    with caplog.at_level(logging.DEBUG), caplog.at_level(logging.DEBUG, "py4j.clientserver"):
        _ = bridge._shim.call("info")
    assert [record for record in caplog.records if record.name.startswith("py4j")] == []


def test_tested_releases_are_those_of_the_build() -> None:
    assert ",".join(TESTED_JARS) == versions()["paimon.runtime"]


def test_published_jar_passes_the_strict_look(spark: Any, warehouse: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Bridge(spark, {"warehouse": warehouse}, strict=True).release in TESTED_JARS


def test_other_releases_and_changed_jars_are_warned_of_or_refused(tmp_path: Path) -> None:
    changed = tmp_path / "paimon.jar"
    changed.write_bytes(b"something else")
    unknown = {"paimonRelease": "9.9", "paimonSource": f"file:{changed}"}
    with pytest.warns(UntestedPaimonWarning, match=r"9\.9"):
        require_tested(unknown, strict=False)
    for info in (unknown, unknown | {"paimonRelease": "1.4.2"}, {"paimonRelease": "1.4.2", "paimonSource": f"file:{tmp_path}/"}):
        with pytest.raises(ShimError) as refused:
            require_tested(info, strict=True)
        assert refused.value.code == "PAIMON_UNTESTED"
