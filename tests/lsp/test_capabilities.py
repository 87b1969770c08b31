"""The server advertises the features that the documentation lists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lsp.workbench import Workbench

TESTS = Path(__file__).resolve().parents[1]
PAGE = TESTS.parent / "docs" / "language-server.md"


def table(heading: str) -> dict[str, list[str]]:
    """The rows of the table under a heading of the page, by the capability in the first cell."""
    section = PAGE.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return {cells[0].strip(" `"): [cell.strip() for cell in cells[1:]] for cells in rows}


OFFERED = table("What it offers")


@pytest.mark.parametrize("can_refresh", [True, False])
def test_advertised_capabilities_are_the_documented_ones(*, can_refresh: bool) -> None:
    more = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": can_refresh}}}
    with Workbench("utf-8", more={**more, "notebookDocument": {"synchronization": {}}}) as running:
        advertised = {name for name, value in running.client.server_capabilities.items() if value not in (None, False)}
    assert advertised == set(OFFERED) - (set() if can_refresh else {"diagnosticProvider"})
    assert advertised.isdisjoint(table("What it does not offer, and why"))


@pytest.mark.parametrize("capability", OFFERED)
def test_every_capability_names_tests_that_exist(capability: str) -> None:
    names = re.findall(r"`([^`]+\.py)`", OFFERED[capability][-1])
    assert names
    for name in names:
        assert (TESTS / name).is_file(), name
