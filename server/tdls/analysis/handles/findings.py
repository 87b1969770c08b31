"""What is wrong with handles in one section."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.handles.abstract_run import AbstractRun
from tdls.analysis.handles.control_flow import enter
from tdls.analysis.handles.transfer import execute_operation
from tdls.semantic.symbols import symbol_name
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE, is_transform_operation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.context import Context
    from tdls.analysis.handles.abstract_run import RepeatedConsumption, StaleUse
    from tdls.semantic.model import Operation


class HandleFindings(NamedTuple):
    """What is wrong with handles in one section, in the order of execution."""

    stale: tuple[StaleUse, ...]
    """Uses of invalid handles that `use-after-free` does not see."""
    repeated: tuple[RepeatedConsumption, ...]
    uses: dict[tuple[int, int], StaleUse]
    """All uses of invalid handles, by the identity of the operation and the number of the operand."""
    runs: dict[int, AbstractRun]
    """The runs, which are over, by the identity of the script."""

    def run_of(self, operation: Operation) -> AbstractRun | None:
        """Return the run of the script that `operation` is, or is in."""
        around = (self.runs.get(id(one)) for one in (operation, *operation.ancestors()))
        return next((run for run in around if run is not None), None)


def look_at_handles(context: Context) -> HandleFindings:
    """Run the scripts of a section."""
    freed = context.use_after_free
    by_script = {id(operation): _run(context, operation) for operation in _scripts(context)}
    runs = by_script.values()
    stale = (use for run in runs for use in run.uses if not freed.freed_before(use.value, use.operation))
    repeated = {(id(one.operation), one.operand): one for run in runs for one in run.repeated}
    found = {(id(use.operation), use.operand): use for run in runs for use in run.uses}
    return HandleFindings(tuple(stale), tuple(repeated.values()), found, by_script)


def _scripts(context: Context) -> Iterator[Operation]:
    """Yield named sequences, and operations of the dialect that stand outside of others of it."""
    todo = list(reversed(context.model.operations))
    while todo:
        operation = todo.pop()
        if is_transform_operation(operation):
            yield operation
        else:
            todo.extend(nested for block in operation.blocks() for nested in reversed(block.operations))


def _is_applied_to_root(operation: Operation) -> bool:
    """Tell whether an operation outside of named sequences gets the payload root: it takes no handle of another one."""
    return not operation.operands and operation.has_trait("PossibleTopLevelTransformOpTrait")


def _run(context: Context, operation: Operation) -> AbstractRun:
    run = AbstractRun(context)
    if operation.name != NAMED_SEQUENCE and not _is_applied_to_root(operation):
        execute_operation(run, operation)
        return run
    run.begins = operation.name != NAMED_SEQUENCE or symbol_name(operation) == ENTRY_POINT
    for block in operation.blocks():
        enter(run, block, [None] * len(block.arguments))
        for argument in block.arguments:
            run.set_of(argument).is_unknown = False
        if block.arguments:
            first = run.set_of(block.arguments[0])
            first.is_root = first.is_single = len(block.arguments) == 1
        run.execute(block)
    return run
