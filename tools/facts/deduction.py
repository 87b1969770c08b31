"""From observed instances to the effects of a definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from facts.records import FactsError
from tdls.catalogue.model import (
    ConditionalEffect,
    EffectSource,
    HandleEffect,
    OperandDefinition,
    PayloadEffect,
    ResultDefinition,
)
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from facts.effects import Observation
    from tdls.catalogue.model import AttributeDefinition, OperationDefinition

_V = TypeVar("_V", OperandDefinition, ResultDefinition)
_Sample = tuple["Observation", HandleEffect]

_STRENGTH = [HandleEffect.CONSUMES, HandleEffect.PRODUCES, HandleEffect.READS, HandleEffect.NONE]
_PAYLOAD_STRENGTH = [PayloadEffect.MODIFIES, PayloadEffect.READS, PayloadEffect.NONE]


def with_effects(definition: OperationDefinition, observations: Sequence[Observation]) -> OperationDefinition:
    """Return the definition with the effects of all observations, or with the attribute that decides between them."""
    if not any(observation.reported for observation in observations):
        return _without_report(definition, observations)
    operands = [
        _decided(definition, operand, operand_samples(observations, index))
        for index, operand in enumerate(definition.operands)
    ]
    results = [
        _decided(definition, result, result_samples(observations, index))
        for index, result in enumerate(definition.results)
    ]
    source = max((source for _, source in [*operands, *results]), key=_SOURCE_ORDER.index, default=EffectSource.FIXED)
    return replace(
        definition,
        operands=tuple(operand for operand, _ in operands),
        results=tuple(result for result, _ in results),
        payload_effect=_payload_effect(definition, observations, source),
        effect_source=source,
    )


def _without_report(definition: OperationDefinition, observations: Sequence[Observation]) -> OperationDefinition:
    """Effects of operations that MLIR's test pass leaves out: terminators, and operations that cannot have effects."""
    if not observations:
        return definition
    is_reader = "MemoryEffectOpInterface" in definition.traits and "IsTerminator" in definition.traits
    effect = HandleEffect.READS if is_reader else HandleEffect.NONE
    return replace(
        definition,
        operands=tuple(replace(operand, effect=effect) for operand in definition.operands),
        payload_effect=PayloadEffect.NONE,
    )


def operand_samples(observations: Iterable[Observation], index: int) -> list[_Sample]:
    """The effect on an operand group in each instance that has operands in it."""
    return [
        (observation, strongest)
        for observation in observations
        if (strongest := _strongest(observation.instance.operand_counts, index, observation.operands)) is not None
    ]


def result_samples(observations: Iterable[Observation], index: int) -> list[_Sample]:
    """The effect on a result group in each instance that has results in it."""
    return [
        (observation, strongest)
        for observation in observations
        if (strongest := _strongest(observation.instance.result_counts, index, observation.results)) is not None
    ]


_SOURCE_ORDER = [EffectSource.FIXED, EffectSource.CALLEE, EffectSource.REGION]


def _strongest(counts: Sequence[int], index: int, effects: Sequence[HandleEffect]) -> HandleEffect | None:
    """The strongest effect on a group of values; None where the group is empty or an effect is unknown."""
    first = sum(counts[:index])
    own = effects[first : first + counts[index]]
    if HandleEffect.UNKNOWN in own:
        return None
    return min(own, key=_STRENGTH.index, default=None)


def _decided(definition: OperationDefinition, value: _V, samples: Sequence[_Sample]) -> tuple[_V, EffectSource]:
    effects = {effect for _, effect in samples}
    if len(effects) <= 1:
        return replace(value, effect=next(iter(effects), HandleEffect.UNKNOWN)), EffectSource.FIXED
    for attribute in definition.attributes:
        exception = _exception(attribute, samples)
        if exception is None:
            continue
        if attribute.constraint.startswith("SymbolRef"):
            return value, EffectSource.CALLEE
        others = {effect for sample, effect in samples if not _has(sample, exception)}
        return replace(value, effect=others.pop(), effect_when=(exception,)), EffectSource.FIXED
    consuming = [sample for sample, effect in samples if effect is HandleEffect.CONSUMES]
    if all(sample.instance.consumed_arguments for sample in consuming):
        return value, EffectSource.REGION
    raise FactsError(
        f"{definition.name}: the effect on '{value.name}' is one of {sorted(effect.value for effect in effects)}, "
        "and no single attribute nor the region decides which; extend facts/deduction.py"
    )


def _exception(attribute: AttributeDefinition, samples: Sequence[_Sample]) -> ConditionalEffect | None:
    """Return the effect of the one value of the attribute that has an effect of its own; None without such a value."""
    values = {dict(sample.instance.attributes).get(attribute.name) for sample, _ in samples} - {None}
    for value in sorted(value for value in values if value is not None):
        spelled = None if attribute.constraint == "UnitAttr" else value
        for effect in {effect for _, effect in samples}:
            candidate = ConditionalEffect(attribute.name, effect, spelled)
            inside = {found for sample, found in samples if _has(sample, candidate)}
            outside = {found for sample, found in samples if not _has(sample, candidate)}
            if inside == {effect} and len(outside) == 1 and effect not in outside:
                return candidate
    return None


def _has(sample: Observation, exception: ConditionalEffect) -> bool:
    value = dict(sample.instance.attributes).get(exception.attribute)
    return value is not None and exception.value in (None, value)


def _payload_effect(
    definition: OperationDefinition, observations: Sequence[Observation], source: EffectSource
) -> PayloadEffect:
    effects = {observation.payload for observation in observations}
    if source is EffectSource.REGION and len(effects) > 1:
        return PayloadEffect.UNKNOWN
    if PayloadEffect.UNKNOWN in effects:
        by_trait = (effect for trait, effect in _PAYLOAD_EFFECT_OF_TRAIT.items() if trait in definition.traits)
        return next(by_trait, definition.payload_effect)
    return min(effects, key=_PAYLOAD_STRENGTH.index)


_PAYLOAD_EFFECT_OF_TRAIT = {
    "FunctionalStyleTransformOpTrait": PayloadEffect.MODIFIES,
    "NavigationTransformOpTrait": PayloadEffect.READS,
}
"""Effects on the payload that TransformInterfaces.h gives operations with these traits."""
