"""Handles are analysed again only where an edit may have changed findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.checking.findings import Findings
from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.handles.findings import HandleFindings, handle_findings
from tdls.catalogue.catalogue import Catalogue
from tdls.semantic.symbols import symbol_name
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context

SEQUENCES = 30
_SEQUENCE = """\
  transform.named_sequence @sequence_{number}(%root: !transform.any_op {{transform.readonly}}) {{
    %loop = transform.structured.match ops{{["scf.for"]}} in %root : (!transform.any_op) -> !transform.any_op
    %same = transform.cast %loop : !transform.any_op to !transform.op<"scf.for">
    transform.loop.unroll %loop {{factor = 2}} : !transform.any_op
    transform.annotate %same "seen_{number}" : !transform.op<"scf.for">
    {call}
    transform.yield
  }}
"""
_CALL = "transform.include @sequence_{number} failures(propagate) (%root) : (!transform.any_op) -> ()"


@pytest.fixture
def run_for(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the sequences that were run to look for findings about handles."""
    names: list[str] = []

    look = handle_findings._compute

    def noting(context: Context) -> HandleFindings:
        names.extend(filter(None, map(symbol_name, context.model.operations)))
        return look(context)

    monkeypatch.setattr(handle_findings, "_compute", noting)
    return names


def _text(calls: dict[int, int]) -> str:
    """Return a module with sequences, of which some call one other."""
    sequences = (
        _SEQUENCE.format(number=number, call=_CALL.format(number=calls[number]) if number in calls else "")
        for number in range(SEQUENCES)
    )
    return "".join(["module attributes {transform.with_named_sequence} {\n", *sequences, "}\n"])


def _edited(file: SourceFile, old: str, new: str) -> SourceFile:
    start = file.text.index(old)
    return file.edited(FileSpan(start, start + len(old)), new)


def _invalidated(findings: Findings) -> int:
    return sum(each.rule == "invalidated-handle" for each in findings.diagnostics())


def test_an_edit_in_one_sequence_leaves_the_others_alone(run_for: list[str]) -> None:
    file = SourceFile.of(_text({}), Catalogue.shipped())
    findings = Findings(file)
    findings.work(lambda: False)
    assert sorted(run_for) == sorted(f"sequence_{number}" for number in range(SEQUENCES))
    assert _invalidated(findings) == SEQUENCES

    run_for.clear()
    findings.advance(_edited(file, 'annotate %same "seen_7"', 'annotate %root "seen_7"'))
    findings.work(lambda: False)
    assert run_for == ["sequence_7"]
    assert _invalidated(findings) == SEQUENCES - 1


def test_an_edit_concerns_the_callers_too(run_for: list[str]) -> None:
    file = SourceFile.of(_text({3: 7, 12: 3}), Catalogue.shipped())
    findings = Findings(file)
    findings.work(lambda: False)

    run_for.clear()
    findings.advance(_edited(file, '"seen_7"', '"seen"'))
    findings.work(lambda: False)
    assert {"sequence_7", "sequence_3"} <= set(run_for) <= {"sequence_7", "sequence_3", "sequence_12"}


def test_a_sequence_is_looked_at_as_if_the_file_were_new() -> None:
    file = SourceFile.of(_text({3: 7}), Catalogue.shipped())
    findings = Findings(file)
    findings.work(lambda: False)
    edited = _edited(file, "transform.loop.unroll %loop", "transform.annotate %loop")
    findings.advance(edited)
    findings.work(lambda: False)
    assert findings.diagnostics() == findings_in_file(SourceFile.of(edited.text, Catalogue.shipped()))


def rules(findings: Findings) -> list[str]:
    """The newest LLVM has no `linalg.exp`: that is a hint, which is not tested here."""
    return [each.rule for each in findings.diagnostics() if each.rule != "removed-operation"]


def test_a_failed_search_of_a_callee_is_reported_again_after_an_edit() -> None:
    text = (
        "module attributes {transform.with_named_sequence} {\n"
        "  func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
        "    %0 = linalg.abs ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>\n"
        "    return %0 : tensor<4xf32>\n"
        "  }\n"
        "  transform.named_sequence @marks(%func: !transform.any_op {transform.readonly}) {\n"
        '    %0 = transform.structured.match ops{["linalg.exp"]} in %func : (!transform.any_op) -> !transform.any_op\n'
        '    transform.annotate %0 "seen" : !transform.any_op\n'
        "    transform.yield\n"
        "  }\n"
        "  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {\n"
        "    transform.include @marks failures(propagate) (%root) : (!transform.any_op) -> ()\n"
        "    transform.yield\n"
        "  }\n"
        "}\n"
    )
    file = SourceFile.of(text, Catalogue.shipped())
    findings = Findings(file)
    findings.work(lambda: False)
    assert rules(findings) == ["finds-nothing"]
    for old, new, expected in (
        ("linalg.exp", "linalg.abs", []),
        ("linalg.abs ins", "linalg.exp ins", ["finds-nothing"]),
    ):
        file = _edited(file, old, new)
        findings.advance(file)
        findings.work(lambda: False)
        assert rules(findings) == expected
