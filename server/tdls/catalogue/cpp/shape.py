"""What an operation's generated C++ class is called upon for: accessors of its operands, results and attributes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity

if TYPE_CHECKING:
    from tdls.catalogue.model import (
        AttributeDefinition,
        OperandDefinition,
        OperationDefinition,
        RegionDefinition,
        ResultDefinition,
    )

    Member = OperandDefinition | ResultDefinition | AttributeDefinition | RegionDefinition


@dataclass(frozen=True, slots=True)
class Part:
    """Some of an operation's values: of the group `index`, counted through operands and results.

    `whole` is true if all values of the group are meant, false if perhaps only some are.
    """

    index: int
    whole: bool = True


Target = tuple[Part, ...]


class OperationShape:
    """An operation's definition as its C++ class shows it (mlir/tools/mlir-tblgen/OpDefinitionsGen.cpp)."""

    def __init__(self, definition: OperationDefinition) -> None:
        self.definition = definition
        self.operands: Target = tuple(map(Part, range(len(definition.operands))))
        first_result = len(definition.operands)
        self.results: Target = tuple(Part(first_result + index) for index in range(len(definition.results)))
        self.values: tuple[OperandDefinition | ResultDefinition, ...] = (*definition.operands, *definition.results)

    def accessed(self, function: str) -> Member | None:
        """The member that an accessor returns: ``getFooBar``, ``getFooBarMutable``, ``getFooBarAttr``, ``fooBar``."""
        for ending in ("", "Mutable", "Attr"):
            member = self._members.get(function.removesuffix(ending)) if function.endswith(ending) else None
            if member is not None:
                return member
        return None

    def part(self, member: Member) -> Part | None:
        """The operand or result as a part; None for attributes and regions."""
        index = next((index for index, value in enumerate(self.values) if value is member), None)
        return None if index is None else Part(index)

    def is_single(self, part: Part) -> bool:
        """Does the group never have more than one value?"""
        return self.values[part.index].arity in (Arity.ONE, Arity.OPTIONAL)

    def element(self, target: Target, number: int) -> Target:
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

    def without_first(self, target: Target, count: int) -> Target:
        """A range without its first values."""
        while count and target and target[0].whole and self.values[target[0].index].arity is Arity.ONE:
            target, count = target[1:], count - 1
        return partial(target) if count else target

    def least(self, target: Target) -> int:
        """The number of values that a range has at least."""
        return sum(part.whole and self.values[part.index].arity is Arity.ONE for part in target)

    @cached_property
    def _members(self) -> dict[str, Member]:
        members: list[Member] = [*self.values, *self.definition.attributes, *self.definition.regions]
        found: dict[str, Member] = {}
        for member in members:
            camel = camel_case(member.name)
            found.setdefault(f"get{camel}", member)
            found.setdefault(camel[:1].lower() + camel[1:], member)
            found.setdefault(member.name, member)
        return found


def partial(target: Target) -> Target:
    """The same groups, of which perhaps only some values are meant."""
    return tuple(Part(part.index, whole=False) for part in target)


def camel_case(name: str) -> str:
    """``foo_bar`` as ``FooBar``, after convertToCamelFromSnakeCase of llvm/ADT/StringExtras.h."""
    pieces: list[str] = []
    for index, letter in enumerate(name):
        follows_underscore = index > 0 and name[index - 1] == "_"
        if letter == "_" and name[index + 1 : index + 2].islower() and index:
            continue
        pieces.append(letter.upper() if index == 0 or (follows_underscore and letter.islower()) else letter)
    return "".join(pieces)
