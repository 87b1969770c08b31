"""Searches for payload operations by conditions: ``transform.structured.match``, selections, patterns.

Without payload, a match is compared with earlier ones in the same and in enclosing scopes. On a known payload, the
operations are found, or a message explains why there are none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.handles.contents import Certainty
from tdls.analysis.handles.matches import ATTRIBUTES, conditions_of, match_of, match_of_pattern
from tdls.analysis.handles.operations.row import Meaning
from tdls.analysis.handles.payload_state import Found
from tdls.analysis.handles.relations import by_relations, place_found
from tdls.analysis.handles.sets import Nesting, PayloadSet, outward
from tdls.analysis.handles.shortfalls import Shortfall, ShortfallKind
from tdls.analysis.refusals.target import Unmet
from tdls.catalogue.model import MatchCriterion
from tdls.payload.attributes import OF_SCALARS, entries
from tdls.payload.kinds import STRUCTURED, only_trait_of
from tdls.payload.tree import is_of_scalars
from tdls.semantic.transform_dialect import is_transform_name
from tdls.structs import NamedTuple
from tdls.text.similarity import likeness, most_similar
from tdls.text.wording import enumerated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.matches import Condition, Match
    from tdls.analysis.handles.payload_run import PayloadRun
    from tdls.catalogue.catalogue import Catalogue
    from tdls.payload.operations import PayloadOperation
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import NamedAttribute

_MOST_MATCHES = 16
"""Maximum number of earlier matches in one scope to compare with a new one."""
_TERMINATOR = "IsTerminator"
_LEAST_SIMILAR = 0.75
_MOST_OTHERS = 3
"""Maximum number of names of the same dialect to list in place of one that the payload does not have."""


# Without payload


def find_matching(run: AbstractRun, operation: Operation) -> None:
    """Execute ``transform.structured.match`` or similar: equal matches find the same until the payload changes."""
    target = operation.searched
    if target is None or len(operation.results) != 1:
        return
    by_relations(run, operation)
    bind_found(run, operation.results[0], match_of(operation), run.set_of(target))


def pdl_match(run: AbstractRun, operation: Operation) -> None:
    """Execute ``transform.pdl_match``: if the pattern names its root, a match by that name."""
    by_relations(run, operation)
    root = operation.searched
    pattern = run.context.callee(operation)
    match = match_of_pattern(pattern) if pattern is not None else None
    if root is not None and match is not None and len(operation.results) == 1:
        bind_found(run, operation.results[0], match, run.set_of(root))


def bind_found(run: AbstractRun, result: Value, match: Match, scope: PayloadSet) -> None:
    """Bind a result, whose relations are applied, to the operations that `match` finds in `scope`.

    Link its set with those of earlier matches.
    """
    own = run.payload.matches[scope] = [
        former for former in run.payload.matches.get(scope, ()) if run.is_live(former.payload)
    ]
    same = next((former for former in own if former.match == match and _is_unchanged(run, former)), None)
    if same is not None:
        run.stand_for(result, same.payload)
        return
    if scope.facts.is_root and scope not in run.payload.searched_roots:
        run.payload.searched_roots.append(scope)
    payload = run.set_of(result)
    is_used_up = scope.may_be_empty or run.log.may_have_used_up(match)
    payload.may_be_empty = is_used_up or not run.names.may_cover(scope.facts.names, match.names)
    nesting = Certainty.NEVER if match.is_flat else run.nesting_of(match.names)
    payload.facts = payload.facts._replace(names=match.names, nesting=nesting)
    payload.match = match
    place_found(run, payload, match, scope)
    for earlier in own:
        if not match.is_apart_from(earlier.match):
            _relate_by_conditions(run, match, payload, earlier)
    if match.finds_all_called(scope.facts.names):
        run.link(scope, payload, Nesting.PART)
    for wider in _scopes_around(run, scope):
        for earlier in run.payload.matches[wider]:
            if earlier.match.finds_all_of(match, run.context.catalogue) and _is_unchanged(run, earlier):
                run.link(payload, earlier.payload, Nesting.PART)
    _include_those_known(run, match, payload, scope)
    own.append(Found(match, payload, run.step, run.payload.last_change, run.payload.last_touch))
    del own[:-_MOST_MATCHES]


def _include_those_known(run: AbstractRun, match: Match, payload: PayloadSet, scope: PayloadSet) -> None:
    """Link the sets of valid handles that the match certainly finds, by their names."""
    if not match.is_by_kind:
        return
    known: dict[frozenset[str] | None, bool] = {None: False}
    for other in run.payload.recent_sets(_MOST_MATCHES):
        names = other.facts.names
        if names not in known:
            known[names] = match.finds_all_of_names(names, run.context.catalogue)
        if not known[names] or other is payload or (other in payload.parts() or payload in other.parts()):
            continue
        is_in_scope = scope.facts.is_root or scope in outward(other, run.payload.last_motion, run.budget)
        if is_in_scope and not other.may_be_empty and not other.facts.is_unknown:
            run.link(other, payload, Nesting.PART)


def _scopes_around(run: AbstractRun, scope: PayloadSet) -> Iterator[PayloadSet]:
    """Yield the searched sets that contain all of `scope`."""
    around = dict.fromkeys(outward(scope, run.payload.last_motion, run.budget))
    run.budget.spend(len(run.payload.searched_roots))
    around.update((root, None) for root in run.payload.searched_roots if root is not scope)
    yield from (other for other in around if other in run.payload.matches)


def _is_unchanged(run: AbstractRun, matches: Found) -> bool:
    """Whether the same match would find the same operations now."""
    return matches.last_change == run.payload.last_change and (
        matches.match.is_by_kind or matches.last_touch == run.payload.last_touch
    )


def _relate_by_conditions(run: AbstractRun, match: Match, payload: PayloadSet, earlier: Found) -> None:
    """Link two matches in one scope if one finds all operations that the other one finds.

    An operation found before that still exists is found again, unless it was replaced by others meanwhile.
    """
    catalogue = run.context.catalogue
    if match.finds_all_of(earlier.match, catalogue) and (
        _is_unchanged(run, earlier) or (match.is_by_kind and run.payload.last_motion <= earlier.step)
    ):
        run.link(earlier.payload, payload, Nesting.PART)
    elif earlier.match.finds_all_of(match, catalogue) and _is_unchanged(run, earlier):
        run.link(payload, earlier.payload, Nesting.PART)


# On a known payload


class Candidate(NamedTuple):
    """A payload operation that may be found; certainly if `is_certain`."""

    operation: PayloadOperation
    is_certain: bool


def _evaluate_match(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.structured.match`` or similar: find operations in a single one, by all conditions."""
    target = operation.searched
    held, members = run.held(target), run.members(target)
    if target is None or len(operation.results) != 1 or (held is None and len(members) < 2):
        return
    if held is None or len(held) != 1:
        number = "several payload operations" if members else "no payload operation"
        message = f"`{target.shown}` holds {number}, but a match looks into exactly one"
        run.refuse(operation, message)
    _look(run, operation, target, members[0])


def _look(run: PayloadRun, operation: Operation, target: Value, scope: PayloadOperation) -> None:
    names, attribute = operation.required_names, operation.criterion(MatchCriterion.NAMES)
    interface = operation.criterion(MatchCriterion.INTERFACE)
    trait = only_trait_of(interface.value if interface is not None else None)
    may_hide = may_be_unseen(run, names, trait, scope, is_of_bodies=not _requires_kind(operation))
    run.budget.spend(1)
    candidates = [Candidate(payload, payload.is_sure) for payload in _called(run, scope, names)]
    everything = candidates
    met: list[Condition] = []
    missing: Condition | None = None
    for condition in conditions_of(run.context, operation):
        left = _left(candidates, condition)
        if candidates and not left:
            missing = condition
            break
        met.append(condition)
        candidates = left
    if may_hide:
        certain = (candidate.operation for candidate in candidates if candidate.is_certain)
        run.hold_some(operation.results[0], certain if missing is None else ())
    elif missing is not None:
        run.hold(operation.results[0], ())
        if _left(everything, missing):
            run.finds_nothing(_without_all(operation, run, scope, names, [*met, missing]))
        else:
            wanted = listed(names) if names else "operation"
            where = _where(run, scope, target)
            message = f"nothing is found: {where} no {wanted} with {missing.asks_for}"
            shown = (missing.shown(candidate.operation) for candidate in candidates)
            first = next((text for text in shown if text is not None), None)
            help_text = f"there is one with {first}" if first is not None else None
            run.finds_nothing(Shortfall(operation, ShortfallKind.EMPTY, message, missing.attribute, help_text))
    elif not candidates:
        run.hold(operation.results[0], ())
        place = attribute or interface
        run.finds_nothing(_absent(run, operation, names or frozenset(), place, target, scope))
    elif all(candidate.is_certain for candidate in candidates):
        run.hold(operation.results[0], (candidate.operation for candidate in candidates))
    else:
        certain = (candidate.operation for candidate in candidates if candidate.is_certain)
        run.hold_some(operation.results[0], certain)


def _left(candidates: Sequence[Candidate], condition: Condition) -> list[Candidate]:
    """Return the candidates that may meet a condition."""
    left: list[Candidate] = []
    for candidate in candidates:
        answer = condition.test(candidate.operation)
        if answer is not False:
            left.append(Candidate(candidate.operation, candidate.is_certain and answer is True))
    return left


def _requires_kind(operation: Operation) -> bool:
    """Whether a match requires an interface or attributes that scalar operations of bodies do not have."""
    attributes = operation.syntax.attribute(ATTRIBUTES)
    required = {name for name, _ in entries(attributes.value)} if attributes is not None and attributes.value else set()
    return operation.criterion(MatchCriterion.INTERFACE) is not None or bool(required - OF_SCALARS)


def _called(run: PayloadRun, scope: PayloadOperation, names: frozenset[str] | None) -> Iterator[PayloadOperation]:
    """Yield the operations in `scope` with one of `names`, in post-order as MLIR walks."""
    if names is not None and len(names) == 1:
        yield from run.inside(scope).get(next(iter(names)), ())
        return
    for operation in scope.walk():
        run.budget.spend()
        if names is None or operation.name in names:
            yield operation


def may_be_unseen(
    run: PayloadRun,
    names: frozenset[str] | None,
    trait: str | None,
    scope: PayloadOperation,
    *,
    is_of_bodies: bool = True,
) -> bool:
    """Whether there may be operations of `names`, or with a trait, at unknown places.

    Without names, `is_of_bodies` says whether they may be operations of unwritten bodies.
    """
    catalogue = run.context.catalogue
    if names is None:
        return run.introduced.may_have_trait(trait, catalogue) or (is_of_bodies and _hides_bodies(run, scope))
    return any(
        run.introduced.may_have(name)
        or is_transform_name(name)
        or _is_terminator(run, name)
        or (is_of_scalars(name) and (not run.payload.is_read or _hides_bodies(run, scope)))
        for name in names
    )


def _is_terminator(run: PayloadRun, name: str) -> bool:
    """Whether operations of a name may be unwritten, at the end of a body."""
    definition = run.context.catalogue.operation(name)
    return definition is not None and _TERMINATOR in definition.traits


def _hides_bodies(run: PayloadRun, scope: PayloadOperation) -> bool:
    """Whether a structured operation in `scope` has an unwritten body."""
    return any(True for _ in hiding_bodies(run, scope))


def hiding_bodies(run: PayloadRun, scope: PayloadOperation) -> Iterator[PayloadOperation]:
    """Yield the structured operations in `scope` with unwritten bodies."""
    for operation in scope.walk():
        run.budget.spend()
        if operation.has_trait(STRUCTURED, run.context.catalogue) and not operation.children:
            yield operation


def unmet_selection(operation: Operation, payload: PayloadOperation, catalogue: Catalogue) -> Unmet | None:
    """Return the reason why an operation is not selected: its name."""
    del catalogue
    names = operation.required_names or frozenset()
    if payload.name in names:
        return None
    nearness = max((likeness(payload.name, name) for name in names), default=0.0)
    return Unmet(f"{payload.shown} is no {listed(names)}", nearness=nearness)


def _evaluate_select(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.select`` or similar: select operations by name."""
    target, names = operation.searched, operation.required_names
    held = run.held(target)
    if held is None or names is None or target is None or not operation.results:
        return
    selected = [payload for payload in held if payload.name in names]
    run.hold(operation.results[0], selected)
    if selected:
        return
    others = listed({payload.name for payload in held})
    message = f"nothing is selected: `{target.shown}` holds {others or 'no payload operation'}"
    place = operation.criterion(MatchCriterion.NAMES)
    run.finds_nothing(Shortfall(operation, ShortfallKind.EMPTY, message, place))


# Messages


def _absent(
    run: PayloadRun,
    operation: Operation,
    names: frozenset[str],
    place: NamedAttribute | None,
    target: Value | None,
    scope: PayloadOperation,
) -> Shortfall:
    """Return the shortfall that no operation with one of `names` is in `scope`, which `target` holds."""
    wanted = listed(names) or "operation"
    written = run.payload.by_written.values()
    replaced = next((each for each in written if each.name in names and each.replaced_by is not None), None)
    where = _where(run, scope, target)
    if replaced is not None and replaced.replaced_by is not None:
        became = replaced.successor.name if replaced.successor is not None else ""
        made = f"made `{became}` of it" if became and became not in names else "replaced it"
        message = f"nothing is found: {where} no {wanted} any more, `{replaced.replaced_by.name}` {made}"
        return Shortfall(operation, ShortfallKind.EMPTY, message, place, cause=replaced.replaced_by)
    later = _made_later(operation, names)
    if later is not None:
        message = f"nothing is found: {where} no {wanted} yet, `{later.name}` makes it later"
        return Shortfall(operation, ShortfallKind.EMPTY, message, place, cause=later)
    root = run.payload.root
    if scope is not root and any(inner.name in names for inner in root.walk()):
        message = f"nothing is found: {where} no {wanted}, which is elsewhere in the payload"
        return Shortfall(operation, ShortfallKind.EMPTY, message, place)
    message = f"nothing is found: {where} no {wanted}"
    return Shortfall(operation, ShortfallKind.EMPTY, message, place, _nearest(run, names, scope))


def _without_all(
    operation: Operation,
    run: PayloadRun,
    scope: PayloadOperation,
    names: frozenset[str] | None,
    conditions: Sequence[Condition],
) -> Shortfall:
    """Return the shortfall that each of `conditions` is met by an operation, but no operation meets them all."""
    wanted = listed(names) if names else "operation"
    together = enumerated([condition.asks_for for condition in conditions])
    message = f"nothing is found: {_where(run, scope, operation.searched)} no {wanted} with {together} at once"
    return Shortfall(operation, ShortfallKind.EMPTY, message, conditions[-1].attribute)


def _where(run: PayloadRun, scope: PayloadOperation, target: Value | None) -> str:
    if scope is run.payload.root or target is None:
        return "the payload has"
    return f"`{target.shown}` holds {scope.shown}, which has"


def listed(names: Iterable[str]) -> str:
    """Return `names` sorted and joined for a message."""
    return " or ".join(f"`{name}`" for name in sorted(names))


def _nearest(run: PayloadRun, names: frozenset[str], scope: PayloadOperation) -> str | None:
    """Return help text with the name in the payload that may be intended, or None."""
    written = {operation.name for operation in scope.walk() if not operation.is_added}
    words = () if run.payload.is_read else run.payload.unread.words
    written.update(word for word in words if "." in word and run.context.catalogue.operation(word) is not None)
    present = sorted(name for name in written if not is_transform_name(name))
    for name in sorted(names):
        near = most_similar(name, present, _LEAST_SIMILAR)
        if near is not None:
            return f"the nearest is `{near}`"
        kin = [other for other in present if other.partition(".")[2] == name.partition(".")[2]]
        if kin:
            return f"there is `{kin[0]}`"
    dialects = {name.partition(".")[0] for name in names}
    others = [f"`{name}`" for name in present if name.partition(".")[0] in dialects]
    return f"it has {' and '.join(others)}" if 0 < len(others) <= _MOST_OTHERS else None


def _made_later(operation: Operation, names: frozenset[str]) -> Operation | None:
    """Return an operation behind `operation` in its block that returns operations with one of `names`."""
    block = operation.block
    for later in block.operations[operation.index + 1 :] if block is not None else ():
        results = later.definition.results if later.definition is not None else ()
        if any(not names.isdisjoint(result.stands_for) for result in results) and not later.has_trait(
            "MatchOpInterface"
        ):
            return later
    return None


MATCH = Meaning(find_matching, _evaluate_match)
MATCH_BY_OTHERS = Meaning(find_matching)
"""A match that requires no names of operations, for which the known payload is not searched."""
SELECT = Meaning(evaluates=_evaluate_select, unmet=unmet_selection)
PDL_MATCH = Meaning(pdl_match)
