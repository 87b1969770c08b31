"""Findings that follow the edits of a file are those of the text read anew."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from samples import some
from tdls.analysis.checking.file_findings import findings_in_file, findings_of
from tdls.analysis.checking.findings import Findings
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from tdls.text.diagnostic import Diagnostic

CATALOGUE = Catalogue.shipped()
LIBRARY = SourceFile.of(
    """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @from_library(%a: !transform.any_op {transform.consumed}) {
    transform.yield
  }
}
""",
    CATALOGUE,
)
SCRIPT = """\
!any = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !any {transform.consumed}) {
    %adds = transform.structured.match ops{["arith.addf"]} in %root : (!any) -> !any
    %functions = transform.structured.match ops{["func.func"]} in %root : (!any) -> !any
    transform.apply_registered_pass "cse" to %functions : (!any) -> !any
    transform.annotate %adds "seen" : !any
    transform.include @unroll failures(propagate) (%root) : (!any) -> ()
    transform.annotate %root "late" : !any // tdls: ignore[use-after-free]: known
    transform.include @from_library failures(propagate) (%root) : (!any) -> ()
    transform.yield
  }

  transform.named_sequence @unroll(%loop: !any {transform.consumed}) {
    transform.include @inner failures(propagate) (%loop) : (!any) -> ()
    transform.yield
  }

  // tdls: ignore-begin[argument-effect-attributes, syntax-error]
  transform.named_sequence @inner(%loop: !any {transform.consumed}) {
    transform.loop.unroll %loop {factor = 4} : !any
    transform.yield
  }
  // tdls: ignore-end[argument-effect-attributes, syntax-error]
  // tdls: ignore[undefined-value]
  func.func @payload(%0: f32) -> f32 {
    %1 = arith.addf %0, %0 : f32
    return %1 : f32
  }
}

// -----

module {
  transform.named_sequence @other(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
"""
REPLACEMENTS = (
    ("transform.consumed", "transform.readonly"), ("{transform.consumed}", ""), ("@inner", "@outer"),
    ("@unroll", "@inner"), ("from_library", "unroll"), ("!any = !transform.any_op", "!any = i32"),
    (" attributes {transform.with_named_sequence}", ""), ("%root", "%loop"), ("%1", "%2"), ("f32", "i32"),
    ("func.func", "module"), ("arith.addf", "arith.mulf"),
    ("transform.yield", ""), ("// -----", ""), ("}\n", ""), ("{", "{ {"), ("\n", "\n\n"),
    ("ignore-begin", "ignore"), ("ignore-end", "ignore-file"), ("// tdls", "//"), ("use-after-free", "TD101"),
    ("@payload", "@payload // tdls: ignore-file[unused-suppression]"),
    ("    transform.", "    // tdls: ignore[TD203]\n transform."),
)  # fmt: skip


@pytest.mark.parametrize("seed", range(some(100)))
def test_findings_follow_edits(seed: int) -> None:
    random = Random(seed)
    file = SourceFile.of(SCRIPT, CATALOGUE, libraries=[LIBRARY])
    findings = Findings(file)
    undo: list[tuple[FileSpan, str]] = []
    for _ in range(12):
        span, new = undo.pop() if undo and random.random() < 0.4 else some_edit(random, file.text)
        undo.append((FileSpan(span.start, span.start + len(new)), file.slice(span)))
        file = file.edited(span, new)
        findings.advance(file)
        fresh = SourceFile.of(file.text, CATALOGUE, libraries=[LIBRARY])
        if random.random() < 0.5:
            findings.work(lambda: True)
            assert unused_suppressions(findings.diagnostics()) <= unused_suppressions(findings_in_file(fresh)), (
                file.text
            )
            continue
        findings.work(lambda: False)
        assert findings.is_complete
        assert findings.diagnostics() == findings_in_file(fresh), file.text


def unused_suppressions(found: list[Diagnostic]) -> set[Diagnostic]:
    return {finding for finding in found if finding.rule == "unused-suppression"}


def some_edit(random: Random, text: str) -> tuple[FileSpan, str]:
    """Replace an occurrence of something by something else, or type a character."""
    old, new = random.choice(REPLACEMENTS)
    places = [start for start in range(len(text)) if text.startswith(old, start)]
    if not places or random.random() < 0.2:
        start = random.randrange(len(text) + 1)
        return FileSpan(start, start), random.choice("a%@{}\n ")
    start = random.choice(places)
    return FileSpan(start, start + len(old)), new


def test_an_edit_concerns_sections_that_queried_the_changed_one() -> None:
    file = SourceFile.of(SCRIPT, CATALOGUE, libraries=[LIBRARY])
    findings = Findings(file)
    findings.work(lambda: False)
    place = SCRIPT.index("factor = 4") + len("factor = ")
    findings.advance(file.edited(FileSpan(place, place + 1), "8"))
    looked_at = 0
    while not findings.is_complete:
        findings.work(lambda: True)
        looked_at += 1
    assert looked_at == 3  # the edited sequence, its caller, and the caller's caller


def test_payload_in_the_file_of_a_script_counts() -> None:
    file = SourceFile.of(SCRIPT, CATALOGUE, libraries=[LIBRARY])
    findings = Findings(file)
    findings.work(lambda: False)
    assert "invalidated-handle" in {diagnostic.rule for diagnostic in findings.diagnostics()}
    place = SCRIPT.index("  func.func @payload") + 2
    findings.advance(file.edited(FileSpan(place, place + len("func.func")), "llvm.func"))
    findings.work(lambda: False)
    assert "invalidated-handle" not in {diagnostic.rule for diagnostic in findings.diagnostics()}


def test_large_sections_are_checked_on_their_own() -> None:
    line = '  "my.op"() {value = "%s"} : () -> ()\n' % ("x" * 1000)
    file = SourceFile.of(f"{SCRIPT}\nfunc.func @large() {{\n{line * 200}}}\n", CATALOGUE)
    findings = Findings(file)
    findings.work(lambda: False)
    (large,) = (context.section for context in file.contexts if context.section.is_large)
    assert findings.has_heavy
    assert not large.is_read
    assert not findings.is_complete
    findings.check_heavy()
    assert findings.is_complete
    assert findings.diagnostics() == findings_in_file(file)


def test_a_section_needs_no_others_but_those_that_name_its_symbol() -> None:
    """A file opened far from its end shows its first findings before the rest is read."""
    names, call = ("first", "second", "third", "__transform_main"), "transform.include @second failures(propagate) (%a)"
    bodies = dict.fromkeys(names, "") | {"third": f"    {call} : (!transform.any_op) -> ()\n"}
    sequences = [
        f"  transform.named_sequence @{name}(%a: !transform.any_op) {{\n{body}    transform.yield\n  }}\n"
        for name, body in bodies.items()
    ]
    text = f"module attributes {{transform.with_named_sequence}} {{\n{''.join(sequences)}}}\n"
    file = SourceFile.of(text, CATALOGUE)
    sections = {name: file.context_at(text.index(f"@{name}(")) for name in names}
    found = {}
    for name in ("first", "second"):
        findings_of(sections[name])
        found[name] = [other for other, context in sections.items() if context.section.is_read]
    assert found == {"first": ["first"], "second": ["first", "second", "third"]}


def test_edited_sections_are_checked_before_the_rest_of_a_file_just_opened() -> None:
    sequence = (
        "  transform.named_sequence @s{0}(%root: !transform.any_op {{transform.readonly}}) {{\n"
        '    transform.annotate %root "seen_{0}" : !transform.any_op\n    transform.yield\n  }}\n'
    )
    sequences = "".join(map(sequence.format, range(20)))
    file = SourceFile.of(f"module attributes {{transform.with_named_sequence}} {{\n{sequences}}}\n", CATALOGUE)
    findings = Findings(file)
    findings.work(lambda: True)
    assert not findings.is_presentable
    for number in (15, 17):
        start = file.text.index(f'%root "seen_{number}"') + 1
        file = file.edited(FileSpan(start, start), "x")
        findings.advance(file)
        assert not findings.is_presentable
    findings.work(lambda: findings.is_presentable)
    assert findings.has_urgent_work
    assert [file.slice(found.span) for found in findings.diagnostics()] == ["%xroot", "%xroot"]
    findings.work(lambda: False)
    assert findings.is_complete
    assert findings.diagnostics() == findings_in_file(SourceFile.of(file.text, CATALOGUE))
