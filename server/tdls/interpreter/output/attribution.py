"""Failures at the operation of the script that failed: MLIR mostly names the payload operation that was its target."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tdls.interpreter.model import Place, RunDiagnostic, RunLevel, Status

if TYPE_CHECKING:
    from tdls.interpreter.model import RunResult

_OF = "MLIR says so of this"
_AROUND = "executed by this operation"


def attributed(result: RunResult) -> tuple[RunDiagnostic, ...]:
    """Return what MLIR said in a run, with the error that it failed with at the operation of the script that failed.

    Where MLIR said it of something else, that is a note. Further notes are the operations that had the failed one
    executed, innermost first. Without `RunResult.executing` all is as MLIR said it.
    """
    errors = [diagnostic for diagnostic in result.diagnostics if diagnostic.level is RunLevel.ERROR]
    if result.status is not Status.FAILURE or not result.executing or not errors:
        return result.diagnostics
    failed = result.executing[0]
    around = _around(result)
    own = [error for error in errors if _place(error) in result.executing]
    if not own:
        return tuple(_moved(said, failed, around) if said is errors[-1] else said for said in result.diagnostics)
    at_failed = [error for error in own if _place(error) == failed]
    return tuple(_led_to(said, around) if said in at_failed else said for said in result.diagnostics)


def _around(result: RunResult) -> list[RunDiagnostic]:
    """Return notes at what had the failed operation executed, with the iterations of loops."""
    iterations = [times.iteration for times in result.times] or [0] * len(result.executing)
    return [
        _note(f"{_AROUND}, in its iteration {iteration}" if iteration else _AROUND, place)
        for place, iteration in zip(result.executing[1:], iterations, strict=False)
    ]


def _moved(error: RunDiagnostic, failed: Place, around: list[RunDiagnostic]) -> RunDiagnostic:
    said = (_note(_OF, place),) if (place := _place(error)) is not None else ()
    moved = replace(error, file=failed.file, line=failed.line, column=failed.column, notes=(*said, *error.notes))
    return _led_to(moved, around)


def _led_to(error: RunDiagnostic, around: list[RunDiagnostic]) -> RunDiagnostic:
    return replace(error, notes=(*error.notes, *around))


def _place(diagnostic: RunDiagnostic) -> Place | None:
    if diagnostic.file is None:
        return None
    return Place(diagnostic.file, diagnostic.line, diagnostic.column)


def _note(message: str, place: Place) -> RunDiagnostic:
    return RunDiagnostic(RunLevel.NOTE, message, place.file, place.line, place.column)
