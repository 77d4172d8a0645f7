"""Vectors: bytes written by Paimon releases, each with a JSON twin that says what is in them."""

from __future__ import annotations

import json
import os
import struct
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from paimon_bridge.model.message import CommitMessage
from paimon_bridge.wire import decode, decode_committable, decode_list, encode, encode_committable, encode_list
from paimon_bridge.wire.dictionary import RowTypes

COMMITTED = Path(__file__).parent.parent / "vectors"
# A folder of further vectors (searched through), if there is one.
FURTHER = os.environ.get("PAIMON_BRIDGE_VECTORS")


@dataclass(frozen=True)
class Vector:
    path: Path
    form: str
    version: int

    @property
    def data(self) -> bytes:
        return self.path.read_bytes()

    @cached_property
    def twin(self) -> dict[str, Any]:
        twin: dict[str, Any] = json.loads(self.path.with_suffix(".json").read_text(encoding="utf-8"))
        return twin

    @property
    def types(self) -> RowTypes | None:
        schema = self.twin.get("tableSchema")
        return RowTypes.of_schema(schema) if schema else None

    def decode(self, data: bytes) -> Any:
        """The value of bytes of this form and version: a message, several, or a committable."""
        if self.form == "committable":
            return decode_committable(data, self.committable_version)
        return decode(data, self.version) if self.form == "single" else decode_list(data, self.version)

    def encode(self, value: Any) -> bytes:
        if self.form == "committable":
            return encode_committable(value, self.committable_version)
        return encode(value, self.version) if self.form == "single" else encode_list(value, self.version)

    @cached_property
    def committable_version(self) -> int:
        return int(self.twin["committable"]["version"])


def messages_of(value: Any) -> tuple[CommitMessage, ...]:
    if isinstance(value, CommitMessage):
        return (value,)
    return value if isinstance(value, tuple) else value.messages


def committed_vectors() -> list[Vector]:
    return _vectors(COMMITTED)


def further_vectors() -> list[Vector]:
    return _vectors(Path(FURTHER)) if FURTHER and Path(FURTHER).is_dir() else []


def _vectors(folder: Path) -> list[Vector]:
    found = []
    for path in sorted(folder.rglob("*.bin")):
        _, version, form = path.stem.rsplit(".", 2)
        found.append(Vector(path, form, int(version.removeprefix("v"))))
    return found


def same_json(ours: Any, expected: Any) -> bool:
    """Equal, floats in 32 bits where they are no equal doubles: a FLOAT is written in its shortest decimal form."""
    if isinstance(ours, dict) and isinstance(expected, dict):
        return ours.keys() == expected.keys() and all(same_json(ours[key], expected[key]) for key in ours)
    if isinstance(ours, list) and isinstance(expected, list):
        return len(ours) == len(expected) and all(map(same_json, ours, expected))
    if isinstance(ours, float) and isinstance(expected, (int, float)) and ours != expected:
        return struct.pack("<f", ours) == struct.pack("<f", expected)
    return bool(ours == expected)
