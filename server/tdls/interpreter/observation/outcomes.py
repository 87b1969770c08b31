"""Results of runs that could not do what they were to do beside running the script."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tdls.interpreter.model import RunDiagnostic, RunLevel, Status

if TYPE_CHECKING:
    from tdls.interpreter.model import Place, RunRequest, RunResult

NOT_REACHED = "the run ended without coming to this operation"
NOT_EXECUTED = "no operation here is executed by itself"
NOT_STOPPED = "the run cannot be stopped at this operation"
INTERRUPTED = (Status.CRASH, Status.TIMEOUT, Status.OUT_OF_MEMORY)
"""How runs end that were ended."""
UNFINISHED = (*INTERRUPTED, Status.FAILURE)
"""How runs end that were executing something."""
_AGAIN_SECONDS = 5.0


def failed(result: RunResult, message: str, place: Place) -> RunResult:
    """Return `result`, where it is a success, as a failure to come to `place`."""
    if result.status is not Status.SUCCESS:
        return result
    error = RunDiagnostic(RunLevel.ERROR, message, place.file, place.line, place.column)
    return replace(result, status=Status.FAILURE, texts={}, origins=(), diagnostics=(*result.diagnostics, error))


def again(request: RunRequest) -> RunRequest | None:
    """Return what repeats `request` to learn what it was at when it ended, in a few seconds at most.

    None if it has no time left.
    """
    left = request.limits.left
    return replace(request, limits=request.limits.afresh(min(left, _AGAIN_SECONDS))) if left > 0 else None
