"""What is wrong with handles in one section."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.context_facts import ContextFact
from tdls.analysis.handles.abstract_run import AbstractRun
from tdls.analysis.handles.evaluation.running import Evaluated, evaluated
from tdls.analysis.handles.payload.certainties import Origin
from tdls.analysis.handles.payload.facts import one_operation
from tdls.analysis.handles.payload.places import ANYWHERE
from tdls.analysis.handles.transfer.control_flow import enter
from tdls.analysis.handles.transfer.transfer import execute_operation
from tdls.analysis.meaning.scripts import is_applied_to_root, scripts_of
from tdls.analysis.meaning.use_after_free import use_after_free_of
from tdls.bounds.budget import Budget, OverBudget
from tdls.bounds.limits import HANDLE_STEPS
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.invalid_uses import InvalidUse, RepeatedConsumption
    from tdls.bounds.limits import Limit
    from tdls.semantic.model import Operation


class HandleFindings(NamedTuple):
    """What is wrong with handles in one section, in the order of execution."""

    invalid: tuple[InvalidUse, ...]
    """Uses of invalid handles that `use-after-free` does not see."""
    repeated: tuple[RepeatedConsumption, ...]
    uses: dict[tuple[int, int], InvalidUse]
    """All uses of invalid handles, by the identity of the operation and the number of the operand."""
    runs: dict[int, AbstractRun]
    """The runs, which are over, by the identity of the script; none where too much was asked for."""
    given_up: Limit | None = None
    """The limit that the scripts of the section asked for more than: then nothing is known of their handles."""

    def run_of(self, operation: Operation) -> AbstractRun | None:
        """Return the run of the script that `operation` is, or is in."""
        around = (self.runs.get(id(ancestor)) for ancestor in (operation, *operation.ancestors()))
        return next((run for run in around if run is not None), None)


@ContextFact
def handle_findings(context: Context) -> HandleFindings:
    """Return what is wrong with handles, for certain or possibly; the scripts of a section are run on one budget."""
    budget = Budget(HANDLE_STEPS, context.size)
    try:
        return _look(context, budget)
    except OverBudget as over:
        return HandleFindings((), (), {}, {}, over.limit)


def _look(context: Context, budget: Budget) -> HandleFindings:
    freed = use_after_free_of(context)
    by_script = {id(operation): _run(context, operation, budget) for operation in scripts_of(context)}
    runs = by_script.values()
    invalid = (use for run in runs for use in run.uses if not freed.freed_before(use.value, use.operation))
    repeated = {
        (id(consumption.operation), consumption.operand): consumption for run in runs for consumption in run.repeated
    }
    found = {(id(use.operation), use.operand): use for run in runs for use in run.uses}
    return HandleFindings(tuple(invalid), tuple(repeated.values()), found, by_script)


def _run(context: Context, operation: Operation, budget: Budget) -> AbstractRun:
    if operation.name != NAMED_SEQUENCE and not is_applied_to_root(operation):
        run = AbstractRun(context, budget, execute_operation)
        execute_operation(run, operation)
        return run
    begins = operation.name != NAMED_SEQUENCE or symbol_name(operation) == ENTRY_POINT
    known = evaluated(context) if begins else Evaluated()
    run = AbstractRun(context, budget, execute_operation, begins=begins, known=known)
    for block in operation.blocks():
        enter(run, block, [None] * len(block.arguments))
        is_alone = len(block.arguments) == 1
        for argument in block.arguments:
            given = run.set_of(argument)
            names = given.facts.names
            given.facts = one_operation(names, Origin.ROOT) if is_alone else given.facts._replace(origin=Origin.KNOWN)
            run.where.put(given, run.where.root() if is_alone else ANYWHERE)
            run.where.root_set = given if is_alone and run.where.is_known else None
        run.execute(block)
    if begins:
        _doubt_what_is_not_reached(run, known.stops)
    return run


def _doubt_what_is_not_reached(run: AbstractRun, stops: Sequence[Operation]) -> None:
    """Let nothing be certain of operations behind those at which the script ends on the payload beside it."""
    first = min((stop.span.start for stop in stops), default=None)
    if first is not None:
        run.uses = [use._replace(is_certain=use.is_certain and use.operation.span.start <= first) for use in run.uses]
        run.repeated = [
            consumption._replace(is_certain=consumption.is_certain and consumption.operation.span.start <= first)
            for consumption in run.repeated
        ]
