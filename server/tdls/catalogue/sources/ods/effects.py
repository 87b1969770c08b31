"""Effects on handles and payload that TableGen decides, by traits or by decorators of operands and results.

Follows TransformInterfaces.h and MatchInterfaces.h of MLIR (the `getEffects` of each trait), and
`genSideEffectInterfaceMethods` of mlir-tblgen for decorators.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.model import HandleEffect, PayloadEffect
from tdls.catalogue.sources.ods.definitions import is_a
from tdls.limits import NESTED_VALUES, OverBudget
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.catalogue.model import OperationDefinition
    from tdls.catalogue.sources.ods.definitions import RecordFields, RecordIndex


def trait_names(definitions: RecordIndex, operation: RecordFields) -> frozenset[str]:
    """Return C++ class names without namespaces, e.g. ``IsTerminator``, ``AllTypesMatch<source,target>``.

    Type constraints between named values keep their arguments: with ``TypesMatchWith<lhs,rhs,transformer>`` the type
    of ``rhs`` is the C++ expression ``transformer`` of the type of ``lhs``. Predicates without a name are left out.
    """
    named = (_name(definitions, trait) for trait in flattened(definitions, operation["traits"]))
    return frozenset(name for name in named if name)


def flattened(definitions: RecordIndex, traits: Iterable[object] | None) -> Iterator[RecordFields]:
    """Yield the traits of a list and of the lists in it. Raises OverBudget for too many nested lists."""
    open_lists = [iter(traits or ())]
    while open_lists:
        if len(open_lists) > NESTED_VALUES.most:
            raise OverBudget(NESTED_VALUES)
        for trait in filter(None, map(definitions.follow, open_lists[-1])):
            if is_a(trait, "TraitList"):
                open_lists.append(iter(trait["traits"] or ()))
                break
            yield trait
        else:
            open_lists.pop()


def _name(definitions: RecordIndex, trait: RecordFields) -> str | None:
    if is_a(trait, "TypesMatchWith"):
        class_name = next(name for name in reversed(trait["!superclasses"]) if name.endswith("TypesMatchWith"))
        transformer = " ".join((trait["transformer"] or "").split())
        return f"{class_name}<{trait['lhs']},{trait['rhs']},{transformer}>"
    if is_a(trait, "AllMatchSameOperatorTrait") or is_a(trait, "AllMatchSameOperatorPred"):
        return f"{trait['!superclasses'][-1]}<{','.join(trait['values'] or ())}>"
    if is_a(trait, "PredTrait"):
        return None if trait["!anonymous"] else str(trait["!name"])
    if trait.get("cppInterfaceName"):
        return str(trait["cppInterfaceName"])
    if trait.get("trait"):
        return _class_name(trait["trait"])
    named = definitions.follow(trait.get("declared")) or trait
    return None if named["!anonymous"] else str(named["!name"])  # mostly also the name of the C++ class


def _class_name(cpp_name: str) -> str:
    """Return ``HasParent<FuncOp>`` for ``::mlir::OpTrait::HasParent<FuncOp>::Impl``."""
    head, bracket, arguments = cpp_name.removesuffix("::Impl").removesuffix("::Trait").partition("<")
    if not bracket:
        return head.rpartition("::")[2]
    names = [argument.strip().rpartition("::")[2] for argument in arguments.rstrip(">").split(",")]
    return f"{head.rpartition('::')[2]}<{','.join(names)}>".replace(
        "SingleBlockImplicitTerminatorImpl", "SingleBlockImplicitTerminator"
    )


_INTERFACE = "MemoryEffectOpInterface"
_PARAMETER = "TransformParamTypeInterface"
"""The constraint of parameters; `semantic/handle_types.py`, which lists it too, is in a higher layer."""


class _DeclaredEffects(NamedTuple):
    """The effects on all operands, all results and the payload."""

    operands: HandleEffect
    results: HandleEffect
    payload: PayloadEffect


_OF_TRAIT = {
    "FunctionalStyleTransformOpTrait": _DeclaredEffects(
        HandleEffect.CONSUMES, HandleEffect.PRODUCES, PayloadEffect.MODIFIES
    ),
    "NavigationTransformOpTrait": _DeclaredEffects(HandleEffect.READS, HandleEffect.PRODUCES, PayloadEffect.READS),
    "ParamProducerTransformOpTrait": _DeclaredEffects(HandleEffect.READS, HandleEffect.PRODUCES, PayloadEffect.READS),
    "AtMostOneOpMatcherOpTrait": _DeclaredEffects(HandleEffect.READS, HandleEffect.PRODUCES, PayloadEffect.READS),
    "SingleOpMatcherOpTrait": _DeclaredEffects(HandleEffect.READS, HandleEffect.PRODUCES, PayloadEffect.READS),
    "SingleValueMatcherOpTrait": _DeclaredEffects(HandleEffect.READS, HandleEffect.PRODUCES, PayloadEffect.READS),
}
_ONLY_WITH_HANDLES = frozenset(("NavigationTransformOpTrait", "ParamProducerTransformOpTrait"))
"""Traits that read the payload only if an operand is a handle and no parameter."""

_NO_EFFECTS = _DeclaredEffects(HandleEffect.NONE, HandleEffect.NONE, PayloadEffect.NONE)

_WITHOUT_EFFECTS = frozenset(
    ("PatternDescriptorOpInterface", "ConversionPatternDescriptorOpInterface", "TypeConverterBuilderOpInterface")
)
"""Interfaces of operations that only describe patterns or types to the operation around them; these never execute."""


def with_effects(
    definitions: RecordIndex, record: RecordFields, definition: OperationDefinition
) -> tuple[OperationDefinition, bool]:
    """Return the definition with the effects that TableGen decides, and whether C++ decides them instead.

    A ``getEffects`` that the class has in C++ hides those of traits (`catalogue/sources/cpp/joining.py`).
    """
    if are_declared_in_cpp(definitions, record):
        return definition, True
    traits = list(flattened(definitions, record["traits"]))
    if _has_decorators(definitions, record, traits):
        return _with_decorators(definitions, record, definition, traits), False
    effects = _by_traits(definition)
    if effects is not None:
        return _with_all(definition, effects), False
    return definition, _INTERFACE in definition.traits


def _by_traits(definition: OperationDefinition) -> _DeclaredEffects | None:
    trait = next((trait for trait in _OF_TRAIT if trait in definition.traits), None)
    if trait is not None:
        effects = _OF_TRAIT[trait]
        has_handles = any(operand.constraint != _PARAMETER for operand in definition.operands)
        return (
            effects if has_handles or trait not in _ONLY_WITH_HANDLES else effects._replace(payload=PayloadEffect.NONE)
        )
    is_descriptor = _INTERFACE not in definition.traits and not _WITHOUT_EFFECTS.isdisjoint(definition.traits)
    return _NO_EFFECTS if is_descriptor else None


def _with_all(definition: OperationDefinition, effects: _DeclaredEffects) -> OperationDefinition:
    return replace(
        definition,
        operands=tuple(replace(operand, effect=effects.operands) for operand in definition.operands),
        results=tuple(replace(result, effect=effects.results) for result in definition.results),
        payload_effect=effects.payload,
    )


def are_declared_in_cpp(definitions: RecordIndex, record: RecordFields) -> bool:
    """Whether mlir-tblgen declares ``getEffects`` in the class of an operation, to be written in C++."""
    return any(
        trait.get("cppInterfaceName") == _INTERFACE and is_a(trait, "DeclareOpInterfaceMethods")
        for trait in flattened(definitions, record["traits"])
    )


def _has_decorators(definitions: RecordIndex, record: RecordFields, traits: list[RecordFields]) -> bool:
    if any(is_a(trait, "SideEffectsTraitBase") for trait in traits):
        return True
    return any(_references(definitions, value, "decorators") for value, _ in _values(definitions, record))


def _values(definitions: RecordIndex, record: RecordFields) -> list[tuple[RecordFields, str]]:
    return [*definitions.record_arguments(record["arguments"]), *definitions.record_arguments(record["results"])]


def _with_decorators(
    definitions: RecordIndex, record: RecordFields, definition: OperationDefinition, traits: list[RecordFields]
) -> OperationDefinition:
    decorators = {name: _references(definitions, value, "decorators") for value, name in _values(definitions, record)}
    effects = {name: _handle_effect(_kinds(decorated, "Mapping")) for name, decorated in decorators.items()}
    static = [effect for trait in traits for effect in _references(definitions, trait, "effects")]
    payload = _kinds([*static, *(decorator for decorated in decorators.values() for decorator in decorated)], "Payload")
    return replace(
        definition,
        operands=tuple(replace(operand, effect=effects[operand.name]) for operand in definition.operands),
        results=tuple(replace(result, effect=effects[result.name]) for result in definition.results),
        payload_effect=_payload_effect(payload),
    )


def _references(definitions: RecordIndex, record: RecordFields, field: str) -> list[RecordFields]:
    followed = (definitions.follow(value) for value in record.get(field) or ())
    return [found for found in followed if found is not None]


def _kinds(effects: list[RecordFields], resource: str) -> set[str]:
    """Return the kinds (``Read``, ``Write``, ``Allocate``, ``Free``) of the effects on a resource."""
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
