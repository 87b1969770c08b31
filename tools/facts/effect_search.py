"""Adds effects to the transform operations of one LLVM version."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from facts import deduction, effects
from tdls.catalogue.model import EffectSource, HandleEffect, PayloadEffect
from tdls.structs import replace

if TYPE_CHECKING:
    from facts.effects import Oracle
    from facts.installation import Installation
    from tdls.catalogue.model import OperationDefinition
    from tdls.catalogue.shipped import ShippedSource


def add_effects(installation: Installation, oracle: Oracle, known: ShippedSource | None) -> None:
    """Ask the MLIR of the installation's version; `known` facts that fit are taken instead."""
    unknown = []
    for name, definition in installation.operations.items():
        if definition.dialect == "transform":
            found = _known(definition, known, installation.version) if known else None
            installation.operations[name] = found or definition
            unknown += [] if found else [definition]
    for name, observations in effects.observe(oracle, unknown).items():
        installation.operations[name] = deduction.with_effects(installation.operations[name], observations)


def add_missing_effects(installation: Installation, oracle: Oracle, known: ShippedSource | None) -> None:
    """Ask only for operations whose effects are not those of another version."""
    missing = {
        name: definition
        for name, definition in installation.operations.items()
        if definition.dialect == "transform" and _has_unknown_values(definition)
    }
    part = dataclasses.replace(installation, operations=missing)
    add_effects(part, oracle, known)
    installation.operations.update(part.operations)


def _has_unknown_values(definition: OperationDefinition) -> bool:
    if definition.effect_source is not EffectSource.FIXED:
        return False
    effects = [operand.effect for operand in definition.operands]
    effects += [result.effect for result in definition.results]
    if not effects:
        return definition.payload_effect is PayloadEffect.UNKNOWN
    return HandleEffect.UNKNOWN in effects


def _known(definition: OperationDefinition, known: ShippedSource, version: int) -> OperationDefinition | None:
    """The known definition of this version, if it differs in nothing but effects and hand-written facts."""
    for variant in known.operations.variants(definition.name):
        is_same = version in variant.versions and _bare(variant) == _bare(definition)
        if is_same and not _has_unknown_values(variant):
            return replace(
                definition,
                operands=variant.operands,
                results=variant.results,
                payload_effect=variant.payload_effect,
                effect_source=variant.effect_source,
            )
    return None


def _bare(definition: OperationDefinition) -> OperationDefinition:
    """Return the definition with the facts of TableGen only."""
    none = {"effect": HandleEffect.UNKNOWN, "effect_when": ()}
    return replace(
        definition,
        operands=tuple(replace(operand, **none) for operand in definition.operands),
        results=tuple(replace(result, **none) for result in definition.results),
        payload_effect=PayloadEffect.UNKNOWN,
        effect_source=EffectSource.FIXED,
        summary="",
        source="",
        former_names=(),
        versions=(),
    )
