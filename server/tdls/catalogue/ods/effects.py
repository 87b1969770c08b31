"""Effects on handles and payload, where TableGen decides them: by traits, or by decorators of operands and results.

Follows TransformInterfaces.h and MatchInterfaces.h of MLIR (what each trait's `getEffects` does), and
`genSideEffectInterfaceMethods` of mlir-tblgen for decorators.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.model import HandleEffect, PayloadEffect
from tdls.catalogue.ods.definitions import is_a
from tdls.catalogue.ods.traits import flattened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.model import OperationDefinition
    from tdls.catalogue.ods.definitions import Definitions, Record

_INTERFACE = "MemoryEffectOpInterface"


class _Effects(NamedTuple):
    """What all operands, all results and the payload have."""

    operands: HandleEffect
    results: HandleEffect
    payload: PayloadEffect


_OF_TRAIT = {
    "FunctionalStyleTransformOpTrait": _Effects(HandleEffect.CONSUMES, HandleEffect.PRODUCES, PayloadEffect.MODIFIES),
    "NavigationTransformOpTrait": _Effects(HandleEffect.READS, HandleEffect.PRODUCES, PayloadEffect.READS),
    "ParamProducerTransformOpTrait": _Effects(HandleEffect.READS, HandleEffect.PRODUCES, PayloadEffect.READS),
    "AtMostOneOpMatcherOpTrait": _Effects(HandleEffect.READS, HandleEffect.PRODUCES, PayloadEffect.READS),
    "SingleOpMatcherOpTrait": _Effects(HandleEffect.READS, HandleEffect.PRODUCES, PayloadEffect.READS),
    "SingleValueMatcherOpTrait": _Effects(HandleEffect.READS, HandleEffect.PRODUCES, PayloadEffect.READS),
}
_NO_EFFECTS = _Effects(HandleEffect.NONE, HandleEffect.NONE, PayloadEffect.NONE)

_WITHOUT_EFFECTS = frozenset(
    ("PatternDescriptorOpInterface", "ConversionPatternDescriptorOpInterface", "TypeConverterBuilderOpInterface")
)
"""Interfaces of operations that describe something to the operation around them, and are never executed."""


def with_effects(
    definitions: Definitions, record: Record, definition: OperationDefinition
) -> tuple[OperationDefinition, bool]:
    """The definition with the effects that TableGen decides, and whether C++ decides them instead."""
    traits = list(flattened(definitions, record["traits"]))
    if any(_is_declared_in_cpp(trait) for trait in traits):
        return definition, True
    if _has_decorators(definitions, record, traits):
        return _with_decorators(definitions, record, definition, traits), False
    effects = _by_traits(definition)
    if effects is not None:
        return _with_all(definition, effects), False
    return definition, _INTERFACE in definition.traits


def _by_traits(definition: OperationDefinition) -> _Effects | None:
    effects = next((effects for trait, effects in _OF_TRAIT.items() if trait in definition.traits), None)
    if effects is not None:
        return effects
    is_descriptor = _INTERFACE not in definition.traits and not _WITHOUT_EFFECTS.isdisjoint(definition.traits)
    return _NO_EFFECTS if is_descriptor else None


def _with_all(definition: OperationDefinition, effects: _Effects) -> OperationDefinition:
    return replace(
        definition,
        operands=tuple(replace(operand, effect=effects.operands) for operand in definition.operands),
        results=tuple(replace(result, effect=effects.results) for result in definition.results),
        payload_effect=effects.payload,
    )


def _is_declared_in_cpp(trait: Record) -> bool:
    return trait.get("cppInterfaceName") == _INTERFACE and is_a(trait, "DeclareOpInterfaceMethods")


def _has_decorators(definitions: Definitions, record: Record, traits: list[Record]) -> bool:
    if any(is_a(trait, "SideEffectsTraitBase") for trait in traits):
        return True
    values = [*definitions.arguments(record["arguments"]), *definitions.arguments(record["results"])]
    return any(_decorators(definitions, value) for value, _ in values)


def _with_decorators(
    definitions: Definitions, record: Record, definition: OperationDefinition, traits: list[Record]
) -> OperationDefinition:
    values = [*definitions.arguments(record["arguments"]), *definitions.arguments(record["results"])]
    effects = {name: _handle_effect(_kinds(_decorators(definitions, value), "Mapping")) for value, name in values}
    static = [effect for trait in traits for effect in _references(definitions, trait, "effects")]
    payload = _kinds([*static, *(one for value, _ in values for one in _decorators(definitions, value))], "Payload")
    return replace(
        definition,
        operands=tuple(replace(operand, effect=effects[operand.name]) for operand in definition.operands),
        results=tuple(replace(result, effect=effects[result.name]) for result in definition.results),
        payload_effect=_payload_effect(payload),
    )


def _decorators(definitions: Definitions, value: object) -> list[Record]:
    """The effects that ``Arg<...>`` or ``Res<...>`` give a value."""
    record = definitions.follow(value)
    return list(_references(definitions, record, "decorators")) if record is not None else []


def _references(definitions: Definitions, record: Record, field: str) -> Iterator[Record]:
    for value in record.get(field) or ():
        found = definitions.follow(value)
        if found is not None:
            yield found


def _kinds(effects: list[Record], resource: str) -> set[str]:
    """``Read``, ``Write``, ``Allocate``, ``Free``: what the effects on a kind of resource are."""
    return {
        str(effect.get("effect")).rpartition("::")[2]
        for effect in effects
        if resource in str(effect.get("resource")).rpartition("::")[2]
    }


def _handle_effect(kinds: set[str]) -> HandleEffect:
    if "Free" in kinds:
        return HandleEffect.CONSUMES
    if "Allocate" in kinds:
        return HandleEffect.PRODUCES
    return HandleEffect.READS if kinds else HandleEffect.NONE


def _payload_effect(kinds: set[str]) -> PayloadEffect:
    if "Write" in kinds:
        return PayloadEffect.MODIFIES
    return PayloadEffect.READS if kinds else PayloadEffect.NONE
