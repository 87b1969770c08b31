"""The rule `impossible-match`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from tdls.analysis.file.context import OperationKind
from tdls.analysis.file.finding import Finding, SectionNote
from tdls.analysis.handles.held_names import HeldNames, listed
from tdls.analysis.handles.matches import match_of
from tdls.analysis.rule import Rule
from tdls.catalogue.model import Arity, MatchCriterion, RelationKind
from tdls.payload.kinds import only_trait_of
from tdls.syntax.tree import Form
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.matches import Match
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Block, Operation, Value
    from tdls.syntax.tree import NamedAttribute

_MATCHER: Final = "MatchOpInterface"
_CAST: Final = "CastOpInterface"


def check(context: Context, operations: Sequence[Operation]) -> Iterator[Finding]:
    """Report matches, selections and steps to parents that find nothing in any payload."""
    held, matchers = HeldNames(context), _Matchers()
    for operation in operations:
        check = _check_of(operation, matchers)
        if check is not None and not operation.syntax.broken and operation.syntax.form is not Form.STRUCTURAL:
            yield from check(held, operation)


def _check_of(operation: Operation, matchers: _Matchers) -> Callable[[HeldNames, Operation], Iterator[Finding]] | None:
    """Return the check of an operation, by the match criteria of its attributes and the relation of its results."""
    definition = operation.definition
    if definition is None:
        return None
    kind = next((relation.kind for result in definition.results for relation in result.relations), None)
    if any(attribute.asks is not None for attribute in definition.attributes):
        if definition.results:
            return _CHECKS.get(kind)
        return partial(_check_matcher, matchers) if _MATCHER in definition.traits else None
    return _check_cast if kind is RelationKind.SAME and _CAST in definition.traits else None


def _check_match(held: HeldNames, operation: Operation) -> Iterator[Finding]:
    match, target = match_of(operation), operation.searched
    trait = only_trait_of(match.interface)
    scope = held.of(target) if target is not None else None
    contradiction = _contradiction(held, operation, match) if match.names else None
    if contradiction is not None:
        yield contradiction
    elif match.names and scope and not held.can_be_in(match.names, scope):
        message = f"nothing ever matches: {_holds(target, scope)}, with no {listed(match.names)} in it"
        yield _finding(operation, message, operation.criterion(MatchCriterion.NAMES), target)
    elif scope and trait and not held.can_have(trait, scope):
        message = f"nothing ever matches: {_holds(target, scope)}, with no `{match.interface}` in it"
        yield _finding(operation, message, operation.criterion(MatchCriterion.INTERFACE), target)
    elif match.names:
        yield from _check_type(held, operation, match.names)


def _contradiction(held: HeldNames, operation: Operation, match: Match) -> Finding | None:
    """Compare the other criteria of a match with the definitions of the operations that it names."""
    names = match.names or frozenset()
    definitions = _definitions(held.context, names)
    trait = only_trait_of(match.interface)
    if definitions and trait and not any(trait in definition.traits for definition in definitions):
        message = f"nothing ever matches: {listed(names)} does not implement `{match.interface}`"
        return _finding(operation, message, operation.criterion(MatchCriterion.INTERFACE))
    result_type = operation.criterion(MatchCriterion.RESULT_TYPE)
    arities = [[result.arity for result in definition.results] for definition in definitions]
    may_have_one = any(each and each.count(Arity.ONE) <= 1 for each in arities)
    if definitions and result_type is not None and not may_have_one:
        message = f"nothing ever matches: {listed(names)} does not have exactly one result"
        return _finding(operation, message, result_type)
    return None


def _check_select(held: HeldNames, operation: Operation) -> Iterator[Finding]:
    target, wanted = operation.searched, operation.required_names
    names = held.of(target) if target is not None else None
    if not wanted or not names:
        return
    if wanted.isdisjoint(names) and not held.may_become(wanted):
        message = f"nothing is ever selected: {_holds(target, names)} only"
        yield _finding(operation, message, operation.criterion(MatchCriterion.NAMES), target)
    else:
        yield from _check_type(held, operation, wanted)


def _check_parent(held: HeldNames, operation: Operation) -> Iterator[Finding]:
    target, wanted = operation.searched, operation.required_names
    names = held.of(target) if target is not None else None
    if not wanted:
        return
    if names and not any(held.can_contain(name, names) for name in wanted):
        message = f"no parent is ever found: {_holds(target, names)}, never nested in {listed(wanted)}"
        yield _finding(operation, message, operation.criterion(MatchCriterion.NAMES), target)
    else:
        yield from _check_type(held, operation, wanted)


class _Matchers:
    """The names that the matchers of a block accept, by operand; each block is read once, in the order of the text."""

    def __init__(self) -> None:
        self._read: dict[int, int] = {}
        self._names: dict[tuple[int, int], frozenset[str]] = {}

    def names_before(self, operation: Operation, block: Block, operand: Value) -> frozenset[str] | None:
        """Return the names that all matchers of `operand` before `operation` accept, or None without matchers."""
        for earlier in block.operations[self._read.get(id(block), 0) : operation.index]:
            names = earlier.required_names if not earlier.results and earlier.has_trait(_MATCHER) else None
            if names is not None and earlier.first_operand is not None:
                key = id(block), id(earlier.first_operand)
                self._names[key] = names & self._names.get(key, names)
        self._read[id(block)] = operation.index
        return self._names.get((id(block), id(operand)))


def _check_matcher(matchers: _Matchers, held: HeldNames, operation: Operation) -> Iterator[Finding]:
    """Compare a matcher's names with those of earlier ones on the same operand: all of them have to accept it."""
    operand = operation.first_operand
    wanted = operation.required_names
    if operand is None or wanted is None or operation.block is None:
        return
    known, accepted = held.of(operand), matchers.names_before(operation, operation.block, operand)
    if accepted is not None:
        known = accepted if known is None else known & accepted
    if known and wanted.isdisjoint(known):
        message = f"nothing ever matches: `{operand.shown}` can only be {listed(known)} here"
        yield _finding(operation, message, operation.criterion(MatchCriterion.NAMES), operand)


def _check_cast(held: HeldNames, operation: Operation) -> Iterator[Finding]:
    operand = operation.first_operand
    names = held.of(operand) if operand is not None else None
    if names:
        yield from _check_type(held, operation, names)


def _check_type(held: HeldNames, operation: Operation, names: frozenset[str]) -> Iterator[Finding]:
    """Report a result whose type requires another operation than those called `names`."""
    for result in operation.results:
        wanted = held.by_type(result)
        if wanted is not None and wanted not in names and not held.may_become(frozenset({wanted})):
            message = f"the type of `{result.shown}` asks for `{wanted}`, but only {listed(names)} can be found here"
            types = operation.syntax.result_types or ()
            is_spelled = result.index < len(types) and types[result.index].is_spelled
            place = types[result.index].span if is_spelled else operation.location
            yield Finding(RULE.name, RULE.level, message, place)


def _holds(handle: Value | None, names: frozenset[str]) -> str:
    return f"`{handle.shown if handle is not None else ''}` holds {listed(names)}"


def _definitions(context: Context, names: frozenset[str]) -> list[OperationDefinition]:
    """Return the definitions of `names` in all versions; none if one of them is unknown."""
    variants = [context.catalogue.variants(name) for name in names]
    return [match for several in variants for match in several] if all(variants) else []


def _finding(
    operation: Operation, message: str, attribute: NamedAttribute | None, value: Value | None = None
) -> Finding:
    """Return a finding at the attribute that cannot be satisfied; `value` is the handle that rules it out."""
    place = attribute.span if attribute is not None else operation.location
    notes = (SectionNote(f"`{value.shown}` is defined here", value.span),) if value is not None else ()
    help_text = "leave this condition out, or look somewhere else" if value is not None else "leave one of both out"
    return Finding(RULE.name, RULE.level, message, place, notes, help_text)


_CHECKS: Final[dict[RelationKind | None, Callable[[HeldNames, Operation], Iterator[Finding]]]] = {
    RelationKind.FOUND_IN: _check_match,
    RelationKind.PART_OF: _check_select,
    RelationKind.AROUND: _check_parent,
}


RULE: Final = Rule(
    code="TD210",
    name="impossible-match",
    level=Level.WARNING,
    check=check,
    looks_at=OperationKind.TRANSFORM,
    is_silent=True,
)
