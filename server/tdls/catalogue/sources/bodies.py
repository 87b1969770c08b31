"""What a body of code has certainly done, and what it may have done, to an operation's handles and to the payload."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity, HandleEffect, PayloadEffect

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


class Access(IntFlag):
    """Kinds of memory effects of MLIR (SideEffectInterfaces.h)."""

    READ = 1
    FREE = 2
    ALLOCATE = 4
    WRITE = 8


NOTHING = Access(0)
ANYTHING = Access.READ | Access.FREE | Access.ALLOCATE | Access.WRITE
CONSUMES = Access.READ | Access.FREE
PRODUCES = Access.ALLOCATE | Access.WRITE


@dataclass(slots=True)
class Accesses:
    """`certain` is part of `possible`."""

    certain: Access = NOTHING
    possible: Access = NOTHING

    def add(self, access: Access, *, certain: bool) -> None:
        """Something more happens."""
        self.possible |= access
        if certain:
            self.certain |= access

    def handle_effect(self) -> HandleEffect:
        """The effect on a handle. What may or may not happen makes it unknown, but what is consumed or produced for
        certain stays so."""
        for access, effect in ((CONSUMES, HandleEffect.CONSUMES), (PRODUCES, HandleEffect.PRODUCES)):
            if self.certain & access == access:
                return effect
        if self.certain != self.possible:
            return HandleEffect.UNKNOWN
        return {NOTHING: HandleEffect.NONE, Access.READ: HandleEffect.READS}.get(self.certain, HandleEffect.UNKNOWN)

    def payload_effect(self) -> PayloadEffect:
        """The strongest effect on the payload."""
        if self.certain & Access.WRITE:
            return PayloadEffect.MODIFIES
        if self.possible & (Access.FREE | Access.ALLOCATE):
            return PayloadEffect.UNKNOWN
        if self.possible & Access.WRITE:
            return PayloadEffect.MODIFIES
        return PayloadEffect.READS if self.possible & Access.READ else PayloadEffect.NONE


class AccessState:
    """Accesses to each operand and result, in this order, and to the payload."""

    def __init__(self, values: list[Accesses], payload: Accesses) -> None:
        self.values = values
        self.payload = payload

    @classmethod
    def at_start(cls, count: int) -> AccessState:
        """Nothing was done to `count` values."""
        return cls([Accesses() for _ in range(count)], Accesses())

    def copy(self) -> AccessState:
        """The same, to go on differently."""
        return AccessState(
            [Accesses(value.certain, value.possible) for value in self.values],
            Accesses(self.payload.certain, self.payload.possible),
        )

    def touch(self, target: ValueRange, access: Access, *, certain: bool = True) -> None:
        """Values are accessed; where only some of a group may be meant, that is possible only."""
        for part in target:
            self.values[part.index].add(access, certain=certain and part.whole)

    def touch_anything(self) -> None:
        """Something happens of which nothing is known."""
        for accesses in (*self.values, self.payload):
            accesses.add(ANYTHING, certain=False)


def either(first: AccessState | None, second: AccessState | None) -> AccessState | None:
    """What is known where one of two things happened; None stands for what does not come so far."""
    if first is None or second is None:
        return first or second
    values = [_either(value, other) for value, other in zip(first.values, second.values, strict=True)]
    return AccessState(values, _either(first.payload, second.payload))


def _either(first: Accesses, second: Accesses) -> Accesses:
    return Accesses(first.certain & second.certain, first.possible | second.possible)
