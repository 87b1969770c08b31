from __future__ import annotations

import re
from pathlib import Path

import pytest

from ide.with_cursor import URI, snapshot_of
from tdls.ide.document.inlay_hint import HintKind, inlay_hints
from tdls.ide.run_marks import HandleMark, RunMarks
from tdls.interpreter.runs.model import Contents, HandleContents
from tdls.semantic.handle_types import HandleKind
from tdls.settings.model import InlayHints
from tdls.structs import replace
from tdls.text.span import FileSpan

HINT = re.compile("«([^»]*)»")
ALL = InlayHints(consumed=True)
KNOBS = Path(__file__).resolve().parents[3] / "examples" / "knobs.mlir"
MARKED = """\
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @callee(%a: !op {transform.consumed}, %b: !op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !op {transform.consumed}) {
    %four = transform.param.constant 4 : i64 -> !transform.param<i64>
    %text = transform.param.constant "text" -> !transform.any_param
    %all = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op
    %one = transform.get_operand %all[«raw_position_list:»0] : (!op) -> !transform.any_value
    %two = transform.get_operand %all[ «raw_position_list:»-1, 0] : (!op) -> !transform.any_value
    %three = transform.get_operand %all[not(0)] : (!op) -> !transform.any_value
    %tiled, %loops:2 = transform.structured.tile_using_for %all« consumed here» tile_sizes [4, 8] interchange = [1, 0]
        : (!op) -> (!op, !op, !op)
    %pad = transform.structured.hoist_pad %tiled« consumed here» by 2 loops, transpose by [1, 0] : (!op) -> !op
    %buffer«: !transform.any_value», %new«: !transform.any_op»
        = transform.structured.bufferize_to_allocation %pad« consumed here» : !op
    %both:2«: !transform.any_value, !transform.any_op»
        = transform.structured.bufferize_to_allocation %new« consumed here» : !op
    transform.include @callee failures(propagate) (%both#1« consumed here», %root) : (!op, !op) -> ()
    "transform.loop.unroll"(%loops#1« consumed here») <{factor = 4 : i64}> : (!op) -> ()
    transform.my.unknown %root [4] : !op
    transform.sequence %root« consumed here» : !op failures(propagate) {
    ^bb0(%inner: !op):
      transform.loop.unroll %inner« consumed here» {factor = 4} : !op
    }
    transform.yield
  }
  func.func @payload(%a: memref<4xi32>) {
    memref.dealloc %a : memref<4xi32>
    return
  }
}
"""


def shown(text: str, span: FileSpan | None = None, options: InlayHints | None = None) -> str:
    """Return `text` with its hints in guillemets, those for effects with the blank that editors put before them."""
    hints = inlay_hints(snapshot_of(text), URI, span or FileSpan(0, len(text)), options or ALL)
    for hint in reversed(hints):
        padding = " " if hint.kind is HintKind.EFFECT else ""
        text = f"{text[: hint.offset]}«{padding}{hint.label}»{text[hint.offset :]}"
    return text


def test_combinations_stand_at_the_script() -> None:
    assert "@__transform_main«19 of 25 combinations»(" in shown(text := KNOBS.read_text(encoding="utf-8"))
    assert "«at most 19 of 25 combinations»" in shown(text.replace("smt.int.constant 96", "smt.declare_fun : !smt.int"))


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_hints(line_end: str) -> None:
    marked = MARKED.replace("\n", line_end)
    assert shown(HINT.sub("", marked)) == marked


@pytest.mark.parametrize(
    ("options", "pattern"),
    [
        (InlayHints(types=False, consumed=True), "«: "),
        (InlayHints(operand_names=False, consumed=True), "«[^»]*:»"),
        (InlayHints(), "« consumed"),
    ],
)
def test_kinds_can_be_switched_off(options: InlayHints, pattern: str) -> None:
    expected = re.sub(pattern + "[^»]*»" if "»" not in pattern else pattern, "", MARKED)
    assert expected != MARKED
    assert shown(HINT.sub("", MARKED), options=options) == expected


def test_hints_with_contents_are_short_and_can_be_switched_off() -> None:
    names = {f"linalg.operation_{number}": 1 for number in range(3)}
    contents = HandleContents("script.mlir", 0, 2, HandleKind.OPERATIONS, 1, (Contents(3, names),))
    text = "%a = transform.foo\n"
    snapshot = replace(snapshot_of(text), marks={URI: RunMarks((), (HandleMark(FileSpan(0, 2), (contents,)),))})
    (hint,) = inlay_hints(snapshot, URI, FileSpan(0, len(text)))
    assert hint.label == "1 x linalg.operation_0, 1 x linalg.op..."
    assert inlay_hints(snapshot, URI, FileSpan(0, len(text)), InlayHints(contents=False)) == []


def test_only_a_range() -> None:
    text = HINT.sub("", MARKED)
    everything = inlay_hints(snapshot_of(text), URI, FileSpan(0, len(text)))
    for start in range(0, len(text), 101):
        wanted = FileSpan(start, start + 300)
        inside = [hint for hint in everything if wanted.start <= hint.offset <= wanted.end]
        assert inlay_hints(snapshot_of(text), URI, wanted) == inside


def test_payload_outside_of_the_range_is_not_read() -> None:
    snapshot = snapshot_of(HINT.sub("", MARKED))
    pieces = snapshot.files[URI].sections.pieces
    start = MARKED.index("@callee")
    inlay_hints(snapshot, URI, FileSpan(start, start + 20))
    assert [piece.section.is_read for piece in pieces if not piece.is_half][-1:] == [False]


def test_damaged_text_has_hints_where_it_is_sound() -> None:
    text = HINT.sub("", MARKED).replace("!op) -> !op\n", "!op) -> (!op\n", 1)
    assert "%tiled« consumed here»" in shown(text)
    for end in range(0, len(text), 89):
        shown(text[:end])
    assert inlay_hints(snapshot_of(""), "file:///other.mlir", FileSpan(0, 9)) == []
