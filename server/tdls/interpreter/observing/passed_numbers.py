"""Finds runs whose result rests on a negative size, or on a parameter that is not an integer: it is what lay in memory.

Only if the scripts have such a number at all, they run again, with remarks that tell what the operations get.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.meaning.passed_numbers import held_constant, negative_message, negative_size, number_uses
from tdls.interpreter.observing.instrumented import place_at
from tdls.interpreter.observing.observed_run import again, failed
from tdls.interpreter.observing.probe import Probe, only_probing, remark_at, remark_with, remarks_in
from tdls.interpreter.runs.model import Status
from tdls.interpreter.runs.placed_edits import Insertion

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.interpreter.runs.model import RunRequest, RunResult

_PASSED = Probe("tdls.passed")
"""What a parameter holds, by the number of its use."""
_NEGATIVE = Probe("tdls.negative")
"""A payload operation for which a size is negative, by the number of the list of sizes."""


def with_passed_numbers(result: RunResult, request: RunRequest, run: Callable[[RunRequest], RunResult]) -> RunResult:
    """Return a successful `result` as a failure if a size is negative, or a parameter not the integer that is needed.

    `run` carries out another request, with a limit of a few seconds.
    """
    if result.status is not Status.SUCCESS:
        return result
    steps = [
        (script, context, operation)
        for script in (request.script, *request.libraries)
        for context in script.file.contexts
        for operation in context.model.walk()
    ]
    uses = [(*step, use) for step in steps for use in number_uses(step[2], step[1].catalogue)]
    held = [held_constant(value) for _, _, operation in steps if uses for value in operation.results]
    is_doubtful = any(use.misfit(attribute) for *_, use in uses for attribute in held if attribute is not None)
    lists = [(*step, sizes) for step in steps if (sizes := negative_size(step[2])) and step[2].first_operand]
    repeated = again(request) if is_doubtful or lists else None
    if repeated is None:
        return result
    remarks = []
    for number, (script, context, operation, use) in enumerate(uses):
        remark = remark_with(use.value.shown, _PASSED.label(number), use.value.type or "")
        remarks.append((script, Insertion(context.to_file(operation.span).start, remark)))
    for number, (script, context, operation, _) in enumerate(lists):
        target = operation.first_operand
        assert target is not None
        remark = remark_at(target.shown, _NEGATIVE.label(number), target.type or "")
        remarks.append((script, Insertion(context.to_file(operation.span).start, remark)))
    diagnostics = run(only_probing(repeated, remarks)).diagnostics
    for answer in remarks_in(diagnostics, _NEGATIVE):
        script, context, _, sizes = lists[answer.numbers[0]]
        return failed(result, negative_message(sizes), place_at(script, context.to_file(sizes.span).start))
    for answer in remarks_in(diagnostics, _PASSED):
        script, context, operation, use = uses[answer.numbers[0]]
        message = use.misfit(answer.value)
        if message is not None:
            span = context.to_file(operation.syntax.operands[use.operand].span)
            return failed(result, message, place_at(script, span.start))
    return result
