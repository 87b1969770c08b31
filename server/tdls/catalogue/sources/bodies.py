"""Abstract state of a body of code: its certain and its possible effects on an operation's handles and the payload."""

from __future__ import annotations

from enum import IntFlag
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity, HandleEffect, PayloadEffect
from tdls.structs import Struct

if TYPE_CHECKING:
    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition


class GroupPart(Struct, frozen=True):
    """Values of the group `index` of an operation; indices count operand groups, then result groups.

    `whole` is true for all values of the group, false for an unknown part of them.
    """

    index: int
    whole: bool = True


ValueRange = tuple[GroupPart, ...]


class ValueGroups:
    """The value groups of one operation. A target is a range of its values, in order."""

    def __init__(self, definition: OperationDefinition) -> None:
        self.definition = definition
        self.operands: ValueRange = tuple(map(GroupPart, range(len(definition.operands))))
        first_result = len(definition.operands)
        self.results: ValueRange = tuple(GroupPart(first_result + index) for index in range(len(definition.results)))
        self.values: tuple[OperandDefinition | ResultDefinition, ...] = (*definition.operands, *definition.results)

    def is_single(self, part: GroupPart) -> bool:
        """Whether the group has at most one value."""
        return self.values[part.index].arity in (Arity.ONE, Arity.OPTIONAL)

    def element(self, target: ValueRange, number: int) -> ValueRange:
        """Return the value at `number` of a range, from its end if negative, or the groups that may hold it."""
        if number < 0:
            return self.element(target[::-1], -number - 1)
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
        """Return a range without its first `count` values."""
        while count and target and target[0].whole and self.values[target[0].index].arity is Arity.ONE:
            target, count = target[1:], count - 1
        return partial(target) if count else target

    def first(self, target: ValueRange, count: int) -> ValueRange:
        found: list[GroupPart] = []
        for position, part in enumerate(target):
            if len(found) == count:
                return tuple(found)
            if not part.whole or self.values[part.index].arity is not Arity.ONE:
                return (*found, *partial(target[position:]))
            found.append(part)
        return tuple(found)

    def least(self, target: ValueRange) -> int:
        """Return the minimum number of values of a range."""
        return sum(part.whole and self.values[part.index].arity is Arity.ONE for part in target)


def partial(target: ValueRange) -> ValueRange:
    """Return unknown parts of the same groups."""
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


class Accesses(Struct):
    """Effects on one value or the payload; `certain` is a subset of `possible`."""

    certain: Access = NOTHING
    possible: Access = NOTHING

    def add(self, access: Access, *, certain: bool) -> None:
        self.possible |= access
        if certain:
            self.certain |= access

    def handle_effect(self) -> HandleEffect:
        """Return the effect on a handle: unknown if some effects are only possible, except that a handle that is
        certainly consumed or produced stays so."""
        for access, effect in ((CONSUMES, HandleEffect.CONSUMES), (PRODUCES, HandleEffect.PRODUCES)):
            if self.certain & access == access:
                return effect
        if self.certain != self.possible:
            return HandleEffect.UNKNOWN
        return {NOTHING: HandleEffect.NONE, Access.READ: HandleEffect.READS}.get(self.certain, HandleEffect.UNKNOWN)

    def payload_effect(self) -> PayloadEffect:
        """Return the strongest effect on the payload."""
        if self.certain & Access.WRITE:
            return PayloadEffect.MODIFIES
        if self.possible & (Access.FREE | Access.ALLOCATE):
            return PayloadEffect.UNKNOWN
        if self.possible & Access.WRITE:
            return PayloadEffect.MODIFIES
        return PayloadEffect.READS if self.possible & Access.READ else PayloadEffect.NONE


class AccessState:
    """Accesses to each value group, operands first, and to the payload."""

    def __init__(self, values: list[Accesses], payload: Accesses) -> None:
        self.values = values
        self.payload = payload

    @classmethod
    def at_start(cls, count: int) -> AccessState:
        """Return the state without accesses for `count` value groups."""
        return cls([Accesses() for _ in range(count)], Accesses())

    def copy(self) -> AccessState:
        """Return a copy, for another branch."""
        return AccessState(
            [Accesses(value.certain, value.possible) for value in self.values],
            Accesses(self.payload.certain, self.payload.possible),
        )

    def touch(self, target: ValueRange, access: Access, *, certain: bool = True) -> None:
        """Add an access to the values of `target`; for an unknown part of a group it is only possible."""
        for part in target:
            self.values[part.index].add(access, certain=certain and part.whole)

    def touch_anything(self) -> None:
        """Add all accesses as possible, after code with unknown effects."""
        for accesses in (*self.values, self.payload):
            accesses.add(ANYTHING, certain=False)


def either(first: AccessState | None, second: AccessState | None) -> AccessState | None:
    """Join the states of two branches; None stands for a branch that does not reach the join."""
    if first is None or second is None:
        return first or second
    values = [_either(value, other) for value, other in zip(first.values, second.values, strict=True)]
    return AccessState(values, _either(first.payload, second.payload))


def _either(first: Accesses, second: Accesses) -> Accesses:
    return Accesses(first.certain & second.certain, first.possible | second.possible)
