"""Effects of one operation on handles: its memory effects on the transform mapping.

The catalogue has the effects of most operations. Where the body or the callee decides (`EffectSource`), it is analysed
after the `getEffects` of SequenceOp, ForeachOp and IncludeOp in TransformOps.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import EffectSource, HandleEffect, PayloadEffect, handle_effect
from tdls.limits import CALL_DEPTH
from tdls.structs import NamedTuple
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.limits import Budget, Limit
    from tdls.semantic.model import Block, Operation, Value
    from tdls.semantic.operand_binding import Candidates
    from tdls.semantic.symbols import SymbolTables

Effect = tuple[HandleEffect, "Value"]
CONSUMED = "transform.consumed"
READONLY = "transform.readonly"


def leaves_payload_alone(operation: Operation) -> bool:
    """Whether `operation` is known not to change the payload."""
    definition = operation.definition
    return definition is not None and definition.payload_effect in (PayloadEffect.NONE, PayloadEffect.READS)


class _OfBody(NamedTuple):
    """Effects of the operations directly in a block on values."""

    consumed: frozenset[Value]
    unknown: frozenset[Value] | None
    """Values on which callees have unknown effects, or None if that may be any value."""

    def on(self, value: Value) -> HandleEffect:
        if value in self.consumed:
            return HandleEffect.CONSUMES
        return HandleEffect.UNKNOWN if self.unknown is None or value in self.unknown else HandleEffect.READS


class EffectAnalysis:
    """Effects of operations, computed once each.

    Calls in callees are followed up to `CALL_DEPTH`, and bodies of callees as far as `budget` allows; effects beyond
    that are unknown, and `given_up` is the limit.
    """

    def __init__(self, symbols: SymbolTables, catalogue: Catalogue, budget: Budget) -> None:
        self.symbols = symbols
        self.catalogue = catalogue
        self.given_up: Limit | None = None
        self._budget = budget
        self._depth = 0
        self._known: dict[int, list[Effect]] = {}
        self._consumed: dict[int, frozenset[Value]] = {}
        self._of_bodies: dict[int, _OfBody] = {}
        self._arguments: dict[int, tuple[HandleEffect, ...]] = {}

    def effects(self, operation: Operation) -> list[Effect]:
        """Return the effects of `operation` on its own values and, for some operations, on values used inside it."""
        known = self._known.get(id(operation))
        if known is None:
            self._known[id(operation)] = []
            source = operation.definition.effect_source if operation.definition is not None else EffectSource.FIXED
            known = self._known[id(operation)] = list(_TRANSFER[source](self, operation))
        return known

    def consumes(self, operation: Operation, value: Value) -> bool:
        """Whether `operation` itself consumes `value`."""
        return value in self._consumed_by(operation)

    def _consumed_by(self, operation: Operation) -> frozenset[Value]:
        known = self._consumed.get(id(operation))
        if known is None:
            effects = self.effects(operation)
            known = frozenset(value for effect, value in effects if effect is HandleEffect.CONSUMES)
            self._consumed[id(operation)] = known
        return known

    def assumed_consumed(self, operation: Operation) -> frozenset[Value]:
        """Return the operands that `operation` consumes if its form has the operands in the order of the definition.

        That order is assumed where neither a format nor a catalogue file gives it.
        """
        definition = operation.definition
        if definition is None or operation.syntax.form is not Form.STRUCTURAL:
            return frozenset()
        from tdls.semantic.operand_binding import operand_order, possible_definitions

        if operand_order(definition):
            return frozenset()
        candidates = possible_definitions(self.catalogue, operation, in_order_of_definition=True)
        effects = _common_effects(operation, definition, candidates)
        return frozenset(value for effect, value in effects if effect is HandleEffect.CONSUMES)

    def consumed_operands(self, operation: Operation) -> Iterator[Value]:
        """Yield the distinct operands that `operation` consumes."""
        consumed = self._consumed_by(operation)
        yield from dict.fromkeys(value for value in operation.operands if value in consumed)

    def argument_effects(self, sequence: Operation) -> tuple[HandleEffect, ...]:
        """Return the effects of a named sequence on its arguments.

        Attributes decide; where an argument has none, the body does, and without a body the effect is unknown.
        """
        known = self._arguments.get(id(sequence))
        if known is None:
            self._arguments[id(sequence)] = ()
            self._depth += 1
            known = self._arguments[id(sequence)] = tuple(self._argument_effects(sequence))
            self._depth -= 1
        return known

    def _argument_effects(self, sequence: Operation) -> Iterator[HandleEffect]:
        signature = sequence.syntax.signature
        body = sequence.body
        for number, argument in enumerate(signature.arguments if signature is not None else ()):
            names = {attribute.name for attribute in argument.attributes}
            if CONSUMED in names:
                yield HandleEffect.CONSUMES
            elif READONLY in names:
                yield HandleEffect.READS
            elif body is None or number >= len(body.arguments):
                yield HandleEffect.UNKNOWN
            else:
                yield self._in_body(body).on(body.arguments[number])

    def is_consumed_in(self, block: Block, value: Value) -> bool:
        """Whether an operation directly in `block` consumes `value`."""
        return self._in_body(block).on(value) is HandleEffect.CONSUMES

    def _in_body(self, block: Block) -> _OfBody:
        """Return the effects of the operations directly in `block`, unknown ones beyond the limits."""
        known = self._of_bodies.get(id(block))
        if known is None:
            known = self._of_bodies[id(block)] = self._look_at_body(block)
        return known

    def _look_at_body(self, block: Block) -> _OfBody:
        is_too_deep = self._depth > CALL_DEPTH.most
        if is_too_deep or self._budget.left < len(block.operations):
            self.given_up = CALL_DEPTH if is_too_deep else self._budget.limit
            return _OfBody(frozenset(), None)
        self._budget.spend(len(block.operations))
        consumed = frozenset(value for operation in block.operations for value in self._consumed_by(operation))
        calls = (effect for operation in block.operations if operation.has_callee for effect in self.effects(operation))
        return _OfBody(consumed, frozenset(value for effect, value in calls if effect is HandleEffect.UNKNOWN))

    def callee(self, operation: Operation) -> Operation | None:
        """Return the named sequence that the first symbol of `operation` refers to."""
        symbols = operation.syntax.symbols
        return self.symbols.lookup_nearest(symbols[0].path, operation) if symbols else None


def _fixed(analysis: EffectAnalysis, operation: Operation) -> Iterator[Effect]:
    """Yield the effects that the definition gives operands and results; none for an unknown operation."""
    definition = operation.definition
    if definition is None:
        return
    attributes = _attributes(operation)
    if operation.syntax.form is Form.STRUCTURAL:
        from tdls.semantic.operand_binding import possible_definitions

        yield from _common_effects(operation, definition, possible_definitions(analysis.catalogue, operation))
    groups = operation.syntax.operand_groups or {}
    for operand in definition.operands:
        begin, end = groups.get(operand.name, (0, 0))
        if begin == end:
            continue
        effect = handle_effect(definition, operand, attributes)
        for value in operation.operands[begin:end]:
            if value is not None:
                yield effect, value
    for result in definition.results:
        values = operation.result_group(result.name)
        effect = handle_effect(definition, result, attributes) if values else HandleEffect.READS
        for value in values:
            yield effect, value


def _attributes(operation: Operation) -> dict[str, str]:
    return {attribute.name: attribute.value or "" for attribute in operation.syntax.attributes}


def _common_effects(
    operation: Operation, definition: OperationDefinition, candidates: Candidates | None
) -> Iterator[Effect]:
    """Yield the effects on operands that are the same for all definitions an operand may belong to."""
    attributes = _attributes(operation)
    for value, possible in zip(operation.operands, candidates or (), strict=False):
        effects = {handle_effect(definition, operand, attributes) for operand in possible}
        if value is not None and len(effects) == 1:
            yield effects.pop(), value


def _of_region(analysis: EffectAnalysis, operation: Operation) -> Iterator[Effect]:
    """Yield the effects of the body on block arguments as effects on the corresponding operands.

    Without operands the effects of the body are the operation's own (`getPotentialTopLevelEffects`).
    """
    yield from ((effect, value) for effect, value in _fixed(analysis, operation) if effect is not HandleEffect.UNKNOWN)
    body = operation.body
    for nested in body.operations if body is not None else ():
        for effect, value in analysis.effects(nested):
            if not operation.operands:
                yield effect, value
            elif value.block is body and value.index < len(operation.operands):
                operand = operation.operands[value.index]
                if operand is not None:
                    yield effect, operand


def _of_callee(analysis: EffectAnalysis, operation: Operation) -> Iterator[Effect]:
    """Yield the effects of the called sequence on its arguments as effects on the operands."""
    yield from ((effect, value) for effect, value in _fixed(analysis, operation) if effect is not HandleEffect.UNKNOWN)
    callee = analysis.callee(operation)
    effects = analysis.argument_effects(callee) if callee is not None else ()
    for effect, operand in zip(effects, operation.operands, strict=False):
        if operand is not None:
            yield effect, operand


_TRANSFER: dict[EffectSource, Callable[[EffectAnalysis, Operation], Iterator[Effect]]] = {
    EffectSource.FIXED: _fixed,
    EffectSource.REGION: _of_region,
    EffectSource.CALLEE: _of_callee,
}
