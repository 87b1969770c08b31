"""Answers about several documents, of which others are edited in threads of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lsp.workbench import Workbench
from rpc.answers import eventually

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.client import Json
    from rpc.document import Document

BODY = "transform.named_sequence @tile(%op: !transform.any_op {transform.readonly}) {\n    transform.yield\n  }"
DECLARATION = "transform.named_sequence private @tile(%op: !transform.any_op {transform.readonly})"
INCLUDE = "transform.include @tile failures(propagate) (%root) : (!transform.any_op) -> ()"
START = "transform.named_sequence @main(%root: !transform.any_op {transform.readonly})"
LARGE = "// a remark\n" * 5_000
"""Enough for a thread of its own."""
LIBRARY = f"{LARGE}module attributes {{transform.with_named_sequence}} {{\n  {BODY}\n}}\n"
SCRIPT = (
    "module attributes {transform.with_named_sequence} {\n"
    f"{DECLARATION}\n{START} {{\n {INCLUDE}\n transform.yield\n}}\n}}\n"
)
LINES = "// a line more\n" * 4_000
ROUNDS = 3


class Bench(Workbench):
    """A workbench with a script, and its library, which is large."""

    def __init__(self, folder: Path, more: Json):
        (folder / "library.mlir").write_text(LIBRARY, encoding="utf-8")
        (folder / "tdls.toml").write_text('libraries = ["library.mlir"]\n', encoding="utf-8")
        super().__init__(folders=[folder], more=more)
        self.library = self.open(LIBRARY, uri=(folder / "library.mlir").as_uri())
        self.script = self.open(SCRIPT, uri=(folder / "script.mlir").as_uri())
        assert eventually(lambda: [place["uri"] for place in self.ask("definition")] == [self.library.uri])

    def ask(self, method: str, **more: Json) -> Json:
        """Return the answer to a request about the included sequence."""
        at = self.script.at(SCRIPT.index("@tile failures"))
        return self.client.call(f"textDocument/{method}", {**at, **more})


@pytest.fixture(params=[True, False], ids=["with versions", "without versions"])
def bench(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Bench]:
    with Bench(tmp_path, {"workspace": {"workspaceEdit": {"documentChanges": request.param}}}) as bench:
        yield bench


def test_renaming_waits_for_edits_of_other_documents(bench: Bench) -> None:
    for number in range(ROUNDS):
        bench.library.replace(0, 0, LINES)
        edits, version = edits_of(bench.ask("rename", newName="cut"), bench.library)
        assert [edit["range"] for edit in edits] == [range_of_name(bench.library)], number
        assert version in (None, bench.library.version)


@pytest.mark.parametrize("method", ["definition", "references"])
def test_places_are_those_behind_edits_of_other_documents(tmp_path: Path, method: str) -> None:
    with Bench(tmp_path, {}) as bench:
        for number in range(ROUNDS):
            bench.library.replace(0, 0, LINES)
            found = bench.ask(method, context={"includeDeclaration": True})
            ranges = [place["range"] for place in found if place["uri"] == bench.library.uri]
            assert ranges == [range_of_name(bench.library)], number


def edits_of(answer: Json, document: Document) -> tuple[list[Json], int | None]:
    """Return the changes of one document, and the version that they are for, if they name it."""
    if "changes" in answer:
        return answer["changes"][document.uri], None
    (found,) = (it for it in answer["documentChanges"] if it["textDocument"]["uri"] == document.uri)
    return found["edits"], found["textDocument"]["version"]


def range_of_name(document: Document) -> Json:
    start = document.text.index("@tile")
    return document.range(start, start + len("@tile"))
