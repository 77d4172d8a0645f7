"""The Paimon jars this version was tested with, and what happens with another one."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from paimon_bridge.errors import ShimError

# Release to the SHA-256 of its jar on Maven Central: paimon-bundle, and for 2.0.0 paimon-flink-2.0.
TESTED_JARS = {
    "1.0.1": "6992925026548755d6223f1e29738a3ca98366ad6059989164f737a3470b3512",
    "1.1.1": "b605c1f1e60c007e3df0072ac83aaf470961b51003218dddeced3d8fff94fab1",
    "1.2.0": "7528a034115d4100c4fffdab65c358dcbc8df30a915dd48a38be19314e5375c0",
    "1.3.1": "ec0a91c0cf6c1da46c7175b7778e3207395eca10272d891fa49770ec7a780162",
    "1.4.2": "85a1587409e6c044b46eb20370a46ecd288576b8bc7aadf6b0432a4f2370f5d1",
    "2.0.0": "f9999454cd1827da1a96556a6ef0525a98fddcfa4370837a51119fecc181f5f0",
}


class UntestedPaimonWarning(UserWarning):
    """The Paimon on the class path is none that this version was tested with."""


def require_tested(info: Mapping[str, Any], *, strict: bool) -> None:
    """Warn of a release outside the list. With ``strict`` refuse it, and also a jar of a listed release with other bytes."""
    release, source = str(info["paimonRelease"]), str(info["paimonSource"])
    known = ", ".join(TESTED_JARS)
    if release not in TESTED_JARS:
        problem = f"Paimon {release} is not among the releases this version was tested with: {known}."
    elif strict and _sha256(source) != TESTED_JARS[release]:
        problem = f"The jar says it is Paimon {release}, but it is not the jar this version was tested with."
    else:
        return
    if strict:
        raise ShimError(
            problem, code="PAIMON_UNTESTED", where=source, remedy=f"attach one of {known} as published, or make the Bridge without strict."
        )
    warnings.warn(f"{problem} Use Bridge(..., strict=True) to refuse such jars.", UntestedPaimonWarning, stacklevel=4)


def _sha256(source: str) -> str | None:
    """None for what is no file of this machine, such as a folder of classes."""
    path = Path(unquote(urlsplit(source).path))
    if not path.is_file():
        return None
    digest = hashlib.sha256()
    with path.open("rb") as jar:
        while block := jar.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
