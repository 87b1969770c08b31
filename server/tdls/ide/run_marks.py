"""Marks: results of runs attached to spans of a file, which move along while the file is edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.structs import NamedTuple, Struct, replace
from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.runs.model import HandleContents, Place
    from tdls.text.diagnostic import Diagnostic


class Reason(NamedTuple):
    """Why a handle was empty, from a separate run that explains matches."""

    text: str
    place: Place | None
    """The condition of a matcher at which the nearest miss failed, or that miss itself."""
    misses: tuple[tuple[str, Place | None], ...] = ()
    """Candidates that did not match, each with the reason, the nearest miss first."""


class HandleMark(Struct, frozen=True):
    """The handles that are defined by the name at `span`: one, or those of a result group in their order."""

    span: FileSpan
    handles: tuple[HandleContents, ...]
    reason: Reason | None = None


class MatcherMark(Struct, frozen=True):
    """Results of a matcher in the last run; `span` is that of the name in its definition."""

    span: FileSpan
    summary: str
    """A short label: ``matched 3 of 47``."""
    story: str
    """Markdown with the conditions at which operations failed, the nearest misses first."""
    misses: tuple[Place, ...] = ()
    """The conditions at which operations failed, each with its implementation and the first operation that failed."""


class RunMarks(Struct, frozen=True):
    """Results of runs for one file; spans are those of its present version."""

    findings: tuple[Diagnostic, ...] = ()
    handles: tuple[HandleMark, ...] = ()
    stop: FileSpan | None = None
    """The span of the line that the last run was limited to, None if it ran to the end."""
    matchers: tuple[MatcherMark, ...] = ()
    suppressed: tuple[Diagnostic, ...] = ()
    """Suppressed failures, which a separate run found."""
    refuted: tuple[Diagnostic, ...] = ()
    """Findings of rules by which MLIR does not read the file, though it did."""

    confirmed: tuple[Diagnostic, ...] = ()
    """Findings of rules that MLIR confirmed when it read the file, with its words in their notes."""

    @property
    def all_findings(self) -> tuple[Diagnostic, ...]:
        """The findings of both kinds of runs."""
        return (*self.findings, *self.suppressed)

    def __bool__(self) -> bool:
        return bool(self.all_findings or self.handles or self.stop or self.matchers or self.refuted or self.confirmed)

    def unrefuted(self, findings: Iterable[Diagnostic], file: SourceFile) -> list[Diagnostic]:
        """Return those of `findings` about `file`, in its present version, that the run did not refute.

        None is refuted in a file that is checked for a version of LLVM, perhaps only since the run. Those that MLIR
        confirmed have its words in their notes.
        """
        refuted = {_identity(finding) for finding in self.refuted} if file.catalogue.target is None else set()
        notes = {_identity(finding): finding.notes for finding in self.confirmed}
        kept = (each for each in findings if _identity(each) not in refuted)
        return [replace(each, notes=notes[key]) if (key := _identity(each)) in notes else each for each in kept]

    def with_those_of(self, others: RunMarks) -> RunMarks:
        """Merge with `others`, which take precedence for marks with the same span."""
        handles = {mark.span: mark for mark in (*self.handles, *others.handles)}
        known = {_identity(finding) for finding in self.findings}
        new = (finding for finding in others.findings if _identity(finding) not in known)
        findings = dict.fromkeys((*self.findings, *new))
        matchers = {mark.span: mark for mark in (*self.matchers, *others.matchers)}
        stop = others.stop or self.stop
        suppressed = tuple(dict.fromkeys((*self.suppressed, *others.suppressed)))
        refuted = tuple(dict.fromkeys((*self.refuted, *others.refuted)))
        confirmed = (*self.confirmed, *others.confirmed)
        return RunMarks(
            tuple(findings), tuple(handles.values()), stop, tuple(matchers.values()), suppressed, refuted, confirmed
        )

    def explained(
        self, matchers: tuple[MatcherMark, ...], reasons: Mapping[int, Reason], suppressed: tuple[Diagnostic, ...]
    ) -> RunMarks:
        """Return a copy with marks of matchers, and with reasons of empty handles by the offset of their definition.

        `suppressed` are suppressed failures.
        """
        handles = (replace(mark, reason=reasons.get(mark.span.start, mark.reason)) for mark in self.handles)
        return replace(self, handles=tuple(handles), matchers=matchers, suppressed=suppressed)

    def with_document_of_failure(self, address: str) -> RunMarks:
        """Return a copy whose findings on failed steps have the address of the payload before the failure."""
        return replace(self, findings=tuple(_with_document(finding, address) for finding in self.findings))

    def handle_at(self, offset: int) -> HandleMark | None:
        """Return the mark of the handles whose name begins at `offset`."""
        return next((mark for mark in self.handles if mark.span.start == offset), None)

    def matcher_in(self, span: FileSpan) -> MatcherMark | None:
        """Return the mark of the matcher that is defined by the operation at `span`."""
        return next((mark for mark in self.matchers if span.start <= mark.span.start < span.end), None)

    def edited(self, file: SourceFile, span: FileSpan, text: str) -> RunMarks:
        """Return the marks that are still valid after `span` of `file` was replaced by `text`.

        A finding is valid, or refuted, until its line changes. The contents of a handle are valid until its line, or
        the text before it in its section, changes: nothing after an operation of a script influences its results. The
        results of a matcher are valid until its section changes. A suppressed failure is valid as long as the contents
        of a handle there.
        """
        growth = len(text) - (span.end - span.start)

        def stays(place: FileSpan) -> bool:
            return not _touches_lines(file, place, span, text)

        def holds(place: FileSpan) -> bool:
            return stays(place) and not _may_influence(file, span, place)

        def moved(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
            return tuple(_moved(finding, span, growth) for finding in findings if stays(finding.span))

        handles = (mark for mark in self.handles if holds(mark.span))
        matchers = (mark for mark in self.matchers if not _is_in_section_of(file, span, mark.span))
        return RunMarks(
            moved(self.findings),
            tuple(replace(mark, span=_shifted(mark.span, span, growth)) for mark in handles),
            _shifted(self.stop, span, growth) if self.stop is not None and stays(self.stop) else None,
            tuple(replace(mark, span=_shifted(mark.span, span, growth)) for mark in matchers),
            moved(finding for finding in self.suppressed if holds(finding.span)),
            moved(self.refuted),
            moved(self.confirmed),
        )


def _identity(finding: Diagnostic) -> tuple[str, FileSpan, str]:
    return finding.rule, finding.span, finding.message


def _with_document(finding: Diagnostic, address: str) -> Diagnostic:
    step = finding.failed_step
    return replace(finding, failed_step=replace(step, document=address)) if step is not None else finding


def _touches_lines(file: SourceFile, span: FileSpan, edit: FileSpan, text: str) -> bool:
    """Return whether the lines of `span` change; whole lines inserted or deleted next to them do not count."""
    first, last = file.position(span.start).line, file.position(span.end).line
    start = file.offset(Position(first, 0))
    end = file.offset(Position(last, 0)) + len(file.line_text(last))
    if edit.end == start:
        return not (text.endswith("\n") if text else file.position(edit.start).column == 0)
    return not text.startswith("\n") if edit.start == end else edit.start < end and edit.end > start


def _may_influence(file: SourceFile, edit: FileSpan, handle: FileSpan) -> bool:
    return edit.start < handle.start and _is_in_section_of(file, edit, handle)


def _is_in_section_of(file: SourceFile, edit: FileSpan, place: FileSpan) -> bool:
    """Return whether an edit begins in the section that contains `place`."""
    pieces = file.sections.pieces
    return pieces[file.piece_at(edit.start)].section is pieces[file.piece_at(place.start)].section


def _moved(finding: Diagnostic, edit: FileSpan, growth: int) -> Diagnostic:
    notes = (
        note if note.path is not None else replace(note, span=_shifted(note.span, edit, growth))
        for note in finding.notes
    )
    return replace(finding, span=_shifted(finding.span, edit, growth), notes=tuple(notes), fixes=())


def _shifted(span: FileSpan, edit: FileSpan, growth: int) -> FileSpan:
    """Shift a span after the edit; cut a span that overlaps the edit off at the edit's start."""
    if span.start >= edit.end:
        return span.shifted(growth)
    return span if span.end <= edit.start else FileSpan(min(span.start, edit.start), edit.start)
