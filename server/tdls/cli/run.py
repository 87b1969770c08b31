"""``tdls run``: what a script does to its payload."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tdls.cli import console
from tdls.cli.loading import STANDARD_INPUT, read_argument
from tdls.cli.options import colour_option
from tdls.interpreter.backends import BackendError, open_backend
from tdls.interpreter.model import Emit, Limits, RunResult, Status, TextFile
from tdls.interpreter.pipeline import reproduction
from tdls.interpreter.plan import PlanError, Wishes, plan
from tdls.settings.model import BackendChoice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.interpreter.backends import Backend
    from tdls.interpreter.model import RunRequest

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


@click.command("run", short_help="Run a script and print what becomes of its payload.")
@click.argument("script", metavar="SCRIPT")
@click.option("--payload", type=click.Path(path_type=Path), metavar="FILE", help="Apply the script to this file.")
@click.option("--entry-point", metavar="NAME", help="The named sequence to start with, usually __transform_main.")
@click.option(
    "--library",
    "libraries",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="A file, or a folder of files, with named sequences that the script includes; may be repeated.",
)
@click.option(
    "--backend",
    metavar="NAME",
    help="'bindings' (the default), 'bindings:PACKAGE', or a tool that takes the options of mlir-opt.",
)
@click.option(
    "--emit",
    type=click.Choice(["payload", "module", "diff"]),
    default="payload",
    show_default=True,
    help="The payload without scripts, the module with them, or how the payload changed.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    metavar="S",
    help="Seconds that the run may take.",
)
@click.option(
    "--memory",
    type=click.IntRange(min=1),
    default=4096,
    show_default=True,
    metavar="MIB",
    help="Memory that MLIR may take (Linux).",
)
@colour_option("Colour diagnostics")
def command(
    script: str,
    payload: Path | None,
    entry_point: str | None,
    libraries: tuple[Path, ...],
    backend: str | None,
    emit: str,
    timeout: float,
    memory: int,
    colour: str,
) -> int:
    """Run SCRIPT, a file or - for standard input, and print the transformed payload.

    What is not said here is taken from a comment '// tdls: payload=... entry-point=... library=...' in the script, else
    from its RUN lines. Diagnostics, and what the script prints, go to standard error.

    Exit status: 0 the script succeeded, 1 it failed, 2 wrong usage, or MLIR cannot read the script, the payload or a
    library, 3 MLIR crashed, 4 a limit was reached.
    """
    text = TextFile("<stdin>" if script == STANDARD_INPUT else script, read_argument(script))
    path = None if script == STANDARD_INPUT else Path(script)
    wishes = Wishes(
        payload=payload,
        entry_point=entry_point.removeprefix("@") if entry_point else None,
        libraries=libraries,
        project_libraries=_project_libraries(path),
        emits=frozenset({Emit.PAYLOAD, Emit.BEFORE}) if emit == "diff" else frozenset({Emit(emit)}),
        limits=Limits(seconds=timeout, memory=memory * _MEBIBYTE),
    )
    try:
        requests = plan(text, path, wishes)
        runner = open_backend(BackendChoice(backend))
        try:
            statuses = list(_run_all(runner, requests, text, emit, console.wants_colour(colour, sys.stderr)))
        finally:
            runner.close()
    except (PlanError, BackendError) as error:
        raise console.InputError(str(error)) from error
    return max(_EXIT[status] for status in statuses)


def _run_all(
    runner: Backend, requests: Iterable[RunRequest], script: TextFile, emit: str, coloured: bool
) -> Iterator[Status]:
    for number, request in enumerate(requests):
        result = runner.run(request)
        _report(request, result, script, coloured)
        if result.status is Status.SUCCESS:
            console.write([_PART_MARKER if number and emit != "diff" else "", *_shown(request, result, emit)])
        yield result.status


def _report(request: RunRequest, result: RunResult, script: TextFile, coloured: bool) -> None:
    """Write to standard error what there is to say of a run beside its texts."""
    from tdls.cli.rendering.run_diagnostics import render
    from tdls.cli.rendering.source import Source

    sys.stderr.write(result.printed)
    files = [script, *request.libraries, *([request.payload] if request.payload is not None else [])]
    sources = {file.name: Source(file.name, file.text) for file in files}
    for diagnostic in result.diagnostics:
        sys.stderr.write(render(diagnostic, sources, coloured))
    if result.detail:
        console.complain(f"{script.name}: {_STORIES[result.status]}: {result.detail}")
    sys.stderr.writelines(f"  {line}\n" for line in result.console.splitlines()[:_CONSOLE_LINES])
    if result.status is Status.CRASH:
        console.complain(f"to reproduce: {reproduction(request)}", level="note")


def _shown(request: RunRequest, result: RunResult, emit: str) -> Iterator[str]:
    if emit != "diff":
        yield result.texts[Emit(emit)]
        return
    name = (request.payload or request.script).name
    yield from difflib.unified_diff(
        result.texts[Emit.BEFORE].splitlines(keepends=True),
        result.texts[Emit.PAYLOAD].splitlines(keepends=True),
        fromfile=name,
        tofile=f"{name} (transformed)",
    )


def _project_libraries(path: Path | None) -> tuple[Path, ...]:
    from tdls.settings.paths import named_files
    from tdls.settings.sources import load_settings

    start = path.resolve().parent if path is not None else Path.cwd()
    return tuple(named_files(load_settings(start, ()).settings.libraries)[0])
