"""Completion and hover in comments that say how much is matched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ide.with_cursor import URI, snapshot_of
from tdls.ide.completion.completion import completion
from tdls.ide.hover.hover import hover

if TYPE_CHECKING:
    from tdls.ide.snapshot import Snapshot


def at_cursor(text: str) -> tuple[Snapshot, int]:
    return snapshot_of(text.replace("$0", "")), text.index("$0")


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("// tdls: $0", ["entry-point=", "expect-matches=", "library=", "payload="]),
        ("module {} // tdls: exp$0", ["entry-point=", "expect-matches=", "library=", "payload="]),
        ("// tdls: expect-matches=$0", ["1", "1..", "..4", "2..4"]),
    ],
)
def test_completion(text: str, labels: list[str]) -> None:
    snapshot, offset = at_cursor(text)
    assert [item.label for item in completion(snapshot, URI, offset).items] == labels


@pytest.mark.parametrize("text", ["// $0", "// some text tdls: $0", "// tdls: payload=$0"])
def test_no_completion(text: str) -> None:
    snapshot, offset = at_cursor(text)
    offered = {item.label for item in completion(snapshot, URI, offset).items}
    assert offered.isdisjoint({"expect-matches=", "1.."})


def test_hover() -> None:
    snapshot, offset = at_cursor("// tdls: expect-ma$0tches=1..\nmodule {}\n")
    found = hover(snapshot, URI, offset)
    assert found is not None
    assert found.span == (0, 27)
    assert "The match in the next line is expected to find **at least 1** operations" in found.markdown
    snapshot, offset = at_cursor("module {} // tdls: expect-ma$0tches=x\n")
    wrong = hover(snapshot, URI, offset)
    assert wrong is not None
    assert wrong.markdown.startswith("`expect-matches` takes a count")
