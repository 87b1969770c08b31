"""Definitions to and from JSON objects. The keys are the model's field names; default values are left out."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from tdls.catalogue.model import (
    Arity,
    AttributeDefinition,
    AttributeKindDefinition,
    AttributeSpelling,
    ConditionalEffect,
    EffectSource,
    HandleEffect,
    LoopFit,
    LoopNumbers,
    MatchCriterion,
    OperandDefinition,
    OperationDefinition,
    ParameterDefinition,
    PayloadEffect,
    RegionDefinition,
    Relation,
    RelationKind,
    Rename,
    ResultCount,
    ResultDefinition,
    SuccessorDefinition,
    TypeDefinition,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

JsonObject = dict[str, Any]

_PLACES = frozenset(("defined_at", "implemented_at"))


def encode(definition: object) -> JsonObject:
    """The JSON object of any definition of the model, without fields that have their default value, and without
    places in sources, which say nothing on another machine."""
    fields: Mapping[str, Any] = type(definition).__dataclass_fields__  # type: ignore[attr-defined]
    encoded: JsonObject = {}
    for name, field in fields.items():
        value = getattr(definition, name)
        if value is not None and value != field.default and name not in _PLACES:
            encoded[name] = encode_value(value)
    return encoded


def decode_operation(item: JsonObject, source: str = "") -> OperationDefinition:
    """An operation from a valid JSON object (see ``catalogue.schema.json``)."""
    return OperationDefinition(**{"source": source, **_converted(item, _OPERATION_FIELDS)})


def decode_type(item: JsonObject, source: str = "") -> TypeDefinition:
    """A dialect type from a valid JSON object."""
    return TypeDefinition(**{"source": source, **_converted(item, _KIND_FIELDS)})


def decode_attribute_kind(item: JsonObject, source: str = "") -> AttributeKindDefinition:
    """A dialect attribute from a valid JSON object."""
    return AttributeKindDefinition(**{"source": source, **_converted(item, _KIND_FIELDS)})


def decode_rename(item: JsonObject) -> Rename:
    """A rename from a valid JSON object."""
    return Rename(
        item["former"],
        item.get("name"),
        item["last_version"],
        item.get("note", ""),
        tuple(item.get("adds", ())),
        tuple((former, name) for former, name in item.get("attributes", ())),
        item.get("keyword", ""),
        item.get("first_result_last", False),
        item.get("by_hand", False),
    )


def encode_value(value: Any) -> Any:
    """The JSON value of any value of the model's fields."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [encode_value(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(value)
    return encode(value) if hasattr(value, "__dataclass_fields__") else value


def _converted(item: JsonObject, converters: Mapping[str, Callable[[Any], Any]]) -> JsonObject:
    return {key: converters[key](value) if key in converters else value for key, value in item.items()}


def _each(convert: Callable[[Any], Any]) -> Callable[[list[Any]], tuple[Any, ...]]:
    return lambda items: tuple([convert(item) for item in items])


def _object(kind: Callable[..., Any], converters: Mapping[str, Callable[[Any], Any]]) -> Callable[[JsonObject], Any]:
    return lambda item: kind(**_converted(item, converters))


_ARITIES = {member.value: member for member in Arity}
_EFFECTS = {member.value: member for member in HandleEffect}
_PAYLOAD_EFFECTS = {member.value: member for member in PayloadEffect}
_EFFECT_SOURCES = {member.value: member for member in EffectSource}
_SPELLINGS = {member.value: member for member in AttributeSpelling}

_VALUE_FIELDS: dict[str, Callable[[Any], Any]] = {
    "arity": _ARITIES.__getitem__,
    "effect": _EFFECTS.__getitem__,
    "effect_when": _each(_object(ConditionalEffect, {"effect": _EFFECTS.__getitem__})),
}
_RELATION_KINDS = {member.value: member for member in RelationKind}
_RESULT_FIELDS: dict[str, Callable[[Any], Any]] = {
    **_VALUE_FIELDS,
    "relations": _each(_object(Relation, {"kind": _RELATION_KINDS.__getitem__})),
    "stands_for": tuple,
    "count": _object(ResultCount, {"sizes": tuple, "free_with": tuple}),
}
_ASKED = {member.value: member for member in MatchCriterion}
_LOOP_FITS = {member.value: member for member in LoopFit}
_ATTRIBUTE_FIELDS: dict[str, Callable[[Any], Any]] = {
    "cases": tuple,
    "case_numbers": tuple,
    "spelling": _SPELLINGS.__getitem__,
    "asks": _ASKED.__getitem__,
    "per_loop": _object(LoopNumbers, {"fit": _LOOP_FITS.__getitem__}),
}
_OPERATION_FIELDS: dict[str, Callable[[Any], Any]] = {
    "operands": _each(_object(OperandDefinition, _VALUE_FIELDS)),
    "results": _each(_object(ResultDefinition, _RESULT_FIELDS)),
    "attributes": _each(_object(AttributeDefinition, _ATTRIBUTE_FIELDS)),
    "regions": _each(_object(RegionDefinition, {})),
    "successors": _each(_object(SuccessorDefinition, {})),
    "traits": frozenset,
    "payload_effect": _PAYLOAD_EFFECTS.__getitem__,
    "effect_source": _EFFECT_SOURCES.__getitem__,
    "versions": tuple,
    "operand_order": tuple,
    "keeps": tuple,
    "made_body": tuple,
    "indexing": tuple,
    "former_names": tuple,
}
_KIND_FIELDS: dict[str, Callable[[Any], Any]] = {
    "parameters": _each(_object(ParameterDefinition, {"cases": tuple})),
    "interfaces": frozenset,
    "cases": tuple,
    "versions": tuple,
}
