"""Where (``@@``) a next step is inserted, for a cursor (`$0`) in a script."""

import pytest

from ide.with_cursor import CATALOGUE, parse_cursor
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.changes.step_place import step_place

PRINT = "  transform.print %root : !transform.any_op\n"
FOREACH = "  transform.foreach %root : !transform.any_op {\n  ^bb0(%a: !transform.any_op):\n  }$0\n@@"
BODIES = [f"{PRINT}@@  $0\n", f"{PRINT}@@  tr$0\n", f"  $0{PRINT.lstrip()}@@{PRINT}", f"{FOREACH}{PRINT}", "@@  $0\n"]
BODIES += [f"@@  %a = st$0\n{PRINT}", FOREACH.replace("$0\n@@", "\n").replace("  ^bb0", "$0\n  ^bb0")]


@pytest.mark.parametrize("body", [*BODIES, f"  // A co$0mment.\n{PRINT}"])
def test_a_step_stands_in_the_line_or_behind_the_operation(body: str) -> None:
    marked = f"transform.named_sequence @s(%root: !transform.any_op) {{\n{body}  transform.yield\n}}\n"
    text, offset = parse_cursor(marked.replace("@@", ""))
    place = step_place(SourceFile.of(text, CATALOGUE), offset)
    assert (place is not None) is ("@@" in body)
    if place is not None:
        assert place.before == marked.partition("@@")[0].replace("$0", "")
        assert place.without_line().text == place.before + place.after
        assert place.fits(f"{place.before}  typed\n{place.after}")
        assert not place.fits(f"{text}// more\n")
    assert step_place(SourceFile.of(text, CATALOGUE), 0) is None
