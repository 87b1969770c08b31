"""What a run said about places of a file, kept in place while the file is edited."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.model import HandleContents, Place
    from tdls.text.diagnostic import Diagnostic, Note


@dataclass(frozen=True, slots=True)
class HandleMark:
    """The handles that are defined by the name at `span`: one, or those of a result group in their order."""

    span: FileSpan
    handles: tuple[HandleContents, ...]
    why_empty: str = ""
    """Why they stood for nothing, if they did and that is known."""
    reason: str = ""
    """Why nothing was matched, as another run told."""
    reason_place: Place | None = None
    """Where that can be seen: the condition of a matcher that the nearest miss failed at, or that miss."""
    misses: tuple[tuple[str, Place | None], ...] = ()
    """What was looked at, and why it is not what was looked for, the nearest miss first."""

    def because(self, reason: Reason) -> HandleMark:
        """Return the same with the reason for which nothing was found."""
        return replace(self, reason=reason.text, reason_place=reason.place, misses=reason.misses)


class Reason(NamedTuple):
    """Why a handle held nothing, where that can be seen, and what was looked at."""

    text: str
    place: Place | None
    misses: tuple[tuple[str, Place | None], ...] = ()


@dataclass(frozen=True, slots=True)
class MatcherMark:
    """What a matcher, whose name stands at `span` where it is defined, did in the last run."""

    span: FileSpan
    summary: str
    """A few words: ``matched 3 of 47``."""
    story: str
    """Markdown that says where others failed, the nearest misses first."""
    misses: tuple[Place, ...] = ()
    """Where the conditions are at which they failed, and what failed there first."""


@dataclass(frozen=True, slots=True)
class RunMarks:
    """What runs said about one file; places are those of its present version."""

    findings: tuple[Diagnostic, ...] = ()
    handles: tuple[HandleMark, ...] = ()
    stop: FileSpan | None = None
    """What is written in the line that the last run went to, if it did not go to the end."""
    matchers: tuple[MatcherMark, ...] = ()
    unmet: tuple[Diagnostic, ...] = ()
    """What another run tells beside `findings`: that another number of operations was matched than is expected."""

    @property
    def all_findings(self) -> tuple[Diagnostic, ...]:
        """Return all that is to be shown as findings."""
        return (*self.findings, *self.unmet)

    def __bool__(self) -> bool:
        return bool(self.all_findings or self.handles or self.stop or self.matchers)

    def with_those_of(self, others: RunMarks) -> RunMarks:
        """Return these marks and `others`, which know better of handles that both know."""
        handles = {mark.span: mark for mark in (*self.handles, *others.handles)}
        findings = dict.fromkeys((*self.findings, *others.findings))
        matchers = {mark.span: mark for mark in (*self.matchers, *others.matchers)}
        stop = others.stop or self.stop
        unmet = tuple(dict.fromkeys((*self.unmet, *others.unmet)))
        return RunMarks(tuple(findings), tuple(handles.values()), stop, tuple(matchers.values()), unmet)

    def explained(
        self, matchers: tuple[MatcherMark, ...], reasons: Mapping[int, Reason], unmet: tuple[Diagnostic, ...]
    ) -> RunMarks:
        """Return these marks with what matchers did, and why handles held nothing, by where these are defined.

        `unmet` tell where another number of operations was matched than is expected.
        """
        handles = (
            mark.because(reasons[mark.span.start]) if mark.span.start in reasons else mark for mark in self.handles
        )
        return replace(self, handles=tuple(handles), matchers=matchers, unmet=unmet)

    def with_document_of_failure(self, address: str) -> RunMarks:
        """Return these marks, with the address of the payload before the failure at what stands where a step failed."""
        return replace(self, findings=tuple(_with_document(finding, address) for finding in self.findings))

    def handle_at(self, offset: int) -> HandleMark | None:
        """Return what is known of the handles whose name begins at `offset`."""
        return next((mark for mark in self.handles if mark.span.start == offset), None)

    def matcher_in(self, span: FileSpan) -> MatcherMark | None:
        """Return what is known of the matcher that is defined by the operation at `span`."""
        return next((mark for mark in self.matchers if span.start <= mark.span.start < span.end), None)

    def edited(self, file: SourceFile, span: FileSpan, text: str) -> RunMarks:
        """Return what still holds after `span` of `file` was replaced by `text`.

        A finding holds until its line changes. What a handle stands for holds until its line, or what is before it in
        its section, changes: nothing behind an operation of a script influences what the operation found. What a
        matcher did holds until its section changes. That a count is not met holds as long as that of a handle, and
        until a section changes in which the reasons for it are.
        """
        growth = len(text) - (span.end - span.start)
        stays = self.stop is not None and not _touches_lines(file, self.stop, span, text)
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
            _shifted(self.stop, span, growth) if self.stop is not None and stays else None,
            tuple(
                replace(mark, span=_shifted(mark.span, span, growth))
                for mark in self.matchers
                if not _is_in_section_of(file, span, mark.span)
            ),
            tuple(
                _moved(finding, span, growth)
                for finding in self.unmet
                if not _touches_lines(file, finding.span, span, text)
                and not _may_influence(file, span, finding.span)
                and not any(_may_explain(file, span, finding, note) for note in finding.notes)
            ),
        )


def _with_document(finding: Diagnostic, address: str) -> Diagnostic:
    step = finding.failed_step
    return replace(finding, failed_step=replace(step, document=address)) if step is not None else finding


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


def _may_explain(file: SourceFile, edit: FileSpan, finding: Diagnostic, note: Note) -> bool:
    """Tell whether an edit is in the section of a reason that stands in another one than the finding."""
    is_there = note.path is None and _is_in_section_of(file, edit, note.span)
    return is_there and not _is_in_section_of(file, edit, finding.span)


def _may_influence(file: SourceFile, edit: FileSpan, handle: FileSpan) -> bool:
    if edit.start >= handle.start:
        return False
    return _is_in_section_of(file, edit, handle)


def _is_in_section_of(file: SourceFile, edit: FileSpan, place: FileSpan) -> bool:
    """Tell whether an edit begins in the section that something stands in."""
    sections = file.sections
    edited = sections.pieces[sections.piece_at(edit.start)].section
    return edited is sections.pieces[sections.piece_at(place.start)].section


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
