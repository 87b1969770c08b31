"""What the relations of results in the catalogue say of the payload operations that they stand for."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from tdls.analysis.handles.abstract_run import PARAMETER
from tdls.analysis.handles.deduplication import deduplicates
from tdls.analysis.handles.invalidation import is_nested_in
from tdls.analysis.handles.matches import names_in
from tdls.analysis.handles.payload_sets import Nesting, PayloadSet, certainly_share, link, may_share, set_apart
from tdls.analysis.structured_loops import LOOPS
from tdls.catalogue.model import Arity, RelationKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.catalogue.model import Relation, ResultDefinition
    from tdls.semantic.model import Operation, Value


def by_relations(run: AbstractRun, operation: Operation) -> None:
    """Let results stand for what their definitions say; first all of them, since they are related to each other."""
    definition = operation.definition
    made: list[tuple[ResultDefinition, list[PayloadSet]]] = []
    for result in definition.results if definition is not None else ():
        values = [value for value in operation.result_group(result.name) if run.kind(value) != PARAMETER]
        same = next((one for one in result.relations if one.kind is RelationKind.SAME), None)
        if same is not None:
            _same(run, operation, same, values)
        if same is None and values and result.relations:
            made.append((result, [_new_set(run, operation, value, result) for value in values]))
    for result, payloads in made:
        for relation in result.relations:
            _relate(run, operation, result, relation, payloads)
    for result, payloads in made:
        if payloads[0].replaces:
            _stand_where_the_old_stood(run, payloads[: _outermost(result, made)])


def _outermost(result: ResultDefinition, made: list[tuple[ResultDefinition, list[PayloadSet]]]) -> int | None:
    """Return how many of a result's sets are in no other set that the operation puts in place of old ones; None: all.

    What is around these is around the others, too.
    """
    around = [relation.other for relation in result.relations if relation.kind is RelationKind.WITHIN]
    if result.name in around:
        return 1
    return 0 if any(one.name in around and payloads[0].replaces for one, payloads in made) else None


def _new_set(run: AbstractRun, operation: Operation, value: Value, result: ResultDefinition) -> PayloadSet:
    payload = run.new_set(value, operation)
    payload.names = frozenset(result.stands_for) or None
    return payload


def _relate(
    run: AbstractRun, operation: Operation, result: ResultDefinition, relation: Relation, payloads: list[PayloadSet]
) -> None:
    if relation.other != result.name:
        _RELATIONS[relation.kind](run, operation, relation, payloads)
    elif result.arity is Arity.ONE:
        _nest(payloads[0])
    else:
        _chain(run, payloads)


def _nest(payload: PayloadSet) -> None:
    """Note that a handle may hold an operation before one that is nested in it: certainly, where the names tell."""
    payload.may_nest = True
    for old in payload.replaces:
        payload.nests |= old.names is not None and all(LOOPS.get(name, 0) > 1 for name in old.names)


def _same(run: AbstractRun, operation: Operation, relation: Relation, values: list[Value]) -> None:
    others = [one for one in operation.group(relation.other) if one is not None]
    for value, other in zip(values, others, strict=False):
        run.stand_for(value, run.set_of(other))


def _chain(run: AbstractRun, payloads: list[PayloadSet]) -> None:
    for outer, inner in pairwise(payloads):
        inner.is_several = outer.is_several
        link(inner, outer, Nesting.NESTED, run.step)


def _others(run: AbstractRun, operation: Operation, relation: Relation) -> list[PayloadSet]:
    """Return what the operands, or the results, of the group that the relation names stand for."""
    values = (*operation.group(relation.other), *operation.result_group(relation.other))
    return [run.set_of(value) for value in values if value is not None and run.kind(value) != PARAMETER]


def _part_of(run: AbstractRun, operation: Operation, relation: Relation, payloads: list[PayloadSet]) -> None:
    for whole in _others(run, operation, relation):
        for payload in payloads:
            payload.names, payload.is_flat, payload.is_new = whole.names, whole.is_flat, whole.is_new
            payload.may_repeat = whole.may_repeat or whole.repeats
            payload.may_nest = whole.may_nest or whole.nests
            payload.is_unknown = whole.is_unknown
            payload.made = whole.made
            link(payload, whole, Nesting.PART, run.step)
    if len(payloads) > 1 and not any(payload.may_repeat for payload in payloads):
        set_apart(payloads)


def _whole_of(run: AbstractRun, operation: Operation, relation: Relation, payloads: list[PayloadSet]) -> None:
    parts = _others(run, operation, relation)
    names = [part.names for part in parts]
    for payload in payloads:
        known = [one for one in names if one is not None]
        payload.names = frozenset().union(*known) if len(known) == len(names) else None
        payload.is_unknown = all(part.is_unknown for part in parts)
        payload.is_root = bool(parts) and all(part.is_root for part in parts)
        if not deduplicates(operation):
            pairs = list(combinations(parts, 2))
            payload.repeats = any(certainly_share(*pair) for pair in pairs) or any(part.repeats for part in parts)
            payload.may_repeat = any(may_share(*pair) for pair in pairs) or any(part.may_repeat for part in parts)
            payload.doubles = bool(parts) and all(parts.count(part) > 1 for part in parts)
        payload.nests = any(is_nested_in(later, one, run.last_motion) for one, later in combinations(parts, 2))
        payload.may_nest = any(part.nests or part.may_nest for part in parts)
        for part in parts:
            link(part, payload, Nesting.PART, run.step)


def _within(run: AbstractRun, operation: Operation, relation: Relation, payloads: list[PayloadSet]) -> None:
    for outer in _others(run, operation, relation)[-1:]:
        for payload in payloads:
            link(payload, outer, Nesting.NESTED, run.step)


def _found_in(run: AbstractRun, operation: Operation, relation: Relation, payloads: list[PayloadSet]) -> None:
    for outer in _others(run, operation, relation):
        for payload in payloads:
            payload.repeats = payload.doubles = outer.doubles
            payload.may_repeat = outer.may_repeat or outer.repeats or _may_nest_itself(outer)
            link(payload, outer, Nesting.FOUND, run.step, is_firm=run.names.are_containers(outer.names))


def _may_nest_itself(payload: PayloadSet) -> bool:
    """Tell whether operations of a set are nested in each other, or of a kind that often is."""
    is_of_such_kind = payload.names is not None and not (payload.is_flat or payload.is_single)
    return is_of_such_kind or payload.may_nest or payload.nests


def _around(run: AbstractRun, operation: Operation, relation: Relation, payloads: list[PayloadSet]) -> None:
    name = operation.spelled("op_name")
    is_isolated = operation.syntax.attribute("isolated_from_above") is not None
    for inner in _others(run, operation, relation):
        for payload in payloads:
            payload.names = names_in(name) if name is not None else None
            payload.is_flat = run.names.are_flat(payload.names)
            payload.is_unknown = inner.is_unknown
            payload.is_single = inner.is_single
            is_container = is_isolated or run.names.are_containers(payload.names)
            payload.may_repeat = not inner.is_single and not deduplicates(operation)
            payload.repeats = payload.may_repeat and inner.is_several and is_container and _is_only_one(run, payload)
            link(inner, payload, Nesting.NESTED, run.step, is_firm=is_container)


def _is_only_one(run: AbstractRun, payload: PayloadSet) -> bool:
    """Tell whether there is just one operation of the names of `payload`, which are those of functions or the like."""
    counts = [run.written.several.get(name) for name in payload.names or ()]
    return counts == [False] and not run.last_container


def _replaces(run: AbstractRun, operation: Operation, relation: Relation, payloads: list[PayloadSet]) -> None:
    replaced = _others(run, operation, relation)
    for payload in payloads:
        payload.replaces = (*payload.replaces, *replaced)
        payload.is_new = True
        payload.is_flat = all(one.is_flat for one in replaced)
        payload.is_single = all(one.is_single for one in replaced)
        payload.is_several = any(one.is_several for one in replaced)
        payload.is_unknown = any(one.is_unknown for one in replaced)
    if len(payloads) > 1:
        set_apart(payloads)


def _stand_where_the_old_stood(run: AbstractRun, payloads: list[PayloadSet]) -> None:
    """New operations in the place of old ones are nested in all that these were nested in."""
    for payload in payloads:
        for one in (above for old in payload.replaces for above in old.outer):
            if one.nesting is not Nesting.PART and (one.is_firm or one.made >= run.last_motion):
                link(payload, one.outer, Nesting.NESTED, run.step, is_firm=one.is_firm)


def _like(run: AbstractRun, operation: Operation, relation: Relation, payloads: list[PayloadSet]) -> None:
    for other in _others(run, operation, relation):
        for payload in payloads:
            payload.names = other.names


_RELATIONS: dict[RelationKind, Callable[[AbstractRun, Operation, Relation, list[PayloadSet]], None]] = {
    RelationKind.PART_OF: _part_of,
    RelationKind.WHOLE_OF: _whole_of,
    RelationKind.WITHIN: _within,
    RelationKind.FOUND_IN: _found_in,
    RelationKind.AROUND: _around,
    RelationKind.REPLACES: _replaces,
    RelationKind.LIKE: _like,
}
