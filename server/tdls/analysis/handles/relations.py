"""Binds results to payload sets by their relations in the catalogue: one function for each `RelationKind`.

In a known payload, their places follow from the relations, too, and links follow from the places.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, TypeAlias

from tdls.analysis.handles.contents import NOTHING_SAID, UNKNOWN, Certainty, Contents, Origin, union
from tdls.analysis.handles.matches import accepts_parent
from tdls.analysis.handles.sets import (
    Nesting,
    PayloadSet,
    Places,
    are_all_apart,
    certainly_share,
    is_nested_in,
    listing,
    may_share,
    set_apart,
)
from tdls.analysis.meaning.payload_names import loops_of
from tdls.catalogue.model import (
    Arity,
    OperationDefinition,
    Relation,
    RelationKind,
    ResultDefinition,
)
from tdls.payload.tree import ROOT
from tdls.semantic.handle_types import HandleKind
from tdls.structs import NamedTuple
from tdls.syntax.parser.asm_parser import DefinitionFact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.matches import Match
    from tdls.catalogue.model import ResultDefinition
    from tdls.semantic.model import Operation, Value

_Sets: TypeAlias = "list[PayloadSet]"


# Places


def place_nearby(run: AbstractRun, operation: Operation, payloads: Iterable[PayloadSet]) -> None:
    """Record that sets are in the functions around the operands, if nothing else is known of them."""
    definition = operation.definition
    operands = [*run.sets_of(operation.operands)]
    if definition is None or not definition.versions or not operands:
        return
    functions = run.places.functions_of(run.places.all_of(operands))
    if functions is None:
        return
    places = Places(run.places.tree.below(functions))
    for payload in payloads:
        run.places.place(payload, places)


def _in_their_place(run: AbstractRun, operation: Operation, others: _Sets) -> Places:
    """Return the places of a replacement: exact for functions and the root, which stay when their contents change.

    They do not stay where the results are of other kinds.
    """
    places = run.places.all_of(others)
    listed = run.places.of(others[0]).listed if len(others) == 1 else None
    if places is None or listed is None:
        return Places(places)
    results = operation.definition.results if operation.definition is not None else ()
    stays = listed == (ROOT,) or run.places.containers.issuperset(places)
    return listing(listed) if stays and not any(result.stands_for for result in results) else Places(places)


def _at_all(run: AbstractRun, operation: Operation, others: _Sets) -> Places:
    del operation
    return Places(run.places.all_of(others))


def _with_all(run: AbstractRun, operation: Operation, others: _Sets) -> Places:
    del operation
    sure = (run.places.of(other).sure for other in others)
    return Places(run.places.all_of(others), frozenset().union(*sure))


def _around_them(run: AbstractRun, operation: Operation, others: _Sets) -> Places:
    nth = operation.integer("nth_parent", 1)
    if len(others) != 1 or nth is None:
        return Places()
    return run.places.parents(
        others[0],
        nth,
        lambda name: accepts_parent(operation, name, run.context.catalogue),
        are_containers=operation.has_attribute("isolated_from_above")
        or run.names.are_containers(operation.required_names),
        is_deduplicated=operation.deduplicates,
    )


def place_found(run: AbstractRun, payload: PayloadSet, match: Match, scope: PayloadSet) -> None:
    """Record the places of a set that `match` finds in `scope`."""
    if not run.places.is_known:
        return
    places, is_written = run.places.found(scope, match)
    if not is_written and not run.payload.has_brought(match):
        payload.may_be_empty = True
    run.places.place(payload, places)


# Results


class _RelatedResult(NamedTuple):
    """A result with the parts of its relations that do not depend on the operation."""

    definition: ResultDefinition
    known: Relation | None
    """The relation that alone determines the set of the result, if there is one."""
    replaces: bool
    """True if the result replaces operations, and so has none in common with other such results."""


def by_relations(run: AbstractRun, operation: Operation) -> None:
    """Bind results to sets by their definitions; first all of them, since they are related to each other."""
    definition = operation.definition
    if definition is None or not operation.results:
        return
    made: list[tuple[ResultDefinition, list[PayloadSet]]] = []
    are_in_one_place = True
    for result, known, replaces in _related_results(definition):
        values = [value for value in operation.result_group(result.name) if not run.is_parameter(value)]
        if known is not None:
            _KNOWN[known.kind](run, operation, known, values)
        elif values:
            facts = Contents(frozenset(result.stands_for)) if result.stands_for else NOTHING_SAID
            made.append((result, [run.new_set(value, operation, facts) for value in values]))
            are_in_one_place = are_in_one_place and replaces
    for result, payloads in made:
        for relation in result.relations:
            _relate(run, operation, result, relation, payloads)
        for payload in payloads if result.several else ():
            payload.facts = payload.facts.in_parts()
    if len(made) > 1 and are_in_one_place:
        several = [payload for _, payloads in made for payload in payloads]
        set_apart([payload for payload in several if run.kind(payload.value) is HandleKind.OPERATIONS])
    for result, payloads in made if run.places.is_known else ():
        _place(run, operation, result, payloads)
    for result, payloads in made:
        if payloads[0].replaces:
            _stand_where_the_old_stood(run, payloads[: _outermost(result, made)])


@DefinitionFact
def _related_results(definition: OperationDefinition) -> tuple[_RelatedResult, ...]:
    return tuple(
        _RelatedResult(
            result,
            next((relation for relation in result.relations if relation.kind in _KNOWN), None),
            any(relation.kind in (RelationKind.REPLACES, RelationKind.OUTLINES) for relation in result.relations),
        )
        for result in definition.results
        if result.relations
    )


def _outermost(result: ResultDefinition, made: list[tuple[ResultDefinition, list[PayloadSet]]]) -> int | None:
    """Return how many of a result's sets are nested in no other replacement by the operation; None: all.

    Operations around the outermost sets are around the others, too.
    """
    around = [relation.other for relation in result.relations if relation.kind is RelationKind.WITHIN]
    if result.name in around:
        return 1
    return (
        0
        if any(handle_definition.name in around and payloads[0].replaces for handle_definition, payloads in made)
        else None
    )


def _relate(
    run: AbstractRun, operation: Operation, result: ResultDefinition, relation: Relation, payloads: _Sets
) -> None:
    if relation.other != result.name:
        _RELATIONS[relation.kind].relate(run, operation, _others(run, operation, relation), payloads)
    elif result.arity is Arity.ONE:
        _nest(run, payloads[0])
    else:
        for outer, inner in pairwise(payloads):
            run.payload.nest(inner, outer)


def _place(run: AbstractRun, operation: Operation, result: ResultDefinition, payloads: _Sets) -> None:
    """Record the places of the sets of a result in a known payload."""
    by_kind = {relation.kind: relation for relation in result.relations}
    for kind, row in _RELATIONS.items():
        if kind in by_kind and row.places is not None:
            places = row.places(run, operation, _others(run, operation, by_kind[kind]))
            for payload in payloads:
                run.places.place(payload, places)
            return
    place_nearby(run, operation, payloads)


def _nest(run: AbstractRun, payload: PayloadSet) -> None:
    """Record that a handle holds a nest, outer operations first: certainly if the loop count of all old ones is > 1."""
    depths = (loops_of(run.context.catalogue, old.facts.names) for old in payload.replaces)
    is_deep = any(loops and min(loops) > 1 for loops in depths)
    payload.facts = payload.facts.nests(Certainty.CERTAINLY if is_deep else Certainty.POSSIBLY)


def _same(run: AbstractRun, operation: Operation, relation: Relation, values: list[Value]) -> None:
    others = [operand for operand in operation.group(relation.other) if operand is not None]
    for value, other in zip(values, others, strict=False):
        hand_on(run, other, value)
    for value in () if others or operation.syntax.operand_groups is not None else values:
        run.new_set(value, operation, NOTHING_SAID._replace(repetition=Certainty.POSSIBLY))


def hand_on(run: AbstractRun, value: Value, to: Value, *, is_stale: bool = False) -> None:
    """Bind handle `to` to the set of `value`; to a part of it, if operations of several may have been erased.

    `is_stale` says whether the set of `value` may have been consumed.
    """
    payload = run.set_of(value)
    are_several = payload.facts.several is Certainty.CERTAINLY
    if not are_several or not (is_stale or run.payload.may_have_shrunk(value)):
        run.stand_for(to, payload)
        return
    rest = run.new_set(to, payload.maker, payload.facts.part())
    rest.made, rest.match = payload.made, payload.match
    run.places.put(rest, run.places.of(payload).some())
    run.link(rest, payload, Nesting.PART)


def _values_of(run: AbstractRun, operation: Operation, relation: Relation, values: list[Value]) -> None:
    """Bind `values` to the values of operations: consuming the ones invalidates the others."""
    owner = next(iter(_others(run, operation, relation)), None)
    for value in values:
        if owner is None or run.kind(value) is not HandleKind.VALUES:
            return
        origin = Origin.UNKNOWN if owner.facts.is_unknown else Origin.KNOWN
        payload = run.new_set(value, operation, Contents(origin=origin))
        payload.defined_by = owner
        run.places.put(payload, run.places.of(owner).some())
        run.link(payload, owner, Nesting.NESTED, is_firm=True)


def _defines(run: AbstractRun, operation: Operation, relation: Relation, values: list[Value]) -> None:
    """Bind `values` to the operations that define values, if these are exactly known."""
    defined = next(iter(_others(run, operation, relation)), None)
    if defined is None or defined.defined_by is None:
        return
    for value in values:
        run.stand_for(value, defined.defined_by)


def _others(run: AbstractRun, operation: Operation, relation: Relation) -> list[PayloadSet]:
    """Return the sets of the operands or results in the group that the relation names."""
    values = (*operation.group(relation.other), *operation.result_group(relation.other))
    return [*run.sets_of(values)]


def _part_of(run: AbstractRun, operation: Operation, others: _Sets, payloads: _Sets) -> None:
    counts = (result.count for result in operation.definition.results) if operation.definition is not None else ()
    is_one_each = any(
        count is not None and count.operations_of and not any(map(operation.syntax.attribute, count.free_with))
        for count in counts
    )
    names = operation.required_names
    for whole in others:
        for payload in payloads:
            payload.facts = whole.facts.part() if names is None else whole.facts.selected(names)
            if is_one_each:
                payload.facts = payload.facts._replace(several=Certainty.NEVER)
            payload.made, payload.match = whole.made, whole.match
            payload.may_be_empty = names is not None and names.isdisjoint(whole.facts.names or names)
            run.link(payload, whole, Nesting.PART)
    if len(payloads) > 1 and all(whole.facts.repetition is Certainty.NEVER for whole in others):
        set_apart(payloads)


_MOST_GROUPS = 32
"""Maximum number of disjoint groups of a set, and of members of a group, that are looked at for a merged set."""


def _whole_of(run: AbstractRun, operation: Operation, others: _Sets, payloads: _Sets) -> None:
    is_in_earlier = Certainty.CERTAINLY if _any_is_nested(run, others) else Certainty.NEVER
    is_deduplicated = operation.deduplicates
    counts = not is_deduplicated or is_in_earlier is Certainty.CERTAINLY
    facts = union(
        [part.facts for part in others], _shared(run, others) if counts else Certainty.POSSIBLY, is_in_earlier
    )
    facts = facts.deduplicated() if is_deduplicated else facts
    for payload in payloads:
        payload.facts = facts
        for part in others:
            run.link(part, payload, Nesting.PART)
        for group in others[0].apart[:_MOST_GROUPS] if others else ():
            left = [each for each in group.members[:_MOST_GROUPS] if each not in others]
            may_grow = all(len(each.apart) < _MOST_GROUPS for each in left)
            if left and may_grow and all(group in part.apart for part in others[1:]):
                set_apart([payload, *left])


def _shared(run: AbstractRun, parts: list[PayloadSet]) -> Certainty:
    """Return whether some of several sets have operations in common; `EACH` if each set occurs more than once."""
    if parts and all(count > 1 for count in Counter(map(id, parts)).values()):
        return Certainty.EACH
    if certainly_share(parts, run.budget):
        return Certainty.CERTAINLY
    may_repeat = any(part.facts.repetition is not Certainty.NEVER for part in parts)
    return Certainty.POSSIBLY if may_repeat or _any_may_share(run, parts) else Certainty.NEVER


def _any_may_share(run: AbstractRun, parts: list[PayloadSet]) -> bool:
    """Whether two of several sets may have an operation in common."""
    if are_all_apart(parts):
        return False
    for pair in combinations(parts, 2):
        run.budget.spend()
        if may_share(*pair) and not run.places.share_nothing(*pair):
            return True
    return False


def _any_is_nested(run: AbstractRun, parts: list[PayloadSet]) -> bool:
    """Whether one of several sets is certainly nested in an earlier one."""
    before: set[PayloadSet] = set()
    for part in parts:
        if is_nested_in(part, before, run.payload.last_motion, run.budget):
            return True
        before.add(part)
    return False


def _within(run: AbstractRun, operation: Operation, others: _Sets, payloads: _Sets) -> None:
    del operation
    for outer in others[-1:]:
        for payload in payloads:
            if payload.replaces:
                run.payload.nest(payload, outer)
            else:
                run.link(payload, outer, Nesting.NESTED)


def _found_in(run: AbstractRun, operation: Operation, others: _Sets, payloads: _Sets) -> None:
    takes_one = operation.definition is not None and any(each.takes_one for each in operation.definition.operands)
    for outer in others:
        searched = outer.facts.element() if takes_one else outer.facts
        is_in_another = searched.outer_first
        if is_in_another is Certainty.NEVER and searched.names is not None and not searched.is_one:
            is_in_another = searched.nesting  # only suspected for known names that can nest
        for payload in payloads:
            payload.facts = payload.facts.found_in(searched, is_in_another)
            run.link(payload, outer, Nesting.FOUND, is_firm=run.names.are_containers(outer.facts.names))


def _around(run: AbstractRun, operation: Operation, others: _Sets, payloads: _Sets) -> None:
    names = operation.required_names
    is_isolated = operation.has_attribute("isolated_from_above")
    for inner in others:
        for payload in payloads:
            is_container = is_isolated or run.names.are_containers(names)
            known = Contents(names, nesting=run.nesting_of(names))
            repetition = Certainty.NEVER if operation.deduplicates else Certainty.POSSIBLY
            payload.facts = known.around(inner.facts, repetition, Certainty.NEVER)
            held = inner.facts.names
            payload.may_be_empty = bool(names and held) and not any(
                run.names.may_contain(name, held) for name in names or ()
            )
            run.link(inner, payload, Nesting.NESTED, is_firm=is_container)
            _relate_to_root(run, payload, names)


def _relate_to_root(run: AbstractRun, payload: PayloadSet, names: frozenset[str] | None) -> None:
    """Let parents be the payload root where only the root has one of `names`, else possibly if it may have one."""
    root = run.payload.root
    if root is None or not names or not all(map(run.names.is_symbol_table, names)):
        return
    written = run.places.tree.operations
    has_nested = bool(run.payload.last_container) or any(operation.name in names for operation in written[1:])
    if written and not written[0].has_more and not has_nested and names == {written[0].name}:
        run.link(payload, root, Nesting.PART)
        run.link(root, payload, Nesting.PART)
    elif root.facts.names is None or not names.isdisjoint(root.facts.names):
        payload.may_be_root = True


def _along_data_flow(
    run: AbstractRun, operation: Operation, others: _Sets, payloads: _Sets, *, is_one_each: bool
) -> None:
    del run, operation
    for begin in others:
        facts = NOTHING_SAID._replace(repetition=Certainty.POSSIBLY)
        if is_one_each:
            facts = NOTHING_SAID.around(begin.facts, Certainty.POSSIBLY, Certainty.POSSIBLY)
        for payload in payloads:
            payload.facts, payload.is_vague, payload.flows_from = facts, True, begin
            if begin.facts.is_one:
                set_apart([payload, begin])


def _replaces(run: AbstractRun, operation: Operation, others: _Sets, payloads: _Sets) -> None:
    del run
    if not others and operation.syntax.operand_groups is None:  # which operands they replace is not known
        return
    facts = _facts_of_new((*payloads[0].replaces, *others))
    for payload in payloads:
        payload.replaces = (*payload.replaces, *others)
        payload.facts = facts.named(payload.facts.names)
    if len(payloads) > 1:
        set_apart(payloads)


def _outlines(run: AbstractRun, operation: Operation, others: _Sets, payloads: _Sets) -> None:
    del operation
    facts = _facts_of_new(others)
    for payload in payloads:
        names = payload.facts.names
        is_flat = facts.is_flat or run.names.are_flat(names)
        payload.facts = facts.named(names)._replace(nesting=Certainty.NEVER if is_flat else facts.nesting)


def _facts_of_new(replaced: Sequence[PayloadSet]) -> Contents:
    """Return the facts of new operations in place of old ones: of unknown origin, if one of the old is."""
    if any(old.facts.is_unknown for old in replaced):
        return UNKNOWN._replace(newness=Certainty.CERTAINLY)
    return union([old.facts for old in replaced], Certainty.NEVER, Certainty.NEVER).replaced()


def _stand_where_the_old_stood(run: AbstractRun, payloads: list[PayloadSet]) -> None:
    """Link new operations with the sets in which the replaced ones were nested."""
    for payload in payloads:
        replaced = dict.fromkeys(payload.replaces)
        todo = [*replaced]
        while todo:
            old = todo.pop()
            run.budget.spend(1 + len(old.outer))
            for link in old.outer:
                if link.nesting is Nesting.PART and link.outer not in replaced:
                    replaced[link.outer] = None
                    todo.append(link.outer)
                elif link.nesting is not Nesting.PART and link.holds(run.payload.last_motion):
                    run.link(payload, link.outer, Nesting.NESTED, is_firm=link.is_firm)


def _like(run: AbstractRun, operation: Operation, others: _Sets, payloads: _Sets) -> None:
    del operation
    for other in others:
        is_flat = other.facts.is_flat or run.names.are_flat(other.facts.names)
        for payload in payloads:
            nesting = Certainty.NEVER if is_flat else payload.facts.nesting
            payload.facts = payload.facts.named(other.facts.names)._replace(nesting=nesting)
            payload.match, payload.is_vague = other.match, other.is_vague


_KNOWN: dict[RelationKind, Callable[[AbstractRun, Operation, Relation, list[Value]], None]] = {
    RelationKind.SAME: _same,
    RelationKind.VALUES_OF: _values_of,
    RelationKind.DEFINES: _defines,
}
"""Relations that alone determine the set of a result."""


class _Row(NamedTuple):
    """What a relation of a result to others tells, given the sets of the others and those of the result."""

    relate: Callable[[AbstractRun, Operation, _Sets, _Sets], None]
    places: Callable[[AbstractRun, Operation, _Sets], Places] | None = None
    """Returns where the operations of the result are in a known payload."""


_RELATIONS = {
    RelationKind.REPLACES: _Row(_replaces, _in_their_place),
    RelationKind.OUTLINES: _Row(_outlines, _at_all),
    RelationKind.PART_OF: _Row(_part_of, _at_all),
    RelationKind.FEEDS: _Row(
        partial(_along_data_flow, is_one_each=True), lambda run, _, others: run.places.feeding(others)
    ),
    RelationKind.TAKES: _Row(
        partial(_along_data_flow, is_one_each=False),
        lambda run, operation, others: run.places.taking(others, operation.integer("result_number", 0)),
    ),
    RelationKind.WHOLE_OF: _Row(_whole_of, _with_all),
    RelationKind.AROUND: _Row(_around, _around_them),
    RelationKind.FOUND_IN: _Row(_found_in, lambda run, _, others: Places(run.places.below(run.places.all_of(others)))),
    RelationKind.WITHIN: _Row(_within, _at_all),
    RelationKind.LIKE: _Row(_like),
}
"""All other relations: each is applied, and the first one with places that a result has tells where it is."""
