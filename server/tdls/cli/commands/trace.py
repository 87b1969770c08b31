"""``tdls trace``: prints the effect of each step of a script, or payload and handles at one of them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from tdls.cli.console import console
from tdls.cli.console.options import JSON, colour_option, files, formats, trust_option
from tdls.cli.console.streams import wants_colour
from tdls.cli.rendering.json_text import json_text
from tdls.cli.rendering.run import EXIT, report
from tdls.cli.run_request import CommandRun, run_options, script_place
from tdls.interpreter.errors import BackendError, PlanError, RecordingError
from tdls.interpreter.matching.document import matches_object
from tdls.interpreter.matching.explanation import explained, is_worth_explaining
from tdls.interpreter.observing.records import Wanted
from tdls.interpreter.recording.recording import executions_at, recorded
from tdls.interpreter.runs.model import Emit, Status
from tdls.interpreter.runs.plan import has_payload

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.cli.run_request import RunArguments, ScriptPlace
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.observing.steps import Step
    from tdls.interpreter.recording.recording import Recording
    from tdls.settings.consent import Trust

_PART_MARKER = "// -----\n"


@click.command("trace")
@click.argument("script", metavar="SCRIPT", shell_complete=files)
@run_options
@click.option(
    "--at",
    "place",
    metavar="LINE[:COLUMN][#N]",
    help="Print payload and handles behind the operation that stands there, the Nth time that it is executed (1).",
)
@formats("text", JSON, "html", meaning="A line for each step, a document, or a page for a browser.")
@trust_option
@colour_option("Colour diagnostics")
def command(script: str, arguments: RunArguments, place: str | None, format_: str, trust: Trust, colour: str) -> int:
    """Run SCRIPT, a file or - for standard input, and print the effect of each step.

    A line has the number of the step, its place, how long it took, how many lines of the payload it added and removed,
    the operation, and the new handles with their payload. Script and payload are chosen as for
    'tdls run'.

    Exit status: that of 'tdls run'; 2 also where there is no payload, or nothing was executed at --at.
    """
    if place is not None and format_ not in ("text", "json"):
        raise click.BadParameter("only the formats text and json can show one state", param_hint="'--at'")
    run = CommandRun.of(script, arguments, trust)
    at = script_place(run.script.text, place, "--at", has_execution=True) if place is not None else None
    try:
        recordings = _recorded(run, at, format_, wants_colour(colour, sys.stderr))
    except (PlanError, BackendError, RecordingError) as error:
        raise console.InputError(str(error)) from error
    if at is None:
        console.write(_shown([each for each, _ in recordings], [matches for _, matches in recordings], format_))
    return max(EXIT[recording.result.status] for recording, _ in recordings)


def _recorded(
    run: CommandRun, at: ScriptPlace | None, format_: str, coloured: bool
) -> list[tuple[Recording, dict[str, Any] | None]]:
    """Record all requests, with their matches if the format is a page of HTML, and print the state at `at`.

    Raises PlanError, BackendError, RecordingError and InputError.
    """
    requests = run.requests(frozenset({Emit.PAYLOAD}), at.offset if at is not None else None)
    backend = run.opened()
    recordings: list[tuple[Recording, dict[str, Any] | None]] = []
    try:
        for request in requests:
            recording = recorded(backend, request, Wanted.every() if at is None else None)
            report(request, recording.result, run.script, coloured)
            _complain_of(recording, run.script.name)
            if at is None:
                _complain_of_states(recording, run.script.name)
            shows_matches = format_ == "html" and is_worth_explaining(request, recording.result)
            recordings.append((recording, matches_object(explained(request, backend)) if shows_matches else None))
            if at is not None:
                if recording.result.status is Status.INVALID:
                    raise console.InputError(f"{run.script.name}: nothing is executed at --at: MLIR does not read it")
                console.write(_state(recording, at, backend, format_))
    finally:
        backend.close()
    return recordings


def _complain_of(recording: Recording, name: str) -> None:
    """Warn of missing steps. Raises InputError if there is no payload."""
    if recording.result.status is Status.INVALID:
        return
    if not has_payload(recording.request):
        raise console.InputError(
            f"{name}: there is no payload: name one with --payload, or in a comment '// tdls: payload=FILE'"
        )
    if recording.result.unobserved:
        console.complain(f"{name}: nothing is known of its steps: {recording.result.unobserved}", level="warning")


def _complain_of_states(recording: Recording, name: str) -> None:
    """Warn of steps whose changes are not known."""
    missing = sum(recording.change(step) is None for step in recording.steps if step.after is not None)
    if missing:
        message = f"{name}: changes of {missing} of {len(recording.steps)} steps are not shown: too many, or too slow"
        console.complain(f"{message} to compute; --at shows them, and so may a longer --timeout", level="warning")


def _shown(recordings: Sequence[Recording], matches: Sequence[dict[str, Any] | None], format_: str) -> Iterator[str]:
    if format_ == "html":
        from tdls.pages.page import page

        yield page(recordings, matches)
    elif format_ == "json":
        from tdls.pages.document import document

        runs = [document(recording) for recording in recordings]
        yield json_text({"runs": runs}, indent=2) + "\n"
    else:
        from tdls.cli.rendering.trace.text import step_lines
        from tdls.text.printable import printable

        for number, recording in enumerate(recordings):
            yield _PART_MARKER if number else ""
            yield from (f"{printable(line)}\n" for line in step_lines(recording))


def _state(recording: Recording, at: ScriptPlace, backend: Backend, format_: str) -> Iterator[str]:
    """Yield the state behind the operation at `at`, or before it if it was not completed; raises InputError."""
    passing, title = _found(recording, at)
    if format_ == "json":
        from tdls.pages.document import state_document

        step = next((step for step in recording.steps if step.after == passing), None)
        recording.ask([passing, *([step.before] if step is not None else [])], backend)
        change = recording.change(step) if step is not None else None
        lines = [{"function": name, "lines": lines} for name, lines in change.by_function()] if change else None
        state = recording.state(passing, backend)
        yield json_text({"title": title, **state_document(state), "changes": lines}, indent=2) + "\n"
        return
    state = recording.state(passing, backend)
    from tdls.cli.rendering.trace.text import state_lines

    yield from (f"{line}\n" for line in state_lines(recording, state, title))


def _found(recording: Recording, at: ScriptPlace) -> tuple[int, str]:
    """Return the number of the state that `at` means, and its title. Raises InputError."""
    name = recording.request.script.name
    states = executions_at(recording, name, at.offset)
    if states is None:
        raise console.InputError(f"{name}: no operation at --at is executed by itself")
    if at.execution > len(states):
        times = {0: "never", 1: "only once"}.get(len(states), f"only {len(states)} times")
        raise console.InputError(f"{name}: what stands at --at was executed {times}")
    passing, step, is_completed = states[at.execution - 1]
    if step is None:
        return passing, "at the beginning"
    if is_completed:
        return passing, f"behind {_named(recording, step)}"
    return passing, f"before {_named(recording, step)}, which was not completed"


def _named(recording: Recording, step: Step) -> str:
    from tdls.cli.rendering.trace.text import place

    return f"step {step.number}, {step.operation} ({place(recording, step)})"
