"""Uses of invalid handles in one section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.abstract_run import AbstractRun
from tdls.analysis.handles.transfer import enter, execute_operation
from tdls.analysis.use_after_free import UseAfterFreeAnalysis
from tdls.semantic.transform_dialect import NAMED_SEQUENCE, is_transform_operation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.context import Context
    from tdls.analysis.handles.abstract_run import StaleUse
    from tdls.semantic.model import Operation


def stale_uses(context: Context) -> list[StaleUse]:
    """Return the uses of invalid handles, in the order of execution, that `use-after-free` does not see."""
    freed = UseAfterFreeAnalysis(context.model, context.effects, context.reachability)
    found = (use for operation in _scripts(context) for use in _run(context, operation))
    return [use for use in found if not freed.freed_before(use.value, use.operation)]


def _scripts(context: Context) -> Iterator[Operation]:
    """Yield named sequences, and operations of the dialect that stand outside of others of it."""
    todo = list(reversed(context.model.operations))
    while todo:
        operation = todo.pop()
        if is_transform_operation(operation):
            yield operation
        else:
            todo.extend(nested for block in operation.blocks() for nested in reversed(block.operations))


def _run(context: Context, operation: Operation) -> list[StaleUse]:
    run = AbstractRun(context)
    if operation.name != NAMED_SEQUENCE:
        execute_operation(run, operation)
        return run.uses
    for block in operation.blocks():
        enter(run, block, [None] * len(block.arguments))
        for argument in block.arguments:
            run.set_of(argument).is_unknown = False
        if block.arguments:
            run.set_of(block.arguments[0]).is_root = len(block.arguments) == 1
        run.execute(block)
    return run.uses
