"""Abstract state of a body of code: its certain and its possible effects on an operation's handles and the payload."""

from __future__ import annotations

from enum import IntFlag
from typing import TYPE_CHECKING

from tdls.catalogue.model import Arity, HandleEffect, PayloadEffect
from tdls.structs import Struct

if TYPE_CHECKING:
    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition

ValueRange = tuple[int, ...]
"""Value groups of an operation, each with all its values; indices count operand groups, then result groups."""


class ValueGroups:
    """The value groups of one operation."""

    def __init__(self, definition: OperationDefinition) -> None:
        self.definition = definition
        self.values: tuple[OperandDefinition | ResultDefinition, ...] = (*definition.operands, *definition.results)
        count = len(definition.operands)
        self.operands: ValueRange = tuple(range(count))
        self.results: ValueRange = tuple(range(count, len(self.values)))

    def element(self, target: ValueRange, number: int) -> ValueRange | None:
        """Return the value at `number` of a range as a range, or None if it is unknown which group has it."""
        arities = [self.values[index].arity for index in target[: number + 1]]
        is_certain = all(arity is Arity.ONE for arity in arities[:number])
        is_single = all(arity in (Arity.ONE, Arity.OPTIONAL) for arity in arities[number:])
        return target[number : number + 1] if is_certain and is_single else None

    def least(self, target: ValueRange) -> int:
        """Return the minimum number of values of a range."""
        return sum(self.values[index].arity is Arity.ONE for index in target)


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


class AccessState(Struct):
    """Accesses to each value group, operands first, and to the payload."""

    values: list[Accesses]
    payload: Accesses

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
        """Add an access to the values of `target`."""
        for index in target:
            self.values[index].add(access, certain=certain)

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
