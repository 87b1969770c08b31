"""Operations that run bodies, or named sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.abstract_run import PARAMETER
from tdls.analysis.handles.changes import MOST_CALLS
from tdls.analysis.handles.payload_names import names_of_type
from tdls.analysis.handles.payload_sets import Nesting, PayloadSet, link
from tdls.analysis.handles.relations import by_relations

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tdls.analysis.handles.abstract_run import AbstractRun, Cause
    from tdls.semantic.model import Block, Operation, Value


def enter(run: AbstractRun, block: Block, payloads: Iterable[PayloadSet | None]) -> None:
    """Let the arguments of a block stand for `payloads`; nothing is known of those that are None."""
    for argument, payload in zip(block.arguments, payloads, strict=False):
        if payload is not None:
            run.stand_for(argument, payload)
        else:
            fresh = run.new_set(argument, None)
            fresh.is_unknown = True
            fresh.names = names_of_type(argument.type)
            fresh.is_flat = run.names.are_flat(fresh.names)


def sequence(run: AbstractRun, operation: Operation) -> None:
    """``transform.sequence`` and the like: the body's arguments are the operands."""
    for block in operation.blocks():
        enter(run, block, _operand_sets(run, operation))
        run.execute(block)
        _yield_to(run, operation, block)
        run.forget(block)


def foreach(run: AbstractRun, operation: Operation) -> None:
    """``transform.foreach``: the body sees single payload operations.

    It is run twice, since loops come back; what goes wrong only then needs two operations.
    """
    block = next(operation.blocks(), None)
    if block is None:
        return
    begin, first_step = len(run.uses), run.step
    for iteration in range(2):
        found = len(run.uses)
        enter(run, block, [None] * len(block.arguments))
        for argument, target in zip(block.arguments, operation.operands, strict=False):
            if target is None or run.kind(argument) == PARAMETER:
                continue
            whole, element = run.set_of(target), run.set_of(argument)
            element.names, element.is_unknown, element.is_flat = whole.names, whole.is_unknown, True
            element.is_single = True
            link(element, whole, Nesting.PART, run.step)
        run.execute(block)
        if iteration:
            comes_back = _is_certain_to_come_back(run, operation)
            _later_iteration(run, begin, found, is_certain=comes_back)
            _collect(run, operation, block, first_step, comes_back=comes_back)
        run.forget(block)


def _is_certain_to_come_back(run: AbstractRun, operation: Operation) -> bool:
    """Tell whether a ``transform.foreach`` has two iterations at least."""
    is_shortest = operation.syntax.attribute("with_zip_shortest") is not None
    several = [run.set_of(target).is_several for target in operation.operands if target is not None]
    return all(several) if is_shortest else any(several)


def _collect(run: AbstractRun, operation: Operation, block: Block, begin: int, *, comes_back: bool) -> None:
    """Let results stand for what all iterations yield: it lies to all else as what one of them yields.

    What was there when the loop began, at step `begin`, is yielded by each of them.
    """
    terminator = block.terminator
    for result, value in zip(operation.results, terminator.operands if terminator is not None else (), strict=False):
        if value is None or run.kind(result) == PARAMETER:
            continue
        yielded, payload = run.set_of(value), run.new_set(result, operation)
        payload.names, payload.is_unknown = yielded.names, yielded.is_unknown
        is_same = yielded.made < begin
        payload.repeats = yielded.repeats or (is_same and comes_back)
        payload.may_repeat = is_same or not (yielded.is_single or yielded.is_new)
        payload.is_new, payload.made, payload.replaces = yielded.is_new, yielded.made, yielded.replaces
        for one in tuple(yielded.outer):
            link(payload, one.outer, one.nesting, one.made, is_firm=one.is_firm)
        link(yielded, payload, Nesting.PART, run.step)


def _later_iteration(run: AbstractRun, begin: int, second: int, *, is_certain: bool) -> None:
    """Keep of the uses from `second` on those that were not found before, as possible ones.

    Where it `is_certain` that there is a second iteration, the first one that stops it is certain, too, if nothing
    stops the first iteration.
    """
    known = {(id(use.operation), use.operand) for use in run.uses[:second]}
    fresh = [use for use in run.uses[second:] if (id(use.operation), use.operand) not in known]
    comes = is_certain and begin == second
    stop = next((use for use in fresh if use.is_certain), None) if comes else None
    run.uses[second:] = [use._replace(is_certain=use is stop) for use in fresh]


def branches(run: AbstractRun, operation: Operation) -> None:
    """Operations of which no more is known than that they may run their bodies: what is wrong there is possible."""
    doubts: dict[Value, Cause] = {}
    for block in operation.blocks():
        enter(run, block, [None] * len(block.arguments))
        doubts |= run.perhaps(block)
        run.forget(block)
    run.doubt(doubts)
    by_relations(run, operation)


def alternatives(run: AbstractRun, operation: Operation) -> None:
    """``transform.alternatives``: each region starts from the same state; one of them is kept."""
    before = run.snapshot()
    for block in operation.blocks():
        run.restore(before)
        enter(run, block, _operand_sets(run, operation))
        run.isolated(block)
        run.forget(block)
    run.restore(before)


def include(run: AbstractRun, operation: Operation) -> None:
    """``transform.include``: the callee's results are what it yields; what it finds wrong is its own matter."""
    callee = run.context.effects.callee(operation)
    block = next(callee.blocks(), None) if callee is not None else None
    if block is None or run.depth >= MOST_CALLS or not operation.results:
        run.note(run.changes.of_callee(callee, run.depth))
        return
    run.depth += 1
    found, repeated = len(run.uses), len(run.repeated)
    enter(run, block, _operand_sets(run, operation))
    run.isolated(block)
    del run.uses[found:], run.repeated[repeated:]
    _yield_to(run, operation, block)
    run.forget(block)
    run.depth -= 1


def _operand_sets(run: AbstractRun, operation: Operation) -> list[PayloadSet | None]:
    return [run.set_of(value) if value is not None else None for value in operation.operands]


def _yield_to(run: AbstractRun, operation: Operation, block: Block) -> None:
    terminator = block.terminator
    if terminator is None or not terminator.has_trait("IsTerminator"):
        return
    for result, value in zip(operation.results, terminator.operands, strict=False):
        if value is not None:
            run.stand_for(result, run.set_of(value))
