"""Matchers: named sequences that accept or reject single payload operations, and the operations that apply them."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

from tdls.analysis.handles.changes import MOST_CALLS
from tdls.analysis.handles.contents import Certainty, Contents
from tdls.analysis.handles.matches import matches_by, names_accepted
from tdls.analysis.handles.operations.rewriting import disturb_by
from tdls.analysis.handles.operations.row import Meaning
from tdls.analysis.handles.operations.searches import bind_found, hiding_bodies, may_be_unseen
from tdls.analysis.handles.operations.structured_matchers import asks_for_structured
from tdls.analysis.handles.relations import by_relations
from tdls.analysis.handles.shortfalls import Shortfall, ShortfallKind
from tdls.catalogue.model import MatchCriterion
from tdls.payload.kinds import STRUCTURED
from tdls.payload.operations import PayloadOperation
from tdls.semantic.symbols import symbol_name, symbols_in
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.analysis.handles.abstract_run import AbstractRun
    from tdls.analysis.handles.payload_run import PayloadRun
    from tdls.semantic.model import Operation


def collect_matching(run: AbstractRun, operation: Operation) -> None:
    """Execute ``transform.collect_matching``: a result for which the matcher yields its argument is a match.

    Other yielded operations may be anywhere. So may several results for several roots, since MLIR (up to 24) defines
    results once for each root, and mixes them up if there are two.
    """
    by_relations(run, operation)
    root = operation.searched
    matcher = run.context.callee(operation)
    matches = matches_by(matcher) if matcher is not None and root is not None else []
    if root is not None and len(operation.results) > 1 and not run.set_of(root).facts.is_one:
        matches = []
    for result, match in zip_longest(operation.results, matches[: len(operation.results)]):
        if match is not None and root is not None:
            bind_found(run, result, match, run.set_of(root))
        elif not run.is_parameter(result):
            run.set_of(result).handles.remove(result)
            run.new_set(result, operation, Contents(repetition=Certainty.POSSIBLY))


def _evaluate_collect_matching(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.collect_matching``: results are empty if the matcher accepts nothing."""
    target = operation.searched
    roots = run.held(target)
    matcher = run.context.callee(operation)
    place = operation.criterion(MatchCriterion.MATCHERS)
    if roots is None or matcher is None or target is None:
        return
    refused = _refused_by(run, [matcher], roots)
    if refused is None:
        return
    for result in operation.results:
        run.hold(result, ())
    is_root = len(roots) == 1 and roots[0] is run.payload.root
    where = "the payload has no operation that" if is_root else f"`{target.shown}` holds no operation that"
    message = f"nothing is found: {where} the matcher accepts"
    run.finds_nothing(Shortfall(operation, ShortfallKind.EMPTY, message, place, refused.help))


def _evaluate_foreach_match(run: PayloadRun, operation: Operation) -> None:
    root = operation.first_operand
    roots = run.held(root)
    matchers = _symbols(run, operation, "matchers")
    refused = _refused_by(run, matchers, roots) if roots is not None and matchers else None
    if refused is None:
        actions = _symbols(run, operation, "actions")
        known = [action for action in actions if action is not None]
        if roots is not None and len(operation.operands) == 1:
            _try_actions(run, operation, roots, list(zip(matchers, actions, strict=False)))
        disturb_by(run, known if known and len(known) == len(actions) else [operation])
    else:
        for result in operation.results[1:]:
            run.hold(result, ())
        run.finds_nothing(_nothing_accepted(operation, matchers, refused.help))
    held = run.held(root)
    if held is not None and operation.results:
        run.hold(operation.results[0], held)


def _try_actions(
    run: PayloadRun, operation: Operation, roots: Sequence[PayloadOperation], arms: Sequence[_Arm]
) -> None:
    """Fail if the action for an operation fails that a matcher certainly accepts.

    Nothing is known of the operations behind one that a matcher may accept.
    """
    if run.depth >= MOST_CALLS or any(each is None or _may_accept_unseen(run, each, roots) for each, _ in arms):
        return
    has_root = operation.has_attribute("restrict_root")
    for root in roots:
        for payload in [*root.walk()]:
            run.budget.spend()
            if payload.replaced_by is not None or (payload is root and not has_root):
                continue
            accepting = next((arm for arm in arms if arm[0] and unmet_condition(run, arm[0], payload) is None), None)
            if accepting is None:
                continue
            matcher, action = accepting
            if matcher is None or action is None or not _accepts_certainly(run, matcher, payload):
                return
            shortfall = _shortfall_of(run, operation, matcher, action)
            if shortfall is not None:
                help_text = shortfall.help or f"{payload.shown} is what `@{symbol_name(matcher)}` accepts"
                run.fail_as_rehearsed(shortfall._replace(help=help_text))


def _accepts_certainly(run: PayloadRun, matcher: Operation, payload: PayloadOperation) -> bool:
    """Whether a matcher without an unmet condition has only conditions whose answer is known."""
    block = matcher.body
    if block is None or not payload.is_sure or payload.definition(run.context.catalogue) is None:
        return False
    for condition in block.operations:
        is_about_name = condition.required_names is not None and not condition.results
        bodies = [nested for body in condition.blocks() for nested in body.operations]
        is_about_kind = asks_for_structured(condition) and len(bodies) <= 1
        is_about_it = condition.operands[:1] == list(block.arguments[:1]) and (is_about_name or is_about_kind)
        if condition is not block.terminator and (condition.syntax.broken or not is_about_it):
            return False
    return True


def _shortfall_of(run: PayloadRun, operation: Operation, matcher: Operation, action: Operation) -> Shortfall | None:
    """Execute an action on the values that its matcher yields; return why that fails, None if it may not."""
    block, matched = action.body, matcher.body
    yielded = matched.terminator if matched is not None else None
    if block is None or yielded is None:
        return None
    run.enter(block, yielded.operands)
    failure = run.rehearse(block, operation)
    if failure is not None:
        return failure
    for value in block.yielded:
        held = run.held(value)
        if value is None or held is None or len(held) == 1 or operation.has_attribute(_FLATTENED):
            continue
        count = f"{len(held) or 'no'} payload operations"
        message = f"`{value.shown}` holds {count}, but one is needed for each match without `{_FLATTENED}`"
        return Shortfall(block.operations[-1], ShortfallKind.FAILS, message, calls=(*run.calls, operation))
    return None


_Arm: TypeAlias = "tuple[Operation | None, Operation | None]"
"""A matcher and its action."""
_FLATTENED = "flatten_results"


def _nothing_accepted(operation: Operation, matchers: list[Operation | None], help_text: str | None) -> Shortfall:
    names = " and ".join(f"`@{symbol_name(matcher)}`" for matcher in matchers if matcher is not None)
    accepts = "accepts" if len(matchers) == 1 else "accept"
    message = f"nothing is found: the payload has no operation that {names} {accepts}"
    return Shortfall(operation, ShortfallKind.UNMET, message, operation.syntax.attribute("matchers"), help_text)


def _symbols(run: PayloadRun, operation: Operation, attribute: str) -> list[Operation | None]:
    """Return the definitions of the symbols that an attribute refers to."""
    uses = symbols_in(operation.syntax, (attribute,))
    return [run.context.symbols.lookup_nearest(use.path, operation) for use in uses]


class Refused(NamedTuple):
    """The result of matchers that accept nothing."""

    help: str | None
    """Help text on the operation that gets furthest in a matcher, or None if none meets the conditions on kinds."""


def _refused_by(
    run: PayloadRun, matchers: Sequence[Operation | None], roots: Sequence[PayloadOperation]
) -> Refused | None:
    """Return that no matcher accepts an operation at or in `roots`, or None if one may."""
    furthest: tuple[PayloadOperation, Shortfall] | None = None
    for matcher in matchers:
        if matcher is None or _may_accept_unseen(run, matcher, roots):
            return None
        for root in roots:
            for operation in root.walk():
                run.budget.spend()
                unmet = unmet_condition(run, matcher, operation)
                if unmet is None:
                    return None
                is_further = furthest is None or unmet.operation.span.start > furthest[1].operation.span.start
                if unmet.is_of_content and is_further:
                    furthest = operation, unmet
    return Refused(f"{furthest[0].shown} gets furthest: {furthest[1].message}" if furthest is not None else None)


def _may_accept_unseen(run: PayloadRun, matcher: Operation, roots: Sequence[PayloadOperation]) -> bool:
    """Whether a matcher may accept operations at unknown places."""
    names = names_accepted(matcher)
    if names is None and _asks_for_structured(matcher):
        return run.introduced.may_have_trait(STRUCTURED, run.context.catalogue)
    if names is None:
        hidden = (PayloadOperation(_UNSEEN, outer) for root in roots for outer in hiding_bodies(run, root))
        return not run.introduced.is_nothing or any(unmet_condition(run, matcher, unseen) is None for unseen in hidden)
    return any(may_be_unseen(run, names, None, root) for root in roots)


_UNSEEN = ""
"""The name of an operation in an unwritten body."""


def _asks_for_structured(matcher: Operation) -> bool:
    """Whether a matcher accepts structured operations only."""
    block = matcher.body
    return block is not None and any(
        list(block.arguments[:1]) == operation.operands[:1] and asks_for_structured(operation)
        for operation in block.operations
    )


def unmet_condition(run: PayloadRun, matcher: Operation, operation: PayloadOperation) -> Shortfall | None:
    """Return the condition by which a matcher rejects an operation, or None if it may accept it."""
    block = matcher.body
    if block is None or not block.arguments or not operation.is_sure:
        names = names_accepted(matcher)
        is_named = names is None or operation.name in names
        return None if is_named else Shortfall(matcher, ShortfallKind.FAILS, f"{operation.shown} is not accepted")
    run.enter(block, [])
    run.hold(block.arguments[0], (operation,))
    return run.rehearse(block)


def match_name(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.match.operation_name``, which fails unless all operations have one of the names."""
    handle, names = operation.first_operand, operation.required_names
    held = run.held(handle)
    if held is None or names is None or handle is None:
        return
    wrong = next((payload for payload in held if payload.name not in names), None)
    if wrong is not None:
        message = f"`{handle.shown}` holds {wrong.shown}, which is not accepted"
        place = operation.criterion(MatchCriterion.NAMES)
        run.refuse(operation, message, place=place)


def match_empty(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.match.operation_empty``, which fails if the handle is not empty."""
    handle = operation.first_operand
    held = run.held(handle)
    if held and handle is not None:
        message = f"`{handle.shown}` holds {held[0].shown}, so that it is not empty"
        run.refuse(operation, message)


COLLECT = Meaning(collect_matching, _evaluate_collect_matching)
MATCH_NAME = Meaning(evaluates=match_name)
MEANINGS = {
    "transform.foreach_match": Meaning(evaluates=_evaluate_foreach_match),
    "transform.match.operation_empty": Meaning(evaluates=match_empty),
}
