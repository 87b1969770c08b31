"""The server's text equals the editor's text after every kind of change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lsp.workbench import Workbench
from rpc.answers import insisted
from rpc.document import Replacement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rpc.document import Document

SCRIPT = """\
// Tiles and unrolls.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [8]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %tiled "done" : !transform.any_op
    transform.yield
  }
  func.func @payload(%a: f32) -> f32 {
    %b = arith.addf %a, %a : f32
    return %b : f32
  }
}
"""
ENCODINGS = ["utf-8", "utf-16", "utf-32"]
USUAL = pytest.mark.parametrize("workbench", ["utf-16"], indirect=True)
"""For tests in which all lines before a change are ASCII, so that encodings do not differ."""


@pytest.fixture(scope="module", params=ENCODINGS)
def workbench(request: pytest.FixtureRequest) -> Iterator[Workbench]:
    with Workbench(request.param) as running:
        yield running


def insert(document: Document, before: str, text: str) -> Replacement:
    offset = document.text.index(before)
    return Replacement(offset, offset, text)


def replace(document: Document, old: str, new: str) -> Replacement:
    offset = document.text.index(old)
    return Replacement(offset, offset + len(old), new)


@USUAL
def test_one_letter_and_its_deletion(workbench: Workbench) -> None:
    document = workbench.open(SCRIPT)
    workbench.assert_clean(document)
    document.change([insert(document, " tile_sizes", "x")])
    finding = workbench.wait_for_finding(document, "%matmulx")
    use = document.text.index("%matmulx")
    assert finding["range"] == document.range(use, use + len("%matmulx"))
    document.change([replace(document, "%matmulx", "%matmul")])
    workbench.assert_clean(document)
    workbench.assert_same_as_fresh(document, use)


@USUAL
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_line_ends(workbench: Workbench, end: str) -> None:
    document = workbench.open(SCRIPT.replace("\n", end))
    document.change([replace(document, '%tiled "done"', '%later "done"')])
    finding = workbench.wait_for_finding(document, "%later")
    use = document.text.index("%later")
    assert finding["range"] == document.range(use, use + len("%later"))
    workbench.assert_same_as_fresh(document, use)


@USUAL
def test_line_end_that_is_typed_in_two_halves(workbench: Workbench) -> None:
    document = workbench.open(SCRIPT)
    place = document.text.index("\n    transform.annotate")
    document.replace(place, place, "\r")
    document.change([replace(document, '%tiled "done"', '%later "done"')])
    workbench.assert_same_as_fresh(document, document.text.index("%later"))


@pytest.mark.parametrize("text", ["ä", "€", "𝄞", "𝄞𝄞 ä€", "👩‍👩‍👧", "e\u0301", "\u2028", "\x0c", "\x00", "\ufeff"])
def test_characters_of_every_width_before_the_change(workbench: Workbench, text: str) -> None:
    two_on_a_line = f'transform.print {{name = "{text}"}} transform.annotate'
    document = workbench.open(SCRIPT.replace("transform.annotate", two_on_a_line).replace("// Tiles", f"// {text}"))
    document.change([replace(document, '%tiled "done', '%t "done'), insert(document, f'{text}"}} transform', "𝄞")])
    workbench.wait_for_finding(document, "%t")
    document.change([replace(document, "@payload(%a", "@payload(%c"), replace(document, '%t "done', '%tiled "done')])
    use = document.text.index("%a,")
    workbench.wait_for_finding(document, "%a")
    workbench.assert_same_as_fresh(document, use)
    document.change([replace(document, "// ", "//")])
    workbench.assert_same_as_fresh(document, use)


def test_several_changes_in_one_notification_build_on_each_other(workbench: Workbench) -> None:
    document = workbench.open(SCRIPT)
    first = document.text.index("    transform.annotate")
    document.change(
        [
            Replacement(first, first, "    // a line more\n"),
            Replacement(first, first, "    // and another\n"),
            Replacement(first + 4, first + 4 + len("// and another\n"), ""),
            Replacement(0, len("// Tiles"), "// Cuts 𝄞"),
        ]
    )
    workbench.assert_clean(document)
    workbench.assert_same_as_fresh(document, first)


@USUAL
def test_whole_text_is_replaced(workbench: Workbench) -> None:
    document = workbench.open(SCRIPT)
    document.version = 7
    document.text = SCRIPT.replace("%matmul tile", "%other tile")
    identifier = {"uri": document.uri, "version": document.version}
    change = {"textDocument": identifier, "contentChanges": [{"text": document.text}]}
    workbench.client.notify("textDocument/didChange", change)
    workbench.wait_for_finding(document, "%other")
    workbench.assert_same_as_fresh(document, document.text.index("%other"))


@USUAL
def test_cells_of_notebooks_are_programs(workbench: Workbench) -> None:
    uri, text = "vscode-notebook-cell:/book.ipynb#W0", f's = """{SCRIPT}"""'
    cells = [
        {"uri": f"{uri}{number}", "languageId": language, "version": 1, "text": content}
        for number, (language, content) in enumerate((("python", text), ("bash", "{")))
    ]
    notebook = {"uri": "file:///book.ipynb", "notebookType": "jupyter-notebook", "version": 1, "cells": []}

    def findings(after: str, **parameters: Any) -> list[str]:
        workbench.client.notify(f"notebookDocument/{after}", {"notebookDocument": notebook, **parameters})
        asked = ({"textDocument": {"uri": cell["uri"]}} for cell in cells)
        answers = (insisted(workbench.client, "textDocument/diagnostic", each) for each in asked)
        return [item["message"].split("\n")[0] for answer in answers for item in answer["items"]]

    assert findings("didOpen", cellTextDocuments=cells) == []
    text = text.replace("%matmul tile", "%other tile")
    content = {"document": {"uri": cells[0]["uri"], "version": 2}, "changes": [{"text": text}]}
    assert findings("didChange", change={"cells": {"textContent": [content]}}) == ["use of undefined value `%other`"]
    structure = {"array": {"start": 0, "deleteCount": 1}, "didClose": [{"uri": cells[0]["uri"]}]}
    assert findings("didChange", change={"cells": {"structure": structure}}) == []


@USUAL
def test_braces_go_and_come_back(workbench: Workbench) -> None:
    document = workbench.open(SCRIPT)
    for offset in [index for index, character in enumerate(SCRIPT) if character in "{}()"]:
        character = document.text[offset]
        document.replace(offset, offset + 1, "")
        workbench.answers(document, offset)
        document.replace(offset, offset, character)
    workbench.assert_clean(document)
    workbench.assert_same_as_fresh(document, SCRIPT.index("%matmul"))


@USUAL
def test_everything_is_deleted_and_written_again(workbench: Workbench) -> None:
    document = workbench.open(SCRIPT)
    document.replace(0, len(SCRIPT), "")
    workbench.assert_clean(document)
    workbench.assert_same_as_fresh(document, 0)
    for character in SCRIPT:
        document.replace(len(document.text), len(document.text), character)
    workbench.assert_clean(document)
    workbench.assert_same_as_fresh(document, SCRIPT.index("%matmul"))


@USUAL
def test_results_of_old_versions_are_never_shown_after_newer_ones(workbench: Workbench) -> None:
    document = workbench.open(SCRIPT)
    place = document.text.index(" tile_sizes")
    for _ in range(30):
        document.replace(place, place, "x")
    workbench.wait_for_finding(document, "%matmul" + 30 * "x")
    versions = [publication.version for publication in workbench.inbox.publications(document.uri)]
    assert versions == sorted(version for version in versions if version is not None)


@USUAL
def test_change_of_an_old_version_is_ignored(workbench: Workbench) -> None:
    document = workbench.open(SCRIPT)
    document.change([insert(document, "module", "// now it is version 1\n")])
    text = document.text
    document.version = 0
    document.change([Replacement(0, len(text), "stale")])
    document.text, document.version = text, 1
    document.change([replace(document, "%matmul tile", "%other tile")])
    workbench.wait_for_finding(document, "%other")
    workbench.assert_same_as_fresh(document, document.text.index("%other"))


@USUAL
def test_document_is_opened_again_after_it_was_closed(workbench: Workbench) -> None:
    document = workbench.open(SCRIPT.replace("%matmul tile", "%other tile"))
    workbench.wait_for_finding(document, "%other")
    workbench.inbox.forget(document.uri)
    document.close()
    workbench.inbox.wait_for(document.uri, lambda it: it.diagnostics == [])
    workbench.inbox.forget(document.uri)
    document.text, document.version = SCRIPT, 0
    document.open()
    workbench.assert_clean(document)
