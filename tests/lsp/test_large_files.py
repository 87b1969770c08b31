"""Files with much payload: scripts come first, nothing is held up, and all is found in the end."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import pytest

from lsp.scripts import LIBRARY
from lsp.workbench import Workbench
from rpc.answers import eventually, insisted
from rpc.client import ResponseError
from rpc.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rpc.client import Json
    from rpc.document import Document

SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.print %missing : !transform.any_op
    transform.yield
  }
}
"""
REQUEST_FAILED = -32803


def function(name: str, lines: int) -> str:
    body = "".join(f"  %v{i + 1} = arith.addf %v{i}, %v{i} : f32\n" for i in range(lines))
    last = f"  %last = arith.addf %{name}, %v0 : f32\n  return %last : f32\n"
    return f"func.func @{name}(%v0: f32) -> f32 {{\n{body}{last}}}\n"


@pytest.fixture
def workbench() -> Iterator[Workbench]:
    with Workbench() as running:
        yield running


def hover_at(workbench: Workbench, document: Document, text: str) -> Json:
    line = document.text[: document.text.index(text)].count("\n")
    place = {"textDocument": {"uri": document.uri}, "position": {"line": line, "character": 12}}
    return insisted(workbench.client, "textDocument/hover", place)


def test_findings_of_many_functions_follow_those_of_the_script(workbench: Workbench) -> None:
    document = workbench.open(SCRIPT + "".join(function(f"f{number}", 40) for number in range(150)))
    workbench.wait_for_finding(document, "undefined value `%missing`")
    workbench.wait_for_finding(document, "undefined value `%f149`")
    newest = workbench.inbox.newest(document)
    assert newest is not None
    assert sum(finding["code"] == "undefined-value" for finding in newest) == 151


def test_one_huge_function_is_read_aside_and_followed(workbench: Workbench) -> None:
    document = workbench.open(SCRIPT + function("huge", 8_000))
    workbench.wait_for_finding(document, "undefined value `%missing`")
    assert hover_at(workbench, document, "transform.print") is not None
    workbench.wait_for_finding(document, "undefined value `%huge`")
    assert eventually(lambda: hover_at(workbench, document, "arith.addf %v4000") is not None)
    place = document.text.index("%v4000, %v4000") + len("%v4000")
    for number, letter in enumerate("abc"):
        document.replace(place + number, place + number, letter)
    assert workbench.wait_for_finding(document, "undefined value `%v4000abc`")["severity"] == 1
    workbench.wait_for_finding(document, "undefined value `%missing`")


@pytest.mark.cooperation("it shows progress")
def test_the_check_of_a_large_document_shows_progress() -> None:
    text = SCRIPT + "".join(function(f"f{number}", 40) for number in range(700))
    with Workbench(more={"window": {"workDoneProgress": True}}) as workbench:
        told = progress_of(workbench.client)
        workbench.wait_for_finding(workbench.open(text, uri="file:///tests/a%20large.mlir"), "undefined value `%f699`")
        assert eventually(lambda: any(value["kind"] == "end" for value in told))
    assert [value["title"] for value in told if value["kind"] == "begin"] == ["Checking a large.mlir"]
    percentages = [value["percentage"] for value in told if value["kind"] == "report"]
    assert percentages
    assert percentages == sorted(percentages)
    assert any(0 < percentage < 100 for percentage in percentages)


def test_places_behind_weights_and_in_them_are_those_of_the_text(workbench: Workbench) -> None:
    weights = f'  %é = arith.constant dense<"0x{"3F800000" * 20_000}"> : tensor<20000xf32>'
    document = workbench.open(f'{SCRIPT}func.func @f() {{\n{weights} "test.use"(%none) : (f32) -> ()\n  return\n}}\n')
    found = workbench.wait_for_finding(document, "undefined value `%none`")
    place = document.text.index("%none")
    assert found["range"] == document.range(place, place + len("%none"))
    shown = {"textDocument": document.identifier, "range": document.range(place - 30, place)}
    tokens = insisted(workbench.client, "textDocument/semanticTokens/range", shown)["data"]
    type_ = document.position(document.text.index("tensor<20000"))
    assert type_["character"] in accumulate(tokens[1::5])
    digit = document.text.index("3F80") + 80_000
    document.replace(digit, digit + 1, "G")
    wrong = workbench.wait_for_finding(document, "hexadecimal")
    assert wrong["range"]["start"] == document.position(document.text.index('"0x3F'))
    document.replace(digit, digit + 1, document.text[digit + 8])
    workbench.assert_same_as_fresh(document, place)


def test_sections_that_are_too_large_have_one_hint(workbench: Workbench) -> None:
    blocks = function("huge", 48_000).replace("  %last =", "  cf.br ^last\n^last:\n  %last =")
    document = workbench.open(blocks + LIBRARY)
    published = workbench.inbox.wait_for(document.uri, lambda publication: bool(publication.diagnostics))
    assert sum("nothing is checked here" in found["message"] for found in published.diagnostics) == 1
    params = {"textDocument": document.identifier, "options": {"tabSize": 2, "insertSpaces": True}}
    with pytest.raises(ResponseError) as refused:
        workbench.client.call("textDocument/formatting", params)
    assert refused.value.code == REQUEST_FAILED
