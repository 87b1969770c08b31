"""Adds what MLIR does not say of a failure: its likely reason, or which step left payload that MLIR rejects.

The script runs again, and prints the payload right before the operation that failed, with marks at the operations that
its handles hold. The analysis evaluates the operation on that payload as it does on a written one before a run: the
conditions and their words are the same. What it says is marked as tdls's own reading, and comes after MLIR's remarks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.interpreter.observing.answers import POINT, printed_mark
from tdls.interpreter.observing.instrumented import points_of_run
from tdls.interpreter.observing.observed_run import again
from tdls.interpreter.observing.probe import HANDLE, Probe, only_probing, print_of, prints_in
from tdls.interpreter.observing.records import Passing
from tdls.interpreter.observing.steps import with_executing
from tdls.interpreter.output.stripping import without_scripts
from tdls.interpreter.runs.locations import offset_of
from tdls.interpreter.runs.model import RunDiagnostic, RunLevel, Status
from tdls.interpreter.runs.placed_edits import Insertion
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tdls.analysis.file.context import Context
    from tdls.interpreter.runs.model import Place, RunRequest, RunResult
    from tdls.interpreter.runs.script import Script
    from tdls.payload.operations import PayloadOperation
    from tdls.payload.tree import Payload
    from tdls.semantic.model import Operation


_NO_REASON_GIVEN = "this operation failed, and MLIR gives no reason"
_REMARKED = "this operation failed, as MLIR says in a remark: "
_READING = "as tdls reads it, not MLIR: "
_UNEXPLAINED = re.compile(
    r"\b[Ff]ail(ed|s)?\b|[Uu]nsupported|not supported$|cannot be fused|could not (make|find next)|wrong op kind"
)
"""Messages that say no more than that an operation failed."""
_MOST_PAYLOAD = 50_000
"""Maximum length of a payload, in code points, that is printed and evaluated."""
_TARGETS = Probe("tdls.targets")
"""The operations of a handle, by its number, before the operation that failed."""
_BEFORE = Probe("tdls.before", 0)
"""The payload then."""
_MARK = "tdls_operand_"
_ATTRIBUTE = re.compile(r"\{|#|affine_map<", re.ASCII)
"""The first attribute of a printed operation: with all of its module it is printed with aliases, and alone without."""


def with_likely_reasons(result: RunResult, request: RunRequest, run: Callable[[RunRequest], RunResult]) -> RunResult:
    """Return a failed result that has an error, with the likely reason where MLIR says none.

    `run` carries out another request, with a limit of a few seconds.
    """
    if result.status is not Status.FAILURE or result.broke_payload:
        return result
    errors = [diagnostic for diagnostic in result.diagnostics if diagnostic.level is RunLevel.ERROR]
    place = result.executing[0] if result.executing else None
    error = errors[-1] if errors else _unexplained(result, request, place)
    is_clear = bool(errors) and _UNEXPLAINED.search(error.message) is None
    reason = _reason(request, place, run) if place is not None and not is_clear else ""
    note = RunDiagnostic(RunLevel.NOTE, f"{_READING}{reason}", error.file, error.line, error.column)
    explained = replace(error, notes=(*error.notes, note)) if reason else error
    others = result.diagnostics if errors else (*result.diagnostics, error)
    return replace(result, diagnostics=tuple(explained if each is error else each for each in others))


def likely_reason(diagnostics: Iterable[RunDiagnostic]) -> str:
    """Return the first likely reason in the diagnostics of `with_likely_reasons`, "" if there is none."""
    notes = (note.message for diagnostic in diagnostics for note in diagnostic.notes)
    return next((note.removeprefix(_READING) for note in notes if note.startswith(_READING)), "")


def without_likely_reasons(diagnostics: Iterable[RunDiagnostic]) -> tuple[RunDiagnostic, ...]:
    """Return the diagnostics of MLIR alone, from those of `with_likely_reasons`."""
    return tuple(
        replace(diagnostic, notes=tuple(note for note in diagnostic.notes if not note.message.startswith(_READING)))
        for diagnostic in diagnostics
        if not diagnostic.message.startswith((_NO_REASON_GIVEN, _REMARKED))
    )


def _unexplained(result: RunResult, request: RunRequest, place: Place | None) -> RunDiagnostic:
    """Return the error of a run without one, at `place`; MLIR may have issued a remark instead."""
    remarks = (diagnostic for diagnostic in reversed(result.diagnostics) if diagnostic.level is RunLevel.REMARK)
    said = next(remarks, None)
    scripts = (request.script, *request.libraries)
    if said is None or any(said.message in script.original for script in scripts):  # by an operation of a script
        message = _NO_REASON_GIVEN
    else:
        reason = (said.notes[-1] if said.notes else said).message.partition("\n")[0]
        message = _REMARKED + reason
    return RunDiagnostic(RunLevel.ERROR, message) if place is None else place.diagnostic(RunLevel.ERROR, message)


def _reason(request: RunRequest, place: Place, run: Callable[[RunRequest], RunResult]) -> str:
    """Return why the operation at `place` fails, for every payload or for that of the run; "" if it is not known."""
    script = next((script for script in (request.script, *request.libraries) if script.name == place.file), None)
    located = _operation_at(script.file, place) if script is not None else None
    if script is None or located is None:
        return ""
    from tdls.analysis.verifying.verifiers import verifier_of

    context, operation = located
    always = next((wrong.message for check in verifier_of(operation).fails for wrong in check(context, operation)), "")
    repeated = again(request)
    if always or repeated is None or len(request.root.text) > _MOST_PAYLOAD:
        return always
    refusal = _refusal(repeated, script, context, operation, run)
    return refusal or ""


def _refusal(
    request: RunRequest, script: Script, context: Context, operation: Operation, run: Callable[[RunRequest], RunResult]
) -> str | None:
    """Return why an operation refuses the payload of the run, None if it is not known."""
    from tdls.analysis.handles.findings import refusal_of
    from tdls.analysis.handles.written_payload import payload_in

    catalogue = context.catalogue
    operands = (value for value in operation.operands if value is not None)
    handles = [value for value in dict.fromkeys(operands) if kind_of(catalogue, value.type) is HandleKind.OPERATIONS]
    marks = "".join(
        f' "transform.annotate"({handle.shown}) <{{name = "{_MARK}{number}"}}> : ({handle.type}) -> () '
        + print_of(_TARGETS.label(number), handle.shown, handle.type or HANDLE)
        for number, handle in enumerate(handles)
    )
    mark = Insertion(context.to_file(operation.span).start, marks + print_of(_BEFORE.label()))
    printed = run(only_probing(request, [(script, mark)])).printed
    targets: dict[int, str] = {}
    state = ""
    for answer in prints_in(printed, _TARGETS, _BEFORE):
        if answer.probe is _TARGETS:
            targets[answer.numbers[0]] = answer.value
        else:
            state = answer.value
    payload = payload_in(SourceFile.of(without_scripts(state), catalogue))
    if payload is None:
        return None
    held = {handle: _held(payload, number, targets.get(number, "")) for number, handle in enumerate(handles)}
    shortfall = refusal_of(context, operation, payload, held)
    if shortfall is None:
        return None
    return shortfall.message if shortfall.help is None else f"{shortfall.message}; {shortfall.help}"


def _held(payload: Payload, number: int, printed: str) -> list[PayloadOperation]:
    """Return the operations of a handle, `printed` in its last execution: earlier ones have left marks, too."""
    heads = {_ATTRIBUTE.split(line.strip())[0] for line in printed.splitlines()}
    held = []
    for each in payload.root.walk():
        written = each.written
        if written is not None and written.has_attribute(f"{_MARK}{number}"):
            head = each.text[written.span.start : written.span.end].partition("\n")[0]
            held += [each] if _ATTRIBUTE.split(head.strip())[0] in heads else []
    return held


def _operation_at(file: SourceFile, place: Place) -> tuple[Context, Operation] | None:
    """Return the operation whose name begins at `place`."""
    if not 0 < place.line <= file.line_count:
        return None
    offset = offset_of(file, place.line, place.column)
    context = file.context_at(offset)
    local = context.to_local(offset)
    operation = next((candidate for candidate in context.model.walk() if candidate.location.start == local), None)
    return (context, operation) if operation is not None else None


_INVALID = '"'
"""The first character of the generic form."""


def with_broken_step(result: RunResult, request: RunRequest, run: Callable[[RunRequest], RunResult]) -> RunResult:
    """Return `result` with the step that broke the payload, if MLIR rejected the payload after the last step.

    `run` carries out another request, with a limit of a few seconds.
    """
    has_error = any(diagnostic.level is RunLevel.ERROR for diagnostic in result.diagnostics)
    is_open = result.status is Status.FAILURE and has_error and not result.executing and request.until is None
    repeated = again(request) if is_open else None
    if repeated is None:
        return result
    points = points_of_run(request)
    marks = ((point.script, Insertion(point.offset, printed_mark(number))) for number, point in enumerate(points))
    printed = run(only_probing(repeated, marks)).printed
    answers = [answer for answer in prints_in(printed, POINT) if answer.numbers[0] < len(points)]
    valid = [number for number, answer in enumerate(answers) if not answer.value.startswith(_INVALID)]
    if not valid or valid[-1] == len(answers) - 1:
        return result
    passings = [Passing(answer.numbers[0]) for answer in answers[: valid[-1] + 1]]
    return with_executing(replace(result, broke_payload=True), points, passings)
