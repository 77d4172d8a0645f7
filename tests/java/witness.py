"""One long-lived Paimon process per release, spoken to over a pipe (jvm/witness)."""

from __future__ import annotations

import importlib.util
import os
import shutil
import struct
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.conftest import ROOT, paimon_jar

# Enough to keep the pipe busy, little enough that an answer never needs much memory.
BATCH = 200


@dataclass(frozen=True)
class Testimony:
    """What Paimon made of one item: its value as JSON text and its own bytes, or why it could not."""

    value: bytes = b""
    again: bytes = b""
    failure: str = ""


class Witness:
    """A Paimon release that reads and writes messages and committables."""

    def __init__(self, release: str, classes: Path) -> None:
        class_path = os.pathsep.join(map(str, [classes, paimon_jar(release), *logging_jars()]))
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._process = subprocess.Popen(
            ["java", "-Xmx512m", "-cp", class_path, "org.paimonbridge.witness.Witness"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in: IO[bytes] = self._process.stdin
        self._out: IO[bytes] = self._process.stdout
        self.message_version, self.committable_version = self._read(">ii")

    def messages(self, items: Sequence[tuple[bytes, int]]) -> Iterator[Testimony]:
        return self._ask(b"M", items)

    def committables(self, items: Sequence[tuple[bytes, int]]) -> Iterator[Testimony]:
        return self._ask(b"C", items)

    def close(self) -> None:
        self._in.close()
        self._out.close()
        self._process.wait(timeout=30)
        self._errors.close()

    def _ask(self, kind: bytes, items: Sequence[tuple[bytes, int]]) -> Iterator[Testimony]:
        for start in range(0, len(items), BATCH):
            batch = items[start : start + BATCH]
            request = b"".join(
                (kind, struct.pack(">i", len(batch)), *(struct.pack(">ii", version, len(data)) + data for data, version in batch))
            )
            # From a thread of its own: both sides of a full pipe would wait for each other.
            sender = threading.Thread(target=self._send, args=(request,))
            sender.start()
            # All answers before the first is handed out: a failing test must not leave any in the pipe for the next.
            answers = [self._answer() for _ in batch]
            sender.join()
            yield from answers

    def _send(self, request: bytes) -> None:
        self._in.write(request)
        self._in.flush()

    def _answer(self) -> Testimony:
        (good,) = self._read(">b")
        if not good:
            return Testimony(failure=self._bytes().decode())
        return Testimony(value=self._bytes(), again=self._bytes())

    def _bytes(self) -> bytes:
        (size,) = self._read(">i")
        return self._out.read(size)

    def _read(self, form: str) -> tuple[Any, ...]:
        data = self._out.read(struct.calcsize(form))
        if len(data) < struct.calcsize(form):
            self._errors.seek(0)
            raise AssertionError(f"the witness died: {self._errors.read().decode(errors='replace')[-2000:]}")
        return struct.unpack(form, data)


def compile_witness(target: Path) -> Path:
    sources = sorted((ROOT / "jvm" / "witness").rglob("*.java"))
    assert sources
    subprocess.run(["javac", "--release", "8", "-Xlint:-options", "-d", str(target), *map(str, sources)], check=True)
    return target


def has_jdk() -> bool:
    return shutil.which("java") is not None and shutil.which("javac") is not None


def logging_jars() -> list[Path]:
    """Some classes of Paimon log through slf4j, which its jars do not hold; pyspark brings it."""
    found = importlib.util.find_spec("pyspark")
    homes = found.submodule_search_locations if found is not None else None
    return [jar for home in homes or () for jar in sorted(Path(home, "jars").glob("slf4j-api-*.jar"))]
