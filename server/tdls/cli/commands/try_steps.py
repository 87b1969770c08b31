"""``tdls try``: prints the steps that work at a line of a script, tried one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tdls.cli.console import console
from tdls.cli.console.options import JSON, files, format_option, trust_option
from tdls.cli.rendering.json_text import json_text
from tdls.cli.run_request import CommandRun, run_options, script_place
from tdls.ide.runs.next_steps import SECONDS, next_steps
from tdls.interpreter.errors import BackendError, PlanError, RecordingError

if TYPE_CHECKING:
    from tdls.cli.run_request import RunArguments
    from tdls.settings.consent import Trust


@click.command("try")
@click.argument("place", metavar="SCRIPT:LINE", shell_complete=files)
@click.option(
    "--seconds", type=click.FloatRange(min=0), default=SECONDS, show_default=True, metavar="S", help="How long to try."
)
@run_options
@format_option
@trust_option
def command(place: str, seconds: float, arguments: RunArguments, format_: str, trust: Trust) -> int:
    """Print the steps that work behind the operation of SCRIPT, a file or - for standard input, in LINE.

    Operations are tried on the handles that are live there, each on the payload as it is then. Those that fail, change
    nothing and find nothing new are left out. The others are printed with what they make and how many lines they
    change, the most usual first. Script and payload are chosen as for 'tdls run'.

    Exit status: 0 some steps work, 1 none, 2 wrong usage, or the run does not come there.
    """
    script, _, line = place.rpartition(":")
    if not script or not line.isascii() or not line.isdigit() or int(line) == 0:
        raise click.BadParameter(f"{place!r} is not SCRIPT:LINE")
    run = CommandRun.of(script, arguments, trust)
    offset = script_place(run.script.text, line, "SCRIPT:LINE").offset
    try:
        request = next(iter(run.requests(frozenset(), offset)))
        backend = run.opened()
        try:
            answer = next_steps(request, offset, backend, seconds=seconds)
        finally:
            backend.close()
    except (PlanError, BackendError, RecordingError) as error:
        raise console.InputError(str(error)) from error
    if format_ == JSON:
        console.write([json_text({"version": 1, **answer.document()}, indent=2), "\n"])
    else:
        left = f"; {answer.untried} more were not tried" if answer.untried else ""
        lines = (line for step in answer.steps for line in (f"// {step.effect}", step.text))
        console.write_lines([f"// {len(answer.steps)} of {answer.tried} tried steps work{left}", *lines])
    return console.EXIT_CLEAN if answer.steps else console.EXIT_FINDINGS
