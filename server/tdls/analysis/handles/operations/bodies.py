"""Operations that run bodies or named sequences."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tdls.analysis.handles.changes import MOST_CALLS
from tdls.analysis.handles.contents import Certainty, again_and_again
from tdls.analysis.handles.operations.rewriting import disturb_by
from tdls.analysis.handles.operations.row import Meaning
from tdls.analysis.handles.relations import by_relations, hand_on
from tdls.analysis.handles.sets import Nesting, PayloadSet, Places
from tdls.semantic.transform_dialect import suppresses_failures

if TYPE_CHECKING:
    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.handle_state import Cause
    from tdls.analysis.handles.payload_run import Held, PayloadRun
    from tdls.payload.operations import PayloadOperation
    from tdls.semantic.model import Block, Operation, Value

_TERMINATOR = "IsTerminator"
"""The interpreter does not check the operands of terminators."""
_MOST_ITERATIONS = 16
_SHORTEST = "with_zip_shortest"


# Without payload


def sequence(run: AbstractRun, operation: Operation) -> None:
    """Execute ``transform.sequence`` or similar: bind the operands to the body's arguments."""
    for block in operation.blocks():
        run.enter(block, _operand_sets(run, operation))
        run.execute(block)
        _yield_to(run, operation, block)
        run.forget(block)


def _yield_to(run: AbstractRun, operation: Operation, block: Block) -> None:
    terminator = block.terminator
    if terminator is None or not terminator.has_trait("IsTerminator"):
        return
    for result, value in zip(operation.results, terminator.operands, strict=False):
        if value is not None:
            hand_on(run, value, result, is_stale=run.is_known(value) and run.log.may_be_invalid(value))


def _operand_sets(run: AbstractRun, operation: Operation) -> list[PayloadSet | None]:
    return [run.set_of(value) if value is not None else None for value in operation.operands]


def foreach(run: AbstractRun, operation: Operation) -> None:
    """Execute ``transform.foreach``: bind the body's arguments to single payload operations.

    The body is run twice: some findings occur only in a second iteration. In the second iteration of an outer loop it
    is run once, so that the cost of nested loops is linear in their depth.
    """
    block = operation.body
    if block is None:
        return
    targets = (target for target in operation.operands if target is not None and not run.is_parameter(target))
    if any(run.set_of(target).may_be_empty or run.payload.may_have_gone(target) for target in targets):
        run.doubts.update(run.log.perhaps(partial(_iterate, run, operation, block)))
    else:
        _iterate(run, operation, block)


def _iterate(run: AbstractRun, operation: Operation, block: Block) -> None:
    """Run the body of a ``transform.foreach`` twice; once for a single operation, or in a second outer iteration."""
    begin, first_step, is_inside = len(run.log.uses), run.step, run.is_repeated
    is_once = any(target.facts.is_one for target in run.sets_of(operation.operands))
    for iteration in (1,) if is_inside or is_once else (0, 1):
        uses = len(run.log.uses)
        run.is_repeated = is_inside or (bool(iteration) and not is_once)
        run.enter(block, [None] * len(block.arguments))
        for argument, target in zip(block.arguments, operation.operands, strict=False):
            if target is None or run.is_parameter(argument):
                continue
            whole, element = run.set_of(target), run.set_of(argument)
            element.facts = whole.facts.element()
            run.places.put(element, run.places.element(whole))
            run.link(element, whole, Nesting.PART)
        run.execute(block)
        if iteration:
            comes_back = _is_certain_to_come_back(run, operation)
            if not is_inside and not is_once:
                _later_iteration(run, begin, uses, is_certain=comes_back)
            _collect(run, operation, block, first_step, comes_back=comes_back, is_once=is_once)
        run.forget(block)
    run.is_repeated = is_inside


def _is_certain_to_come_back(run: AbstractRun, operation: Operation) -> bool:
    """Whether a ``transform.foreach`` has at least two iterations."""
    is_shortest = operation.has_attribute("with_zip_shortest")
    counts = [run.set_of(target).facts.several for target in operation.operands if target is not None]
    several = [count is Certainty.CERTAINLY for count in counts]
    return all(several) if is_shortest else any(several)


def _collect(
    run: AbstractRun, operation: Operation, block: Block, begin: int, *, comes_back: bool, is_once: bool
) -> None:
    """Bind results to the union of the sets yielded by all iterations, which relates to others as one of these sets.

    A set made before the loop began, at step `begin`, is yielded by each iteration.
    """
    for result, value in zip(operation.results, block.yielded, strict=False):
        if value is None or run.is_parameter(result):
            continue
        yielded = run.set_of(value)
        is_found_again = bool(run.places.of(yielded).listed)
        shared = _shared_by_iterations(yielded, begin, is_found_again=is_found_again, comes_back=comes_back)
        facts = yielded.facts if is_once else again_and_again(yielded.facts, shared, comes_back=comes_back)
        if run.cause_of(value) is not None:
            facts = facts._replace(several=Certainty.POSSIBLY)
        payload = run.new_set(result, operation, facts)
        payload.made, payload.replaces = yielded.made, yielded.replaces
        run.places.put(payload, run.places.of(yielded).some())
        for link in tuple(yielded.outer):
            run.link(payload, link.outer, link.nesting, is_firm=link.is_firm, since=link.made)
        run.link(yielded, payload, Nesting.PART)


def _shared_by_iterations(yielded: PayloadSet, begin: int, *, is_found_again: bool, comes_back: bool) -> Certainty:
    """Return whether two iterations yield common operations; a single one is assumed to belong to one iteration."""
    if yielded.made < begin or is_found_again:
        return Certainty.EACH if comes_back else Certainty.POSSIBLY
    is_own = yielded.facts.is_one or yielded.facts.is_new
    return Certainty.NEVER if is_own else Certainty.POSSIBLY


def _later_iteration(run: AbstractRun, begin: int, second: int, *, is_certain: bool) -> None:
    """Drop second-iteration uses that the first iteration has, too, and make the rest uncertain.

    `begin` and `second` are the indices in `run.log.uses` at the start of the iterations. If a second iteration
    `is_certain`, its first use outside of terminators keeps its certainty, if the first iteration found nothing.
    """
    known = {(id(use.operation), use.operand) for use in run.log.uses[begin:second]}
    fresh = [use for use in run.log.uses[second:] if (id(use.operation), use.operand) not in known]
    comes = is_certain and begin == second
    stop = next((use for use in fresh if not use.operation.has_trait(_TERMINATOR)), None) if comes else None
    run.log.uses[second:] = [use._replace(is_certain=use.is_certain and use is stop) for use in fresh]


def branches(run: AbstractRun, operation: Operation) -> None:
    """Execute an operation that may run its bodies, in an unknown way: findings in them are uncertain."""
    doubts: dict[Value, Cause] = {}
    for block in operation.blocks():
        run.enter(block, [None] * len(block.arguments))
        doubts |= run.log.perhaps(partial(run.execute, block))
        run.forget(block)
    run.doubts.update(doubts)
    by_relations(run, operation)


def alternatives(run: AbstractRun, operation: Operation) -> None:
    """Execute ``transform.alternatives``: each region starts from the same state; one of them is kept."""
    before = run.snapshot()
    yielded: list[list[PayloadSet | None]] = [[] for _ in operation.results]
    for block in operation.blocks():
        run.restore(before)
        run.enter(block, _operand_sets(run, operation))
        run.isolated(block)
        for several, value in zip(yielded, block.yielded, strict=False):
            several.append(next(run.sets_of([value]), None))
        run.forget(block)
    run.restore(before)
    for result, several in zip(operation.results, yielded, strict=True):
        _stand_for_one_of(run, operation, result, several)


def _stand_for_one_of(run: AbstractRun, operation: Operation, result: Value, several: list[PayloadSet | None]) -> None:
    """Bind a result of ``transform.alternatives`` to the join of the sets that the regions yield."""
    known = [payload for payload in several if payload is not None]
    if not known or len(known) != len(several):
        return
    facts = known[0].facts
    for payload in known[1:]:
        facts = facts.join(payload.facts)
    own = run.new_set(result, operation, facts._replace(newness=Certainty.POSSIBLY))
    own.may_be_empty = any(payload.may_be_empty for payload in known)
    run.places.put(own, Places(run.places.all_of(known)))


def include(run: AbstractRun, operation: Operation) -> None:
    """Execute ``transform.include``: bind results to the yielded sets; drop findings in the callee, reported there."""
    callee = run.context.callee(operation)
    block = callee.body if callee is not None else None
    if block is None or run.depth >= MOST_CALLS or not operation.results:
        run.payload.apply_call(operation, callee, run.depth)
        return
    run.depth += 1
    uses, repeated = len(run.log.uses), len(run.log.repeated)
    run.enter(block, _operand_sets(run, operation))
    run.isolated(block)
    del run.log.uses[uses:], run.log.repeated[repeated:]
    _yield_to(run, operation, block)
    run.forget(block)
    run.depth -= 1


# On a known payload


def evaluate_bodies(run: PayloadRun, operation: Operation) -> None:
    """Evaluate an operation with unknown effects, which may run its bodies."""
    disturb_by(run, [operation])


def _evaluate_sequence(run: PayloadRun, operation: Operation) -> None:
    block = operation.body
    if block is None or suppresses_failures(operation):
        evaluate_bodies(run, operation)
    else:
        run.execute_body(operation, block)


def _evaluate_include(run: PayloadRun, operation: Operation) -> None:
    callee = run.context.callee(operation)
    block = callee.body if callee is not None else None
    if block is None or run.depth >= MOST_CALLS or suppresses_failures(operation):
        evaluate_bodies(run, operation)
    else:
        run.call(operation, block)


def _evaluate_foreach(run: PayloadRun, operation: Operation) -> None:
    block = operation.body
    several = [run.held(handle) for handle in operation.operands]
    counts = {len(held) for held in several if held is not None}
    if not operation.has_attribute(_SHORTEST):
        _check_counts(run, operation, several)
    if block is None or None in several or not several or min(counts) > _MOST_ITERATIONS:
        evaluate_bodies(run, operation)
        return
    gathered: list[list[PayloadOperation] | None] = [[] for _ in operation.results]
    for index in range(min(counts)):
        still = [run.held(handle) for handle in operation.operands]
        for argument, held in zip(block.arguments, still, strict=False):
            run.forget(argument)
            if held is not None:
                run.hold(argument, held[index : index + 1])
        run.execute(block)
        for number, (before, value) in enumerate(zip(gathered, block.yielded, strict=False)):
            held = run.held(value)
            run.budget.spend(len(held or ()))  # the number multiplies with each loop around
            gathered[number] = [*before, *held] if before is not None and held is not None else None
    for result, operations in zip(operation.results, gathered, strict=True):
        if operations is not None:
            run.hold(result, operations)


def _check_counts(run: PayloadRun, operation: Operation, several: list[Held | None]) -> None:
    """Fail if the handles of a loop are known to hold different numbers of operations."""
    known = [
        (value, len(held))
        for value, held in zip(operation.operands, several, strict=True)
        if value is not None and held is not None
    ]
    for value, count in known[1:]:
        first, expected = known[0]
        if count != expected:
            counts = f"`{first.shown}` holds {_operations(expected)}, but `{value.shown}` {_operations(count)}"
            run.refuse(operation, f"{counts}: a loop needs as many of each")


def _operations(count: int) -> str:
    return {0: "no payload operation", 1: "one payload operation"}.get(count, f"{count} payload operations")


BRANCHES = Meaning(branches)
"""An operation that may run its bodies, in an unknown way."""
MEANINGS = {
    "transform.sequence": Meaning(sequence, _evaluate_sequence),
    "transform.with_pdl_patterns": Meaning(sequence, evaluate_bodies),
    "transform.foreach": Meaning(foreach, _evaluate_foreach, repeats_body=True),
    "transform.alternatives": Meaning(alternatives, evaluate_bodies),
    "transform.include": Meaning(include, _evaluate_include),
}
