"""Refactorings as an editor gets and applies them: runs stay the same; reasons are given where it shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from command_line import tdls
from lsp.workbench import Workbench
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from pathlib import Path

    from rpc.client import Json

SCRIPT = """\
module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
  transform.named_sequence @seen(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "seen" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.include @seen failures(propagate) (%mm) : (!transform.any_op) -> ()
    transform.yield
  }
}
"""
SEQUENCE = "module {\n  transform.sequence failures(propagate) {\n  ^bb0(%root: !transform.any_op):\n  }\n}\n"
PLACES = (
    ("refactor.extract", "Extract to a named sequence", "transform.include"),
    ("refactor.extract", "Extract a matcher", "transform.structured.match"),
    ("refactor.inline", "Inline the included steps", "transform.include"),
)


def capabilities(*, is_able: bool) -> Json:
    literals = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}, "disabledSupport": is_able}
    edits = {"documentChanges": is_able}
    return {"workspace": {"workspaceEdit": edits}, "textDocument": {"codeAction": literals, "codeLens": {}}}


def actions(workbench: Workbench, path: Path, text: str, before: str, **context: Json) -> list[Json]:
    """Return the actions at the beginning of the text `before` in a new document."""
    document = workbench.open(text, uri=path.as_uri())
    place = document.range(*(text.index(before),) * 2)
    asked = {"textDocument": document.identifier, "range": place, "context": {"diagnostics": [], **context}}
    found: list[Json] = workbench.client.call("textDocument/codeAction", asked)
    return found


@pytest.mark.parametrize(("kind", "title", "place"), PLACES, ids=[title for _, title, _ in PLACES])
def test_a_run_stays_the_same(tmp_path: Path, kind: str, title: str, place: str) -> None:
    backend = f"--backend={require_mlir_opt(22)}"
    script = tmp_path / "script.mlir"
    script.write_text(SCRIPT, encoding="utf-8")
    expected = tdls("run", backend, str(script))
    assert expected.returncode == 0, expected.stderr
    with Workbench(folders=[tmp_path], more=capabilities(is_able=True)) as workbench:
        found = actions(workbench, script, SCRIPT, place, only=[kind])
    (action,) = [action for action in found if action["title"] == title]
    for change in action["edit"]["documentChanges"]:
        lines = script.read_text(encoding="utf-8").splitlines(keepends=True)
        for edit in reversed(change["edits"]):
            first, last = edit["range"]["start"], edit["range"]["end"]
            before, behind = ("".join(lines[place["line"] :][:1]) for place in (first, last))
            changed = before[: first["character"]] + edit["newText"] + behind[last["character"] :]
            lines[first["line"] : last["line"] + 1] = [changed]
        script.write_text("".join(lines), encoding="utf-8")
    assert script.read_text(encoding="utf-8") != SCRIPT
    again = tdls("run", backend, str(script))
    assert (again.returncode, again.stdout) == (0, expected.stdout), again.stderr


def test_reasons_are_given_to_who_asks_and_shows_them(tmp_path: Path) -> None:
    suppressed = SEQUENCE.replace("propagate", "suppress")
    with Workbench(folders=[tmp_path], more=capabilities(is_able=True)) as workbench:
        (refused,) = actions(workbench, tmp_path / "a.mlir", suppressed, "transform.sequence", only=["refactor"])
        assert refused["disabled"]["reason"].startswith("it suppresses failures")
        assert "edit" not in refused
        assert not actions(workbench, tmp_path / "b.mlir", suppressed, "transform.sequence")
    with Workbench(folders=[tmp_path], more=capabilities(is_able=False)) as workbench:
        assert not actions(workbench, tmp_path / "a.mlir", suppressed, "transform.sequence", only=["refactor"])


def test_light_bulbs_are_not_lit(tmp_path: Path) -> None:
    with Workbench(folders=[tmp_path], more=capabilities(is_able=True)) as workbench:
        assert not actions(workbench, tmp_path / "a.mlir", SEQUENCE, "transform.sequence", triggerKind=2)
        (offered,) = actions(workbench, tmp_path / "b.mlir", SEQUENCE, "transform.sequence", triggerKind=1)
        assert (offered["kind"], offered["title"]) == ("refactor.rewrite", "Convert to a named sequence")
