"""What operands of an operation may be by its definition, where its form says only that they are operands.

Operations that C++ parses, as a whole or in part, are read structurally: operands are known in the order of the text,
which need not be that of the definition. Their number and types still settle much, and more where that order is known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity
from tdls.semantic.format_order import operand_order
from tdls.semantic.handle_types import allows

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperandDefinition, OperationDefinition
    from tdls.semantic.model import Operation, Value

Candidates = list[tuple["OperandDefinition", ...]]
"""For each operand, in the order of the text, all definitions that it may belong to."""


def possible_definitions(
    catalogue: Catalogue, operation: Operation, *, in_order_of_definition: bool = False
) -> Candidates | None:
    """Return what each operand of a structurally read `operation` may be; None where its text fits no definition.

    The order of the operands in the text is assumed to be that of the definition if `in_order_of_definition`.
    """
    definition = operation.definition
    if definition is None or operation.syntax.broken or not _fits(definition, len(operation.operands)):
        return None
    candidates = [_allowed(catalogue, definition, value) for value in operation.operands]
    order = [operand.name for operand in definition.operands] if in_order_of_definition else operand_order(definition)
    in_order = [operand for name in order for operand in definition.operands if operand.name == name]
    if in_order:
        candidates = _in_order(in_order, candidates)
    if any(not allowed for allowed in candidates):
        return None
    is_one_each = all(operand.arity is Arity.ONE for operand in definition.operands)
    return _settled(candidates) if is_one_each else candidates


def _fits(definition: OperationDefinition, count: int) -> bool:
    least = sum(operand.arity is Arity.ONE for operand in definition.operands)
    has_rest = any(map(_is_many, definition.operands))
    return least <= count and (has_rest or count <= len(definition.operands))


def _allowed(
    catalogue: Catalogue, definition: OperationDefinition, value: Value | None
) -> tuple[OperandDefinition, ...]:
    if value is None or value.type is None:
        return definition.operands
    type_text = value.type
    return tuple(operand for operand in definition.operands if allows(catalogue, operand, type_text))


def _in_order(order: list[OperandDefinition], candidates: Candidates) -> Candidates:
    """Take definitions that are none of an operand's where operands stand in the `order` of their definitions.

    `before` has, for each definition, where its operands may begin: behind so many others. `behind` has where those of
    the definition before it may end.
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
    return [tuple(found) for found in left]


def _passed(operand: OperandDefinition, places: set[int], candidates: Candidates, step: int) -> set[int]:
    """Return where one may be between operands after passing those of `operand` from `places`, in steps of 1 or -1."""
    found = set() if operand.arity is Arity.ONE else set(places)
    left = sorted(places, reverse=step > 0)
    while left:
        place = left.pop()
        index = place if step > 0 else place - 1
        behind = place + step
        if 0 <= index < len(candidates) and operand in candidates[index] and behind not in found:
            found.add(behind)
            left += (behind,) if _is_many(operand) else ()
    return found


def _is_many(operand: OperandDefinition) -> bool:
    return operand.arity not in (Arity.ONE, Arity.OPTIONAL)


def _settled(candidates: Candidates) -> Candidates:
    """Take definitions that are certain to be an operand's from the others, where each one is for one operand."""
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
