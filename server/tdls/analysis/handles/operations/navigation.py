"""Operations that navigate the payload (parents, producers, consumers, values) or regroup handles.

Without payload, the relations of their results say nearly all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.analysis.handles.evaluation.payload_operation import operands_of, result_count
from tdls.analysis.handles.evaluation.payload_run import Shortfall, ShortfallKind
from tdls.analysis.handles.matches import asked, looked_in, names_asked
from tdls.analysis.handles.operations.row import Meaning
from tdls.analysis.handles.payload.lattice import Multiplicity
from tdls.analysis.handles.payload.sets import Nesting
from tdls.analysis.handles.relations import by_relations
from tdls.catalogue.model import MatchCriterion
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.evaluation.payload_operation import PayloadOperation
    from tdls.analysis.handles.evaluation.payload_run import PayloadRun
    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Operation, Value

_ISOLATED = "IsIsolatedFromAbove"
_POSITION = re.compile(r"-?\d+", re.ASCII)


def number_of(operation: Operation, attribute: str, default: int | None) -> int | None:
    """Return the integer value of an attribute, `default` if it is absent; None if the value is no integer."""
    if operation.syntax.attribute(attribute) is None:
        return default
    return integer((operation.spelled(attribute) or "").partition(":")[0].strip())


def has_unit(operation: Operation, attribute: str) -> bool:
    """Tell whether an operation has a unit attribute."""
    return operation.syntax.attribute(attribute) is not None


def parents(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.get_parent_op``: find the `nth_parent` matching ancestor of each operation."""
    target = looked_in(operation)
    held, times = run.held(target), number_of(operation, "nth_parent", 1)
    if times is None or target is None or len(operation.results) != 1:
        run.may_find(operation)
        return
    found: list[PayloadOperation] = []
    for payload in run.members(target):
        parent: PayloadOperation | None = payload
        for _ in range(min(times, _MOST_PARENTS)):
            parent = _next_parent(run, operation, parent) if parent is not None else None
        if parent is None:
            _no_parent(run, operation, target, payload, found if held is not None else None)
            return
        if not parent.is_sure:
            run.may_find(operation)
            return
        if parent not in found or not has_unit(operation, "deduplicate"):
            found.append(parent)
    _hold_all(run, operation, found if held is not None else None)


def _hold_all(run: PayloadRun, operation: Operation, found: Sequence[PayloadOperation] | None) -> None:
    """Bind the result to `found`, if that is known."""
    run.may_find(operation)
    if found is not None:
        run.hold(operation.results[0], found)


_MOST_PARENTS = 100


def _next_parent(run: PayloadRun, operation: Operation, of: PayloadOperation) -> PayloadOperation | None:
    """Return the nearest matching ancestor."""
    for parent in of.ancestors():
        run.budget.spend()
        if is_parent_asked(operation, parent, run.context.catalogue):
            return parent
    return None


def is_parent_asked(operation: Operation, parent: PayloadOperation, catalogue: Catalogue) -> bool:
    """Tell whether `parent` meets the conditions of a ``transform.get_parent_op``."""
    names, definition = names_asked(operation), parent.definition(catalogue)
    if has_unit(operation, "isolated_from_above") and (definition is None or _ISOLATED not in definition.traits):
        return False
    return names is None or parent.name in names


def _no_parent(
    run: PayloadRun,
    operation: Operation,
    target: Value,
    payload: PayloadOperation,
    found: Sequence[PayloadOperation] | None,
) -> None:
    """Fail for lack of a parent, or bind the result to the parents `found` before, if empty results are allowed."""
    names, times = names_asked(operation), number_of(operation, "nth_parent", 1) or 1
    around = " in ".join(f"`{parent.name}`" for parent in payload.ancestors()) or "nothing"
    number = f" {times}" if times > 1 else ""
    wanted = " or ".join(f"`{name}`" for name in sorted(names)) if names else ""
    asks = f"is not in{number} {wanted}" if names else f"has no{number} such parents"
    place = asked(operation, MatchCriterion.NAMES) or operation.syntax.attribute("nth_parent")
    message = f"no parent is found: {payload.shown}, which `{target.shown}` holds, {asks}"
    help_text = f"it is in {around}"
    if not has_unit(operation, "allow_empty_results"):
        run.fail(Shortfall(operation, ShortfallKind.FAILS, message, place, help_text))
    if found is not None:
        run.hold(operation.results[0], found)
    if found is None or found:
        run.may_find(operation)
    else:
        run.finds_nothing(Shortfall(operation, ShortfallKind.UNMET, message, place, help_text))


def producers(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.get_producer_of_operand``, which fails for block arguments and missing operands."""
    target = next(iter(operation.operands), None)
    held, number = run.held(target), number_of(operation, "operand_number", None)
    if number is None or target is None or len(operation.results) != 1:
        run.may_find(operation)
        return
    found: list[PayloadOperation] = []
    place = operation.syntax.attribute("operand_number")
    for payload in run.members(target):
        operands = operands_of(payload)
        if operands is None:
            run.may_find(operation)
            return
        if number >= len(operands):
            message = f"no producer is found: {payload.shown} has no operand number {number}, only {len(operands)}"
            run.fail(Shortfall(operation, ShortfallKind.FAILS, message, place))
        value = operands[number]
        if value is not None and value.operation is None:
            message = (
                f"no producer is found: operand number {number} of {payload.shown} is a block argument, `{value.shown}`"
            )
            run.fail(Shortfall(operation, ShortfallKind.FAILS, message, place))
        producer = defining(run, value)
        if producer is None:
            run.may_find(operation)
            return
        found.append(producer)
    _hold_all(run, operation, found if held is not None else None)


def defining(run: PayloadRun, value: Value | None) -> PayloadOperation | None:
    """Return the operation that currently defines a payload value; None if it is not known."""
    owner = value.operation if value is not None else None
    found = run.payload.by_written.get(id(owner)) if owner is not None else None
    while found is not None and found.replaced_by is not None:
        found = found.successor
    return found if found is not None and found.is_sure else None


def consumers(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.get_consumers_of_result``: find the users of a result of exactly one operation."""
    target = next(iter(operation.operands), None)
    held, number = run.held(target), number_of(operation, "result_number", None)
    if held is None or number is None or target is None or len(operation.results) != 1:
        run.may_find(operation)
        return
    place = operation.syntax.attribute("result_number")
    if not held:
        run.hold(operation.results[0], ())
        return
    if len(held) > 1:
        message = f"`{target.shown}` holds several payload operations, but this looks at exactly one"
        run.fail(Shortfall(operation, ShortfallKind.COUNT, message))
    count = result_count(held[0])
    if count is not None and number >= count:
        results = f"no result number {number}, only {count}" if count else "no results"
        message = f"no consumers are found: {held[0].shown} has {results}"
        run.fail(Shortfall(operation, ShortfallKind.FAILS, message, place))
    found = users(run, held[0], number)
    if found is None:
        run.may_find(operation)
        return
    run.hold(operation.results[0], found)
    if found:
        run.may_find(operation)
        return
    message = f"nothing is found: nothing uses result number {number} of {held[0].shown}"
    run.finds_nothing(Shortfall(operation, ShortfallKind.EMPTY, message, place))


def users(run: PayloadRun, payload: PayloadOperation, number: int) -> list[PayloadOperation] | None:
    """Return the only user of a result, or none; None if there are several uses, or the users are not known."""
    if payload.written is None or not run.introduced.is_nothing:
        return None
    if not payload.written.syntax.results:
        return [] if result_count(payload) is not None or not payload.written.results else None
    if number >= len(payload.written.results):
        return None
    value = payload.written.results[number]
    using = [
        other for other in run.payload.root.walk() if other.written is not None and value in other.written.operands
    ]
    if len(using) > 1 or (using and using[0].written is not None and using[0].written.operands.count(value) > 1):
        return None
    return using


def results_of(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.get_result``: find the results at some positions."""
    _values_at(run, operation, results=True)


def operands_of_held(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.get_operand``: find the operands at some positions."""
    _values_at(run, operation, results=False)


def _values_at(run: PayloadRun, operation: Operation, *, results: bool) -> None:
    target = next(iter(operation.operands), None)
    held = run.held(target)
    if held is None or target is None or len(operation.results) != 1:
        run.may_find(operation)
        return
    found: list[Value] = []
    place = operation.syntax.attribute("raw_position_list")
    for payload in held:
        count = result_count(payload) if results else _operand_count(payload)
        spelled = place.value if place is not None and place.value is not None else ""
        positions = [int(text) for text in _POSITION.findall(spelled)]
        beyond = next((at for at in positions if count is not None and not -count <= at < count), None)
        if beyond is not None:
            kind = "result" if results else "operand"
            message = f"{payload.shown} has no {kind} number {beyond}, only {count or 'none'}"
            run.fail(Shortfall(operation, ShortfallKind.FAILS, message, place))
        own = _values(payload, results=results)
        if own is None or count is None:
            run.may_find(operation)
            return
        taken = {position % count for position in positions} if count else set()
        if has_unit(operation, "is_all"):
            found += own
        elif has_unit(operation, "is_inverted"):
            found += [value for index, value in enumerate(own) if index not in taken]
        else:
            found += [own[position] for position in positions]
    run.hold_values(operation.results[0], found)
    if found or not held:
        run.may_find(operation)
    else:
        message = f"nothing is found: `{target.shown}` holds {held[0].shown}, which has nothing there"
        run.finds_nothing(Shortfall(operation, ShortfallKind.EMPTY, message, place))


def _operand_count(payload: PayloadOperation) -> int | None:
    operands = operands_of(payload)
    return len(operands) if operands is not None else None


def _values(payload: PayloadOperation, *, results: bool) -> list[Value] | None:
    if results:
        return list(payload.written.results) if payload.written is not None and payload.written.syntax.results else None
    operands = operands_of(payload)
    if operands is None or any(value is None for value in operands):
        return None
    return [value for value in operands if value is not None]


def definers(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.get_defining_op``, which fails for block arguments."""
    target = next(iter(operation.operands), None)
    values = run.held_values(target)
    if values is None or target is None or len(operation.results) != 1:
        run.may_find(operation)
        return
    found: list[PayloadOperation] = []
    for value in values:
        if value.operation is None:
            message = f"nothing defines `{value.shown}`, which `{target.shown}` holds: it is a block argument"
            run.fail(Shortfall(operation, ShortfallKind.FAILS, message))
        definer = defining(run, value)
        if definer is None:
            run.may_find(operation)
            return
        found.append(definer)
    run.hold(operation.results[0], found)
    run.may_find(operation)


def split(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.split_handle``: bind each result to one operation, the overflow result to the rest."""
    target = next(iter(operation.operands), None)
    held, results = run.held(target), operation.results
    overflow = number_of(operation, "overflow_result", -1)
    if held is None or overflow is None or target is None:
        run.may_find(operation)
        return
    number = len(held)
    too_many = number > len(results) and overflow < 0
    passes = not number and _is_true(operation, "pass_through_empty_handle")
    too_few = number < len(results) and _is_true(operation, "fail_on_payload_too_small") and not passes
    if too_many or too_few:
        holds = {0: "no payload operation", 1: "one payload operation"}.get(number, f"{number} payload operations")
        message = f"`{target.shown}` holds {holds}, which cannot be split into {len(results) or 'no'} handles"
        run.fail(Shortfall(operation, ShortfallKind.COUNT, message))
    parts: list[list[PayloadOperation]] = [[] for _ in results]
    for index, payload in enumerate(held):
        parts[index if index < len(parts) else overflow].append(payload)
    for result, part in zip(results, parts, strict=True):
        run.hold(result, part)
    run.may_find(operation)


def _is_true(operation: Operation, attribute: str) -> bool:
    """Return the value of a boolean attribute that defaults to true."""
    return (operation.spelled(attribute) or "true").partition(":")[0].strip() != "false"


def merge(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.merge_handles``: concatenate the handles."""
    run.may_find(operation)
    several = [run.held(handle) for handle in operation.operands]
    if len(operation.results) != 1 or any(held is None for held in several):
        return
    merged = [payload for held in several for payload in held or ()]
    if has_unit(operation, "deduplicate"):
        merged = list(dict.fromkeys(merged))
    run.hold(operation.results[0], merged)


def same(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.cast``: bind results to the contents of the operands."""
    for value, result in zip(operation.operands, operation.results, strict=False):
        if value is not None:
            run.pass_on(value, result)
    run.may_find(operation)


def replicate(run: AbstractRun, operation: Operation) -> None:
    """Execute ``transform.replicate``: concatenate a handle's list once for each payload operation of the pattern."""
    pattern = next(iter(operation.group("pattern")), None)
    count = run.handles.set_of(pattern) if pattern is not None else None
    if (
        pattern is None
        or count is None
        or run.handles.is_parameter(pattern)
        or count.facts.multiplicity is Multiplicity.ONE
    ):
        by_relations(run, operation)
        return
    for result, handle in zip(operation.results, operation.group("handles"), strict=False):
        if handle is None or run.handles.is_parameter(handle):
            continue
        searched = run.handles.set_of(handle)
        several = run.handles.new_set(result, operation, searched.facts.copied(count.facts.multiplicity))
        run.payload.where.put(several, run.payload.where.of(searched)._replace(listed=None))
        several.made = searched.made
        run.handles.link(searched, several, Nesting.PART)
        run.handles.link(several, searched, Nesting.PART)


PARENTS = Meaning(evaluates=parents)
DEFINERS = Meaning(evaluates=definers)
SAME = Meaning(evaluates=same)
MEANINGS = {
    "transform.get_producer_of_operand": Meaning(evaluates=producers),
    "transform.get_consumers_of_result": Meaning(evaluates=consumers),
    "transform.get_result": Meaning(evaluates=results_of),
    "transform.get_operand": Meaning(evaluates=operands_of_held),
    "transform.split_handle": Meaning(evaluates=split),
    "transform.merge_handles": Meaning(evaluates=merge),
    "transform.replicate": Meaning(replicate),
}
