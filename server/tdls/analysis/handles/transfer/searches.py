"""Transfer functions of matches, which find payload operations by conditions beyond their relations.

Compares each match with earlier ones in the same and in enclosing scopes, and links their sets.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from tdls.analysis.handles.invalidation import outward
from tdls.analysis.handles.matches import Found, looked_in, match_of, match_of_pattern, matches_by, names_asked
from tdls.analysis.handles.payload.facts import PayloadFacts
from tdls.analysis.handles.payload.lattice import Certainty, Multiplicity, Repetition
from tdls.analysis.handles.payload.sets import Nesting, PayloadSet
from tdls.analysis.handles.transfer.placing import place_found, place_selected
from tdls.analysis.handles.transfer.relations import by_relations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.matches import Match
    from tdls.semantic.model import Operation, Value

_MOST_MATCHES = 16
"""Maximum number of earlier matches in one scope to compare with a new one."""


def find_matching(run: AbstractRun, operation: Operation) -> None:
    """Execute ``transform.structured.match`` or similar: equal matches find the same until the payload changes."""
    target = looked_in(operation)
    if target is None or len(operation.results) != 1:
        return
    by_relations(run, operation)
    _find(run, operation.results[0], match_of(operation), run.set_of(target))


def pdl_match(run: AbstractRun, operation: Operation) -> None:
    """Execute ``transform.pdl_match``: if the pattern names its root, a match by that name."""
    by_relations(run, operation)
    root = looked_in(operation)
    pattern = run.context.callee(operation)
    match = match_of_pattern(pattern) if pattern is not None else None
    if root is not None and match is not None and len(operation.results) == 1:
        _find(run, operation.results[0], match, run.set_of(root))


def collect_matching(run: AbstractRun, operation: Operation) -> None:
    """Execute ``transform.collect_matching``: a result for which the matcher yields its argument is a match.

    Other yielded operations may be anywhere. So may several results for several roots, since MLIR (up to 24) defines
    results once for each root, and mixes them up if there are two.
    """
    by_relations(run, operation)
    root = looked_in(operation)
    matcher = run.context.callee(operation)
    matches = matches_by(matcher) if matcher is not None and root is not None else []
    if root is not None and len(operation.results) > 1 and run.set_of(root).facts.multiplicity is not Multiplicity.ONE:
        matches = []
    for result, match in zip_longest(operation.results, matches[: len(operation.results)]):
        if match is not None and root is not None:
            _find(run, result, match, run.set_of(root))
        elif not run.is_parameter(result):
            run.set_of(result).handles.remove(result)
            run.new_set(result, operation, PayloadFacts(repetition=Repetition.POSSIBLY))


def _find(run: AbstractRun, result: Value, match: Match, scope: PayloadSet) -> None:
    """Bind a result, whose relations are applied, to the operations that `match` finds in `scope`.

    Link its set with those of earlier matches.
    """
    own = run.matches[scope] = [former for former in run.matches.get(scope, ()) if run.is_live(former.payload)]
    same = next((former for former in own if former.match == match and _is_unchanged(run, former)), None)
    if same is not None:
        run.stand_for(result, same.payload)
        return
    if scope.facts.is_root and scope not in run.searched_roots:
        run.searched_roots.append(scope)
    payload = run.set_of(result)
    payload.may_be_empty = scope.may_be_empty or not run.names.may_cover(scope.facts.names, match.names)
    nesting = Certainty.NEVER if match.is_flat else run.names.nesting(match.names)
    payload.facts = payload.facts._replace(names=match.names, nesting=nesting)
    payload.interface = match.interface
    place_found(run, payload, match, scope)
    for earlier in own:
        if not match.is_apart_from(earlier.match):
            _relate_by_conditions(run, match, payload, earlier)
    if match.finds_all_called(scope.facts.names):
        run.link(scope, payload, Nesting.PART, run.step)
    for wider in _scopes_around(run, scope):
        for earlier in run.matches[wider]:
            if earlier.match.finds_all_of(match, run.context.catalogue) and _is_unchanged(run, earlier):
                run.link(payload, earlier.payload, Nesting.PART, run.step)
    _include_those_known(run, match, payload, scope)
    own.append(Found(match, payload, run.step, run.last_change, run.last_touch))
    del own[:-_MOST_MATCHES]


def _include_those_known(run: AbstractRun, match: Match, payload: PayloadSet, scope: PayloadSet) -> None:
    """Link the sets of valid handles that the match certainly finds, by their names."""
    if not match.is_by_kind:
        return
    known: dict[frozenset[str] | None, bool] = {None: False}
    for other in run.recent_sets(_MOST_MATCHES):
        names = other.facts.names
        if names not in known:
            known[names] = match.finds_all_of_names(names, run.context.catalogue)
        if not known[names] or other is payload or (other in payload.parts or payload in other.parts):
            continue
        is_in_scope = scope.facts.is_root or scope in outward(other, run.code_motions, run.budget)
        if is_in_scope and not other.may_be_empty and not other.facts.is_unknown:
            run.link(other, payload, Nesting.PART, run.step)


def _scopes_around(run: AbstractRun, scope: PayloadSet) -> Iterator[PayloadSet]:
    """Yield the searched sets that contain all of `scope`."""
    around = dict.fromkeys(outward(scope, run.code_motions, run.budget))
    run.budget.spend(len(run.searched_roots))
    around.update((root, None) for root in run.searched_roots if root is not scope)
    yield from (other for other in around if other in run.matches)


def _is_unchanged(run: AbstractRun, found: Found) -> bool:
    """Tell whether the same match would find the same operations now."""
    return found.last_change == run.last_change and (found.match.is_by_kind or found.last_touch == run.last_touch)


def _relate_by_conditions(run: AbstractRun, match: Match, payload: PayloadSet, earlier: Found) -> None:
    """Link two matches in one scope if one finds all operations that the other one finds.

    An operation found before that still exists is found again, unless it was replaced by others meanwhile.
    """
    catalogue = run.context.catalogue
    if match.finds_all_of(earlier.match, catalogue) and (
        _is_unchanged(run, earlier) or (match.is_by_kind and run.code_motions.last <= earlier.step)
    ):
        run.link(earlier.payload, payload, Nesting.PART, run.step)
    elif earlier.match.finds_all_of(match, catalogue) and _is_unchanged(run, earlier):
        run.link(payload, earlier.payload, Nesting.PART, run.step)


def replicate(run: AbstractRun, operation: Operation) -> None:
    """Execute ``transform.replicate``: concatenate a handle's list once for each payload operation of the pattern."""
    pattern = next(iter(operation.group("pattern")), None)
    count = run.set_of(pattern) if pattern is not None else None
    if pattern is None or count is None or run.is_parameter(pattern) or count.facts.multiplicity is Multiplicity.ONE:
        by_relations(run, operation)
        return
    for result, handle in zip(operation.results, operation.group("handles"), strict=False):
        if handle is None or run.is_parameter(handle):
            continue
        searched = run.set_of(handle)
        several = run.new_set(result, operation, searched.facts.copied(count.facts.multiplicity))
        run.where.put(several, run.where.of(searched)._replace(listed=None))
        several.made = searched.made
        run.link(searched, several, Nesting.PART, run.step)
        run.link(several, searched, Nesting.PART, run.step)


def select(run: AbstractRun, operation: Operation) -> None:
    """Execute ``transform.select`` or similar: select by name; an operation held twice is selected twice."""
    by_relations(run, operation)
    names, target = names_asked(operation), looked_in(operation)
    for result in operation.results:
        payload = run.set_of(result)
        if target is not None:
            held = run.set_of(target).facts
            payload.facts = held.selected(names)
            payload.may_be_empty = names is not None and held.names is not None and names.isdisjoint(held.names)
            place_selected(run, payload, run.set_of(target), names)
