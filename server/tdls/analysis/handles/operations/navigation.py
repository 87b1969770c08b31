"""Operations that navigate the payload (parents, producers, consumers, values) or regroup handles.

Without payload, the relations of their results say nearly all.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from tdls.analysis.handles.matches import accepts_parent
from tdls.analysis.handles.operations.row import Meaning
from tdls.analysis.handles.relations import by_relations
from tdls.analysis.handles.sets import Nesting
from tdls.analysis.handles.shortfalls import Shortfall, ShortfallKind
from tdls.analysis.refusals.target import Unmet
from tdls.catalogue.model import MatchCriterion
from tdls.payload.operations import operands_of, result_count
from tdls.text.scanning import integer
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.payload_run import PayloadRun
    from tdls.catalogue.catalogue import Catalogue
    from tdls.payload.operations import PayloadOperation
    from tdls.semantic.model import Operation, Value

_POSITION = re.compile(r"-?\d+", re.ASCII)


def parents(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.get_parent_op``: find the `nth_parent` matching ancestor of each operation."""
    target, catalogue = operation.searched, run.context.catalogue
    held, times = run.held(target), operation.integer("nth_parent", 1)
    if not times or target is None or len(operation.results) != 1:
        return
    outer: list[PayloadOperation] = []
    for payload in run.members(target):
        unmet = unmet_parent(operation, payload, catalogue)
        if unmet is not None:
            _no_parent(run, operation, unmet, outer if held is not None else None)
            return
        parent = _accepted_parents(operation, payload, catalogue)[times - 1]
        run.budget.spend(1 + sum(1 for _ in payload.ancestors()))
        if not parent.is_sure:
            return
        if parent not in outer or not operation.deduplicates:
            outer.append(parent)
    if held is not None:
        run.hold(operation.results[0], outer)


def _accepted_parents(operation: Operation, payload: PayloadOperation, catalogue: Catalogue) -> list[PayloadOperation]:
    return [parent for parent in payload.ancestors() if accepts_parent(operation, parent.name, catalogue)]


def unmet_parent(operation: Operation, payload: PayloadOperation, catalogue: Catalogue) -> Unmet | None:
    """Return the reason why an operation has no `nth_parent` that a ``transform.get_parent_op`` accepts."""
    wanted, times = _accepted_parents(operation, payload, catalogue), operation.integer("nth_parent", 1) or 1
    if len(wanted) >= times:
        return None
    number = f"{len(wanted)} of {times}" if times > 1 else "no"
    names = operation.required_names
    words = " or ".join(f"`{name}`" for name in sorted(names)) if names else "operations" if times > 1 else "operation"
    if operation.has_attribute("isolated_from_above"):
        words += " isolated from above"
    around = ", ".join(parent.shown for parent in payload.ancestors())
    help_text = f"its parents are {around}" if around else "it has no parents"
    return Unmet(f"{payload.shown} is in {number} {words}", help_text, nearness=len(wanted))


def _no_parent(run: PayloadRun, operation: Operation, unmet: Unmet, parents: Sequence[PayloadOperation] | None) -> None:
    """Fail for lack of a parent, or bind the result to the parents `parents` before, if empty results are allowed."""
    place = operation.criterion(MatchCriterion.NAMES) or operation.syntax.attribute("nth_parent")
    message = f"no parent is found: {unmet.message}"
    if not operation.has_attribute("allow_empty_results"):
        run.refuse(operation, message, unmet.help, place)
    if parents is not None:
        run.hold(operation.results[0], parents)
    if parents == []:
        run.finds_nothing(Shortfall(operation, ShortfallKind.UNMET, message, place, unmet.help))


def producers(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.get_producer_of_operand``, which fails for block arguments and missing operands."""
    target, number = operation.first_operand, operation.integer("operand_number")
    if number is None or len(operation.results) != 1:
        return
    values: list[Value | None] = []
    for payload in run.members(target):
        unmet = unmet_producer(operation, payload, run.context.catalogue)
        if unmet is not None:
            place = operation.syntax.attribute("operand_number")
            run.refuse(operation, f"no producer is found: {unmet.message}", place=place)
        operands = operands_of(payload)
        values.append(operands[number] if operands is not None else None)
    if run.held(target) is not None:
        hold_definers(run, operation, values)


def unmet_producer(operation: Operation, payload: PayloadOperation, catalogue: Catalogue) -> Unmet | None:
    """Return the reason why no operation defines the operand that a ``transform.get_producer_of_operand`` names."""
    del catalogue
    number, operands = operation.integer("operand_number"), operands_of(payload)
    if number is None or operands is None:
        return None
    if number >= len(operands):
        return Unmet(f"{payload.shown} has {counted(len(operands), 'operand')}, and none with number {number}")
    value = operands[number]
    if value is None or value.operation is not None:
        return None
    owner = value.block.region.parent if value.block is not None else None
    around = next((outer.shown for outer in payload.ancestors() if outer.written is owner), None)
    argument = f"block argument {value.index}" + (f" of {around}" if around is not None else "")
    message = f"operand {number} of {payload.shown} is `{value.shown}`, {argument}, which no operation defines"
    return Unmet(message, nearness=1.0)


def defining(run: PayloadRun, value: Value | None) -> PayloadOperation | None:
    """Return the operation that currently defines a payload value, or None if not known."""
    owner = value.operation if value is not None else None
    definer = run.payload.by_written.get(id(owner)) if owner is not None else None
    while definer is not None and definer.replaced_by is not None:
        definer = definer.successor
    return definer if definer is not None and definer.is_sure else None


def hold_definers(run: PayloadRun, operation: Operation, values: Sequence[Value | None]) -> None:
    """Bind the result to the operations that define some values, if these are known."""
    definers = [defining(run, value) for value in values]
    known = [each for each in definers if each is not None]
    if len(known) == len(definers):
        run.hold(operation.results[0], known)


def consumers(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.get_consumers_of_result``: find the users of a result of exactly one operation."""
    target = operation.first_operand
    held, number = run.held(target), operation.integer("result_number")
    if held is None or number is None or target is None or len(operation.results) != 1:
        return
    place = operation.syntax.attribute("result_number")
    if not held:
        run.hold(operation.results[0], ())
        return
    if len(held) > 1:
        message = f"`{target.shown}` holds several payload operations, but this looks at exactly one"
        run.refuse(operation, message)
    count = result_count(held[0])
    if count is not None and number >= count:
        results = f"no result number {number}, only {count}" if count else "no results"
        message = f"no consumers are found: {held[0].shown} has {results}"
        run.refuse(operation, message, place=place)
    consuming = users(run, held[0], number)
    if consuming is None:
        return
    run.hold(operation.results[0], consuming)
    if consuming:
        return
    message = f"nothing is found: nothing uses result number {number} of {held[0].shown}"
    run.finds_nothing(Shortfall(operation, ShortfallKind.EMPTY, message, place))


def users(run: PayloadRun, payload: PayloadOperation, number: int) -> list[PayloadOperation] | None:
    """Return the users of a result, at most one, or None if there are several uses, or the users are not known."""
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


def values_at(run: PayloadRun, operation: Operation, *, results: bool) -> None:
    """Evaluate ``transform.get_result`` or ``get_operand``: find the results or operands at some positions."""
    target = operation.first_operand
    held = run.held(target)
    if held is None or target is None or len(operation.results) != 1:
        return
    values: list[Value] = []
    without = None
    kind = "result" if results else "operand"
    place = operation.syntax.attribute("raw_position_list")
    for payload in held:
        operands = operands_of(payload)
        count = result_count(payload) if results else None if operands is None else len(operands)
        spelled = place.value if place is not None and place.value is not None else ""
        positions = [at for at in map(integer, _POSITION.findall(spelled)) if at is not None]
        beyond = next((at for at in positions if count is not None and not -count <= at < count), None)
        if beyond is not None:
            message = f"{payload.shown} has no {kind} number {beyond}, only {count or 'none'}"
            run.refuse(operation, message, place=place)
        own = [] if count == 0 else _values(payload, results=results)
        without = payload if count == 0 else without
        if own is None or count is None:
            return
        taken = {position % count for position in positions} if count else set()
        if operation.has_attribute("is_all"):
            values += own
        elif operation.has_attribute("is_inverted"):
            values += [value for index, value in enumerate(own) if index not in taken]
        else:
            values += [own[position] for position in positions]
    run.hold_values(operation.results[0], values)
    if without is not None and values:
        message = f"{without.shown} has no {kind}s: MLIR stops with an assertion here if it is built with assertions"
        run.finds_nothing(Shortfall(operation, ShortfallKind.UNMET, message, operation.syntax.attribute("is_all")))
    elif held and not values:
        message = f"nothing is found: `{target.shown}` holds {held[0].shown}, which has nothing there"
        run.finds_nothing(Shortfall(operation, ShortfallKind.EMPTY, message, place))


def _values(payload: PayloadOperation, *, results: bool) -> list[Value] | None:
    if results:
        return list(payload.written.results) if payload.written is not None and payload.written.syntax.results else None
    operands = operands_of(payload)
    if operands is None or any(value is None for value in operands):
        return None
    return [value for value in operands if value is not None]


def definers(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.get_defining_op``, which fails for block arguments."""
    target = operation.first_operand
    values = run.held_values(target)
    if values is None or target is None or len(operation.results) != 1:
        return
    argument = next((value for value in values if value.operation is None), None)
    if argument is not None:
        message = f"nothing defines `{argument.shown}`, which `{target.shown}` holds: it is a block argument"
        run.refuse(operation, message)
    hold_definers(run, operation, values)


def split(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.split_handle``: bind each result to one operation, the overflow result to the rest."""
    target = operation.first_operand
    held, results = run.held(target), operation.results
    overflow = operation.integer("overflow_result", -1)
    if held is None or overflow is None or target is None:
        return
    number = len(held)
    too_many = number > len(results) and overflow < 0
    passes = not number and _is_true(operation, "pass_through_empty_handle")
    may_be_few = passes or not _is_true(operation, "fail_on_payload_too_small")
    too_few = number < len(results) and (overflow >= 0 or not may_be_few)
    if too_many or too_few:
        into = counted(len(results), "handle") if results else "no handles"
        holds = {0: "no payload operation", 1: "one payload operation"}.get(number, f"{number} payload operations")
        message = f"`{target.shown}` holds {holds}, which cannot be split into {into}"
        if too_few and may_be_few:
            message += " with an `overflow_result`: MLIR crashes"
        help_text = f"name {counted(number, 'result')}, with a type for each" if number else None
        run.refuse(operation, message, help_text)
    parts: list[list[PayloadOperation]] = [[] for _ in results]
    for index, payload in enumerate(held):
        parts[index if index < len(parts) else overflow].append(payload)
    for result, part in zip(results, parts, strict=True):
        run.hold(result, part)


def _is_true(operation: Operation, attribute: str) -> bool:
    """Return the value of a boolean attribute that defaults to true."""
    return (operation.spelled(attribute) or "true").partition(":")[0].strip() != "false"


def merge(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.merge_handles``: concatenate the handles."""
    several = [run.held(handle) for handle in operation.operands]
    values = [run.parameters(parameter) for parameter in operation.operands]
    if len(operation.results) == 1 and None not in values and not operation.deduplicates:
        run.budget.spend(sum(len(own or ()) for own in values))
        run.hold_parameters(operation.results[0], [value for own in values for value in own or ()])
    if len(operation.results) != 1 or any(held is None for held in several):
        return
    run.budget.spend(sum(len(held or ()) for held in several))  # handles that are merged with themselves double
    merged = [payload for held in several for payload in held or ()]
    if operation.deduplicates:
        merged = list(dict.fromkeys(merged))
    run.hold(operation.results[0], merged)


def same(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.cast``: bind results to the contents of the operands."""
    for value, result in zip(operation.operands, operation.results, strict=False):
        if value is not None:
            run.pass_on(value, result)


def replicate(run: AbstractRun, operation: Operation) -> None:
    """Execute ``transform.replicate``: concatenate a handle's list once for each payload operation of the pattern."""
    pattern = next(iter(operation.group("pattern")), None)
    count = run.set_of(pattern) if pattern is not None else None
    if pattern is None or count is None or run.is_parameter(pattern) or count.facts.is_one:
        by_relations(run, operation)
        return
    for result, handle in zip(operation.results, operation.group("handles"), strict=False):
        if handle is None or run.is_parameter(handle):
            continue
        searched = run.set_of(handle)
        several = run.new_set(result, operation, searched.facts.copied(count.facts.several))
        run.places.put(several, run.places.of(searched)._replace(listed=None))
        several.made = searched.made
        run.link(searched, several, Nesting.PART)
        run.link(several, searched, Nesting.PART)


def _evaluate_replicate(run: PayloadRun, operation: Operation) -> None:
    times = run.held(next(iter(operation.group("pattern")), None))
    for result, handle in zip(operation.results, operation.group("handles"), strict=False):
        held = run.held(handle)
        if times is not None and held is not None:
            run.budget.spend(len(held) * len(times))
            run.hold(result, held * len(times))


PARENTS = Meaning(evaluates=parents, unmet=unmet_parent)
PRODUCERS = Meaning(evaluates=producers, unmet=unmet_producer)
DEFINERS = Meaning(evaluates=definers)
SAME = Meaning(evaluates=same)
MERGE = Meaning(evaluates=merge)
MEANINGS = {
    "transform.get_consumers_of_result": Meaning(evaluates=consumers),
    "transform.get_result": Meaning(evaluates=partial(values_at, results=True)),
    "transform.get_operand": Meaning(evaluates=partial(values_at, results=False)),
    "transform.split_handle": Meaning(evaluates=split),
    "transform.merge_handles": MERGE,
    "transform.replicate": Meaning(replicate, _evaluate_replicate),
}
