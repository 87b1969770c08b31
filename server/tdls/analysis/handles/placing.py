"""Computes the places of result sets in the written payload from catalogue relations, and links from known places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.contents import Certainty, Contents
from tdls.analysis.handles.matches import MatchSearch, accepts_parent
from tdls.analysis.handles.sets import Nesting, PayloadSet, Places, listing
from tdls.catalogue.model import RelationKind
from tdls.payload.tree import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.matches import Match
    from tdls.analysis.handles.payload_run import KnownContents
    from tdls.catalogue.model import ResultDefinition
    from tdls.semantic.model import Operation

_MOST_RELATED = 32
"""Maximum number of placed sets to compare with a new one."""


# Results


def place_by_relations(
    run: AbstractRun, operation: Operation, result: ResultDefinition, payloads: list[PayloadSet]
) -> None:
    """Record the places of `payloads`, the sets of a result, in a known payload."""
    places = _by_relations(run, operation, result)
    if places is None:
        place_nearby(run, operation, payloads)
        return
    for payload in payloads:
        _put(run, payload, places)


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
        _put(run, payload, places)


def _by_relations(run: AbstractRun, operation: Operation, result: ResultDefinition) -> Places | None:
    """Return the places of a result by its relations; None if no relation gives places."""
    by_kind = {relation.kind: relation for relation in result.relations}
    for kind, places_by in _PLACES.items():
        relation = by_kind.get(kind)
        if relation is not None:
            values = (*operation.group(relation.other), *operation.result_group(relation.other))
            return places_by(run, operation, [*run.sets_of(values)])
    return None


def _in_their_place(run: AbstractRun, operation: Operation, others: list[PayloadSet]) -> Places:
    """Return the places of a replacement: exact for functions and the root, which stay when their contents change."""
    del operation
    places = run.places.all_of(others)
    listed = run.places.of(others[0]).listed if len(others) == 1 else None
    if places is None or listed is None:
        return Places(places)
    stays = listed == (ROOT,) or run.places.containers.issuperset(places)
    return listing(listed) if stays else Places(places)


def _of_all(run: AbstractRun, operation: Operation, others: list[PayloadSet]) -> Places:
    del operation
    sure = (run.places.of(other).sure for other in others)
    return Places(run.places.all_of(others), frozenset().union(*sure))


def _around_them(run: AbstractRun, operation: Operation, others: list[PayloadSet]) -> Places:
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


_PLACES: dict[RelationKind, Callable[[AbstractRun, Operation, list[PayloadSet]], Places]] = {
    RelationKind.REPLACES: _in_their_place,
    RelationKind.OUTLINES: lambda run, _, others: Places(run.places.all_of(others)),
    RelationKind.PART_OF: lambda run, _, others: Places(run.places.all_of(others)),
    RelationKind.FEEDS: lambda run, _, others: run.places.feeding(others),
    RelationKind.TAKES: lambda run, operation, others: run.places.taking(others, operation.integer("result_number", 0)),
    RelationKind.WHOLE_OF: _of_all,
    RelationKind.AROUND: _around_them,
    RelationKind.FOUND_IN: lambda run, _, others: Places(run.places.below(run.places.all_of(others))),
    RelationKind.WITHIN: lambda run, _, others: Places(run.places.all_of(others)),
}
"""Places by relation; the first relation here that a result has decides."""


def place_found(run: AbstractRun, payload: PayloadSet, match: Match, scope: PayloadSet) -> None:
    """Record the places of a set that `match` finds in `scope`."""
    if not run.places.is_known:
        return
    places, is_written = run.places.found(scope, MatchSearch(match, run.context.catalogue))
    if not is_written and not (match.names and run.payload.has_brought(match.names)):
        payload.may_be_empty = True
    _put(run, payload, places)


def place_known(run: AbstractRun, payload: PayloadSet, known: KnownContents) -> None:
    """Apply what the run on the written payload tells of a set."""
    payload.may_be_empty = False
    if known.listed is not None:
        payload.facts = payload.facts.refined(known.listed)
    places = run.places.of(payload)
    if known.is_written and places.listed != known.places:
        _put(run, payload, listing(known.places))
    elif not known.is_written and not places.sure.issuperset(known.places):
        all_places = places.all.union(known.places) if places.all is not None else None
        _put(run, payload, Places(all_places, places.sure.union(known.places)))


def _put(run: AbstractRun, payload: PayloadSet, places: Places) -> None:
    run.places.put(payload, places)
    if places.all is None:
        return
    payload.facts = run.places.facts(payload, payload.facts)
    if places.listed is not None and not places.listed:
        payload.may_be_empty = True
    elif places.listed != (ROOT,):
        _relate(run, payload, may_be_root=ROOT in places.all)
    elif run.places.root_set is not None:
        run.link(payload, run.places.root_set, Nesting.PART)
        run.link(run.places.root_set, payload, Nesting.PART)
        run.places.root_set = payload


# Links between sets


def _relate(run: AbstractRun, payload: PayloadSet, *, may_be_root: bool) -> None:
    """Link a set with the root and with recently placed sets, by their places."""
    root = run.places.root_set
    if root is not None and not may_be_root and all(link.outer is not root for link in payload.outer):
        run.link(payload, root, Nesting.NESTED, is_firm=True)
    del run.payload.located[:-_MOST_RELATED]
    for other in run.payload.located:
        if other is not payload and run.is_live(other):
            own, others = run.places.of(payload), run.places.of(other)
            if own.sure and others.sure:
                _share(run, payload, other, own.sure & others.sure)
            _nest(run, payload, other, own, others)
            _nest(run, other, payload, others, own)
    run.payload.located.append(payload)


def _share(run: AbstractRun, first: PayloadSet, other: PayloadSet, common: frozenset[int]) -> None:
    """Link two sets that have the operations at the places `common` in common."""
    if not common:
        return
    for part, whole in ((first, other), (other, first)):
        if _is_all(run, part, common):
            run.link(part, whole, Nesting.PART)
            return
    part = _some(run, first, common)
    run.link(part, first, Nesting.PART)
    run.link(part, other, Nesting.PART)


def _nest(run: AbstractRun, inner: PayloadSet, outer: PayloadSet, places: Places, around: Places) -> None:
    """Link two sets if operations of `inner` are certainly nested in those of `outer`."""
    if not around.sure or places.all is None:
        return
    if run.places.is_in_one_of(places.all, around.sure):
        run.link(inner, outer, Nesting.NESTED, is_firm=True)
        return
    tree = run.places.tree
    nested = places.sure & tree.below(around.sure) - around.sure
    if not nested:
        return
    is_firm = run.places.containers.issuperset(around.sure)
    if _is_all(run, inner, nested):
        run.link(inner, outer, Nesting.NESTED, is_firm=is_firm)
        return
    part = _some(run, inner, nested)
    run.link(part, inner, Nesting.PART)
    run.link(part, outer, Nesting.NESTED, is_firm=is_firm)


def _is_all(run: AbstractRun, payload: PayloadSet, places: frozenset[int]) -> bool:
    listed = run.places.of(payload).listed
    return listed is not None and places.issuperset(listed)


def _some(run: AbstractRun, payload: PayloadSet, places: frozenset[int]) -> PayloadSet:
    """Return a new set of the operations of `payload` at `places`."""
    operations = run.places.tree.operations
    names = frozenset(operations[place].name for place in places)
    facts = Contents(names, repetition=Certainty.NEVER, nesting=payload.facts.part().nesting)
    part = PayloadSet(payload.value, payload.maker, run.step, facts)
    run.places.put(part, Places(places, places))
    return part
