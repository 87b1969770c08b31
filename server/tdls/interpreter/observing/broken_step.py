"""Finds the step of a run that left payload which MLIR rejects: MLIR verifies the payload only after the run.

The script runs again, and prints the head of the payload's root at each point. To print it, MLIR verifies all of it,
and prints what is invalid in the generic form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.interpreter.observing.answers import POINT, printed_mark, read_remarks
from tdls.interpreter.observing.execution_trace import control_flow_of
from tdls.interpreter.observing.instrumented import executing, points_of_run
from tdls.interpreter.observing.observed_run import again
from tdls.interpreter.observing.probe import only_probing, prints_in
from tdls.interpreter.runs.model import RunDiagnostic, RunLevel, Status
from tdls.interpreter.runs.placed_edits import Insertion
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.interpreter.runs.model import RunRequest, RunResult

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
    passed = (RunDiagnostic(RunLevel.REMARK, POINT.label(*answer.numbers)) for answer in answers[: valid[-1] + 1])
    step = executing(points, read_remarks(passed, points, control_flow_of(points)).record)
    return step.of(replace(result, broke_payload=True))
