"""``tdls run``: what a script does to its payload."""

from __future__ import annotations

import difflib
import re
import sys
from typing import TYPE_CHECKING

import click

from tdls.cli.console import console
from tdls.cli.console.options import colour_option, trust_option
from tdls.cli.console.suggestions import files
from tdls.cli.rendering.difference import quoted
from tdls.cli.running.options import run_options
from tdls.cli.running.planned import ScriptToRun, offset_of
from tdls.cli.running.report import EXIT, report
from tdls.interpreter.jobs.backend import BackendError
from tdls.interpreter.model import Emit, RunResult, Status
from tdls.interpreter.plan import NO_PAYLOAD, PlanError, has_payload

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.cli.running.options import RunWishes
    from tdls.interpreter.jobs.backend import Backend
    from tdls.interpreter.model import RunRequest
    from tdls.settings.consent import Trust

_PART_MARKER = "// -----\n"
_PLACE = re.compile(r"(\d{1,9})(?::(\d{1,9}))?", re.ASCII)


@click.command("run", short_help="Run a script and print what becomes of its payload.")
@click.argument("script", metavar="SCRIPT", shell_complete=files)
@run_options
@click.option(
    "--until",
    metavar="LINE[:COLUMN]",
    help="Stop behind the operation of the script that stands there, and print the payload as it is then.",
)
@click.option(
    "--emit",
    type=click.Choice(["payload", "module", "diff"]),
    default="payload",
    show_default=True,
    help="The payload without scripts, the module with them, or how the payload changed.",
)
@trust_option
@colour_option("Colour diagnostics")
def command(script: str, wishes: RunWishes, until: str | None, emit: str, trust: Trust, colour: str) -> int:
    """Run SCRIPT, a file or - for standard input, and print the transformed payload.

    What is not said here is taken from a comment '// tdls: payload=... entry-point=... library=...' in the script, else
    from its RUN lines, else from the settings of its project. Diagnostics, and what the script prints, go to standard
    error.

    Exit status: 0 the script succeeded, 1 it failed, 2 wrong usage, or MLIR cannot read the script, the payload or a
    library, 3 MLIR crashed, 4 a limit was reached.
    """
    to_run = ScriptToRun.of(script, wishes, trust)
    emits = frozenset({Emit.PAYLOAD, Emit.BEFORE}) if emit == "diff" else frozenset({Emit(emit)})
    last = _offset(to_run.script.text, until) if until is not None else None
    try:
        requests = to_run.requests(wishes, emits, last)
        statuses = _run_planned(to_run, requests, emit, console.wants_colour(colour, sys.stderr))
    except (PlanError, BackendError) as error:
        raise console.InputError(str(error)) from error
    return max(EXIT[status] for status in statuses)


def _offset(text: str, place: str) -> int:
    """Return the offset that ``LINE[:COLUMN]`` means, both from 1; without a column that of the line's first word."""
    found = _PLACE.fullmatch(place)
    if found is None or int(found[1]) == 0 or int(found[2] or 1) == 0:
        raise click.BadParameter(f"{place!r} is not LINE or LINE:COLUMN", param_hint="'--until'")
    return offset_of(text, int(found[1]), int(found[2]) if found[2] else None)


def _run_planned(to_run: ScriptToRun, requests: Iterable[RunRequest], emit: str, coloured: bool) -> list[Status]:
    """Run all requests, and return how they ended; raises BackendError."""
    backend = to_run.opened()
    try:
        return list(_run_all(backend, requests, to_run, emit, coloured))
    finally:
        backend.close()


def _run_all(
    backend: Backend, requests: Iterable[RunRequest], to_run: ScriptToRun, emit: str, coloured: bool
) -> Iterator[Status]:
    for number, request in enumerate(requests):
        result = backend.run(request)
        report(request, result, to_run.script, coloured)
        if result.status is Status.SUCCESS:
            if not has_payload(request):
                advice = "name one with --payload, or in a comment '// tdls: payload=FILE'"
                console.complain(f"{to_run.script.name}: {NO_PAYLOAD}; {advice}", level="warning")
            console.write([_PART_MARKER if number and emit != "diff" else "", *_shown(request, result, emit)])
        yield result.status


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
