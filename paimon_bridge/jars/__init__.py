"""The shim jar of this package: where it lies, and proof that it is the one this version was built with.

The jar and its properties file are put here by the build (``make jar``) and are never in git.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from paimon_bridge.errors import ShimError

FOLDER = Path(__file__).parent
_BUILD = "run 'make jar' in a checkout, or install the paimon-bridge wheel, which carries the jar."


@cache
def shim_properties() -> dict[str, str]:
    """What the build wrote beside the jar: version, sha256, and the Paimon releases it was made for."""
    path = FOLDER / "paimon-bridge-shim.properties"
    if not path.is_file():
        raise ShimError("This install of paimon-bridge has no shim jar.", code="SHIM_JAR_ABSENT", where=str(FOLDER), remedy=_BUILD)
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


@cache
def shim_jar() -> Path:
    """The jar's path, after its SHA-256 was compared with the one the build stated."""
    stated = shim_properties()
    jars = sorted(FOLDER.glob("*.jar"))
    if len(jars) != 1:
        raise ShimError(f"Expected one shim jar, found {len(jars)}.", code="SHIM_JAR_ABSENT", where=str(FOLDER), remedy=_BUILD)
    actual = hashlib.sha256(jars[0].read_bytes()).hexdigest()
    if actual != stated["sha256"]:
        raise ShimError(
            f"The shim jar is not the one this package was built with: its SHA-256 is {actual}, expected {stated['sha256']}.",
            code="SHIM_JAR_CHANGED",
            where=str(jars[0]),
            remedy=_BUILD,
        )
    return jars[0]
