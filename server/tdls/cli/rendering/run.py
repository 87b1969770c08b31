"""Results of runs for people: diagnostics of MLIR, how a run ended, and what it matched."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.cli.console import console
from tdls.cli.rendering.checked import SourceText
from tdls.cli.rendering.formats import full
from tdls.cli.rendering.trace.text import trace_place
from tdls.ide.runs.run_report import STORIES
from tdls.interpreter.matching.explanation import matcher_remarks
from tdls.interpreter.observing.instrumented import place_at
from tdls.interpreter.output.attribution import attributed, with_advice
from tdls.interpreter.runs.model import RunDiagnostic, RunLevel, Status
from tdls.interpreter.runs.pipeline import reproduction
from tdls.interpreter.until_unknown import up_to_unknown
from tdls.structs import replace
from tdls.text.diagnostic import Diagnostic, Note
from tdls.text.positions import Position
from tdls.text.printable import printable, printable_output
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.matching.explanation import Explanation
    from tdls.interpreter.runs.model import RunRequest, RunResult
    from tdls.interpreter.runs.script import Script


_ORIGIN = "mlir"
"""Rule name of findings by MLIR itself."""
SUPPRESSED = "suppressed"
"""Rule name of failures that a run suppressed."""
_NOWHERE = Path()
_WORD = re.compile(r'[%@^!#]?"[^"\n]*"|[%@^!#]?[\w.$-]+|.')


def render(diagnostic: RunDiagnostic, sources: Mapping[str, SourceText], coloured: bool, rule: str = _ORIGIN) -> str:
    """Return `diagnostic` in the ``full`` format; `sources` are the texts of the run by file name."""
    source = sources.get(diagnostic.file or "")
    if source is None:
        notes = [f"note: {full.message_lines(_message(note, sources))}" for note in diagnostic.notes]
        title = f"{diagnostic.level.value}[{rule}]: {full.message_lines(_message(diagnostic, sources))}"
        return "\n".join([title, *notes, "", ""])
    by_path = {Path(name): text for name, text in sources.items()}
    finding = Diagnostic(
        rule=rule,
        level=diagnostic.level.of_finding,
        message=diagnostic.message,
        span=_span(diagnostic, source),
        notes=tuple(_note(note, sources) for note in diagnostic.notes),
    )
    return full.render(finding, source, coloured, by_path.get)


def _note(note: RunDiagnostic, sources: Mapping[str, SourceText]) -> Note:
    source = sources.get(note.file or "")
    if source is None or note.file is None:
        return Note(_message(note, sources), FileSpan(0, 0), _NOWHERE)
    return Note(note.message, _span(note, source), Path(note.file))


def _message(diagnostic: RunDiagnostic, sources: Mapping[str, SourceText]) -> str:
    """Return the message, after its place if the text of that file is not available."""
    if diagnostic.file is None or diagnostic.file in sources:
        return diagnostic.message
    return f"{printable(diagnostic.file)}:{diagnostic.line}:{diagnostic.column}: {diagnostic.message}"


def _span(diagnostic: RunDiagnostic, source: SourceText) -> FileSpan:
    """Return the word at the diagnostic's place: MLIR gives only its start, as a 1-based column in bytes."""
    line = source.lines.line_text(min(max(diagnostic.line - 1, 0), source.lines.line_count - 1))
    column = len(line.encode("utf-8")[: max(diagnostic.column - 1, 0)].decode("utf-8", "ignore"))
    start = source.lines.offset(Position(max(diagnostic.line - 1, 0), column))
    word = _WORD.match(source.text, start)
    return FileSpan(start, word.end() if word is not None else start)


EXIT_CRASH = 3
EXIT_LIMIT = 4
EXIT = {
    Status.SUCCESS: console.EXIT_CLEAN,
    Status.FAILURE: console.EXIT_FINDINGS,
    Status.INVALID: console.EXIT_USAGE,
    Status.CRASH: EXIT_CRASH,
    Status.TIMEOUT: EXIT_LIMIT,
    Status.OUT_OF_MEMORY: EXIT_LIMIT,
    Status.TOO_MUCH_OUTPUT: EXIT_LIMIT,
    Status.CANCELLED: console.EXIT_INTERRUPTED,
}
_STORIES = {**STORIES, Status.INVALID: "nothing was run", Status.CANCELLED: "the run was cancelled"}
_CONSOLE_LINES = 12
MATCHES = "matches"
"""Rule name of remarks on matches."""


def report(request: RunRequest, result: RunResult, script: Script, coloured: bool) -> list[RunDiagnostic]:
    """Write the output, the diagnostics and the ending of a run to standard error. Returns the diagnostics."""
    sys.stderr.write(printable_output(result.printed))
    sources = {file.name: SourceText(file.name, file.text) for file in (script, *request.others)}
    advised = []
    for diagnostic in attributed(result):
        notes = (*diagnostic.notes, *_own_words(diagnostic, script, request.part, result.status))
        advised.append(with_advice(replace(diagnostic, notes=notes), script.catalogue, result.mlir))
        sys.stderr.write(render(advised[-1], sources, coloured))
    if result.detail:
        advised.append(_report_ending(result, script.name, lambda diagnostic: render(diagnostic, sources, coloured)))
    sys.stderr.writelines(f"  {printable_output(line)}\n" for line in result.console.splitlines()[:_CONSOLE_LINES])
    if result.status is Status.CRASH:
        limit = f"mlir-opt begins with named sequences only: to reproduce this there, put {request.entry_point} in one"
        how = f"to reproduce: {reproduction(request)}" if request.operation is None else limit
        console.complain(how, level="note")
    return advised


def _own_words(diagnostic: RunDiagnostic, script: Script, part: int | None, status: Status) -> Iterator[RunDiagnostic]:
    """Yield notes of what tdls says of the line that MLIR does not read, which is often more than ``expected ':'``."""
    if diagnostic.file != script.name or status is not Status.INVALID:
        return
    from tdls.ide.runs.reading import findings_about_reading

    for finding in findings_about_reading(script.file, part):
        place = place_at(script, script.original_offset(finding.span.start))
        if place.line == diagnostic.line:
            message = "; ".join(filter(None, (finding.message, finding.help)))
            yield place.diagnostic(RunLevel.NOTE, message)


def report_more(
    request: RunRequest, diagnostics: Iterable[RunDiagnostic], script: Script, coloured: bool, rule: str
) -> None:
    """Write diagnostics that tdls makes of further runs to standard error; `rule` is `MATCHES` or `SUPPRESSED`."""
    sources = {file.name: SourceText(file.name, file.text) for file in (script, *request.others)}
    for diagnostic in diagnostics:
        sys.stderr.write(render(diagnostic, sources, coloured, rule))


def report_matches(
    request: RunRequest, explanation: Explanation, script: Script, coloured: bool, *, requires: bool
) -> bool:
    """Write remarks on matchers and on empty handles to standard error.

    With `requires`, empty handles of operations that look for payload are errors. Returns whether the matches are
    known and no such handle is empty.
    """
    remarks = [
        replace(search.remark, level=RunLevel.ERROR) if requires and search.looks_for_payload else search.remark
        for search in explanation.nothing
    ]
    report_more(request, [*matcher_remarks(explanation), *remarks], script, coloured, MATCHES)
    if explanation.reason is not None:
        console.complain(f"{script.name}: what was matched, and why, is not known: {explanation.reason}")
    return explanation.reason is None and not any(search.looks_for_payload for search in explanation.nothing)


def offer_state(request: RunRequest, result: RunResult, backend: Backend, script: Script) -> None:
    """Write a note on how to see the payload right before the operation that failed, or that MLIR does not have."""
    if result.status is Status.INVALID and up_to_unknown(request, backend.read) is not None:
        console.complain("with --until-unknown the run ends before that, and prints the payload there", level="note")
    place = result.executing[0] if result.executing else None
    if place is None or place.file != script.name or result.status is Status.CANCELLED:
        return
    line = script.original.split("\n")[place.line - 1].encode("utf-8", "replace")
    column = len(line[: place.column - 1].decode("utf-8", "replace")) + 1
    at = trace_place(place.line, column, result.times[0].execution if result.times else 1)
    message = f"'tdls trace {script.name} --at {at}' with the options of this run shows the payload right before that"
    console.complain(message, level="note")


def _report_ending(result: RunResult, name: str, render: Callable[[RunDiagnostic], str]) -> RunDiagnostic:
    """Write and return why a run did not end by itself, and the operation that was being executed."""
    story = f"{_STORIES[result.status]}: {result.detail}"
    if not result.executing:
        console.complain(f"{name}: {story}")
        return RunDiagnostic(RunLevel.ERROR, story)
    ending = result.executing[0].diagnostic(RunLevel.ERROR, f"{story}; this operation was being executed")
    sys.stderr.write(render(ending))
    return ending
