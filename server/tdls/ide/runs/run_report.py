"""Converts the result of a run into marks for the files it mentions: findings, and contents of handles."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from tdls.analysis.rules import find_rule
from tdls.ide.run_marks import HandleMark, RunMarks
from tdls.interpreter.output.attribution import attributed, with_advice
from tdls.interpreter.runs.locations import offset_of
from tdls.interpreter.runs.model import RunLevel, Status, name_of
from tdls.semantic.model import operation_at
from tdls.structs import Struct, field
from tdls.text.diagnostic import Diagnostic, FailedStep, Note
from tdls.text.level import Level
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.runs.model import HandleContents, Place, RunDiagnostic, RunResult
    from tdls.semantic.model import Operation

STORIES = {
    Status.CRASH: "MLIR crashed",
    Status.TIMEOUT: "the run took too long",
    Status.OUT_OF_MEMORY: "the run took too much memory",
    Status.TOO_MUCH_OUTPUT: "the run gave too much output",
}
_EMPTY = "empty: this handle stood for no payload operation, so what uses it did nothing"
_NOTHING: Mapping[str, SourceFile] = MappingProxyType({})
_WORD = re.compile(r'[%@!#^]?"?[\w$.\-]+"?(?:#\d+)?|\S')
RULE = "run"
"""The name that findings of runs have in place of a rule."""


def marks_of(
    result: RunResult,
    files: Mapping[str, SourceFile],
    script: str,
    entry: FileSpan,
    reproduction: str,
    more_files: Mapping[str, SourceFile] = _NOTHING,
) -> dict[str, RunMarks]:
    """Return the marks of `result` for `files`; the keys of both are the file names that the run used.

    Diagnostics without a place in one of them go to `entry`, the span of the entry point in `script`; notes may also
    refer to the additional files in `more_files`. `reproduction` is the command that repeats the run.
    """
    report = _ReportedRun(files, script, entry, more_files)
    for diagnostic in attributed(result):
        advised = with_advice(diagnostic, files[script].catalogue, result.mlir) if script in files else diagnostic
        report.add(advised, _failed_step(diagnostic, result))
    if result.status in STORIES:
        report.add_ending(result, reproduction)
    for handle in result.handles:
        report.add_handle(handle)
    return {name: report.marks(name) for name in files}


def findings_of(
    diagnostics: Iterable[RunDiagnostic], files: Mapping[str, SourceFile], script: str, entry: FileSpan
) -> dict[str, tuple[Diagnostic, ...]]:
    """Convert additional diagnostics into findings for `files`, as `marks_of` does; keys are file names of the run."""
    report = _ReportedRun(files, script, entry, _NOTHING)
    for diagnostic in diagnostics:
        report.add(diagnostic, None)
    return {name: tuple(findings) for name, findings in report.findings.items()}


def unreported(
    findings: Iterable[Diagnostic], file: SourceFile, reported: Iterable[Diagnostic]
) -> Iterator[Diagnostic]:
    """Yield those of `findings`, of a run of `file`, at operations that no rule certainly reports.

    `reported` are the findings of rules in the file.
    """
    certain = (finding for finding in reported if finding.level is not Level.HINT)
    rules = ((finding, find_rule(finding.rule)) for finding in certain)
    known = {id(_operation(file, finding)) for finding, rule in rules if rule is not None and not rule.is_silent}
    return (finding for finding in findings if id(_operation(file, finding)) not in known)


def _operation(file: SourceFile, finding: Diagnostic) -> Operation | None:
    context = file.context_at(finding.span.start)
    return operation_at(context.model, context.to_local(finding.span.start))


def mentioned(result: RunResult) -> set[str]:
    """Return the names of the files that `marks_of` needs in its `files`."""
    places = [*result.diagnostics, *(note for diagnostic in result.diagnostics for note in diagnostic.notes)]
    names = {place.file for place in places} | {handle.file for handle in result.handles}
    names.update(place.file for place in result.executing)
    return {name for name in names if name is not None}


def summary(result: RunResult, shown: Callable[[Place], str] = str) -> str:
    """Return one line on the failure of a run, "" if it succeeded; `shown` returns a place in words."""
    if result.status is Status.SUCCESS:
        return ""
    if result.status in STORIES:
        return f"{STORIES[result.status]}: {result.detail}"
    error = next((diagnostic for diagnostic in result.diagnostics if diagnostic.level is RunLevel.ERROR), None)
    first = error.message.partition("\n")[0] if error is not None else ""
    where = f" at {shown(result.executing[0])}" if result.executing else ""
    unread = name_of(error.file) if error is not None and error.file is not None else "the script"
    story = f"MLIR cannot parse {unread}" if result.status is Status.INVALID else f"script failed{where}"
    return f"{story}: {first}" if first else story


def uri_of_name(name: str) -> str:
    """Return the URI for the file name that a run used: a path, or the URI itself if the document is on no disk."""
    path = Path(name)
    return path.as_uri() if path.is_absolute() else name


def word_at(file: SourceFile, line: int, column: int) -> FileSpan:
    """Return the span of the word at a place in MLIR's terms (see `offset_of`): MLIR reports only its beginning."""
    start = offset_of(file, line, column)
    at = file.position(start)
    match = _WORD.match(file.line_text(at.line), at.column)
    return FileSpan(start, start + len(match[0]) if match else start)


def _failed_step(diagnostic: RunDiagnostic, result: RunResult) -> FailedStep | None:
    """Return the failed step, if `diagnostic` is an error at its operation."""
    if diagnostic.level is not RunLevel.ERROR or result.status is Status.SUCCESS or not result.executing:
        return None
    return _step(result) if diagnostic.place == result.executing[0] else None


def _step(result: RunResult) -> FailedStep:
    """Return the step that was being executed when a run ended."""
    return FailedStep(result.times[0].execution if result.times else 1)


class _ReportedRun(Struct):
    files: Mapping[str, SourceFile]
    script: str
    entry: FileSpan
    more_files: Mapping[str, SourceFile]
    findings: dict[str, list[Diagnostic]] = field(default_factory=lambda: defaultdict(list))
    handles: dict[str, dict[FileSpan, list[HandleContents]]] = field(default_factory=lambda: defaultdict(dict))

    def marks(self, name: str) -> RunMarks:
        """Return the marks of the file `name`."""
        handles = tuple(HandleMark(span, tuple(several)) for span, several in self.handles[name].items())
        return RunMarks(tuple(self.findings[name]), handles)

    def add(self, diagnostic: RunDiagnostic, failed_step: FailedStep | None) -> None:
        """Add a finding for a diagnostic of MLIR, at its place."""
        name, span, message = self._placed(diagnostic)
        notes = tuple(filter(None, (self._note(note, name) for note in diagnostic.notes)))
        level = diagnostic.level.of_finding
        self.findings[name].append(Diagnostic(RULE, level, message, span, notes, failed_step=failed_step))

    def add_ending(self, result: RunResult, reproduction: str) -> None:
        """Add a finding for a run that crashed or hit a limit, at the step; for a crash include `reproduction`."""
        name, span, where, failed_step = self.script, self.entry, "", None
        if result.executing and result.executing[0].file in self.files:
            place = result.executing[0]
            name = place.file
            span = self._word(name, place.line, place.column)
            where = " while this operation was executed"
            failed_step = _step(result)
        message = f"{STORIES[result.status]}{where}: {result.detail}"
        help_ = f"to reproduce: {reproduction}" if result.status is Status.CRASH else None
        self.findings[name].append(Diagnostic(RULE, Level.ERROR, message, span, help=help_, failed_step=failed_step))

    def add_handle(self, handle: HandleContents) -> None:
        """Store the contents of a handle by its definition, and add a finding if it was always empty."""
        if handle.file not in self.files:
            return
        span = FileSpan(handle.start, handle.end)
        self.handles[handle.file].setdefault(span, []).append(handle)
        if handle.is_empty:
            self.findings[handle.file].append(Diagnostic(RULE, Level.HINT, _EMPTY, span))

    def _placed(self, diagnostic: RunDiagnostic) -> tuple[str, FileSpan, str]:
        """Return file, span and message; the message includes the place if none of the files contains it."""
        if diagnostic.file is not None and diagnostic.file in self.files:
            return diagnostic.file, self._word(diagnostic.file, diagnostic.line, diagnostic.column), diagnostic.message
        where = f" ({diagnostic.file}:{diagnostic.line}:{diagnostic.column})" if diagnostic.file else ""
        return self.script, self.entry, diagnostic.message + where

    def _note(self, note: RunDiagnostic, owner: str) -> Note | None:
        """Convert a note, or None if it refers to another file that is on no disk."""
        other = self.more_files.get(note.file) if note.file is not None else None
        if note.file is not None and other is not None:
            return Note(note.message, word_at(other, note.line, note.column), Path(note.file))
        name, span, message = self._placed(note)
        if name == owner:
            return Note(message, span)
        return Note(message, span, Path(name)) if Path(name).is_absolute() else None

    def _word(self, name: str, line: int, column: int) -> FileSpan:
        return word_at(self.files[name], line, column)
