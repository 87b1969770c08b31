"""What a run said about places of a file, kept in place while the file is edited."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tdls.text.line_index import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.model import HandleContents
    from tdls.text.diagnostic import Diagnostic, Note


@dataclass(frozen=True, slots=True)
class HandleMark:
    """The handles that are defined by the name at `span`: one, or those of a result group in their order."""

    span: FileSpan
    handles: tuple[HandleContents, ...]


@dataclass(frozen=True, slots=True)
class RunMarks:
    """What runs said about one file; places are those of its present version."""

    findings: tuple[Diagnostic, ...] = ()
    handles: tuple[HandleMark, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.findings or self.handles)

    def with_those_of(self, others: RunMarks) -> RunMarks:
        """Return these marks and `others`, which know better of handles that both know."""
        handles = {mark.span: mark for mark in (*self.handles, *others.handles)}
        return RunMarks(tuple(dict.fromkeys((*self.findings, *others.findings))), tuple(handles.values()))

    def handle_at(self, offset: int) -> HandleMark | None:
        """Return what is known of the handles whose name begins at `offset`."""
        return next((mark for mark in self.handles if mark.span.start == offset), None)

    def edited(self, file: SourceFile, span: FileSpan, text: str) -> RunMarks:
        """Return what still holds after `span` of `file` was replaced by `text`.

        A finding holds until its line changes. What a handle stands for holds until its line, or what is before it in
        its section, changes: nothing behind an operation of a script influences what the operation found.
        """
        growth = len(text) - (span.end - span.start)
        return RunMarks(
            tuple(
                _moved(finding, span, growth)
                for finding in self.findings
                if not _touches_lines(file, finding.span, span, text)
            ),
            tuple(
                replace(mark, span=_shifted(mark.span, span, growth))
                for mark in self.handles
                if not _touches_lines(file, mark.span, span, text) and not _may_influence(file, span, mark.span)
            ),
        )


def _touches_lines(file: SourceFile, span: FileSpan, edit: FileSpan, text: str) -> bool:
    """Tell whether the lines of `span` change. Whole lines may come and go before and behind them."""
    first, last = file.position(span.start).line, file.position(span.end).line
    start = file.offset(Position(first, 0))
    end = file.offset(Position(last, 0)) + len(file.line_text(last))
    if edit.end == start:
        return not (text.endswith("\n") if text else file.position(edit.start).column == 0)
    if edit.start == end:
        return not text.startswith("\n")
    return edit.start < end and edit.end > start


def _may_influence(file: SourceFile, edit: FileSpan, handle: FileSpan) -> bool:
    if edit.start >= handle.start:
        return False
    sections = file.sections
    edited = sections.pieces[sections.piece_at(edit.start)].section
    return edited is sections.pieces[sections.piece_at(handle.start)].section


def _moved(finding: Diagnostic, edit: FileSpan, growth: int) -> Diagnostic:
    notes = tuple(_moved_note(note, edit, growth) for note in finding.notes)
    return replace(finding, span=_shifted(finding.span, edit, growth), notes=notes)


def _moved_note(note: Note, edit: FileSpan, growth: int) -> Note:
    return note if note.path is not None else replace(note, span=_shifted(note.span, edit, growth))


def _shifted(span: FileSpan, edit: FileSpan, growth: int) -> FileSpan:
    """Move what stands behind the edit; what the edit reaches into ends where the edit begins."""
    if span.start >= edit.end:
        return span.shifted(growth)
    return span if span.end <= edit.start else FileSpan(min(span.start, edit.start), edit.start)
