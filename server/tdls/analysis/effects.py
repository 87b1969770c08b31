"""What one operation does to the handles it names: its memory effects on the transform mapping.

For most operations the catalogue knows. Where it says that the body or the callee decides (`EffectSource`), that is
looked at, after the `getEffects` of SequenceOp, ForeachOp and IncludeOp in TransformOps.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.effects import handle_effect
from tdls.catalogue.model import EffectSource, HandleEffect, PayloadEffect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.semantic.model import Block, Operation, Value
    from tdls.semantic.symbols import SymbolTables

Effect = tuple[HandleEffect, "Value"]
CONSUMED = "transform.consumed"
READONLY = "transform.readonly"


def leaves_payload_alone(operation: Operation) -> bool:
    """Tell whether `operation` is known not to change the payload."""
    definition = operation.definition
    return definition is not None and definition.payload_effect in (PayloadEffect.NONE, PayloadEffect.READS)


class EffectAnalysis:
    """Effects of operations, computed once each."""

    def __init__(self, symbols: SymbolTables) -> None:
        self.symbols = symbols
        self._known: dict[int, list[Effect]] = {}
        self._arguments: dict[int, tuple[HandleEffect, ...]] = {}

    def effects(self, operation: Operation) -> list[Effect]:
        """Return the effects of `operation` on values, its own and, for some, those used inside it."""
        known = self._known.get(id(operation))
        if known is None:
            self._known[id(operation)] = []
            source = operation.definition.effect_source if operation.definition is not None else EffectSource.FIXED
            known = self._known[id(operation)] = list(_TRANSFER[source](self, operation))
        return known

    def consumes(self, operation: Operation, value: Value) -> bool:
        """Tell whether `operation` itself frees `value`."""
        return any(effect is HandleEffect.CONSUMES and other is value for effect, other in self.effects(operation))

    def consumed_operands(self, operation: Operation) -> Iterator[Value]:
        """Yield the distinct operands that `operation` frees."""
        for value in dict.fromkeys(v for v in operation.operands if v is not None):
            if self.consumes(operation, value):
                yield value

    def argument_effects(self, sequence: Operation) -> tuple[HandleEffect, ...]:
        """Return what a named sequence does to its arguments.

        Attributes decide; where an argument has none, the body does, and without a body nothing is known.
        """
        known = self._arguments.get(id(sequence))
        if known is None:
            self._arguments[id(sequence)] = ()
            known = self._arguments[id(sequence)] = tuple(self._argument_effects(sequence))
        return known

    def _argument_effects(self, sequence: Operation) -> Iterator[HandleEffect]:
        signature = sequence.syntax.signature
        body = next(sequence.blocks(), None)
        for number, argument in enumerate(signature.arguments if signature is not None else ()):
            names = {attribute.name for attribute in argument.attributes}
            if CONSUMED in names:
                yield HandleEffect.CONSUMES
            elif READONLY in names:
                yield HandleEffect.READS
            elif body is None or number >= len(body.arguments):
                yield HandleEffect.UNKNOWN
            else:
                consumed = self.is_consumed_in(body, body.arguments[number])
                yield HandleEffect.CONSUMES if consumed else HandleEffect.READS

    def is_consumed_in(self, block: Block, value: Value) -> bool:
        """Tell whether an operation directly in `block` frees `value`."""
        return any(self.consumes(operation, value) for operation in block.operations)

    def callee(self, operation: Operation) -> Operation | None:
        """Return the named sequence that the first symbol of `operation` refers to."""
        symbols = operation.syntax.symbols
        return self.symbols.lookup_nearest(symbols[0].path, operation) if symbols else None


def _fixed(_: EffectAnalysis, operation: Operation) -> Iterator[Effect]:
    """What the definition says of operands and results; of an operation that is not known nothing is said."""
    definition = operation.definition
    if definition is None:
        return
    attributes = {attribute.name: attribute.value or "" for attribute in operation.syntax.attributes}
    for operand in definition.operands:
        begin, end = (operation.syntax.operand_groups or {}).get(operand.name, (0, 0))
        effect = handle_effect(definition, operand, attributes)
        yield from ((effect, value) for value in operation.operands[begin:end] if value is not None)
    for result in definition.results:
        effect = handle_effect(definition, result, attributes)
        yield from ((effect, value) for value in operation.result_group(result.name))


def _of_region(analysis: EffectAnalysis, operation: Operation) -> Iterator[Effect]:
    """Effects on the block arguments are effects on the operands they stand for.

    Without operands the effects of the body are the operation's own (`getPotentialTopLevelEffects`).
    """
    yield from ((effect, value) for effect, value in _fixed(analysis, operation) if effect is not HandleEffect.UNKNOWN)
    body = next(operation.blocks(), None)
    for nested in body.operations if body is not None else ():
        for effect, value in analysis.effects(nested):
            if not operation.operands:
                yield effect, value
            elif value.block is body and value.index < len(operation.operands):
                operand = operation.operands[value.index]
                if operand is not None:
                    yield effect, operand


def _of_callee(analysis: EffectAnalysis, operation: Operation) -> Iterator[Effect]:
    """What the named sequence that is called does to its arguments is done to the operands."""
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
