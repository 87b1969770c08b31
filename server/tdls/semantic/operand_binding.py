"""Binds the operands of structurally parsed operations to the operands of their definitions, as far as possible.

Operations that C++ parses, as a whole or in part, are parsed structurally here: operands are known in the order of the
text, which may differ from that of the definition. Their number and types still determine much, and more where that
order is known.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.semantic.handle_types import allows
from tdls.syntax.parser.assembly import format as ods

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperandDefinition, OperationDefinition
    from tdls.semantic.model import Operation, Value


class _OpenError(Exception):
    """The format does not determine the order."""


def operand_order(definition: OperationDefinition) -> tuple[str, ...]:
    """Return the names of operands in the order of the custom form; empty if that order is not certain."""
    if definition.operand_order or definition.assembly_format is None or not definition.format_known:
        return definition.operand_order
    operands = tuple(operand.name for operand in definition.operands)
    regions = frozenset(region.name for region in definition.regions)
    return _order(definition.assembly_format, operands, regions)


@lru_cache(maxsize=1024)
def _order(text: str, operands: tuple[str, ...], regions: frozenset[str]) -> tuple[str, ...]:
    try:
        order = tuple(_OperandFinder(operands, regions).of(ods.parse_format(text).elements))
    except _OpenError:
        return ()
    return order if len(set(order)) == len(order) else ()


class _OperandFinder:
    """Finds the operands of one operation in elements of its format."""

    def __init__(self, operands: tuple[str, ...], regions: frozenset[str]) -> None:
        self._operands = operands
        self._regions = regions

    def of(self, elements: Sequence[ods.Element]) -> Iterator[str]:
        """Yield the operands of `elements` in their order. Raises _OpenError."""
        for element in elements:
            yield from self._of(element)

    def _of(self, element: ods.Element) -> Iterator[str]:
        match element:
            case ods.Variable(name=name) if name in self._operands:
                yield name
            case ods.Operands():
                yield from self._operands
            case ods.OptionalGroup(then=then, otherwise=otherwise):
                yield from self.of((*then, *otherwise))
            case ods.OIList(clauses=clauses):
                yield from self._one([list(self.of(clause.elements)) for clause in clauses])
            case ods.Custom(args=arguments):
                yield from self._of_custom(arguments)

    def _of_custom(self, arguments: Sequence[ods.Element]) -> Iterator[str]:
        """A C++ directive may read several operands in any order, and with a region the names of block arguments."""
        if any(
            isinstance(argument, ods.Regions) or (isinstance(argument, ods.Variable) and argument.name in self._regions)
            for argument in arguments
        ):
            raise _OpenError
        names = list(self.of(arguments))
        yield from self._one([[name] for name in names])

    def _one(self, parts: list[list[str]]) -> list[str]:
        """Return the only part that has operands. Raises _OpenError if there are several."""
        names = [part for part in parts if part]
        if len(names) > 1:
            raise _OpenError
        return names[0] if names else []


Candidates = list[tuple["OperandDefinition", ...]]
"""For each operand, in the order of the text, all operand definitions that it may belong to."""


def possible_definitions(
    catalogue: Catalogue, operation: Operation, *, in_order_of_definition: bool = False
) -> Candidates | None:
    """Return the candidate definitions of each operand of a structurally parsed `operation`.

    None if its operands do not fit its definition. With `in_order_of_definition`, the operands in the text are assumed
    to be in the order of the definition.
    """
    definition = operation.definition
    if definition is None:
        return None
    required = [operand for operand in definition.operands if operand.arity is Arity.ONE]
    most = len(operation.operands) if any(map(_is_many, definition.operands)) else len(definition.operands)
    if not len(required) <= len(operation.operands) <= most:
        return None
    candidates = [_allowed(catalogue, definition, value) for value in operation.operands]
    if len(candidates) == len(required):
        candidates = [tuple(operand for operand in allowed if operand in required) for allowed in candidates]
    order = [operand.name for operand in definition.operands] if in_order_of_definition else operand_order(definition)
    in_order = [operand for name in order for operand in definition.operands if operand.name == name]
    if in_order:
        candidates = _in_order(in_order, candidates)
    if any(not allowed for allowed in candidates):
        return None
    is_one_each = all(operand.arity is Arity.ONE for operand in definition.operands)
    return _settled(candidates) if is_one_each else candidates


def _allowed(
    catalogue: Catalogue, definition: OperationDefinition, value: Value | None
) -> tuple[OperandDefinition, ...]:
    if value is None or value.type is None:
        return definition.operands
    type_text = value.type
    return tuple(operand for operand in definition.operands if allows(catalogue, operand, type_text))


def _in_order(order: list[OperandDefinition], candidates: Candidates) -> Candidates:
    """Remove candidates that are impossible if the operands are in the `order` of their definitions.

    `before` has, for each definition, the possible positions at which its operands begin; `behind` has those at which
    the operands of the previous definition may end.
    """
    before, behind = [{0}], [{len(candidates)}]
    for operand in order:
        before.append(_passed(operand, before[-1], candidates, 1))
    for operand in reversed(order):
        behind.append(_passed(operand, behind[-1], candidates, -1))
    behind.reverse()
    left: list[list[OperandDefinition]] = [[] for _ in candidates]
    for number, operand in enumerate(order):
        begins = before[number + 1] if _is_many(operand) else before[number]
        ends = behind[number] if _is_many(operand) else behind[number + 1]
        for index, allowed in enumerate(candidates):
            if index in begins and index + 1 in ends and operand in allowed:
                left[index].append(operand)
    return [tuple(candidate) for candidate in left]


def _passed(operand: OperandDefinition, places: set[int], candidates: Candidates, step: int) -> set[int]:
    """Return the positions reachable from `places` by passing the operands of `operand`; `step` is 1 or -1."""
    passed = set() if operand.arity is Arity.ONE else set(places)
    left = sorted(places, reverse=step > 0)
    while left:
        place = left.pop()
        index = place if step > 0 else place - 1
        behind = place + step
        if 0 <= index < len(candidates) and operand in candidates[index] and behind not in passed:
            passed.add(behind)
            left += (behind,) if _is_many(operand) else ()
    return passed


def _is_many(operand: OperandDefinition) -> bool:
    return operand.arity not in (Arity.ONE, Arity.OPTIONAL)


def _settled(candidates: Candidates) -> Candidates:
    """Remove the certain definition of one operand from the candidates of all others; each takes one operand."""
    left = list(candidates)
    decided: set[int] = set()
    while True:
        new = next((i for i, allowed in enumerate(left) if len(allowed) == 1 and i not in decided), None)
        if new is None:
            return left
        decided.add(new)
        left = [
            allowed if number == new else tuple(group for group in allowed if group is not left[new][0])
            for number, allowed in enumerate(left)
        ]
