"""The format page says what the table says."""

from __future__ import annotations

from paimon_bridge.wire.document import document
from paimon_bridge.wire.versions import COMMIT_MESSAGE, DATA_FILE, INDEX_FILE
from tests.conftest import ROOT


def test_the_format_page_is_not_stale() -> None:
    page = (ROOT / "docs" / "wire-format.md").read_text(encoding="utf-8")
    assert page == document(), "run: python -m paimon_bridge.wire.document > docs/wire-format.md"


def test_the_format_page_names_every_part_and_field() -> None:
    page = document()
    for name in [part.path for part in COMMIT_MESSAGE.parts] + [item.name for item in (*DATA_FILE.fields, *INDEX_FILE.fields)]:
        assert f"`{name}`" in page
