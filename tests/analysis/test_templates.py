"""Templates get one hint, and no findings that rest on what is filled in."""

from __future__ import annotations

import pytest

from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.checking.findings import Findings
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.syntax.layout import first_placeholder
from tdls.text.span import FileSpan, Span

SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    HOLE
    transform.yield
  }
}
"""
HOLES = (
    (
        "%1, %2 = transform.structured.tile_using_for %0 tile_sizes [@TILE_SIZE@] : "
        "(!transform.any_op) -> (!transform.any_op, !transform.any_op)"
    ),
    "{{ steps | indent(4) }}",
    "{% for step in steps %}",
    "${BODY}",
    (
        "%1, %2 = transform.structured.tile_using_for %0 tile_sizes [__id0__] : "
        "(!transform.any_op) -> (!transform.any_op, !transform.any_op)"
    ),
    "transform.${prefix}.step %0 : !transform.any_op\n    transform.{{other}} %undefined",
)
NO_HOLES = (
    '"test.op"() {a = "@TILE@ {{x}} ${y} {% z %} __id0__"} : () -> ()',
    "// expected-note @below {{message}} and @NAME@ and ${x}",
    "transform.include @a::@b failures(propagate) () : () -> ()",
    '"test.op"() {__internal_linalg_transform__, __id0__a = 1} : () -> ()',
    '"test.op"(%__id0__, @__id0__) : () -> ()',
    '"unclosed @NAME@',
    "func.func private @deep@name()",
    "func.func private @DEEP@NAME()",
)


def rules_in(text: str) -> list[str]:
    return [finding.rule for finding in findings_in_file(SourceFile.of(text, Catalogue.shipped()))]


@pytest.mark.parametrize("hole", HOLES)
def test_a_template_gets_one_hint(hole: str) -> None:
    assert rules_in(SCRIPT.replace("HOLE", hole)) == ["template-placeholder"]


def test_a_hint_is_given_once_for_a_file() -> None:
    sequence = "transform.named_sequence @{0}() {{\n  {{{{body}}}}\n}}\n"
    assert rules_in("".join(sequence.format(name) for name in "abc")) == ["template-placeholder"]


@pytest.mark.parametrize("text", NO_HOLES)
def test_what_mlir_has_is_no_placeholder(text: str) -> None:
    assert first_placeholder(text) is None


def test_the_place_is_that_of_the_placeholder() -> None:
    text = '// @A@\n"@B@" @C@'
    start = text.index("@C@")
    assert first_placeholder(text) == Span(start, start + 3)


CALLER = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @filled_in failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
SEQUENCES
}
"""


def test_a_sequence_may_be_filled_in() -> None:
    assert rules_in(CALLER.replace("SEQUENCES", "")) == ["unknown-symbol"]
    assert rules_in(CALLER.replace("SEQUENCES", "  {{ sequences }}")) == ["template-placeholder"]


def test_comments_in_templates_may_be_used() -> None:
    text = SCRIPT.replace("HOLE", "{{ steps }} // tdls: ignore[use-after-free]")
    assert rules_in(text) == ["template-placeholder"]


def test_edits_make_and_unmake_templates() -> None:
    text = CALLER.replace("SEQUENCES", "")
    file = SourceFile.of(text, Catalogue.shipped())
    findings = Findings(file)
    findings.work(lambda: False)
    place = len(text) - 2
    for start, end, new_text in ((place, place, "  {{ x }}\n"), (place, place + len("  {{ x }}\n"), "")):
        file = file.edited(FileSpan(start, end), new_text)
        findings.advance(file)
        findings.work(lambda: False)
        assert findings.diagnostics() == findings_in_file(SourceFile.of(file.text, Catalogue.shipped()))
    assert [finding.rule for finding in findings.diagnostics()] == ["unknown-symbol"]
