"""Fixes for uses of invalid handles, judged by the interpreter."""

from __future__ import annotations

import pytest

from oracle.tools import run
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.fixing import ranks_fixes, with_tried_fixes
from tdls.catalogue.catalogue import Catalogue
from tdls.ide.formatting.formatter import applied
from tools_at_hand import require_mlir_opt

CATALOGUE = Catalogue.shipped()
SCRIPT = """module attributes {{transform.with_named_sequence}} {{
  func.func @payload(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {{
    %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%a : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }}
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
    %mm = transform.structured.match ops{{["linalg.matmul"]}} in %root : (!transform.any_op) -> !transform.any_op
    {}
    transform.yield
  }}
}}
"""
MATCH_ALL = "transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op"
GENERALIZE = "%generic = transform.structured.generalize %mm : (!transform.any_op) -> !transform.any_op"
MARK = 'transform.annotate %all "seen" : !transform.any_op'
CASES = {
    "found again": (
        ("%all = " + MATCH_ALL, "transform.print %all : !transform.any_op", GENERALIZE, MARK),
        "Find `%all` again, as `%all_again`",
        ("%all = " + MATCH_ALL, "transform.print %all : !transform.any_op", GENERALIZE,
         "%all_again = " + MATCH_ALL, MARK.replace("%all", "%all_again")),
    ),
    "found later": (
        ("%all = " + MATCH_ALL, GENERALIZE, MARK),
        "Find `%all` only here",
        (GENERALIZE, "%all = " + MATCH_ALL, MARK),
    ),
    "used before": (
        ("%all = " + MATCH_ALL, GENERALIZE, MARK),
        "Move it before `transform.structured.generalize`",
        ("%all = " + MATCH_ALL, MARK, GENERALIZE),
    ),
    "numbered": (
        ("%0 = " + MATCH_ALL, "transform.print %0 : !transform.any_op", GENERALIZE, MARK.replace("%all", "%0")),
        "Find `%0` again, as `%again`",
        ("%0 = " + MATCH_ALL, "transform.print %0 : !transform.any_op", GENERALIZE,
         "%again = " + MATCH_ALL, MARK.replace("%all", "%again")),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "title", "expected"), CASES.values(), ids=CASES)
def test_offered_remedies_put_the_script_right(lines: tuple[str, ...], title: str, expected: tuple[str, ...]) -> None:
    wrong, right = (SCRIPT.format("\n    ".join(some)) for some in (lines, expected))
    (finding,) = findings_in_file(SourceFile.of(wrong, CATALOGUE))
    fix = next(fix for fix in finding.fixes if fix.title == title)
    assert not fix.safe
    assert applied(wrong, fix.edits) == right
    assert findings_in_file(SourceFile.of(right, CATALOGUE)) == []
    require_mlir_opt(22)
    before, after = run([wrong, right], "--transform-interpreter")
    assert "invalidated" in before.diagnostics[0].message
    assert after.text is not None


@pytest.mark.parametrize(
    "lines",
    [
        ("%all = " + MATCH_ALL, GENERALIZE, "%both = transform.merge_handles %all, %generic : !transform.any_op"),
        ("%all = " + MATCH_ALL, GENERALIZE, MARK + "  // once", MARK),
    ],
    ids=["needs what the consuming operation returns", "is not alone on its line"],
)
def test_nothing_is_moved_where_something_is_in_the_way(lines: tuple[str, ...]) -> None:
    findings = findings_in_file(SourceFile.of(SCRIPT.format("\n    ".join(lines)), CATALOGUE))
    stale = next(finding for finding in findings if finding.rule == "invalidated-handle")
    assert not any(fix.title.startswith("Move") for fix in stale.fixes)


HANDLES = "(!transform.any_op) -> (!transform.any_op, !transform.any_op)"
TWO_HANDLES = HANDLES.replace("(!transform.any_op) ->", "(!transform.any_op, !transform.any_op) ->")
TILE = f"%tiled, %loop = transform.structured.tile_using_for %mm tile_sizes [4] : {HANDLES}"
IN_SEQUENCE = ("transform.sequence %root : !transform.any_op failures(propagate) {", "^bb0(%r: !transform.any_op):")
OFFERED = {
    "what took the place of what took the place": (
        (TILE, GENERALIZE.replace("%mm", "%tiled"), MARK.replace("%all", "%mm")),
        ["Use `%generic`"],
    ),
    "what was fused": (
        (
            "%fill = " + MATCH_ALL.replace("interface{LinalgOp}", 'ops{["linalg.fill"]}'),
            f"%tiled, %loop = transform.structured.tile_using_forall %mm tile_sizes [4] : {HANDLES}",
            f"%fused, %new = transform.structured.fuse_into_containing_op %fill into %loop : {TWO_HANDLES}",
            "transform.structured.vectorize %fill : !transform.any_op",
        ),
        ["Use `%fused`"],
    ),
    "the name is gone": ((*IN_SEQUENCE, GENERALIZE, "transform.yield", "}", MARK.replace("%all", "%mm")), []),
    "the name is there still": (
        (*IN_SEQUENCE, TILE, "transform.yield", "}", MARK.replace("%all", "%mm")),
        ["Find `%mm` again, as `%mm_again`"],
    ),
    "the name may be gone by patterns": (
        (
            *IN_SEQUENCE,
            TILE,
            "transform.apply_patterns to %root {",
            "transform.apply_patterns.canonicalization",
            "} : !transform.any_op",
            "transform.yield",
            "}",
            MARK.replace("%all", "%mm"),
        ),
        [],
    ),
    "it was consumed in turn": (
        (TILE, *(f"transform.structured.vectorize {name} : !transform.any_op" for name in ("%tiled", "%mm"))),
        [],
    ),
}


@pytest.mark.parametrize(("lines", "titles"), OFFERED.values(), ids=OFFERED)
def test_offered_remedies(lines: tuple[str, ...], titles: list[str]) -> None:
    file = SourceFile.of(SCRIPT.format("\n    ".join(lines)), CATALOGUE)
    stale = [finding for finding in findings_in_file(file) if ranks_fixes(finding.rule)]
    assert [[fix.title for fix in with_tried_fixes(file, finding).fixes] for finding in stale] == [titles]


def test_a_name_that_is_defined_twice_is_not_replaced_by_itself() -> None:
    lines = (GENERALIZE.replace("%generic", "%mm"), MARK.replace("%all", "%mm"))
    file = SourceFile.of(SCRIPT.format("\n    ".join(lines)), CATALOGUE)
    assert [finding.fixes for finding in findings_in_file(file) if ranks_fixes(finding.rule)] == [()]


def test_remedies_that_bring_another_finding_are_not_offered() -> None:
    """The moved operation's results would be invalid after the consuming operation."""
    again = MATCH_ALL.replace("%root", "%all")
    lines = ("%all = " + MATCH_ALL, GENERALIZE, "%x = " + again, MARK.replace("%all", "%x"), MARK)
    file = SourceFile.of(SCRIPT.format("\n    ".join(lines)), CATALOGUE)
    first = next(finding for finding in findings_in_file(file) if finding.rule == "invalidated-handle")
    titles = ["Move it before `transform.structured.generalize`", "Find `%all` again, as `%all_again`"]
    assert [fix.title for fix in first.fixes] == titles
    assert [fix.title for fix in with_tried_fixes(file, first).fixes] == titles[1:]
