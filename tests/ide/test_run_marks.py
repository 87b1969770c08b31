"""Marks of a run move with their text while the file is edited, and vanish when the text itself changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ide.with_cursor import CATALOGUE
from tdls.analysis.file.source_file import SourceFile
from tdls.ide.run_marks import HandleMark, RunMarks
from tdls.interpreter.runs.model import Contents, HandleContents
from tdls.semantic.handle_types import HandleKind
from tdls.text.diagnostic import Diagnostic, Note
from tdls.text.level import Level
from tdls.text.span import FileSpan

TEXT = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @first(%root: !transform.any_op) {
    %a = transform.structured.match ops{["x"]} in %root : (!transform.any_op) -> !transform.any_op
    %b = transform.get_parent_op %a : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.named_sequence @second(%root: !transform.any_op) {
    %c = transform.get_parent_op %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
"""
MOMENT = Contents(1, {"x": 1})


def marks_on(*words: str) -> RunMarks:
    """A finding and a handle at each of `words`."""
    spans = [FileSpan(TEXT.index(word), TEXT.index(word) + len(word)) for word in words]
    handles = (HandleContents("f", *span, HandleKind.OPERATIONS, 1, (MOMENT,)) for span in spans)
    return RunMarks(
        tuple(Diagnostic("run", Level.ERROR, word, span) for word, span in zip(words, spans, strict=True)),
        tuple(HandleMark(span, (handle,)) for span, handle in zip(spans, handles, strict=True)),
    )


def after_edit(marks: RunMarks, old: str, new: str) -> tuple[list[str], list[str]]:
    """The texts under findings and handles after the first `old` was replaced by `new`."""
    file = SourceFile.of(TEXT, CATALOGUE)
    span = FileSpan(TEXT.index(old), TEXT.index(old) + len(old))
    edited = file.edited(span, new)
    left = marks.edited(file, span, new)
    return [edited.slice(finding.span) for finding in left.findings], [
        edited.slice(handle.span) for handle in left.handles
    ]


def test_edits_of_other_lines_move_marks() -> None:
    marks = marks_on("%a", "%b", "%c")
    findings, handles = after_edit(marks, "module attributes", "// a comment\nmodule attributes")
    assert findings == handles == ["%a", "%b", "%c"]


def test_an_edit_of_the_line_removes_its_marks() -> None:
    findings, _ = after_edit(marks_on("%a", "%b", "%c"), 'ops{["x"]}', 'ops{["xy"]}')
    assert findings == ["%b", "%c"]


def test_lines_may_come_and_go_around_a_mark() -> None:
    line = "    transform.yield\n"
    for old, new in ((line, f"{line}\n"), (line, ""), ("    %b =", "\n    %b =")):
        findings, _ = after_edit(marks_on("%a", "%c"), old, new)
        assert findings == ["%a", "%c"]


def test_contents_behind_the_edit_in_its_sequence_are_removed() -> None:
    _, handles = after_edit(marks_on("%a", "%b", "%c"), 'ops{["x"]}', 'ops{["xy"]}')
    assert handles == ["%c"]


def test_contents_before_the_edit_are_kept() -> None:
    _, handles = after_edit(marks_on("%a", "%b", "%c"), "transform.yield", "// more\n    transform.yield")
    assert handles == ["%a", "%b", "%c"]


def test_notes_move_with_their_file() -> None:
    file = SourceFile.of(TEXT, CATALOGUE)
    note = Note("here", FileSpan(TEXT.index("%c"), TEXT.index("%c") + 2))
    marks = RunMarks((Diagnostic("run", Level.ERROR, "m", FileSpan(0, 6), (note,)),))
    at = TEXT.index("    transform.yield")
    edited = marks.edited(file, FileSpan(at, at), "    \n")
    assert edited.findings[0].notes[0].span == note.span.shifted(5)
    assert edited.findings[0].span == FileSpan(0, 6)


@given(data=st.data())
def test_a_mark_is_on_its_word_or_gone(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(TEXT)))
    end = data.draw(st.integers(start, min(len(TEXT), start + 30)))
    new = data.draw(st.text(alphabet="a \n%{}", max_size=5))
    file = SourceFile.of(TEXT, CATALOGUE)
    left = marks_on("%a", "%b", "%c").edited(file, FileSpan(start, end), new)
    text = TEXT[:start] + new + TEXT[end:]
    assert all(text[finding.span.start : finding.span.end] == finding.message for finding in left.findings)


def test_nothing_is_refuted_in_a_file_that_is_checked_for_a_version() -> None:
    finding = Diagnostic("syntax-error", Level.ERROR, "expected `to`", FileSpan(0, 6))
    other = Diagnostic("syntax-error", Level.ERROR, "expected `in`", FileSpan(0, 6))
    marks = RunMarks(refuted=(finding,))
    assert marks.unrefuted([finding, other], SourceFile.of(TEXT, CATALOGUE)) == [other]
    assert marks.unrefuted([finding, other], SourceFile.of(TEXT, CATALOGUE.at(22))) == [finding, other]
