"""The fix of an alias that is used before its definition."""

from __future__ import annotations

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.fixing import fix_in_rounds
from tdls.catalogue.catalogue import Catalogue

CATALOGUE = Catalogue.shipped()
MODULE = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @f(%root: !any {transform.readonly}) {
    transform.yield
  }
}
"""


def fixed(text: str) -> str:
    return fix_in_rounds(SourceFile.of(text, CATALOGUE), findings_in_file).file.text


def test_a_late_definition_is_moved_before_the_module_around_its_first_use() -> None:
    late = f"// A script.\n{MODULE}\n!any = !transform.any_op\n// The end.\n"
    assert fixed(late) == f"// A script.\n!any = !transform.any_op\n{MODULE}\n// The end.\n"


def test_uses_in_several_operations_need_one_move() -> None:
    assert fixed("func.func private @f(!t)\nfunc.func private @g(!t)\n!t = i32 // short\n") == (
        "!t = i32\nfunc.func private @f(!t)\nfunc.func private @g(!t)\n // short\n"
    )


def test_a_definition_by_other_aliases_is_moved_by_hand() -> None:
    text = "func.func private @f(!t)\n!n = i32\n!t = tuple<!n>\n"
    assert fixed(text) == text
