"""Wheel build hook: exactly one shim jar, of this version, with the SHA-256 that Gradle wrote beside it; anything else fails loudly."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ShimJarHook(BuildHookInterface):  # type: ignore[type-arg]
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # a checkout builds its jar with `make jar`, and the package says so when it is missing
        folder = Path(self.root) / "paimon_bridge" / "jars"
        jars = sorted(folder.glob("*.jar"))
        if len(jars) != 1:
            raise RuntimeError(f"the wheel needs exactly one shim jar in paimon_bridge/jars, found {len(jars)}: run 'make jar' first")
        stated = dict(line.split("=", 1) for line in (folder / "paimon-bridge-shim.properties").read_text().splitlines() if "=" in line)
        actual = hashlib.sha256(jars[0].read_bytes()).hexdigest()
        if stated.get("sha256") != actual:
            raise RuntimeError(f"{jars[0].name} is not the jar that paimon-bridge-shim.properties describes: run 'make jar' again")
        if stated.get("version") != self.metadata.version:
            raise RuntimeError(
                f"the shim jar is version {stated.get('version')}, the package {self.metadata.version}: change gradle/versions.properties "
                "and pyproject.toml together, then run 'make jar'"
            )
