"""What an operation's generated C++ class is called upon for: accessors of its operands, results and attributes."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tdls.catalogue.sources.bodies.value_groups import GroupPart, ValueGroups

if TYPE_CHECKING:
    from tdls.catalogue.model import AttributeDefinition, OperandDefinition, RegionDefinition, ResultDefinition

    Member = OperandDefinition | ResultDefinition | AttributeDefinition | RegionDefinition


class OperationShape(ValueGroups):
    """An operation's definition as its C++ class shows it (mlir/tools/mlir-tblgen/OpDefinitionsGen.cpp)."""

    def accessed(self, function: str) -> Member | None:
        """The member that an accessor returns: ``getFooBar``, ``getFooBarMutable``, ``getFooBarAttr``, ``fooBar``."""
        for ending in ("", "Mutable", "Attr"):
            member = self._members.get(function.removesuffix(ending)) if function.endswith(ending) else None
            if member is not None:
                return member
        return None

    def part(self, member: Member) -> GroupPart | None:
        """The operand or result as a part; None for attributes and regions."""
        index = next((index for index, value in enumerate(self.values) if value is member), None)
        return None if index is None else GroupPart(index)

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


def camel_case(name: str) -> str:
    """``foo_bar`` as ``FooBar``, after convertToCamelFromSnakeCase of llvm/ADT/StringExtras.h."""
    pieces: list[str] = []
    for index, letter in enumerate(name):
        follows_underscore = index > 0 and name[index - 1] == "_"
        if letter == "_" and name[index + 1 : index + 2].islower() and index:
            continue
        pieces.append(letter.upper() if index == 0 or (follows_underscore and letter.islower()) else letter)
    return "".join(pieces)
