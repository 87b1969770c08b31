"""What single operations do to what handles stand for.

Most is said by the relations of results in the catalogue. The operations here are those whose meaning is more than
that: control flow, and matches.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from tdls.analysis.handles.abstract_run import PARAMETER, VALUES
from tdls.analysis.handles.changes import MOST_CALLS
from tdls.analysis.handles.deduplication import deduplicates
from tdls.analysis.handles.invalidation import is_nested_in, outward
from tdls.analysis.handles.matches import Found, match_by, match_of, match_of_pattern, names_in
from tdls.analysis.handles.payload_sets import Nesting, PayloadSet, certainly_share, link, may_share, set_apart
from tdls.catalogue.model import Arity, RelationKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.matches import Match
    from tdls.catalogue.model import Relation, ResultDefinition
    from tdls.semantic.model import Block, Operation, Value

_MOST_MATCHES = 16
"""How many matches of one scope are compared with a new one."""


def execute_operation(run: AbstractRun, operation: Operation) -> None:
    """Let `operation`, whose operands were checked, do what it does: run its body, and define its results."""
    transfer = _TRANSFERS.get(operation.name, _by_relations)
    transfer(run, operation)
    for result in operation.results:
        if not run.is_known(result):
            payload = run.new_set(result, operation)
            payload.is_unknown = _tells_nothing(run, operation)
            payload.may_repeat = True


def _tells_nothing(run: AbstractRun, operation: Operation) -> bool:
    """Tell whether nothing can be said of results that no relation describes: they may come from anywhere."""
    handles = [value for value in operation.operands if value is not None and run.kind(value) != PARAMETER]
    return operation.definition is None or (bool(handles) and all(run.set_of(value).is_unknown for value in handles))


def enter(run: AbstractRun, block: Block, payloads: Iterable[PayloadSet | None]) -> None:
    """Let the arguments of a block stand for `payloads`; nothing is known of those that are None."""
    for argument, payload in zip(block.arguments, payloads, strict=False):
        if payload is not None:
            run.stand_for(argument, payload)
        else:
            run.new_set(argument, None).is_unknown = True


# By what the catalogue says


def _by_relations(run: AbstractRun, operation: Operation) -> None:
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
        payloads[0].may_nest = True
    else:
        _chain(run, payloads)


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
            payload.may_repeat = outer.may_repeat or outer.repeats or _may_nest_itself(outer)
            link(payload, outer, Nesting.FOUND, run.step, is_firm=run.names.are_containers(outer.names))


def _may_nest_itself(payload: PayloadSet) -> bool:
    """Tell whether operations of a set are of a kind that is often nested in itself."""
    return payload.names is not None and not (payload.is_flat or payload.is_single)


def _around(run: AbstractRun, operation: Operation, relation: Relation, payloads: list[PayloadSet]) -> None:
    name = _attribute(operation, "op_name")
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


# Matches and navigation


def _match(run: AbstractRun, operation: Operation) -> None:
    """``transform.structured.match``: the same match finds the same operations until the payload changes."""
    target = next(iter(operation.group("target")), None)
    if target is None or len(operation.results) != 1:
        return
    _find(run, operation, match_of(operation), run.set_of(target))


def _pdl_match(run: AbstractRun, operation: Operation) -> None:
    """``transform.pdl_match``: where the pattern names its root, a match by that name among others."""
    root = next(iter(operation.group("root")), None)
    pattern = run.context.effects.callee(operation)
    match = match_of_pattern(pattern) if pattern is not None else None
    if root is None or match is None or len(operation.results) != 1:
        _by_relations(run, operation)
    else:
        _find(run, operation, match, run.set_of(root))


def _collect_matching(run: AbstractRun, operation: Operation) -> None:
    """``transform.collect_matching``: where the matcher asks for nothing but names, a match by these."""
    root = next(iter(operation.group("root")), None)
    matcher = run.context.effects.callee(operation)
    match = match_by(matcher) if matcher is not None else None
    if root is not None and match is not None and len(operation.results) == 1:
        _find(run, operation, match, run.set_of(root))
        return
    _by_relations(run, operation)
    for result in operation.results:
        run.set_of(result).may_repeat = True


def _find(run: AbstractRun, operation: Operation, match: Match, scope: PayloadSet) -> None:
    """Let the result stand for what `match` finds in `scope`, and note how that lies to what was found before."""
    own = run.matches[scope] = [one for one in run.matches.get(scope, ()) if run.is_live(one.payload)]
    same = next((one for one in own if one.match == match and _is_unchanged(run, one)), None)
    if same is not None:
        run.stand_for(operation.results[0], same.payload)
        return
    _by_relations(run, operation)
    payload = run.set_of(operation.results[0])
    payload.names = match.names
    payload.is_flat = match.is_of_structured or run.names.are_flat(match.names)
    names = match.written_names(run.written, run.context.catalogue) if _is_as_written(run, scope) else None
    payload.is_several = names is not None and run.written.has_several(names)
    found = Found(match, payload, run.step, run.last_change, run.last_touch, names)
    for earlier in own:
        _relate_matches(run, found, earlier)
    if match.finds_all_called(scope.names):
        link(scope, payload, Nesting.PART, run.step)
    for wider in _scopes_around(run, scope):
        for earlier in run.matches[wider]:
            if earlier.match.finds_all_of(match, run.context.catalogue) and _is_unchanged(run, earlier):
                link(payload, earlier.payload, Nesting.PART, run.step)
    own.append(found)
    del own[:-_MOST_MATCHES]


def _scopes_around(run: AbstractRun, scope: PayloadSet) -> Iterator[PayloadSet]:
    """Yield the sets that something was looked for in and that have all of `scope` in them."""
    around = set(outward(scope, run.last_motion))
    for other in run.matches:
        if other is not scope and (other.is_root or other in around):
            yield other


def _is_unchanged(run: AbstractRun, found: Found) -> bool:
    """Tell whether the same match would find the same operations now."""
    return found.last_change == run.last_change and (found.match.is_by_kind or found.last_touch == run.last_touch)


def _is_as_written(run: AbstractRun, scope: PayloadSet) -> bool:
    """Tell whether what is looked for in `scope` now is looked for in the payload as it is written."""
    return scope.is_root and run.last_change == 0


def _relate_matches(run: AbstractRun, found: Found, earlier: Found) -> None:
    """Note which of two matches in one scope finds all that the other one finds, and what else is certain."""
    _relate_by_conditions(run, found.match, found.payload, earlier)
    if not run.written.several:
        return
    for inner, outer in ((found, earlier), (earlier, found)):
        if _is_within(run, inner, outer):
            is_firm = run.names.are_containers(outer.payload.names)
            link(inner.payload, outer.payload, Nesting.NESTED, run.step, is_firm=is_firm)
    if found.names and earlier.names and not certainly_share(found.payload, earlier.payload):
        common = found.names & earlier.names
        if common:
            _share(run, found.payload, earlier.payload, common)


def _is_within(run: AbstractRun, inner: Found, outer: Found) -> bool:
    """Tell whether the payload as it is written says that all that one match found is nested in what another one did.

    As long as nothing is moved, all is in functions if all was, and what these are changes only where new ones come.
    """
    names = outer.match.names
    if names is None or outer.match.interface is not None or not outer.match.is_by_kind or run.last_motion:
        return False
    is_uniform = len(names) == 1 or run.names.are_flat(names)
    is_as_written = inner.names is not None and outer.names is not None
    if is_uniform and is_as_written and run.written.is_all_within(inner.match.names or inner.names or (), names):
        return True
    is_another = inner.match.is_of_structured or names.isdisjoint(inner.match.names or names)
    is_all_there = run.last_container <= min(inner.step, outer.step)
    return is_another and is_all_there and run.names.are_containers(names) and run.written.is_covered_by(names)


def _share(run: AbstractRun, one: PayloadSet, other: PayloadSet, names: frozenset[str]) -> None:
    """Note that two sets have the operations with some of `names` in common."""
    common = PayloadSet(one.value, one.maker, run.step, names, is_flat=one.is_flat)
    for whole in (one, other):
        link(common, whole, Nesting.PART, run.step)


def _relate_by_conditions(run: AbstractRun, match: Match, payload: PayloadSet, earlier: Found) -> None:
    """Note which of two matches finds all that the other one finds.

    What was found before and is still there is found again, unless it was replaced by other operations meanwhile.
    """
    catalogue = run.context.catalogue
    if match.finds_all_of(earlier.match, catalogue) and (
        _is_unchanged(run, earlier) or (match.is_by_kind and run.last_motion <= earlier.step)
    ):
        link(earlier.payload, payload, Nesting.PART, run.step)
    elif earlier.match.finds_all_of(match, catalogue) and _is_unchanged(run, earlier):
        link(payload, earlier.payload, Nesting.PART, run.step)


def _select(run: AbstractRun, operation: Operation) -> None:
    _by_relations(run, operation)
    name = _attribute(operation, "op_name")
    for result in operation.results:
        payload = run.set_of(result)
        payload.names = names_in(name) if name is not None else payload.names


def _get_result(run: AbstractRun, operation: Operation) -> None:
    """The values that operations define go with these, and the other way round."""
    target = next(iter(operation.group("target")), None)
    for result in operation.results:
        if target is None or run.kind(result) != VALUES:
            return
        owner = run.set_of(target)
        payload = run.new_set(result, operation)
        payload.defined_by, payload.is_unknown = owner, owner.is_unknown
        link(payload, owner, Nesting.NESTED, run.step, is_firm=True)


def _get_defining_op(run: AbstractRun, operation: Operation) -> None:
    target = next(iter(operation.group("target")), None)
    owner = run.set_of(target).defined_by if target is not None else None
    if owner is not None:
        run.stand_for(operation.results[0], owner)


# Control flow


def _sequence(run: AbstractRun, operation: Operation) -> None:
    """``transform.sequence`` and the like: the body's arguments are the operands."""
    for block in operation.blocks():
        enter(run, block, _operand_sets(run, operation))
        run.execute(block)
        _yield_to(run, operation, block)
        run.forget(block)


def _foreach(run: AbstractRun, operation: Operation) -> None:
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


def _alternatives(run: AbstractRun, operation: Operation) -> None:
    """``transform.alternatives``: each region starts from the same state; one of them is kept."""
    before = run.snapshot()
    for block in operation.blocks():
        run.restore(before)
        enter(run, block, _operand_sets(run, operation))
        run.isolated(block)
        run.forget(block)
    run.restore(before)


def _include(run: AbstractRun, operation: Operation) -> None:
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


def _attribute(operation: Operation, name: str) -> str | None:
    attribute = operation.syntax.attribute(name)
    return attribute.value if attribute is not None else None


_TRANSFERS: dict[str, Callable[[AbstractRun, Operation], None]] = {
    "transform.structured.match": _match,
    "transform.collect_matching": _collect_matching,
    "transform.pdl_match": _pdl_match,
    "transform.select": _select,
    "transform.get_result": _get_result,
    "transform.get_defining_op": _get_defining_op,
    "transform.sequence": _sequence,
    "transform.with_pdl_patterns": _sequence,
    "transform.foreach": _foreach,
    "transform.alternatives": _alternatives,
    "transform.include": _include,
}
"""The operations of the dialect whose meaning the analysis needs."""
