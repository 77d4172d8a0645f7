"""Documents that follow the code, held to it."""

from __future__ import annotations

import re

from tests.conftest import ROOT


def test_every_rule_of_the_gate_has_its_section() -> None:
    source = (ROOT / "jvm/src/main/java/org/paimonbridge/check/Rule.java").read_text()
    rules = re.findall(r"^    ([A-Z][A-Z_]+)\(", source, re.MULTILINE)
    sections = re.findall(r"^### (\w+)$", (ROOT / "docs" / "gate.md").read_text(), re.MULTILINE)
    assert len(rules) > 10
    assert sections == rules


def test_relative_links_lead_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    broken = []
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
            if "://" not in target and not (page.parent / target).exists():
                broken.append(f"{page.name}: {target}")
    assert broken == []
