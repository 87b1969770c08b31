"""``tdls run``: runs a script, and prints its transformed payload."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tdls import __version__
from tdls.cli.console import console
from tdls.cli.console.options import colour_option, files, trust_option
from tdls.cli.console.streams import wants_colour
from tdls.cli.rendering.json_text import json_text
from tdls.cli.rendering.run import EXIT, SUPPRESSED, offer_state, report, report_matches, report_more
from tdls.cli.run_request import CommandRun, run_options, script_place
from tdls.interpreter.errors import BackendError, PlanError
from tdls.interpreter.matching.document import diagnostic_object, matches_object
from tdls.interpreter.matching.explanation import ENDED_BY_ITSELF, explained
from tdls.interpreter.recording.changes import changes
from tdls.interpreter.recording.suppressed import suppressed_failures
from tdls.interpreter.runs.model import Emit, RunDiagnostic, RunLevel, RunResult, Status
from tdls.interpreter.runs.plan import NO_PAYLOAD, has_payload
from tdls.limits import COMPARED_PAYLOAD
from tdls.structs import replace
from tdls.text.difference import unified_diff

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.cli.run_request import RunArguments
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.matching.explanation import Explanation
    from tdls.interpreter.runs.model import RunRequest, RunResult
    from tdls.settings.consent import Trust

_PART_MARKER = "// -----\n"
_VERSION = 1
"""Version of the JSON document."""
_NOT_FOUND = "could not find a nested named sequence"


@click.command("run")
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
@click.option(
    "--explain-matches",
    "explains",
    is_flag=True,
    help="Also say what each matcher accepted and where others failed, and why handles hold nothing; runs it again.",
)
@click.option(
    "--require-matches",
    "requires",
    is_flag=True,
    help="Fail if anything that looks for payload by name or interface finds nothing, and say why.",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The text itself, or a JSON document with it, with how the run ended and what it matched.",
)
@trust_option
@colour_option("Colour diagnostics")
def command(
    script: str,
    arguments: RunArguments,
    until: str | None,
    emit: str,
    explains: bool,
    requires: bool,
    output_format: str,
    trust: Trust,
    colour: str,
) -> int:
    """Run SCRIPT, a file or - for standard input, and print the transformed payload.

    Anything else is taken from a comment '// tdls: payload=... entry-point=... library=...' in the script, else
    from its RUN lines, else from the settings of its project. Diagnostics, and the output of the script, go to standard
    error.

    Exit status: 0 the script succeeded, 1 it failed, or found nothing where that is required, 2 wrong usage, or MLIR
    cannot read the script, the payload or a library, 3 MLIR crashed, 4 a limit was reached.
    """
    run = CommandRun.of(script, arguments, trust)
    emits = frozenset({Emit.PAYLOAD, Emit.BEFORE, Emit.MODULE if emit == "module" else Emit.PAYLOAD})
    last = script_place(run.script.text, until, "--until").offset if until is not None else None
    try:
        requests = run.requests(emits, last)
        printing = _Printing(emit, wants_colour(colour, sys.stderr), explains, requires, output_format == "json")
        backend = run.opened()
        try:
            ended = list(_run_all(backend, requests, run, printing))
        finally:
            backend.close()
    except (PlanError, BackendError) as error:
        raise console.InputError(str(error)) from error
    if printing.is_json:
        runs = [each.document for each in ended]
        document = {"version": _VERSION, "tool": {"name": "tdls", "version": __version__}, "runs": runs}
        console.write([json_text(document, indent=2), "\n"])
    return max(each.status for each in ended)


class _Printing(NamedTuple):
    """Output options of runs.

    `explains` reports matches, `requires` missing matches as errors.
    """

    emit: str
    coloured: bool
    explains: bool
    requires: bool
    is_json: bool

    @property
    def asks(self) -> bool:
        """True if the command line requests matches."""
        return self.explains or self.requires


class _Ended(NamedTuple):
    """A run that was reported: its exit status, and its object in the JSON document."""

    status: int
    document: dict[str, Any]


def _run_all(
    backend: Backend, requests: Iterable[RunRequest], run: CommandRun, printing: _Printing
) -> Iterator[_Ended]:
    for number, request in enumerate(requests):
        is_small = request.payload is None or len(request.payload.text) <= COMPARED_PAYLOAD.most
        compares = is_small or printing.emit == "diff" or printing.is_json
        result = backend.run(request if compares else replace(request, emits=request.emits - {Emit.BEFORE}))
        if not compares and result.texts.get(Emit.PAYLOAD, "").count(" = ") == request.root.text.count(" = "):
            result = backend.run(request)
        if any(each.message.startswith(_NOT_FOUND) for each in result.diagnostics):
            diagnostics = [RunDiagnostic(RunLevel.ERROR, _without_script(request, run.script.text))]
            console.complain(diagnostics[0].message)
        else:
            diagnostics = report(request, result, run.script, printing.coloured)
        if run.path is not None:
            offer_state(request, result, backend, run.script)
        text = _text(request, result, run, printing.emit)
        if text is not None and not printing.is_json:
            console.write([_PART_MARKER if number and printing.emit != "diff" else "", text])
        status, explanation = EXIT[result.status], None
        if result.status in ENDED_BY_ITSELF and request.until is None:
            suppressed = suppressed_failures(request, backend)
            report_more(request, suppressed, run.script, printing.coloured, SUPPRESSED)
            diagnostics += suppressed
        is_unchanged = result.texts.get(Emit.BEFORE, "") == result.texts.get(Emit.PAYLOAD) and has_payload(request)
        if is_unchanged and request.until is None:
            console.complain(f"{run.script.name}: nothing changed in the payload", level="note")
        if result.status in ENDED_BY_ITSELF and (printing.asks or is_unchanged):
            explanation = explained(request, backend)
            shown = explanation if printing.explains else explanation._replace(matchers=())
            requires = printing.requires
            is_met = report_matches(request, shown, run.script, printing.coloured, requires=requires)
            status = max(status, console.EXIT_FINDINGS if requires and not is_met else console.EXIT_CLEAN)
        reported = replace(result, diagnostics=tuple(diagnostics))
        yield _Ended(status, _object(request, reported, text, explanation) if printing.is_json else {})


def _without_script(request: RunRequest, text: str) -> str:
    """Return why nothing of a file runs, in the place of MLIR's words, which come with the whole module."""
    name, entry = request.script.name, f"@{request.entry_point}"
    if request.payload is not None and entry in request.script.text:
        return f"{name} has {entry} in a nested module, where MLIR looks only if the payload is in the same file"
    reason = "nothing runs transform operations outside of one; " if "transform." in request.script.text else ""
    advice = f"{reason}to run a script on it, `tdls run SCRIPT --payload {name}`"
    where = f"part {request.part + 1} of {name}" if f"\n{_PART_MARKER}" in text else name
    return f"{where} has no named sequence {entry} and no other script; {advice}"


def _text(request: RunRequest, result: RunResult, run: CommandRun, emit: str) -> str | None:
    """Return the output of a run, None if it failed; warn if there is no payload."""
    if result.status is not Status.SUCCESS:
        return None
    if not has_payload(request):
        advice = "name one with --payload, or in a comment '// tdls: payload=FILE'"
        console.complain(f"{run.script.name}: {NO_PAYLOAD}; {advice}", level="warning")
    if emit != "diff":
        return result.texts[Emit(emit)]
    name = (request.payload or request.script).name
    before, after = result.texts[Emit.BEFORE], result.texts[Emit.PAYLOAD]
    return "".join(unified_diff(before, after, name, f"{name} (transformed)"))


def _object(
    request: RunRequest, result: RunResult, text: str | None, explanation: Explanation | None
) -> dict[str, Any]:
    """Return a run as data for JSON: `text` is its output, `explanation` its matches if requested."""
    changed: dict[str, Any] = {}
    if Emit.BEFORE in result.texts and text is not None:
        difference = changes(result.texts[Emit.BEFORE], result.texts[Emit.PAYLOAD])
        changed["changes"] = [{"function": name, "lines": lines} for name, lines in difference.by_function()]
    return {
        "script": request.script.name,
        "part": request.part + 1,
        "status": result.status.value,
        "backend": result.backend,
        "text": text,
        **changed,
        "diagnostics": list(map(diagnostic_object, result.diagnostics)),
        "matches": None if explanation is None else matches_object(explanation),
    }
