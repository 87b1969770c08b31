"""Places in a section, in another section and in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.context import InSection
from tdls.analysis.file.finding import Finding, SectionEdit
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.text.diagnostic import Diagnostic, TextEdit

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.text.level import Level
    from tdls.text.span import FileSpan, Span

CATALOGUE = Catalogue.shipped()

TEXT = """\
// A comment.
module @outer attributes {transform.with_named_sequence} {
  transform.named_sequence @first(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @second(%root: !transform.any_op {transform.readonly}) {
    transform.include @first failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
"""


def test_a_place_in_a_section_has_the_same_text_in_the_file() -> None:
    file = SourceFile.of(TEXT, CATALOGUE)
    contexts = list(file.contexts)
    assert len(contexts) == 3
    for context in contexts:
        for operation in context.tree.walk():
            written = file.slice(context.to_file(operation.name_span))
            assert operation.name in (written, f"builtin.{written}")


def test_a_place_in_another_section_knows_where_it_stands() -> None:
    file = SourceFile.of(TEXT, CATALOGUE)
    found = file.context_at(TEXT.index("@second")).lookup(("first",))
    assert found is not None
    place = InSection(found.context, found.operation.location)
    assert place.in_file.start == TEXT.index("transform.named_sequence @first")


def test_offsets_are_found_in_their_sections() -> None:
    file = SourceFile.of(TEXT, CATALOGUE)
    for offset in range(len(TEXT)):
        context = file.context_at(offset)
        assert context.section.text[context.to_local(offset)] == TEXT[offset]


def mixed(context: Context, span: Span, file_span: FileSpan, elsewhere: InSection, level: Level) -> None:
    """Confuse kinds of places: mypy reports each comment here that suppresses nothing."""
    context.to_file(file_span)  # type: ignore[arg-type]
    context.to_file(elsewhere)  # type: ignore[arg-type]
    context.file.slice(span)  # type: ignore[arg-type]
    context.file.slice(elsewhere)  # type: ignore[arg-type]
    context.file.edited(context.tree.members[0].span, "")  # type: ignore[arg-type]
    span = file_span  # type: ignore[assignment]
    span = elsewhere  # type: ignore[assignment]
    file_span = elsewhere  # type: ignore[assignment]
    file_span = span.shifted(1)  # type: ignore[assignment]
    TextEdit(span, "")  # type: ignore[arg-type]
    SectionEdit(file_span, "")  # type: ignore[arg-type]
    Diagnostic("rule", level, "message", span)  # type: ignore[arg-type]
    Finding("rule", level, "message", file_span)  # type: ignore[arg-type]
    Finding("rule", level, "message", elsewhere)  # type: ignore[arg-type]
