"""Fixes are applied until none are left, and none does damage."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import LibraryFile, NamedLibraries, SourceFile
from tdls.analysis.fixing import choose, fix_in_rounds, with_edits
from tdls.catalogue.catalogue import Catalogue
from tdls.structs import replace
from tdls.text.diagnostic import Diagnostic, Fix, TextEdit
from tdls.text.level import Level
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


CATALOGUE = Catalogue.shipped()
SCRIPT = """\
module {
  transform.named_sequence @a(%root: !transform.any_op {transform.readonly}) {
    transform.include @b failures(propagate) (%root) : (!transform.any_op) -> ()
  }
  transform.named_sequence @b(%root: !transform.any_op) {
    transform.print %rot : !transform.any_op // tdls: ignore[type-mismatch, use-after-free]
  }
}
"""


def file_of(text: str) -> SourceFile:
    return SourceFile.of(text, CATALOGUE)


def proposing(**replacements: str) -> Callable[[SourceFile], Iterator[Diagnostic]]:
    """Propose to replace words by others, wherever they stand."""

    def propose(file: SourceFile) -> Iterator[Diagnostic]:
        for old, new in replacements.items():
            start = file.text.find(old)
            if start >= 0:
                span = FileSpan(start, start + len(old))
                fix = Fix(f"{old} to {new}", (TextEdit(span, new),), safe=True)
                yield Diagnostic("invented", Level.WARNING, "a word", span, fixes=(fix,))

    return propose


def test_safe_fixes_are_applied_until_there_are_none_left() -> None:
    fixed = fix_in_rounds(file_of(SCRIPT), findings_in_file)
    assert fixed.is_settled
    assert fixed.taken_back == ()
    assert [finding.rule for finding in findings_in_file(fixed.file)] == ["undefined-value"]
    assert sorted(change.rule for change in fixed.applied) == [
        "argument-effect-attributes",
        "missing-terminator",
        "missing-terminator",
        "missing-with-named-sequence",
    ]
    assert fixed.file.text == SourceFile.of(fixed.file.text, CATALOGUE).text


def test_unsafe_fixes_are_applied_on_request() -> None:
    fixed = fix_in_rounds(file_of(SCRIPT), findings_in_file, unsafe=True)
    assert findings_in_file(fixed.file) == []
    assert (
        "transform.print %root : !transform.any_op\n" in fixed.file.text
    )  # the comment can go when there are no errors


def test_of_alternatives_none_is_chosen() -> None:
    declaration = "transform.named_sequence private @a(!transform.any_op)"
    findings = findings_in_file(
        file_of(f"module attributes {{transform.with_named_sequence}} {{\n  {declaration}\n}}\n")
    )
    assert [len(finding.fixes) for finding in findings] == [2]
    assert choose(findings, unsafe=True) == []


def test_colliding_fixes_wait_for_the_next_round() -> None:
    text = "module {\n  // one two\n}\n"
    fixed = fix_in_rounds(file_of(text), proposing(one="1", **{"one two": "1 2", "1 two": "1 2"}))
    assert fixed.file.text == "module {\n  // 1 2\n}\n"
    assert [change.title for change in fixed.applied] == ["one to 1", "1 two to 1 2"]


@pytest.mark.parametrize("others", [{}, {"// one": "// 1"}])
def test_a_fix_that_brings_errors_is_taken_back_and_reported(others: dict[str, str]) -> None:
    text = "// one\nmodule {\n  transform.yield\n}\n"
    fixed = fix_in_rounds(file_of(text), proposing(module="mod", **others))
    assert [change.title for change in fixed.taken_back] == ["module to mod"]
    assert fixed.taken_back[0].line == 1
    assert fixed.file.text == text.replace("// one", others.get("// one", "// one"))
    assert fixed.is_settled


def test_silenced_errors_count_as_errors() -> None:
    text = "// tdls: ignore-file[syntax-error]\nmodule {\n}\n"
    fixed = fix_in_rounds(file_of(text), proposing(module="mod"))
    assert fixed.file.text == text


def test_fixes_that_undo_each_other_come_to_an_end() -> None:
    fixed = fix_in_rounds(file_of("// one\n"), proposing(one="two", two="one"))
    assert not fixed.is_settled
    assert fixed.file.text in ("// one\n", "// two\n")


def test_fixes_without_end_come_to_an_end() -> None:
    fixed = fix_in_rounds(file_of("// a\n"), proposing(a="aa"))
    assert not fixed.is_settled


def test_a_fix_of_several_edits_is_applied_as_a_whole() -> None:
    def propose(file: SourceFile) -> Iterator[Diagnostic]:
        if "one" in file.text:
            places = [file.text.index(word) for word in ("one", "module", "two")]
            edits = (
                TextEdit(FileSpan(places[0], places[0] + 3), "1"),
                TextEdit(FileSpan(places[2], places[2] + 3), "2"),
            )
            breaking = Fix("break", (TextEdit(FileSpan(places[1], places[1] + 6), "mod"),), safe=True)
            found = Diagnostic("invented", Level.WARNING, "a word", FileSpan(0, 1))
            yield replace(found, fixes=(Fix("both", edits, safe=True),))
            yield replace(found, fixes=(breaking,))

    fixed = fix_in_rounds(file_of("// one\nmodule {\n}\n// two\n"), propose)
    assert fixed.file.text == "// 1\nmodule {\n}\n// 2\n"
    assert [change.title for change in fixed.taken_back] == ["break"]


@given(st.lists(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4)), min_size=1, max_size=2), max_size=8))
def test_chosen_fixes_have_nothing_in_common(places: list[list[tuple[int, int]]]) -> None:
    """The first one is always chosen; one that is not chosen has something in common with one that is."""
    fixes = [[FileSpan(start, start + length) for start, length in spans] for spans in places]
    fixes = [spans for spans in fixes if len(spans) == 1 or not have_in_common(*spans)]
    findings = []
    for number, spans in enumerate(fixes):
        edits = tuple(TextEdit(span, "x") for span in spans)
        fix = Fix(str(number), edits, safe=True)
        findings.append(Diagnostic("invented", Level.WARNING, "a word", spans[0], fixes=(fix,)))
    chosen = [int(finding.fix.title) for finding in choose(findings)]
    assert chosen == sorted(chosen)
    for number, spans in enumerate(fixes):
        earlier = [span for other in chosen if other < number for span in fixes[other]]
        assert (number in chosen) is not any(have_in_common(span, other) for span in spans for other in earlier)


def have_in_common(first: FileSpan, other: FileSpan) -> bool:
    return first.start == other.start or (first.start < other.end and other.start < first.end)


def test_many_fixes_of_which_some_are_wrong() -> None:
    """All that are right are applied in one round; the next one finds nothing left."""
    good, wrong = "  // one\n", "  transform.yield\n"
    text = "module {\n" + good * 300 + wrong + good * 300 + wrong + "}\n"
    tried = 0

    def propose(file: SourceFile) -> Iterator[Diagnostic]:
        nonlocal tried
        tried += 1
        for match in re.finditer("one|transform.yield", file.text):
            edit = TextEdit(FileSpan(*match.span()), "two" if match[0] == "one" else "}")
            yield Diagnostic("invented", Level.WARNING, match[0], edit.span, fixes=(Fix("change", (edit,), safe=True),))

    fixed = fix_in_rounds(file_of(text), propose)
    assert fixed.file.text == text.replace("one", "two")
    assert len(fixed.applied) == 600
    assert len(fixed.taken_back) == 1  # both look the same
    assert tried == 2


RANKED = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %all = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %all : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %mm : (!transform.any_op) -> !transform.any_op
    transform.annotate %all "seen" : !transform.any_op
    transform.annotate %mm "seen" : !transform.any_op
    transform.yield
  }
}
"""


def fixed_lines(text: str) -> list[str]:
    fixed = fix_in_rounds(file_of(text), findings_in_file, unsafe=True)
    assert fixed.is_settled
    assert fixed.taken_back == ()
    return [line.strip() for line in fixed.file.text.splitlines()[2:-3]]


def test_of_ranked_fixes_the_first_is_applied() -> None:
    (finding,) = (found for found in findings_in_file(file_of(RANKED)) if found.rule == "invalidated-handle")
    assert [fix.title for fix in finding.fixes] == [
        "Move it before `transform.structured.generalize`",
        "Find `%all` again, as `%all_again`",
    ]
    matches, consumer, *uses = (line.strip() for line in RANKED.splitlines()[3:7])
    changed = [matches, uses[0], consumer, uses[1].replace("%mm", "%generic")]
    assert fixed_lines(RANKED)[1:] == changed


def test_a_ranked_fix_that_does_not_help_makes_room_for_the_next_one() -> None:
    """The handle that would be found before is invalid behind the consuming operation."""
    text = RANKED.replace(
        'annotate %all "seen" : !transform.any_op',
        """structured.match ops{["linalg.matmul"]} in %all : (!transform.any_op) -> !transform.any_op
    transform.annotate %again "seen" : !transform.any_op""",
    ).replace("    transform.structured.match ops", "    %again = transform.structured.match ops")
    lines = fixed_lines(text)
    assert lines.index(next(line for line in lines if line.startswith("%generic"))) == 2
    assert "%all_again = transform.structured.match interface{LinalgOp} in %root" in "\n".join(lines)


def test_ranked_fixes_that_only_help_alone_are_not_both_applied() -> None:
    """Both uses consume the replacement of the handle; the second one has nothing to consume."""
    consuming = "    transform.structured.vectorize %mm : !transform.any_op\n"
    text = re.sub(r"    transform.annotate .*\n    transform.annotate .*\n", consuming * 2, RANKED)
    lines = fixed_lines(text)
    assert [line for line in lines if "vectorize" in line] == [
        consuming.strip().replace("%mm", "%generic"),
        consuming.strip(),
    ]


@pytest.mark.parametrize("count", [2, 20])
def test_a_file_with_many_edits_keeps_its_libraries(count: int) -> None:
    library = SourceFile.of("", CATALOGUE)
    named = NamedLibraries(of_settings=(LibraryFile("library.mlir", library),))
    file = SourceFile.of("\n" * count, CATALOGUE).with_libraries([library], named)
    edited = with_edits(file, [TextEdit(FileSpan(place, place), "// ") for place in range(count)])
    assert edited.text == "// \n" * count
    assert (edited.libraries, edited.named_libraries) == (file.libraries, file.named_libraries)
