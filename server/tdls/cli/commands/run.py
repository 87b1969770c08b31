"""``tdls run``: what a script does to its payload."""

from __future__ import annotations

import difflib
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tdls.cli.checking.configured import Configurations
from tdls.cli.console import console
from tdls.cli.console.loading import STANDARD_INPUT, read_argument
from tdls.cli.console.options import colour_option, trust_option
from tdls.cli.console.suggestions import files
from tdls.cli.rendering.difference import quoted
from tdls.interpreter.backends.choice import choose
from tdls.interpreter.backends.opening import open_backend
from tdls.interpreter.jobs.backend import BackendError
from tdls.interpreter.jobs.pipeline import reproduction
from tdls.interpreter.model import Emit, Limits, RunDiagnostic, RunLevel, RunResult, Status
from tdls.interpreter.output.attribution import attributed
from tdls.interpreter.plan import PlanError, RunOptions, plan
from tdls.interpreter.script import Script
from tdls.settings.paths import named_libraries
from tdls.settings.sources import Overrides
from tdls.text.line_index import LineIndex, Position
from tdls.text.printable import printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tdls.interpreter.jobs.backend import Backend
    from tdls.interpreter.model import RunRequest
    from tdls.settings.consent import Trust
    from tdls.settings.model import BackendChoice

EXIT_CRASH = 3
EXIT_LIMIT = 4
_EXIT = {
    Status.SUCCESS: console.EXIT_CLEAN,
    Status.FAILURE: console.EXIT_FINDINGS,
    Status.INVALID: console.EXIT_USAGE,
    Status.CRASH: EXIT_CRASH,
    Status.TIMEOUT: EXIT_LIMIT,
    Status.OUT_OF_MEMORY: EXIT_LIMIT,
    Status.TOO_MUCH_OUTPUT: EXIT_LIMIT,
    Status.CANCELLED: console.EXIT_INTERRUPTED,
}
_STORIES = {
    Status.INVALID: "nothing was run",
    Status.CRASH: "MLIR crashed",
    Status.TIMEOUT: "the run took too long",
    Status.OUT_OF_MEMORY: "the run took too much memory",
    Status.TOO_MUCH_OUTPUT: "the run gave too much output",
    Status.CANCELLED: "the run was cancelled",
}
_PART_MARKER = "// -----\n"
_CONSOLE_LINES = 12
_MEBIBYTE = 1 << 20
_PLACE = re.compile(r"(\d{1,9})(?::(\d{1,9}))?", re.ASCII)


@click.command("run", short_help="Run a script and print what becomes of its payload.")
@click.argument("script", metavar="SCRIPT", shell_complete=files)
@click.option("--payload", type=click.Path(path_type=Path), metavar="FILE", help="Apply the script to this file.")
@click.option(
    "--entry-point",
    metavar="NAME",
    help="Where to begin; else with @__transform_main, or with the only entry point there is.",
)
@click.option(
    "--library",
    "libraries",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="A file, or a folder of files, with named sequences that the script includes; may be repeated.",
)
@click.option(
    "--part", type=click.IntRange(min=1), metavar="N", help="Run only part N of a file that '// -----' separates."
)
@click.option(
    "--until",
    metavar="LINE[:COLUMN]",
    help="Stop behind the operation of the script that stands there, and print the payload as it is then.",
)
@click.option(
    "--backend",
    metavar="NAME",
    help="'bindings', 'bindings:PACKAGE', or a tool that takes the options of mlir-opt; see 'tdls doctor'.",
)
@click.option(
    "--python", metavar="PATH", shell_complete=files, help="A Python interpreter that has MLIR's bindings installed."
)
@click.option(
    "--emit",
    type=click.Choice(["payload", "module", "diff"]),
    default="payload",
    show_default=True,
    help="The payload without scripts, the module with them, or how the payload changed.",
)
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), metavar="S", help="Seconds that a run may take; 30."
)
@click.option("--memory", type=click.IntRange(min=1), metavar="MIB", help="Memory that MLIR may take (Linux); 4096.")
@trust_option
@colour_option("Colour diagnostics")
def command(
    script: str,
    payload: Path | None,
    entry_point: str | None,
    libraries: tuple[Path, ...],
    part: int | None,
    until: str | None,
    backend: str | None,
    python: str | None,
    emit: str,
    timeout: float | None,
    memory: int | None,
    trust: Trust,
    colour: str,
) -> int:
    """Run SCRIPT, a file or - for standard input, and print the transformed payload.

    What is not said here is taken from a comment '// tdls: payload=... entry-point=... library=...' in the script, else
    from its RUN lines, else from the settings of its project. Diagnostics, and what the script prints, go to standard
    error.

    Exit status: 0 the script succeeded, 1 it failed, 2 wrong usage, or MLIR cannot read the script, the payload or a
    library, 3 MLIR crashed, 4 a limit was reached.
    """
    text = read_argument(script)
    path = None if script == STANDARD_INPUT else Path(script)
    configured = Configurations((), Overrides(trust=trust)).of(path)
    for complaint in configured.complaints:
        console.complain(complaint, level="warning")
    settings = configured.settings.run
    options = RunOptions(
        payload=payload,
        entry_point=entry_point.removeprefix("@") if entry_point else None,
        libraries=libraries,
        project_libraries=tuple(named_libraries(configured.settings.libraries)[0]),
        part=part - 1 if part is not None else None,
        emits=frozenset({Emit.PAYLOAD, Emit.BEFORE}) if emit == "diff" else frozenset({Emit(emit)}),
        until=_offset(text, until) if until is not None else None,
        limits=Limits(seconds=timeout or settings.timeout, memory=(memory or settings.memory) * _MEBIBYTE),
    )
    script_to_run = Script("<stdin>" if script == STANDARD_INPUT else script, text, configured.catalogue)
    choice = settings.backend_choice.overridden(backend, python)
    try:
        requests = plan(script_to_run, path, options)
        statuses = _run_planned(choice, requests, script_to_run, emit, console.wants_colour(colour, sys.stderr))
    except (PlanError, BackendError) as error:
        raise console.InputError(str(error)) from error
    return max(_EXIT[status] for status in statuses)


def _opened(choice: BackendChoice) -> Backend:
    """Return the backend, after telling people if it is one that they may not expect."""
    advice = choose(choice).advice
    runner = open_backend(choice)
    if advice:
        console.complain(f"running with {runner.name}; {advice}", level="note")
    return runner


def _offset(text: str, place: str) -> int:
    """Return the offset that ``LINE[:COLUMN]`` means, both from 1; without a column that of the line's first word."""
    found = _PLACE.fullmatch(place)
    if found is None or int(found[1]) == 0 or int(found[2] or 1) == 0:
        raise click.BadParameter(f"{place!r} is not LINE or LINE:COLUMN", param_hint="'--until'")
    lines = LineIndex(text)
    line = min(int(found[1]), lines.line_count) - 1
    indent = len(lines.line_text(line)) - len(lines.line_text(line).lstrip())
    return lines.offset(Position(line, int(found[2]) - 1 if found[2] else indent))


def _run_planned(
    choice: BackendChoice, requests: Iterable[RunRequest], script: Script, emit: str, coloured: bool
) -> list[Status]:
    """Run all requests, and return how they ended; raises BackendError."""
    runner = _opened(choice)
    try:
        return list(_run_all(runner, requests, script, emit, coloured))
    finally:
        runner.close()


def _run_all(
    runner: Backend, requests: Iterable[RunRequest], script: Script, emit: str, coloured: bool
) -> Iterator[Status]:
    for number, request in enumerate(requests):
        result = runner.run(request)
        _report(request, result, script, coloured)
        if result.status is Status.SUCCESS:
            console.write([_PART_MARKER if number and emit != "diff" else "", *_shown(request, result, emit)])
        yield result.status


def _report(request: RunRequest, result: RunResult, script: Script, coloured: bool) -> None:
    """Write to standard error what there is to say of a run beside its texts."""
    from tdls.cli.rendering.run_diagnostics import render
    from tdls.cli.rendering.source import SourceText

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


def _report_ending(result: RunResult, name: str, render: Callable[[RunDiagnostic], str]) -> None:
    """Write how a run ended that did not end by itself, and where it was then."""
    story = f"{_STORIES[result.status]}: {result.detail}"
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


def _shown(request: RunRequest, result: RunResult, emit: str) -> Iterator[str]:
    if emit != "diff":
        yield result.texts[Emit(emit)]
        return
    name = quoted((request.payload or request.script).name)
    transformed = quoted(f"{(request.payload or request.script).name} (transformed)")
    yield from difflib.unified_diff(
        result.texts[Emit.BEFORE].splitlines(keepends=True),
        result.texts[Emit.PAYLOAD].splitlines(keepends=True),
        fromfile=name,
        tofile=transformed,
    )
