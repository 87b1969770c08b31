"""Where a next step is inserted, for a cursor (`$0`) in a script."""

from __future__ import annotations

import pytest

from ide.with_cursor import CATALOGUE, parse_cursor
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.changes.step_place import StepPlace, step_items, step_place
from tdls.ide.runs.next_steps import NextStep, NextSteps

OPERATION = "transform.print %root : !transform.any_op"
SCRIPT = """\
func.func @f() { return }
transform.named_sequence @__transform_main(%root: !transform.any_op) {
BODY
  transform.yield
}
"""
STEP = NextStep("transform.print", OPERATION, 0, 0, ())


def place_in(body: str) -> tuple[StepPlace | None, int]:
    text, offset = parse_cursor(SCRIPT.replace("BODY", body))
    return step_place(SourceFile.of(text, CATALOGUE), offset), offset


@pytest.mark.parametrize(
    "body",
    [
        f"  {OPERATION}\n  $0",
        f"  {OPERATION}\n  transf$0",
        f"  {OPERATION}\n$0",
        f"  transform.pr$0int %root : !transform.any_op\n  {OPERATION}",
        f"  transform.foreach %root : !transform.any_op {{\n  ^bb0(%a: !transform.any_op):\n  }}$0\n  {OPERATION}",
        "  $0",
    ],
)
def test_a_step_is_inserted_in_the_line_or_behind_the_operation(body: str) -> None:
    place, offset = place_in(body)
    assert place is not None
    (action,) = place.actions(NextSteps((STEP,), 1, 0))
    (edit,) = action.edits
    line = f"  {OPERATION}\n" if body != f"  {OPERATION}\n$0" else f"{OPERATION}\n"
    text = place.file.text
    changed = text[: edit.span.start] + edit.new_text + text[edit.span.end :]
    assert changed == place.before + line + place.after
    assert place.without_line().text == place.before + place.after
    assert place.fits(text)
    assert place.fits(changed)
    assert not place.fits(f"{text}// more\n")
    items = list(step_items(place, offset, NextSteps((STEP,), 1, 0))) if place.is_line else []
    assert [item.label for item in items] == (["transform.print %root"] if place.is_line else [])


@pytest.mark.parametrize("body", ["  $0\n  transform.print", "  // A com$0ment.\n  transform.print"])
def test_no_step_is_inserted_before_all_others(body: str) -> None:
    assert place_in(f"{body} %root : !transform.any_op")[0] is None


def test_no_step_is_inserted_outside_of_scripts() -> None:
    text, offset = parse_cursor(f"{SCRIPT.replace('BODY', '')}// A com$0ment.\n")
    assert step_place(SourceFile.of(text, CATALOGUE), offset) is None
    assert step_place(SourceFile.of(text, CATALOGUE), text.index("return")) is None
