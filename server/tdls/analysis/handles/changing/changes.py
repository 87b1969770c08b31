"""What operations may do to the payload as a whole, as far as knowledge about handles depends on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.model import EffectSource, HandleEffect, PayloadEffect
from tdls.semantic.transform_dialect import is_transform_operation

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.analysis.handles.payload.names import PayloadNames
    from tdls.bounds.budget import Budget
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation

MOST_CALLS = 6
"""How deep calls are followed."""


class Changes(NamedTuple):
    """What may happen to the payload."""

    touches: bool = False
    """It changes in any way."""
    changes: bool = False
    """Operations come or go."""
    moves: bool = False
    """Operations are moved around."""
    adds_containers: bool = False
    """Functions, or the like, come."""

    def __or__(self, other: tuple[object, ...]) -> Changes:
        """Return what happens where both happen."""
        return Changes(*(bool(own or another) for own, another in zip(self, other, strict=True)))


NO_CHANGES = Changes()
ANYTHING = Changes(touches=True, changes=True, moves=True, adds_containers=True)


class ChangeAnalysis:
    """Changes by operations and by the named sequences that they call, each looked at once."""

    def __init__(self, context: Context, names: PayloadNames, budget: Budget) -> None:
        self._context = context
        self._effects = context.effects
        self._names = names
        self._budget = budget
        self._known: dict[int, Changes] = {}
        self._by_definition: dict[int, Changes] = {}
        self._conditional: set[int] = set()
        """Definitions with operands whose effects depend on attributes."""

    def of_operation(self, operation: Operation) -> Changes:
        """Return what an operation itself may do: bodies and callees speak for themselves."""
        definition = operation.definition
        if definition is None:
            return ANYTHING
        known = self._by_definition.get(id(definition))
        if known is None:
            known = self._by_definition[id(definition)] = self._of_definition(definition)
            if any(operand.effect_when for operand in definition.operands):
                self._conditional.add(id(definition))
        if definition.moves_with and operation.syntax.attribute(definition.moves_with) is not None:
            return ANYTHING
        if known.changes or id(definition) not in self._conditional:
            return known
        return known._replace(changes=any(True for _ in self._effects.consumed_operands(operation)))

    def _of_definition(self, definition: OperationDefinition) -> Changes:
        """Return what operations of a definition do whatever their attributes are."""
        if definition.payload_effect not in (PayloadEffect.MODIFIES, PayloadEffect.UNKNOWN):
            return NO_CHANGES
        if definition.regions or definition.effect_source is EffectSource.CALLEE:
            return Changes(touches=True)
        if not definition.local:
            return ANYTHING
        consumes = any(operand.effect is HandleEffect.CONSUMES for operand in definition.operands)
        adds = any(self._names.include_containers(result.stands_for) for result in definition.results)
        return Changes(touches=True, changes=consumes, adds_containers=adds)

    def of_callee(self, callee: Operation | None, depth: int = 0) -> Changes:
        """Return what a call of a named sequence may do, anything if that is not known."""
        block = next(callee.blocks(), None) if callee is not None else None
        if callee is None or block is None or depth >= MOST_CALLS:
            return ANYTHING
        known = self._known.get(id(callee))
        if known is None:
            known = self._known[id(callee)] = self._within(callee, depth)
        return known

    def _within(self, callee: Operation, depth: int) -> Changes:
        found = Changes()
        for operation in callee.walk():
            if found == ANYTHING:
                break
            self._budget.spend()
            if operation is callee or not is_transform_operation(operation):
                continue
            found |= self.of_operation(operation)
            if operation.has_callee:
                found |= self.of_callee(self._context.callee(operation), depth + 1)
        return found
