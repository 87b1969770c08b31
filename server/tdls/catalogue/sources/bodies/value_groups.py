"""The operands and results of an operation as groups of values, of which a body of code may mean some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity

if TYPE_CHECKING:
    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition


@dataclass(frozen=True, slots=True)
class GroupPart:
    """Some of an operation's values: of the group `index`, counted through operands and results.

    `whole` is true if all values of the group are meant, false if perhaps only some are.
    """

    index: int
    whole: bool = True


ValueRange = tuple[GroupPart, ...]


class ValueGroups:
    """The groups of one operation. A target stands for a range of values in their order."""

    def __init__(self, definition: OperationDefinition) -> None:
        self.definition = definition
        self.operands: ValueRange = tuple(map(GroupPart, range(len(definition.operands))))
        first_result = len(definition.operands)
        self.results: ValueRange = tuple(GroupPart(first_result + index) for index in range(len(definition.results)))
        self.values: tuple[OperandDefinition | ResultDefinition, ...] = (*definition.operands, *definition.results)

    def is_single(self, part: GroupPart) -> bool:
        """Does the group never have more than one value?"""
        return self.values[part.index].arity in (Arity.ONE, Arity.OPTIONAL)

    def element(self, target: ValueRange, number: int) -> ValueRange:
        """The value at `number` of a range, as exactly as the number of values in its groups is known."""
        for position, part in enumerate(target):
            if not part.whole or not self.is_single(part):
                return partial(target[position:])
            if number == 0:
                return (part,)
            if self.values[part.index].arity is not Arity.ONE:
                return partial(target[position:])
            number -= 1
        return ()

    def without_first(self, target: ValueRange, count: int) -> ValueRange:
        """A range without its first values."""
        while count and target and target[0].whole and self.values[target[0].index].arity is Arity.ONE:
            target, count = target[1:], count - 1
        return partial(target) if count else target

    def first(self, target: ValueRange, count: int) -> ValueRange:
        """The first values of a range."""
        found: list[GroupPart] = []
        for position, part in enumerate(target):
            if len(found) == count:
                return tuple(found)
            if not part.whole or self.values[part.index].arity is not Arity.ONE:
                return (*found, *partial(target[position:]))
            found.append(part)
        return tuple(found)

    def least(self, target: ValueRange) -> int:
        """The number of values that a range has at least."""
        return sum(part.whole and self.values[part.index].arity is Arity.ONE for part in target)


def partial(target: ValueRange) -> ValueRange:
    """The same groups, of which perhaps only some values are meant."""
    return tuple(GroupPart(part.index, whole=False) for part in target)
