"""Refactorings: their results as whole scripts, and the reasons of those that are refused."""

from __future__ import annotations

import pytest

from ide.with_cursor import CATALOGUE, CURSOR, URI
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.changes.code_actions import ActionKind, CodeAction
from tdls.ide.changes.trying import refactorings
from tdls.ide.formatting.formatter import applied
from tdls.ide.snapshot import Snapshot
from tdls.text.level import Level
from tdls.text.span import FileSpan

KINDS = (ActionKind.EXTRACT, ActionKind.INLINE, ActionKind.RESTRUCTURE)
MODULE = "module attributes {transform.with_named_sequence} {\n"
MAIN = "  transform.named_sequence @__transform_main(%root: !op {transform.readonly}) {\n"
END = "    transform.yield\n  }\n}\n"
MATCH = '    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!op) -> !op\n'
EXTRACT, MATCHER = "Extract to a named sequence", "Extract a matcher"
INLINE, CONVERT = "Inline the included steps", "Convert to a named sequence"

each_line_end = pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])


def script(body: str, before: str = "") -> str:
    return f"!op = !transform.any_op\n{MODULE}{before}{MAIN}{body}{END}"


def action_at(marked: str, title: str, is_asked: bool = True, library: str = "") -> tuple[str, CodeAction | None]:
    """Return the text, and the refactoring with `title` at its cursor, or at the selection between its cursors."""
    before, inside, *rest = marked.split(CURSOR)
    text = before + inside + "".join(rest)
    span = FileSpan(len(before), len(before) + (len(inside) if rest else 0))
    file = SourceFile.of(text, CATALOGUE)
    libraries = [SourceFile.of(library, CATALOGUE)] if library else []
    snapshot = Snapshot({URI: file.with_libraries(libraries)}, CATALOGUE)
    found = refactorings(snapshot, URI, span, KINDS, is_asked=is_asked)
    return text, next((action for action in found if action.title == title), None)


def after(marked: str, title: str, library: str = "") -> str:
    """Return the script after a refactoring, which has no errors or warnings."""
    text, action = action_at(marked, title, library=library)
    assert action is not None
    assert action.refusal is None
    changed = applied(text, action.edits)
    found = findings_in_file(SourceFile.of(changed, CATALOGUE))
    assert library or not [finding.message for finding in found if finding.level is not Level.HINT]
    return changed


def refusal(marked: str, title: str, library: str = "") -> str:
    _, action = action_at(marked, title, library=library)
    assert action is not None
    assert not action.edits
    return action.refusal or ""


# Extract to named sequence

TILE = """\
    // By four.
    %tiled, %loops:2 = transform.structured.tile_using_for %mm tile_sizes [4, 4]  // both
      : (!op) -> (!op, !op, !op)
"""
UNROLL = "    transform.loop.unroll %loops#1 { factor = 2 } : !op\n"
SEEN = '    transform.annotate %tiled "seen" : !op\n'


@each_line_end
def test_extracts_selected_steps_with_their_comments(line_end: str) -> None:
    marked = script(f"{MATCH}$0{TILE}{SEEN}$0{UNROLL}", "  // About it.\n").replace("\n", line_end)
    assert after(marked, EXTRACT).replace(line_end, "\n") == script(
        MATCH
        + "    %loops_1 = transform.include @extracted failures(propagate) (%mm) : (!op) -> !op\n"
        + UNROLL.replace("%loops#1", "%loops_1"),
        "  transform.named_sequence @extracted(%mm: !op {transform.consumed}) -> !op {\n"
        f"{TILE}{SEEN}    transform.yield %loops#1 : !op\n  }}\n  // About it.\n",
    )


def test_extracts_the_step_at_the_cursor_if_asked() -> None:
    marked = script(f"{MATCH}    transform.print$0 %mm : !op\n")
    assert "(%mm: !op {transform.readonly}) {\n    transform.print %mm : !op\n" in after(marked, EXTRACT)
    assert action_at(marked, EXTRACT, is_asked=False)[1] is None


def test_results_keep_their_names_and_others_get_one() -> None:
    body = "    $0%a:2 = transform.split_handle %root : (!op) -> (!op, !op)$0\n    transform.print %a#0 : !op\n"
    changed = after(script(body + "    transform.print %a#1 : !op\n"), EXTRACT)
    assert "%a_0, %a_1 = transform.include @extracted failures(propagate) (%root) : (!op) -> (!op, !op)" in changed
    assert "transform.print %a_0 : !op\n    transform.print %a_1 : !op" in changed


def test_arguments_that_are_only_read_come_first() -> None:
    body = f"{MATCH}{TILE}$0    transform.print %loops#1 : !op\n{SEEN}{UNROLL}$0"
    changed = after(script(body), EXTRACT)
    assert "@extracted(%tiled: !op {transform.readonly}, %loops_1: !op {transform.consumed}) {" in changed
    assert "failures(propagate) (%tiled, %loops#1) : (!op, !op) -> ()" in changed


def test_extracts_from_a_nested_body_at_its_indentation() -> None:
    inner = "    transform.foreach %root : !op {\n    ^bb0(%one: !op):\n      $0transform.print %one : !op$0\n    }\n"
    changed = after(script(inner), EXTRACT)
    assert "{\n    transform.print %one : !op\n    transform.yield\n  }\n" in changed
    assert "\n      transform.include @extracted failures(propagate) (%one) : (!op) -> ()\n    }\n" in changed


def test_extracted_gets_a_fresh_name_and_the_space_of_others() -> None:
    helper = "  transform.named_sequence @extracted(%x: !op {transform.readonly}) {\n    transform.yield\n  }\n\n"
    changed = after(script("    transform.print$0 %root : !op\n", helper), EXTRACT)
    assert "  }\n\n  transform.named_sequence @extracted_2(" in changed
    assert "  }\n\n  transform.named_sequence @__transform_main" in changed


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("    $0transform.print %root : !op\n    transform.yield$0\n", "`transform.yield` has to stay"),
        ("    transform.print %root : !op  $0transform.print %root : !op\n", "other code stands in the same line"),
        ("    transform.$0unheard %root : !op\n", "what `transform.unheard` does is not known"),
        ("    transform.print %ro$0 : !op\n", "there is a mistake in `transform.print`"),
        (
            "    transform.include @nowhere$0 failures(propagate) (%root) : (!op) -> ()\n",
            "which operands `transform.include` consumes is not known",
        ),
    ],
)
def test_extraction_is_refused(body: str, reason: str) -> None:
    assert refusal(script(body).replace("yield$0\n    transform.yield", "yield$0"), EXTRACT).startswith(reason)


def test_extraction_needs_a_named_sequence() -> None:
    marked = SEQUENCE.replace("$0", "").replace("print", "pri$0nt")
    assert refusal(marked, EXTRACT).startswith("it is in no named sequence")


ACTION = """\
  transform.named_sequence @any(%x: !op {transform.readonly}) -> !op {
    transform.yield %x : !op
  }
  transform.named_sequence @both(%x: !op {transform.readonly}) {
    transform.print %x : !op
    transform.print %x : !op
    transform.yield
  }
  transform.named_sequence @act(%x: !op {transform.readonly}) {
    transform.print %x : !op
    transform.include @both failures(propagate) (%x) : (!op) -> ()
    transform.yield
  }
"""
LOOP = "    %done = transform.foreach_match in %root @any -> @act : (!op) -> !op\n"


def test_steps_of_an_action_go_on_after_a_failure() -> None:
    marked = script(LOOP, ACTION).replace("%root: !op {transform.readonly}", "%root: !op {transform.consumed}")
    body = ACTION.partition("@act")[2].partition("{\n")[2].partition("    transform.yield")[0]
    before, _, behind = marked.rpartition(body)
    reason = "steps of an action are executed even if one before them fails"
    assert refusal(f"{before}$0{body}$0{behind}", EXTRACT).startswith(reason)
    assert refusal(f"{before}{body.replace('include', '$0include')}{behind}", INLINE).startswith(reason)
    assert "@extracted" in after(f"{before}{body.replace('include', '$0include')}{behind}", EXTRACT)


# Inline include

CALLEE = """\
  transform.named_sequence @tile(%x: !op {transform.consumed}, %y: !op {transform.readonly}) -> (!op, !op) {
    // First.
    %mm, %l = transform.structured.tile_using_for %x tile_sizes [4] : (!op) -> (!op, !op)
    transform.print %y : !op  // last
    transform.yield %mm, %y : !op, !op
  }
"""
CALL = "    %t:2 = transform.include @tile$0 failures(propagate) (%mm, %root) : (!op, !op) -> (!op, !op)\n"
USES = "    transform.print %t#0 : !op\n    transform.print %t#1 : !op\n"


@each_line_end
def test_inlines_with_names_of_operands_and_fresh_ones(line_end: str) -> None:
    marked = script(f"{MATCH}{CALL}{USES}", CALLEE).replace("\n", line_end)
    assert after(marked, INLINE).replace(line_end, "\n") == script(
        MATCH
        + "    // First.\n"
        + "    %mm_2, %l = transform.structured.tile_using_for %mm tile_sizes [4] : (!op) -> (!op, !op)\n"
        + "    transform.print %root : !op  // last\n"
        + "    transform.print %mm_2 : !op\n    transform.print %root : !op\n",
        CALLEE,
    )


def test_inlining_undoes_an_extraction() -> None:
    text = script(MATCH + TILE + UNROLL)
    extracted = after(text.replace(TILE, f"$0{TILE}$0"), EXTRACT)
    changed = after(extracted.replace("include", "incl$0ude"), INLINE)
    assert changed.partition(MAIN)[2] == text.partition(MAIN)[2]


def test_inlining_nothing_removes_the_line() -> None:
    nothing = "  transform.named_sequence @no(%x: !op {transform.readonly}) {\n    transform.yield\n  }\n"
    call = "    transform.incl$0ude @no failures(propagate) (%root) : (!op) -> ()\n"
    assert after(script(MATCH + call, nothing), INLINE) == script(MATCH, nothing)


def test_inlines_from_another_file_what_needs_nothing_there() -> None:
    declared = "  transform.named_sequence private @show(%x: !op {transform.readonly})\n"
    marked = script("    transform.incl$0ude @show failures(propagate) (%root) : (!op) -> ()\n", declared)
    body = "%x: !transform.any_op {transform.readonly}) {\n    transform.print %x : !transform.any_op\n"
    library = f"{MODULE}  transform.named_sequence @show({body}{END}"
    assert "\n    transform.print %root : !transform.any_op\n" in after(marked, INLINE, library=library)
    aliased = f"!any = !transform.any_op\n{library.replace(' : !transform.any_op', ' : !any')}"
    assert refusal(marked, INLINE, library=aliased) == "`@show` is in another file, and refers to `!any` there"
    assert refusal(marked, INLINE) == "the steps of `@show` are not known here"


def test_inlining_is_refused() -> None:
    marked = script(f"{MATCH}{CALL}{USES}", CALLEE)
    assert refusal(marked.replace("propagate", "suppress"), INLINE).startswith("the include suppresses failures")
    stale = script(f"{MATCH}{CALL}{USES}    transform.print %mm : !op\n".replace("%mm, %root", "%root, %root"), CALLEE)
    assert refusal(stale, INLINE).startswith("the result would have a new finding: ")


# Extract matcher


def test_extracts_a_matcher_for_the_same_names() -> None:
    names = '["linalg.matmul", "linalg.fill"]'
    marked = script(
        MATCH.replace('["linalg.matmul"]', names).replace("match", "match$0") + "    transform.print %mm : !op\n"
    )
    assert after(marked, MATCHER) == script(
        "    %mm = transform.collect_matching @matcher in %root : (!op) -> !op\n    transform.print %mm : !op\n",
        "  transform.named_sequence @matcher(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {\n"
        f"    transform.match.operation_name %op {names} : !transform.any_op\n"
        "    transform.yield %op : !transform.any_op\n  }\n",
    )
    assert "@match_linalg_matmul in" in after(script(MATCH.replace("match", "match$0")), MATCHER)


@pytest.mark.parametrize("asked", ["interface{LinalgOp}", 'ops{["a.b"]} attributes{x}', "filter_result_type = i32"])
def test_a_matcher_asks_for_names_only(asked: str) -> None:
    marked = script(MATCH.replace('ops{["linalg.matmul"]}', asked).replace("match ", "match$0 "))
    assert refusal(marked, MATCHER).startswith("no operation of matchers asks for what `")


# Convert

SEQUENCE = """\
transform.$0sequence failures(propagate) {
^bb0(%root: !transform.any_op):  // all
  transform.print %root : !transform.any_op
}
"""
CONVERTED = """\
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {  // all
  transform.print %root : !transform.any_op
  transform.yield
}
"""


def test_converts_in_a_module_that_gets_the_attribute() -> None:
    payload = "func.func private @f()\n"
    changed = after(f"module @m {{\n{payload}{SEQUENCE}}}\n", CONVERT)
    assert changed == f"module @m attributes {{transform.with_named_sequence}} {{\n{payload}{CONVERTED}}}\n"


@each_line_end
def test_converts_at_the_top_level_into_a_module_of_its_own(line_end: str) -> None:
    changed = after(f"// Begins.\n{SEQUENCE}".replace("\n", line_end), CONVERT)
    inside = "".join(f"  {line}\n" for line in CONVERTED.splitlines())
    assert changed == f"// Begins.\n{MODULE}{inside}}}\n".replace("\n", line_end)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("propagate", "suppress", "it suppresses failures"),
        ("any_op):", "any_op, %more: !transform.any_op):", "an entry point takes the root of the payload only"),
        ("failures", "-> !transform.any_op failures", "only a sequence without operands, results and attributes"),
        (
            "// all",
            "\n}\ntransform.sequence failures(propagate) {\n^bb0(%root: !transform.any_op):",
            "the file has other",
        ),
        ("any_op):", 'any_op loc("x")):', "the label of its block is not written as usual"),
        ("// all", "\n}\ntransform.named_sequence @__transform_main() {", "there is `@__transform_main` already"),
    ],
)
def test_conversion_is_refused(old: str, new: str, reason: str) -> None:
    assert refusal(SEQUENCE.replace(old, new), CONVERT).startswith(reason)


@pytest.mark.parametrize("title", [EXTRACT, MATCHER, INLINE, CONVERT])
def test_nothing_is_offered_where_nothing_is_meant(title: str) -> None:
    assert action_at(script(MATCH).replace("%root: !op", "%root: $0!op"), title)[1] is None
    assert action_at(f"func.func @f() {{\n  ret$0urn\n}}\n{script(MATCH)}", title)[1] is None
