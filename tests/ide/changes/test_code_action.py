from __future__ import annotations

import subprocess
from itertools import pairwise

import pytest

from ide.with_cursor import CATALOGUE, URI, parse_cursor, snapshot_of
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.changes.code_actions import ActionKind, CodeAction, code_actions
from tdls.settings.selection import Levels
from tdls.text.level import Level
from tdls.text.span import FileSpan
from tools_at_hand import require_mlir_opt

MODULE = "module attributes {transform.with_named_sequence} {\n"
MAIN = "  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {\n"
SCRIPT = MODULE + MAIN + "BODY    transform.yield\n  }\n}\n"


def actions_at(marked: str, *kinds: ActionKind) -> tuple[str, list[CodeAction]]:
    text, offset = parse_cursor(marked)
    wanted = kinds or (ActionKind.QUICK_FIX, ActionKind.REWRITE)
    return text, code_actions(snapshot_of(text), URI, FileSpan(offset, offset), wanted)


def applied(text: str, action: CodeAction) -> str:
    edits = sorted(action.edits, key=lambda edit: edit.span, reverse=True)
    assert all(edit.span.start >= other.span.end for edit, other in pairwise(edits))
    for edit in edits:
        text = text[: edit.span.start] + edit.new_text + text[edit.span.end :]
    return text


def after(marked: str, title: str) -> str:
    """Apply the only action with `title`, which has to remove the finding that it fixes."""
    text, found = actions_at(marked)
    (action,) = [action for action in found if action.title == title]
    changed = applied(text, action)
    assert action.finding is None or action.finding.rule not in rules_found(changed)
    return changed


def rules_found(text: str) -> list[str]:
    return [finding.rule for finding in findings_in_file(SourceFile.of(text, CATALOGUE))]


def assert_mlir_accepts(text: str) -> None:
    command = [str(require_mlir_opt(22)), "--split-input-file", "-o", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr


each_line_end = pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])


# Did you mean


def test_similar_value() -> None:
    body = "    transform.print %ro$0t : !transform.any_op\n"
    changed = after(SCRIPT.replace("BODY", body), "Change to `%root`")
    assert changed == SCRIPT.replace("BODY", body.replace("%ro$0t", "%root"))
    assert_mlir_accepts(changed)


def test_similar_value_keeps_the_number() -> None:
    body = "    %all:2 = transform.my.split %root\n    transform.print %a$0lll#1 : !transform.any_op\n"
    assert "transform.print %all#1 :" in after(SCRIPT.replace("BODY", body), "Change to `%all#1`")


def test_a_result_that_a_value_does_not_have_becomes_the_last_one() -> None:
    _, found = actions_at(SCRIPT.replace("BODY", "    transform.print %root#$03 : !transform.any_op\n"))
    assert [action.title for action in found][:2] == ["Change to `%root`", "Ignore `undefined-value` here"]


@pytest.mark.parametrize("written", ["@vectorize", '@"vector ize"'])
def test_similar_symbol(written: str) -> None:
    sequence = MAIN.replace("@__transform_main", written) + "    transform.yield\n  }\n"
    body = "    transform.include @vectorise$0 failures(propagate) (%root) : (!transform.any_op) -> ()\n"
    marked = SCRIPT.replace(MODULE, MODULE + sequence).replace("BODY", body)
    changed = after(marked, f"Change to `{written}`")
    assert f"transform.include {written} failures" in changed
    assert_mlir_accepts(changed)


def test_similar_operation_name() -> None:
    changed = after(
        SCRIPT.replace("BODY", "    transform.prin$0tt %root : !transform.any_op\n"), "Change to `transform.print`"
    )
    assert_mlir_accepts(changed)


# Terminators


@each_line_end
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    transform.$0print\n  }", "    transform.print\n    transform.yield\n  }"),
        ("    transform.$0print // why\n  }", "    transform.print // why\n    transform.yield\n  }"),
        ("\ttransform.$0print }", "\ttransform.print\n\ttransform.yield }"),
    ],
    ids=["plain", "comment", "same line"],
)
def test_missing_yield(body: str, expected: str, line_end: str) -> None:
    marked = (MODULE + MAIN + body + "\n}\n").replace("\n", line_end)
    changed = after(marked, "End the block with `transform.yield`")
    assert changed == (MODULE + MAIN + expected + "\n}\n").replace("\n", line_end)
    assert_mlir_accepts(changed)


@each_line_end
@pytest.mark.parametrize("body", ["}", "\n  }", "\n    // nothing yet\n  }"])
def test_missing_yield_of_an_empty_body(body: str, line_end: str) -> None:
    marked = (MODULE + MAIN.replace("named_sequence", "named_$0sequence").rstrip("\n") + body + "\n}\n").replace(
        "\n", line_end
    )
    changed = after(marked, "End the block with `transform.yield`")
    assert f"    transform.yield{line_end}  }}{line_end}}}" in changed
    assert changed.count("\n") - changed.count("\r\n") in (0, changed.count("\n") if line_end == "\n" else 0)
    assert_mlir_accepts(changed)


def test_missing_yield_with_results_yields_the_last_values_of_their_types() -> None:
    main = MAIN.replace("}) {", "}) -> (!transform.any_op, !transform.any_param) {")
    body = """\
    %a = transform.get_parent_op %root : (!transform.any_op) -> !transform.any_op
    %p = transform.param.$0constant "x" -> !transform.any_param
"""
    title = "End the block with `transform.yield %a, %p : !transform.any_op, !transform.any_param`"
    marked = MODULE + main + body + "  }\n}\n"
    assert_mlir_accepts(after(marked, title))
    text, found = actions_at(marked.replace("!transform.any_param) {", "!transform.any_value) {"))
    assert "missing-terminator" in rules_found(text)
    assert not [action for action in found if action.title.startswith("End")]


# Modules


@each_line_end
@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("module {", "module attributes {transform.with_named_sequence} {"),
        ("module @name {", "module @name attributes {transform.with_named_sequence} {"),
        ("builtin.module attributes {} {", "builtin.module attributes {transform.with_named_sequence} {"),
        ("module @a attributes { my.flag } {", "module @a attributes {transform.with_named_sequence,  my.flag } {"),
    ],
)
def test_missing_module_attribute(head: str, expected: str, line_end: str) -> None:
    """The module is a section of its own, and so are others before it."""
    before = "func.func private @f()\n// -----\n"
    marked = before + head + "\n" + MAIN.replace("named_", "named_$0") + "    transform.yield\n  }\n}\n"
    changed = after(marked.replace("\n", line_end), "Add `transform.with_named_sequence` to the module")
    assert changed == marked.replace("$0", "").replace(head, expected).replace("\n", line_end)
    if "my.flag" not in head:
        assert_mlir_accepts(changed)


def test_missing_module_attribute_on_one_line() -> None:
    marked = "module { transform.named_$0sequence @a() { transform.yield } }"
    assert_mlir_accepts(after(marked, "Add `transform.with_named_sequence` to the module"))


def test_no_fix_where_there_is_no_module_in_custom_form() -> None:
    sequence = "transform.$0named_sequence @a() {\n  transform.yield\n}\n"
    for marked in (sequence, '"builtin.module"() ({\n' + sequence + "}) : () -> ()\n"):
        text, found = actions_at(marked)
        assert "missing-with-named-sequence" in rules_found(text)
        assert [action.title for action in found] == [
            "Ignore `missing-with-named-sequence` here",
            "Ignore `missing-with-named-sequence` in this file",
        ]


# Arguments


CALLED = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @callee(%a: !transform.any_op, %b: !transform.any_op {}, %c: !transform.any_op {my.x}) {
    transform.loop.unroll %b {factor = 4} : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
    %x = transform.structured.match ops{["scf.for"]} in %r : (!transform.any_op) -> !transform.any_op
    transform.include @callee failures(propagate) (%r, %x, %r)
        : (!transform.any_op, !transform.any_op, !transform.any_op) -> ()
    transform.yield
  }
}
"""


def test_all_arguments_are_marked_by_effects_of_the_body() -> None:
    text, found = actions_at(CALLED.replace("%a: ", "%$0a: "))
    assert [action.title for action in found] == [
        "Mark the argument `transform.readonly`",
        "Mark all arguments by what the body does",
        "Ignore `argument-effect-attributes` here",
        "Ignore `argument-effect-attributes` in this file",
    ]
    assert found[0].is_preferred
    changed = applied(text, found[1])
    assert "%a: !transform.any_op {transform.readonly}, %b: !transform.any_op {transform.consumed}" in changed
    assert "%c: !transform.any_op {transform.readonly, my.x}" in changed
    assert "argument-effect-attributes" not in rules_found(changed)


def test_unmarked_argument_of_an_uncalled_sequence_can_be_marked() -> None:
    marked = SCRIPT.replace(" {transform.readonly}", "").replace("%root", "%ro$0ot", 1)
    text = marked.replace("BODY", "    transform.structured.vectorize %root : !transform.any_op\n")
    _, found = actions_at(text)
    assert [(action.title, action.kind) for action in found] == [
        ("Mark `%root` as `transform.consumed`", ActionKind.REWRITE)
    ]
    assert_mlir_accepts(after(text, "Mark `%root` as `transform.consumed`"))


@pytest.mark.parametrize("argument", ["%$0x: !transform.any_op", "!transform.$0any_op"])
def test_declaration_can_be_marked_either_way(argument: str) -> None:
    marked = MODULE + f"  transform.named_sequence private @a({argument})\n}}\n"
    for mark in ("readonly", "consumed"):
        changed = after(marked, f"Mark the argument `transform.{mark}`")
        assert f"!transform.any_op {{transform.{mark}}})" in changed
        assert_mlir_accepts(changed)
    assert not any(action.is_preferred for action in actions_at(marked)[1])


@pytest.mark.parametrize(
    "marks", ["transform.readonly, transform.consumed", "transform.consumed, my.x, transform.readonly"]
)
def test_contradiction_is_decided_by_the_body(marks: str) -> None:
    marked = SCRIPT.replace("transform.readonly", marks).replace("%root", "%$0root", 1).replace("BODY", "")
    changed = after(marked, "Keep `transform.readonly` only")
    assert "transform.consumed" not in changed


def test_broken_promise() -> None:
    body = "    transform.structured.vectorize %root : !transform.any_op\n"
    marked = SCRIPT.replace("%root", "%$0root", 1).replace("BODY", body)
    assert_mlir_accepts(after(marked, "Mark the argument `transform.consumed`"))


# Silencing


@each_line_end
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "transform.print %$0no : !transform.any_op",
            "transform.print %no : !transform.any_op  // tdls: ignore[undefined-value]",
        ),
        (
            "transform.print %$0no : !transform.any_op  ",
            "transform.print %no : !transform.any_op  // tdls: ignore[undefined-value]",
        ),
        (
            "transform.print %$0no : !transform.any_op // why",
            "// tdls: ignore[undefined-value]\n    transform.print %no : !transform.any_op // why",
        ),
        (
            "transform.print %$0no : !transform.any_op // tdls: ignore[a]",
            "transform.print %no : !transform.any_op // tdls: ignore[a, undefined-value]",
        ),
        (
            "// tdls: ignore[]\n    transform.print %$0no : !transform.any_op",
            "// tdls: ignore[undefined-value]\n    transform.print %no : !transform.any_op",
        ),
        (
            "transform.print // tdls: ignore[a]\n    transform.print %$0no : !t",
            "transform.print // tdls: ignore[a]\n    transform.print %no : !t  // tdls: ignore[undefined-value]",
        ),
    ],
)
def test_silence_here(line: str, expected: str, line_end: str) -> None:
    marked = SCRIPT.replace("BODY", f"    {line}\n").replace("\n", line_end)
    changed = after(marked, "Ignore `undefined-value` here")
    assert changed == SCRIPT.replace("BODY", f"    {expected}\n").replace("\n", line_end)


@each_line_end
@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("", "// tdls: ignore-file[undefined-value]\n"),
        (
            "// RUN: tdls\n// What it does\n\n",
            "// RUN: tdls\n// What it does\n// tdls: ignore-file[undefined-value]\n\n",
        ),
        ("// tdls: ignore-file[use-after-free]: why\n", "// tdls: ignore-file[use-after-free, undefined-value]: why\n"),
        ("// tdls: ignore-file[]\n", "// tdls: ignore-file[undefined-value]\n"),
        ("// -----\n", "// tdls: ignore-file[undefined-value]\n// -----\n"),
    ],
)
def test_silence_in_the_file(before: str, expected: str, line_end: str) -> None:
    script = SCRIPT.replace("BODY", "    transform.print %$0no : !transform.any_op\n")
    changed = after((before + script).replace("\n", line_end), "Ignore `undefined-value` in this file")
    assert changed == (expected + script.replace("$0", "")).replace("\n", line_end)


@each_line_end
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("transform.print // tdls: ignore[TD3$001]: why", "transform.print"),
        ("transform.print // why, tdls: ignore[TD3$001]: why", "transform.print // why,"),
        ("transform.print // tdls: ignore[T$0D301]: why tdls: ignore[TD101]", "transform.print // tdls: ignore[TD101]"),
        ("// tdls: ignore[TD3$001]: why\n    transform.print", "transform.print"),
        ("// tdls: ignore-file[TD3$001]\n    transform.print", "transform.print"),
        (
            "// tdls: ignore-begin[TD3$001]\n    transform.print\n    // tdls: ignore-end[TD301]\n    transform.print",
            "transform.print\n    transform.print",
        ),
        (
            (
                "// tdls: ignore-begin[TD101, TD3$001]\n    transform.print %no : !transform.any_op\n"
                " // tdls: ignore-end[TD301, TD101]"
            ),
            "// tdls: ignore-begin[TD101]\n    transform.print %no : !transform.any_op\n // tdls: ignore-end[TD101]",
        ),
    ],
)
def test_comment_that_silences_nothing_is_removed(body: str, expected: str, line_end: str) -> None:
    """That is known when all sections have been looked at, as editors have them."""
    text, offset = parse_cursor(SCRIPT.replace("BODY", f"    {body}\n").replace("\n", line_end))
    snapshot = snapshot_of(text)
    findings_in_file(snapshot.files[URI])
    found = code_actions(snapshot, URI, FileSpan(offset, offset))
    (action,) = [action for action in found if action.finding and action.finding.rule == "unused-suppression"]
    assert action.is_preferred
    assert applied(text, action) == SCRIPT.replace("BODY", f"    {expected}\n").replace("\n", line_end)


@pytest.mark.parametrize(
    ("comment", "title", "expected"),
    [
        ("// tdls: dis$0able[TD101]", "Change to `ignore`", "// tdls: ignore[TD101]"),
        ("// tdls: ignore-file[use-$0after-fre]", "Change to `use-after-free`", "// tdls: ignore-file[use-after-free]"),
        ("// tdls: ignore[td201, Syntax-$0Eror]", "Change to `syntax-error`", "// tdls: ignore[td201, syntax-error]"),
        ("// tdls: ignore-end[TD1$001]", "Remove `TD101`", ""),
    ],
)
def test_comment_that_is_mistyped(comment: str, title: str, expected: str) -> None:
    text, found = actions_at(f"// first\n{comment}\nmodule {{\n}}\n")
    (action,) = [action for action in found if action.title == title]
    assert applied(text, action) == f"// first\n{expected}\nmodule {{\n}}\n".replace("\n\n", "\n")


def test_silence_in_a_broken_document() -> None:
    for damage in ('    transform.annotate %root "$0open\n', "    transform.print %root : : $0\n", "    ) ] $0}\n"):
        text, found = actions_at(SCRIPT.replace("BODY", damage))
        for action in found:
            assert action.finding is not None
            assert action.finding not in findings_in_file(SourceFile.of(applied(text, action), CATALOGUE))


# All of a file


def test_fix_all_applies_safe_fixes_in_all_sections() -> None:
    text = CALLED.replace(" attributes {transform.with_named_sequence}", "").replace("    transform.yield\n", "")
    text += "// -----\n" + MODULE + MAIN + "    transform.print %rot : !transform.any_op\n  }\n}\n"
    _, found = actions_at("$0" + text, ActionKind.FIX_ALL)
    (action,) = found
    changed = applied(text, action)
    assert set(rules_found(changed)) == {"undefined-value"}
    assert actions_at("$0" + changed, ActionKind.FIX_ALL)[1] == []


def test_fix_all_is_offered_only_on_request() -> None:
    marked = CALLED.replace("@callee", "@cal$0lee", 1)
    assert ActionKind.FIX_ALL not in {action.kind for action in actions_at(marked)[1]}


def test_rules_that_are_off_have_no_actions() -> None:
    text = CALLED.replace(" attributes {transform.with_named_sequence}", "")
    off = Levels({"missing-with-named-sequence": None, "argument-effect-attributes": Level.HINT})
    span = FileSpan(0, len(text))
    found = code_actions(snapshot_of(text), URI, span, (ActionKind.QUICK_FIX, ActionKind.FIX_ALL), off)
    assert {action.finding.rule for action in found if action.finding} == {"argument-effect-attributes"}
    assert {action.finding.level for action in found if action.finding} == {Level.HINT}
    (fix_all,) = [action for action in found if action.kind is ActionKind.FIX_ALL]
    assert "with_named_sequence" not in applied(text, fix_all)


def test_code_actions_work_at_every_place_of_damaged_text() -> None:
    for end in range(0, len(CALLED), 37):
        text = CALLED[:end]
        for action in code_actions(snapshot_of(text), URI, FileSpan(0, end), tuple(ActionKind)):
            assert applied(text, action) != text
    assert code_actions(snapshot_of(""), URI, FileSpan(0, 0), tuple(ActionKind)) == []
    assert code_actions(snapshot_of(""), "file:///other.mlir", FileSpan(0, 0)) == []


# Ranked fixes


RANKED = """\
    %all = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %all : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %mm : (!transform.any_op) -> !transform.any_op
    %x = transform.structured.match ops{["linalg.matmul"]} in %a$0ll : (!transform.any_op) -> !transform.any_op
    transform.annotate %x "seen" : !transform.any_op
"""


def test_ranked_fixes_are_offered_as_far_as_they_help() -> None:
    _, found = actions_at(SCRIPT.replace("BODY", RANKED), ActionKind.QUICK_FIX)
    assert [action.title for action in found][:1] == ["Find `%all` again, as `%all_again`"]
    assert all(action.title.startswith("Ignore") for action in found[1:])


def test_in_large_sections_no_ranked_fix_is_tried() -> None:
    filling = "".join(f"    // {number} {'x' * 90}\n" for number in range(3000))
    _, found = actions_at(SCRIPT.replace("BODY", RANKED + filling), ActionKind.QUICK_FIX)
    assert all(action.title.startswith("Ignore") for action in found)


# Migration


def test_a_file_is_migrated_to_the_newest_version() -> None:
    marked = SCRIPT.replace("BODY", '    transform.print %$0root {name = "x"} : !transform.any_op\n')
    text, (action,) = actions_at(marked, ActionKind.MIGRATE)
    assert action.title == "Migrate this file to LLVM main"
    assert applied(text, action) == text.replace('{name = "x"}', 'name = "x"')
    assert actions_at(applied(text, action).replace("%root name", "%$0root name"), ActionKind.MIGRATE)[1] == []


@pytest.mark.parametrize(("other", "what"), [("", "file"), ("// -----\n", "script")])
def test_a_script_of_an_older_version_is_migrated_at_its_finding(other: str, what: str) -> None:
    line = "    %0 = transform.structured.vectorize %root : (!transform.any_op) -> !transform.any_op\n"
    script = SCRIPT.replace("readonly", "consumed")
    marked = script.replace("BODY", line.replace("transform.s", "$0transform.s"))
    before = script.replace("BODY", line) + other if other else ""
    text, actions = actions_at(before + marked)
    (action,) = (action for action in actions if action.title == f"Migrate this {what} to LLVM main")
    changed = text[len(before) :].replace("vectorize", "vectorize_children_and_apply_patterns")
    assert applied(text, action) == before + changed
