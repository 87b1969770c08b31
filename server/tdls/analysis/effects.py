"""What one operation does to the handles it names: its memory effects on the transform mapping.

For most operations the catalogue knows. The effects of the few below depend on what is inside or called; each has one
transfer function here, after its `getEffects` in TransformOps.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import HandleEffect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.semantic.model import Block, Operation, Value
    from tdls.semantic.symbols import SymbolTables

Effect = tuple[HandleEffect, "Value"]
CONSUMED = "transform.consumed"
READONLY = "transform.readonly"


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
            transfer = _TRANSFER.get(operation.name, _from_catalogue)
            known = self._known[id(operation)] = list(transfer(self, operation))
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


def _from_catalogue(_: EffectAnalysis, operation: Operation) -> Iterator[Effect]:
    """The effects of the definition; those of an operation that is not known are not guessed."""
    definition = operation.definition
    groups = operation.syntax.operand_groups
    if definition is None:
        return
    if groups is not None:
        for operand in definition.operands:
            begin, end = groups.get(operand.name, (0, 0))
            yield from ((operand.effect, value) for value in operation.operands[begin:end] if value is not None)
    for result, effect in zip(operation.results, _result_effects(operation), strict=False):
        yield effect, result


def _result_effects(operation: Operation) -> list[HandleEffect]:
    definition = operation.definition
    groups = operation.syntax.result_groups
    effects = [HandleEffect.UNKNOWN] * len(operation.results)
    if definition is None or groups is None:
        return effects
    for result in definition.results:
        begin, end = groups.get(result.name, (0, 0))
        effects[begin:end] = [result.effect] * (end - begin)
    return effects[: len(operation.results)]


def _produced(operation: Operation) -> Iterator[Effect]:
    return ((HandleEffect.PRODUCES, result) for result in operation.results)


def _sequence(analysis: EffectAnalysis, operation: Operation) -> Iterator[Effect]:
    """`getPotentialTopLevelEffects`: effects on the block arguments are effects on the operands they stand for."""
    yield from _produced(operation)
    body = next(operation.blocks(), None)
    if body is None:
        return
    for nested in body.operations:
        for effect, value in analysis.effects(nested):
            if not operation.operands:
                yield effect, value
            elif value.block is body and value.index < len(operation.operands):
                operand = operation.operands[value.index]
                if operand is not None:
                    yield effect, operand


def _foreach(analysis: EffectAnalysis, operation: Operation) -> Iterator[Effect]:
    """`ForeachOp::getEffects`: the targets are consumed if the body consumes the iteration variable."""
    body = next(operation.blocks(), None)
    for number, operand in enumerate(operation.operands):
        if operand is None:
            continue
        argument = body.arguments[number] if body is not None and number < len(body.arguments) else None
        consumed = body is not None and argument is not None and analysis.is_consumed_in(body, argument)
        yield (HandleEffect.CONSUMES if consumed else HandleEffect.READS), operand
    yield from _produced(operation)


def _include(analysis: EffectAnalysis, operation: Operation) -> Iterator[Effect]:
    """`IncludeOp::getEffects`: what the callee does to its arguments."""
    callee = analysis.callee(operation)
    effects = analysis.argument_effects(callee) if callee is not None else ()
    for number, operand in enumerate(operation.operands):
        if operand is not None:
            yield (effects[number] if number < len(effects) else HandleEffect.UNKNOWN), operand
    yield from _produced(operation)


_TRANSFER: dict[str, Callable[[EffectAnalysis, Operation], Iterator[Effect]]] = {
    "transform.foreach": _foreach,
    "transform.include": _include,
    "transform.sequence": _sequence,
}
