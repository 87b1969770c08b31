"""Evaluates searches in the payload (matches, selections, matchers), and explains why nothing is found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.handles.evaluation.conditions import ATTRIBUTES, conditions_of
from tdls.analysis.handles.evaluation.operations import PayloadOperation, entries
from tdls.analysis.handles.evaluation.payload_run import Shortfall, ShortfallKind, Stopped
from tdls.analysis.handles.evaluation.structured_matchers import asks_for_structured
from tdls.analysis.handles.matches import asked, looked_in, names_asked
from tdls.analysis.handles.payload.names import STRUCTURED, only_trait_of
from tdls.analysis.handles.payload.written_payload import is_of_scalars
from tdls.catalogue.model import MatchCriterion
from tdls.semantic.transform_dialect import is_transform_name
from tdls.text.similarity import most_similar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.analysis.handles.evaluation.conditions import Condition
    from tdls.analysis.handles.evaluation.payload_run import PayloadRun
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import NamedAttribute

_TERMINATOR = "IsTerminator"
_OF_SCALARS = frozenset({"dim", "fastmath", "overflowFlags", "predicate", "roundingmode", "value"})
"""Attributes of scalar operations."""
_LEAST_SIMILAR = 0.75


class Candidate(NamedTuple):
    """A payload operation that may be found; certainly if `is_certain`."""

    operation: PayloadOperation
    is_certain: bool


def match(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.structured.match`` or similar: find operations in a single one, by all conditions."""
    target = looked_in(operation)
    held, members = run.held(target), run.members(target)
    if target is None or len(operation.results) != 1 or (held is None and len(members) < 2):
        run.may_find(operation)
        return
    if held is None or len(held) != 1:
        number = "several payload operations" if members else "no payload operation"
        message = f"`{target.shown}` holds {number}, but a match looks into exactly one"
        run.fail(Shortfall(operation, ShortfallKind.COUNT, message))
    _look(run, operation, target, members[0])


def _look(run: PayloadRun, operation: Operation, target: Value, scope: PayloadOperation) -> None:
    names, attribute = names_asked(operation), asked(operation, MatchCriterion.NAMES)
    interface = asked(operation, MatchCriterion.INTERFACE)
    trait = only_trait_of(interface.value if interface is not None else None)
    may_hide = _may_be_unseen(run, names, trait, scope, is_of_bodies=not _requires_kind(operation))
    run.budget.spend(1)
    candidates = [Candidate(found, found.is_sure) for found in _called(run, scope, names)]
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
        run.may_find(operation)
        certain = (candidate.operation for candidate in candidates if candidate.is_certain)
        run.hold_some(operation.results[0], certain if missing is None else ())
    elif missing is not None:
        run.hold(operation.results[0], ())
        if _left(everything, missing):
            run.finds_nothing(_without_all(operation, run, scope, names, [*met, missing]))
        else:
            run.finds_nothing(_without(operation, target, scope, run, names, missing, candidates))
    elif not candidates:
        run.hold(operation.results[0], ())
        place = attribute or interface
        run.finds_nothing(absent(run, operation, names or frozenset(), place, target, scope))
    elif all(candidate.is_certain for candidate in candidates):
        run.hold(operation.results[0], (candidate.operation for candidate in candidates))
        run.may_find(operation)
    else:
        run.may_find(operation)
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
    """Tell whether a match requires an interface or attributes that scalar operations of bodies do not have."""
    attributes = operation.syntax.attribute(ATTRIBUTES)
    required = {name for name, _ in entries(attributes.value)} if attributes is not None and attributes.value else set()
    return asked(operation, MatchCriterion.INTERFACE) is not None or bool(required - _OF_SCALARS)


def _called(run: PayloadRun, scope: PayloadOperation, names: frozenset[str] | None) -> Iterable[PayloadOperation]:
    """Return the operations in `scope` with one of `names`, in post-order as MLIR walks."""
    if names is not None and len(names) == 1:
        return run.inside(scope).get(next(iter(names)), ())
    return (operation for operation in _walk(run, scope) if names is None or operation.name in names)


def _walk(run: PayloadRun, scope: PayloadOperation) -> Iterator[PayloadOperation]:
    for operation in scope.walk():
        run.budget.spend()
        yield operation


def _may_be_unseen(
    run: PayloadRun,
    names: frozenset[str] | None,
    trait: str | None,
    scope: PayloadOperation,
    *,
    is_of_bodies: bool = True,
) -> bool:
    """Tell whether there may be operations of `names`, or with a trait, at unknown places.

    Without names, `is_of_bodies` says whether they may be operations of unwritten bodies.
    """
    catalogue = run.context.catalogue
    if names is None:
        return run.introduced.may_have_trait(trait, catalogue) or (is_of_bodies and _hides_bodies(run, scope))
    return any(
        run.introduced.may_have(name)
        or is_transform_name(name)
        or _is_terminator(run, name)
        or (is_of_scalars(name) and _hides_bodies(run, scope))
        for name in names
    )


def _is_terminator(run: PayloadRun, name: str) -> bool:
    """Tell whether operations of a name may be unwritten, at the end of a body."""
    definition = run.context.catalogue.operation(name)
    return definition is not None and _TERMINATOR in definition.traits


def _hides_bodies(run: PayloadRun, scope: PayloadOperation) -> bool:
    """Tell whether a structured operation in `scope` has an unwritten body."""
    return any(True for _ in _hiding_bodies(run, scope))


def _hiding_bodies(run: PayloadRun, scope: PayloadOperation) -> Iterator[PayloadOperation]:
    """Yield the structured operations in `scope` with unwritten bodies."""
    for operation in scope.walk():
        run.budget.spend()
        definition = operation.definition(run.context.catalogue)
        if definition is not None and STRUCTURED in definition.traits and not operation.children:
            yield operation


_UNSEEN = ""
"""The name of an operation in an unwritten body."""


# Messages


def absent(
    run: PayloadRun,
    operation: Operation,
    names: frozenset[str],
    place: NamedAttribute | None,
    target: Value | None,
    scope: PayloadOperation,
) -> Shortfall:
    """Return the shortfall that no operation with one of `names` is in `scope`, which `target` holds."""
    wanted = listed(names) or "operation"
    replaced = _replaced(run, names)
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
    if scope is not root and any(found.name in names for found in root.walk()):
        message = f"nothing is found: {where} no {wanted}, which is elsewhere in the payload"
        return Shortfall(operation, ShortfallKind.EMPTY, message, place)
    message = f"nothing is found: {where} no {wanted}"
    return Shortfall(operation, ShortfallKind.EMPTY, message, place, _nearest(names, scope))


def _without(
    operation: Operation,
    target: Value,
    scope: PayloadOperation,
    run: PayloadRun,
    names: frozenset[str] | None,
    missing: Condition,
    candidates: Sequence[Candidate],
) -> Shortfall:
    """Return the shortfall that no candidate meets the condition `missing`."""
    wanted = listed(names) if names else "operation"
    where = _where(run, scope, target)
    message = f"nothing is found: {where} no {wanted} with {missing.asks_for}"
    shown = (missing.shown(candidate.operation) for candidate in candidates)
    first = next((text for text in shown if text is not None), None)
    help_text = f"there is one with {first}" if first is not None else None
    return Shortfall(operation, ShortfallKind.EMPTY, message, missing.attribute, help_text)


def _without_all(
    operation: Operation,
    run: PayloadRun,
    scope: PayloadOperation,
    names: frozenset[str] | None,
    conditions: Sequence[Condition],
) -> Shortfall:
    """Return the shortfall that each of `conditions` is met by an operation, but no operation meets them all."""
    wanted = listed(names) if names else "operation"
    asked_for = [condition.asks_for for condition in conditions]
    together = f"{', '.join(asked_for[:-1])} and {asked_for[-1]}"
    message = f"nothing is found: {_where(run, scope, looked_in(operation))} no {wanted} with {together} at once"
    return Shortfall(operation, ShortfallKind.EMPTY, message, conditions[-1].attribute)


def _where(run: PayloadRun, scope: PayloadOperation, target: Value | None) -> str:
    if scope is run.payload.root or target is None:
        return "the payload has"
    return f"`{target.shown}` holds {scope.shown}, which has"


def listed(names: Iterable[str]) -> str:
    """Return `names` sorted and joined for a message."""
    return " or ".join(f"`{name}`" for name in sorted(names))


def _nearest(names: frozenset[str], scope: PayloadOperation) -> str | None:
    """Return help text with the name in the payload that may be intended; None if there is none."""
    present = sorted({operation.name for operation in scope.walk() if not is_transform_name(operation.name)})
    for name in sorted(names):
        near = most_similar(name, present, _LEAST_SIMILAR)
        if near is not None:
            return f"the nearest is `{near}`"
        kin = [other for other in present if other.partition(".")[2] == name.partition(".")[2]]
        if kin:
            return f"there is `{kin[0]}`"
    return None


def _replaced(run: PayloadRun, names: frozenset[str]) -> PayloadOperation | None:
    """Return a written payload operation with one of `names` that was erased or replaced; None if there is none."""
    written = run.payload.by_written.values()
    return next((payload for payload in written if payload.name in names and payload.replaced_by is not None), None)


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


# Selections and matchers


def select(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.select`` or similar: select operations by name."""
    target, names = looked_in(operation), names_asked(operation)
    held = run.held(target)
    if held is None or names is None or target is None or not operation.results:
        run.may_find(operation)
        return
    found = [payload for payload in held if payload.name in names]
    run.hold(operation.results[0], found)
    if found:
        run.may_find(operation)
        return
    others = listed({payload.name for payload in held})
    message = f"nothing is selected: `{target.shown}` holds {others or 'no payload operation'}"
    place = asked(operation, MatchCriterion.NAMES)
    run.finds_nothing(Shortfall(operation, ShortfallKind.EMPTY, message, place))


def collect_matching(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.collect_matching``: results are empty if the matcher accepts nothing."""
    target = looked_in(operation)
    roots = run.held(target)
    matcher = run.context.callee(operation)
    place = asked(operation, MatchCriterion.MATCHERS)
    if roots is None or matcher is None or target is None:
        run.may_find(operation)
        return
    refused = refused_by(run, [matcher], roots)
    if refused is None:
        run.may_find(operation)
        return
    for result in operation.results:
        run.hold(result, ())
    is_root = len(roots) == 1 and roots[0] is run.payload.root
    where = "the payload has no operation that" if is_root else f"`{target.shown}` holds no operation that"
    message = f"nothing is found: {where} the matcher accepts"
    run.finds_nothing(Shortfall(operation, ShortfallKind.EMPTY, message, place, refused.help))


class Refused(NamedTuple):
    """The result of matchers that accept nothing."""

    help: str | None
    """Help text on the operation that gets furthest in a matcher; None if none meets the conditions on kinds."""


def refused_by(
    run: PayloadRun, matchers: Sequence[Operation | None], roots: Sequence[PayloadOperation]
) -> Refused | None:
    """Return that no matcher accepts an operation at or in `roots`; None if one may."""
    furthest: tuple[PayloadOperation, Shortfall] | None = None
    for matcher in matchers:
        if matcher is None or _may_accept_unseen(run, matcher, roots):
            return None
        for root in roots:
            for operation in root.walk():
                run.budget.spend()
                unmet = _unmet(run, matcher, operation)
                if unmet is None:
                    return None
                if _is_further(unmet, furthest[1] if furthest is not None else None):
                    furthest = operation, unmet
    return Refused(f"{furthest[0].shown} gets furthest: {furthest[1].message}" if furthest is not None else None)


def _is_further(unmet: Shortfall, other: Shortfall | None) -> bool:
    """Tell whether `unmet` is a later condition than `other`, and one on contents, not on the kind of operation."""
    if not unmet.is_of_content:
        return False
    return other is None or unmet.operation.span.start > other.operation.span.start


def _may_accept_unseen(run: PayloadRun, matcher: Operation, roots: Sequence[PayloadOperation]) -> bool:
    """Tell whether a matcher may accept operations at unknown places."""
    names = _names_accepted(matcher)
    if names is None and _asks_for_structured(matcher):
        return run.introduced.may_have_trait(STRUCTURED, run.context.catalogue)
    if names is None:
        hidden = (PayloadOperation(_UNSEEN, outer) for root in roots for outer in _hiding_bodies(run, root))
        return not run.introduced.is_nothing or any(_unmet(run, matcher, unseen) is None for unseen in hidden)
    return any(_may_be_unseen(run, names, None, root) for root in roots)


def _asks_for_structured(matcher: Operation) -> bool:
    """Tell whether a matcher accepts structured operations only."""
    block = next(matcher.blocks(), None)
    return block is not None and any(
        list(block.arguments[:1]) == operation.operands[:1] and asks_for_structured(operation)
        for operation in block.operations
    )


def _names_accepted(matcher: Operation) -> frozenset[str] | None:
    """Return the names that a matcher accepts; None if any."""
    block = next(matcher.blocks(), None)
    argument = block.arguments[0] if block is not None and block.arguments else None
    if block is None or argument is None:
        return None
    found: frozenset[str] | None = None
    for operation in block.operations:
        names = names_asked(operation) if operation.operands[:1] == [argument] and not operation.results else None
        if names is not None:
            found = names if found is None else found & names
    return found


def _unmet(run: PayloadRun, matcher: Operation, operation: PayloadOperation) -> Shortfall | None:
    """Return the condition by which a matcher rejects an operation; None if it may accept it."""
    block = next(matcher.blocks(), None)
    if block is None or not block.arguments or not operation.is_sure:
        names = _names_accepted(matcher)
        is_named = names is None or operation.name in names
        return None if is_named else Shortfall(matcher, ShortfallKind.FAILS, f"{operation.shown} is not accepted")
    run.matching += 1
    run.enter(block, [])
    run.hold(block.arguments[0], (operation,))
    try:
        run.execute(block)
    except Stopped as stopped:
        return stopped.shortfall
    finally:
        run.matching -= 1
    return None


def match_name(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.match.operation_name``, which fails unless all operations have one of the names."""
    handle, names = next(iter(operation.operands), None), names_asked(operation)
    held = run.held(handle)
    if held is None or names is None or handle is None:
        return
    wrong = next((payload for payload in held if payload.name not in names), None)
    if wrong is not None:
        message = f"`{handle.shown}` holds {wrong.shown}, which is not accepted"
        place = asked(operation, MatchCriterion.NAMES)
        run.fail(Shortfall(operation, ShortfallKind.FAILS, message, place))


def match_empty(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.match.operation_empty``, which fails if the handle is not empty."""
    handle = next(iter(operation.operands), None)
    held = run.held(handle)
    if held and handle is not None:
        message = f"`{handle.shown}` holds {held[0].shown}, so that it is not empty"
        run.fail(Shortfall(operation, ShortfallKind.FAILS, message))
