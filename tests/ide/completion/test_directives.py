"""Completion in ``// tdls:`` comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ide.with_cursor import URI, snapshot_of
from tdls.ide.completion.completion import completion

if TYPE_CHECKING:
    from tdls.ide.snapshot import Snapshot


def at_cursor(text: str) -> tuple[Snapshot, int]:
    return snapshot_of(text.replace("$0", "")), text.index("$0")


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("// tdls: $0", ["entry-point=", "library=", "payload="]),
        ("module {} // tdls: ent$0", ["entry-point=", "library=", "payload="]),
    ],
)
def test_completion(text: str, labels: list[str]) -> None:
    snapshot, offset = at_cursor(text)
    assert [item.label for item in completion(snapshot, URI, offset).items] == labels


@pytest.mark.parametrize("text", ["// $0", "// some text tdls: $0", "// tdls: payload=$0"])
def test_no_completion(text: str) -> None:
    snapshot, offset = at_cursor(text)
    offered = {item.label for item in completion(snapshot, URI, offset).items}
    assert offered.isdisjoint({"1.."})
