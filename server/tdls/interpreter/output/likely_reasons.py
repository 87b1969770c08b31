"""Adds the likely reasons of failures that MLIR does not explain.

They rest on the script and the payload as written, which earlier operations may have changed, so that each is marked as
tdls's own reading.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.handles.evaluation.inline_payload import payload_as_written, payload_in
from tdls.analysis.handles.evaluation.loops import DYNAMIC, Loops, element_of
from tdls.analysis.handles.evaluation.payload_operation import split
from tdls.analysis.verifying.verifiers import verifier_of
from tdls.catalogue.model import LoopFit
from tdls.interpreter.model import Place, RunDiagnostic, RunLevel, Status
from tdls.interpreter.output.locations import offset_of
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.file.context import Context
    from tdls.interpreter.model import RunRequest, RunResult
    from tdls.semantic.model import Operation

_NO_REASON_GIVEN = "this operation failed, and MLIR gives no reason"
_READING = "as tdls reads it, not MLIR: "
_UNEXPLAINED = re.compile(r"Attempted to vectorize, but failed|failed to vectorize")
_SCALARS = re.compile(r"[su]?i\d+|index|b?f\d\w*|tf32")


def with_likely_reasons(result: RunResult, request: RunRequest) -> RunResult:
    """Return a failed result that has an error, with the likely reason where MLIR says none."""
    if result.status is not Status.FAILURE or result.broke_payload:
        return result
    errors = [diagnostic for diagnostic in result.diagnostics if diagnostic.level is RunLevel.ERROR]
    if not errors:
        place = result.executing[0] if result.executing else None
        error = RunDiagnostic(RunLevel.ERROR, _NO_REASON_GIVEN)
        if place is not None:
            error = replace(error, file=place.file, line=place.line, column=place.column)
        found = _fails_by_itself(request, place) if place is not None else ""
        return replace(result, diagnostics=(*result.diagnostics, _explained(error, found)))
    last = errors[-1]
    if not result.executing or _UNEXPLAINED.search(last.message) is None or last.file is None:
        return result
    target = Place(last.file, last.line, last.column)
    explained = _explained(last, _not_vectorized(request, result.executing[0], target))
    return replace(result, diagnostics=tuple(explained if each is last else each for each in result.diagnostics))


def without_likely_reasons(diagnostics: Iterable[RunDiagnostic]) -> tuple[RunDiagnostic, ...]:
    """Return the diagnostics of MLIR alone, from those of `with_likely_reasons`."""
    return tuple(
        replace(diagnostic, notes=tuple(note for note in diagnostic.notes if not note.message.startswith(_READING)))
        for diagnostic in diagnostics
        if diagnostic.message != _NO_REASON_GIVEN
    )


def _explained(error: RunDiagnostic, reason: str) -> RunDiagnostic:
    if not reason:
        return error
    note = RunDiagnostic(RunLevel.NOTE, f"{_READING}{reason}", error.file, error.line, error.column)
    return replace(error, notes=(*error.notes, note))


def _fails_by_itself(request: RunRequest, place: Place) -> str:
    """Return why the operation at `place` fails for every payload, "" if that is not known."""
    found = _script_operation(request, place)
    if found is None:
        return ""
    context, operation = found
    checks = verifier_of(operation).fails
    return next((wrong.message for check in checks for wrong in check(context, operation)), "")


def _not_vectorized(request: RunRequest, place: Place, target: Place) -> str:
    """Return why the operation at `place` cannot vectorize the payload operation at `target`, "" if not known."""
    found = _script_operation(request, place)
    loops = _loops(request, found[0], target) if found is not None else None
    if found is None or loops is None:
        return ""
    given = _number_of_sizes(found[1])
    if given and loops.count is not None and given != loops.count:
        return f"the payload operation has {loops.count} loops, and {given} sizes are given"
    if not given and DYNAMIC in (loops.ranges or ()):
        return "the payload operation has dynamic dimensions, which are vectorized only with given sizes"
    types = [value.type or "" for value in loops.operands or () if value is not None]
    elements = [element for type_ in types if (element := element_of(type_)) is not None]
    other = next((element for element in elements if _SCALARS.fullmatch(element) is None), None)
    return "" if other is None else f"the payload operation has elements of type `{other}`, which vectors cannot have"


def _number_of_sizes(operation: Operation) -> int:
    """Return the number of sizes that an operation gives for loops, 0 if it gives none."""
    described = operation.definition.attributes if operation.definition is not None else ()
    names = (each.name for each in described if each.per_loop is not None and each.per_loop.fit is not LoopFit.INDEX)
    spelled = next((value for name in names if (value := operation.spelled(name))), "")
    return len(split(spelled.strip()[1:-1])) if spelled.strip().startswith("[") else 0


def _script_operation(request: RunRequest, place: Place) -> tuple[Context, Operation] | None:
    script = next((script for script in (request.script, *request.libraries) if script.name == place.file), None)
    return _operation_at(script.file, place) if script is not None else None


def _loops(request: RunRequest, script: Context, place: Place) -> Loops | None:
    """Return the loops of the structured payload operation written at `place`; `script` is a part of the script."""
    if request.root.name != place.file:
        return None
    catalogue = request.script.catalogue
    if request.payload is None:
        file, payload = request.script.file, payload_as_written(script)
    else:
        file = SourceFile.of(request.payload.text, catalogue)
        payload = payload_in(file)
    found = _operation_at(file, place)
    operation = payload.by_written.get(id(found[1])) if payload is not None and found is not None else None
    return Loops(operation, catalogue, payload.aliases) if operation is not None and payload is not None else None


def _operation_at(file: SourceFile, place: Place) -> tuple[Context, Operation] | None:
    """Return the operation whose name begins at `place`."""
    if not 0 < place.line <= file.line_count:
        return None
    offset = offset_of(file, place.line, place.column)
    context = file.context_at(offset)
    local = context.to_local(offset)
    operation = next((found for found in context.model.walk() if found.location.start == local), None)
    return (context, operation) if operation is not None else None
