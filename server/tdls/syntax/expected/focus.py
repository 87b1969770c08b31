"""Which part of an operation's definition a question of the parser is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from tdls.catalogue.model import Arity, OperandDefinition, ResultDefinition
from tdls.syntax.expected.model import ExpectedType, FunctionType
from tdls.syntax.parser.draft import OPERANDS, RESULTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.catalogue.model import AttributeDefinition, OperationDefinition
    from tdls.syntax.parser.cursor import TokenCursor
    from tdls.syntax.parser.draft import Draft
    from tdls.syntax.tree import ValueUse

Group = TypeVar("Group", OperandDefinition, ResultDefinition)


@dataclass(frozen=True, slots=True)
class Focus:
    """What is being read, from token `start` on."""

    start: int = 0
    operand: OperandDefinition | None = None
    attribute: AttributeDefinition | None = None
    name: str = ""
    """The ODS name of the operand, attribute or values whose types are read, or a key as in `Draft`."""
    function_type: tuple[str, str] | None = None
    """The keys of both sides of the function type that is read."""
    is_argument: bool = False
    """True inside an argument or result of a function-like operation or of a block: names are defined there."""


NOTHING = Focus()


def group_at(groups: Sequence[Group], position: int, sizes: Sequence[int] | None = None) -> tuple[Group | None, int]:
    """Return the group that value number `position` is in, and its number in it.

    Without `sizes` a group of one takes one value and any other takes all that are left.
    """
    for number, group in enumerate(groups):
        size = 1 if group.arity is Arity.ONE else position + 1
        if sizes is not None:
            size = sizes[number]
        if position < size:
            return group, position
        position -= size
    return None, position


def type_of(draft: Draft, key: str, position: int) -> ExpectedType:
    """Return what is known of type number `position` of the values that `key` stands for."""
    definition = draft.definition
    if definition is None:
        return ExpectedType()
    if key == OPERANDS:
        return _operand_type(draft, definition, position)
    if key == RESULTS:
        return ExpectedType(*group_at(definition.results, position))
    operand = next((candidate for candidate in definition.operands if candidate.name == key), None)
    if operand is not None:
        return ExpectedType(operand, position, _nth(draft.values.get(key, ()), position))
    result = next((candidate for candidate in definition.results if candidate.name == key), None)
    return ExpectedType(result, position)


def _operand_type(draft: Draft, definition: OperationDefinition, position: int) -> ExpectedType:
    if OPERANDS in draft.values:
        group, number = group_at(definition.operands, position)
        return ExpectedType(group, number, _nth(draft.values[OPERANDS], position))
    sizes = [len(draft.values.get(operand.name, ())) for operand in definition.operands]
    group, number = group_at(definition.operands, position, sizes)
    values = draft.values.get(group.name, ()) if group is not None else ()
    return ExpectedType(group, number, _nth(values, number))


def _nth(values: Sequence[ValueUse], position: int) -> ValueUse | None:
    return values[position] if position < len(values) else None


def function_type(definition: OperationDefinition | None, keys: tuple[str, str]) -> FunctionType:
    """Return the function type whose sides `keys` stand for."""
    operands = tuple(operand.name for operand in definition.operands) if definition is not None else ()
    results = tuple(result.name for result in definition.results) if definition is not None else ()
    inputs, outputs = keys
    return FunctionType(_names(inputs, operands, results), _names(outputs, operands, results))


def _names(key: str, operands: tuple[str, ...], results: tuple[str, ...]) -> tuple[str, ...]:
    if key == OPERANDS:
        return operands
    return results if key == RESULTS else (key,)


def place_in_function_type(cursor: TokenCursor, end: int) -> tuple[int, int]:
    """Return the side (0 or 1) of the open function type that token `end` is in, and the number of types before it."""
    commas = 0
    index = end - 1
    while index >= 0:
        kind = cursor.kinds[index]
        if kind == "->":
            return 1, 0
        if kind == ":":
            return 0, 0
        partner = cursor.tokens.partners.get(index, index)
        if kind == "(" and partner == index:
            return int(cursor.kinds[index - 1] == "->"), commas
        commas += kind == ","
        index = min(partner, index) - 1
    return 0, 0
