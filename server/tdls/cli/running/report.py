"""What a run says beside its texts, on standard error, and its exit status."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from tdls.cli.console import console
from tdls.cli.rendering.run_diagnostics import render
from tdls.cli.rendering.source import SourceText
from tdls.cli.rendering.trace_place import trace_place
from tdls.interpreter.jobs.pipeline import reproduction
from tdls.interpreter.matching.words import matcher_remarks, most_work, slowest
from tdls.interpreter.model import RunDiagnostic, RunLevel, Status
from tdls.interpreter.output.attribution import attributed
from tdls.text.printable import printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tdls.interpreter.matching.explanation import Explanation
    from tdls.interpreter.model import RunRequest, RunResult
    from tdls.interpreter.script import Script

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
STORIES = {
    Status.INVALID: "nothing was run",
    Status.CRASH: "MLIR crashed",
    Status.TIMEOUT: "the run took too long",
    Status.OUT_OF_MEMORY: "the run took too much memory",
    Status.TOO_MUCH_OUTPUT: "the run gave too much output",
    Status.CANCELLED: "the run was cancelled",
}
_CONSOLE_LINES = 12
_MATCHES = "matches"
"""What remarks on matches have for the name of a rule."""


def report(request: RunRequest, result: RunResult, script: Script, coloured: bool) -> None:
    """Write to standard error what there is to say of a run beside its texts."""
    sys.stderr.write(printable_lines(result.printed))
    files = [script, *request.others]
    sources = {file.name: SourceText(file.name, file.text) for file in files}
    for diagnostic in attributed(result):
        sys.stderr.write(render(diagnostic, sources, coloured))
    if result.detail:
        _report_ending(result, script.name, lambda diagnostic: render(diagnostic, sources, coloured))
    sys.stderr.writelines(f"  {printable(line)}\n" for line in result.console.splitlines()[:_CONSOLE_LINES])
    if result.status is Status.CRASH:
        console.complain(_reproduction(request), level="note")


def report_unmet(request: RunRequest, errors: Iterable[RunDiagnostic], script: Script, coloured: bool) -> None:
    """Write to standard error which matches found another number of operations than is expected."""
    sources = {file.name: SourceText(file.name, file.text) for file in (script, *request.others)}
    for error in errors:
        sys.stderr.write(render(error, sources, coloured, _MATCHES))


def report_matches(
    request: RunRequest, explanation: Explanation, script: Script, coloured: bool, *, requires: bool
) -> bool:
    """Write to standard error what matchers did, and which handles hold nothing: as errors if that `requires`.

    Returns whether all that looks for payload found some.
    """
    sources = {file.name: SourceText(file.name, file.text) for file in (script, *request.others)}
    for diagnostic in matcher_remarks(explanation):
        sys.stderr.write(render(diagnostic, sources, coloured, _MATCHES))
    work = most_work(explanation)
    if work:
        console.complain(f"{script.name}: {work}", level="remark")
    times = slowest(explanation)
    if times:
        console.complain(f"{script.name}: {times}", level="remark")
    for found in explanation.nothing:
        level = RunLevel.ERROR if requires and found.looks_for_payload else found.remark.level
        sys.stderr.write(render(replace(found.remark, level=level), sources, coloured, _MATCHES))
    if explanation.reason is not None:
        console.complain(f"{script.name}: what was matched, and why, is not known: {explanation.reason}")
    return explanation.reason is None and not any(found.looks_for_payload for found in explanation.nothing)


def offer_state(result: RunResult, script: Script) -> None:
    """Say on standard error how to see the payload as it was right before the operation that failed."""
    place = result.executing[0] if result.executing else None
    if place is None or place.file != script.name or result.status is Status.CANCELLED:
        return
    line = script.original.split("\n")[place.line - 1].encode("utf-8", "replace")
    column = len(line[: place.column - 1].decode("utf-8", "replace")) + 1
    at = trace_place(place.line, column, result.times[0].execution if result.times else 1)
    message = f"'tdls trace {script.name} --at {at}' with the options of this run shows the payload right before that"
    console.complain(message, level="note")


def _report_ending(result: RunResult, name: str, render: Callable[[RunDiagnostic], str]) -> None:
    """Write how a run ended that did not end by itself, and where it was then."""
    story = f"{STORIES[result.status]}: {result.detail}"
    if not result.executing:
        console.complain(f"{name}: {story}")
        return
    place = result.executing[0]
    message = f"{story}; this operation was being executed"
    sys.stderr.write(render(RunDiagnostic(RunLevel.ERROR, message, place.file, place.line, place.column)))


def _reproduction(request: RunRequest) -> str:
    if request.operation is None:
        return f"to reproduce: {reproduction(request)}"
    return f"mlir-opt begins with named sequences only: to reproduce this with it, put {request.entry_point} into one"
