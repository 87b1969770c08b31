"""Attributes of operations, and dialect types and attributes, from TableGen records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tdls.catalogue.model import (
    AttributeDefinition,
    AttributeKindDefinition,
    AttributeSpelling,
    ParameterDefinition,
    TypeDefinition,
)
from tdls.catalogue.sources.ods import constraints
from tdls.catalogue.sources.ods.definitions import is_a, without_colons

if TYPE_CHECKING:
    from tdls.catalogue.sources.ods.definitions import RecordFields, RecordIndex


def attribute(definitions: RecordIndex, constraint: RecordFields, name: str) -> AttributeDefinition:
    """An attribute (or property) argument of an operation."""
    return AttributeDefinition(name=name, **definitions.remembered(_fields, constraint))


def _fields(definitions: RecordIndex, constraint: RecordFields) -> dict[str, Any]:
    """All of an AttributeDefinition but its name."""
    if is_a(constraint, "Property"):
        return _property_fields(definitions, constraint)
    base = constraints.base_attribute(definitions, constraint)
    is_unit = base["!name"] == "UnitAttr"
    value_type = definitions.follow(constraint.get("valueType")) or definitions.follow(base.get("valueType"))
    return {
        "constraint": constraints.readable_name(definitions, base),
        "optional": bool(constraint.get("isOptional")) or is_unit,
        "default": None if is_unit else constraint.get("defaultValue") or None,
        "type": constraints.only_type(definitions, value_type) if value_type else None,
        **_spelling(definitions, base),
    }


def dialect_type(definitions: RecordIndex, definition: RecordFields) -> TypeDefinition | None:
    """A dialect type; None where it has no name of its own."""
    name = constraints.kind_name(definitions, definition)
    if name is None:
        return None
    return TypeDefinition(
        name=name,
        parameters=_parameters(definitions, definition),
        **_assembly(definitions, definition),
        interfaces=frozenset(_interface_names(definitions, definition)),
    )


def attribute_kind(definitions: RecordIndex, definition: RecordFields) -> AttributeKindDefinition | None:
    """A dialect attribute; None where it has no name of its own."""
    name = constraints.kind_name(definitions, definition)
    if name is None:
        return None
    enum = definitions.follow(definition.get("enum"))
    return AttributeKindDefinition(
        name=name,
        parameters=_parameters(definitions, definition),
        **_assembly(definitions, definition),
        cases=cases(definitions, enum) if enum else (),
    )


def cases(definitions: RecordIndex, enum: RecordFields) -> tuple[str, ...]:
    """The keywords of an enum."""
    followed = map(definitions.follow, enum.get("enumerants") or ())
    return tuple(case["str"] for case in followed if case and case["str"] is not None)


def _case_numbers(definitions: RecordIndex, enum: RecordFields) -> tuple[int, ...]:
    """The numbers of an enum's cases; none where one is not known, and where several cases may be given at once."""
    followed = map(definitions.follow, enum.get("enumerants") or ())
    numbers = [case.get("value") for case in followed if case and case["str"] is not None]
    is_known = not enum.get("separator") and all(isinstance(number, int) for number in numbers)
    return tuple(number for number in numbers if isinstance(number, int)) if is_known else ()


def _spelling(definitions: RecordIndex, base: RecordFields) -> dict[str, Any]:
    """How ``$attribute`` is written, as mlir-tblgen's genAttrParser decides it; fields of
    AttributeDefinition."""
    if is_a(base, "EnumAttrInfo") and base.get("underlyingType") and base.get("constBuilderCall"):
        return {
            "spelling": AttributeSpelling.KEYWORD,
            "cases": cases(definitions, base),
            "case_numbers": _case_numbers(definitions, base),
            "separator": base.get("separator"),
        }
    if base["!name"] == "SymbolNameAttr":
        return {"spelling": AttributeSpelling.SYMBOL_NAME}
    if _is_dense_array(base.get("storageType") or ""):
        return {"spelling": AttributeSpelling.DENSE_ARRAY}
    definition = _definition_of(definitions, base)
    if definition is None:
        return {}
    enum = definitions.follow(definition.get("enum"))
    return {
        "mnemonic": constraints.kind_name(definitions, definition),
        "assembly_format": _format(definition),
        "spelling": AttributeSpelling.CUSTOM,
        "cases": cases(definitions, enum) if enum else (),
        "separator": enum.get("separator") if enum else None,
    }


def _is_dense_array(storage: str) -> bool:
    name = storage.rpartition("::")[2]
    return name.startswith("Dense") and name.endswith("ArrayAttr") and name != "DenseArrayAttr"


def _definition_of(definitions: RecordIndex, base: RecordFields) -> RecordFields | None:
    """The AttrDef that stores the attribute, if it has syntax of its own."""
    if is_a(base, "AttrDef"):
        return base if constraints.has_own_syntax(definitions, base) else None
    same_class = definitions.attributes_by_class.get(without_colons(base.get("storageType")), ())
    return next((record for record in same_class if constraints.has_own_syntax(definitions, record)), None)


def _property_fields(definitions: RecordIndex, constraint: RecordFields) -> dict[str, Any]:
    default = constraint.get("defaultValue") or None
    base = constraints.base_property(definitions, constraint)
    enum = definitions.follow(base.get("enum"))
    return {
        "constraint": constraints.readable_name(definitions, base),
        "optional": default is not None,
        "default": default,
        "spelling": AttributeSpelling.PROPERTY,
        "cases": cases(definitions, enum) if enum else (),
        "separator": enum.get("separator") if enum else None,
    }


def _parameters(definitions: RecordIndex, definition: RecordFields) -> tuple[ParameterDefinition, ...]:
    return tuple(
        _parameter(definitions, value, name) for value, name in definitions.arguments(definition["parameters"])
    )


def _parameter(definitions: RecordIndex, value: Any, name: str) -> ParameterDefinition:
    if not hasattr(value, "get"):
        return ParameterDefinition(name, value if isinstance(value, str) else "")
    enum = definitions.enums_by_class.get(without_colons(value["cppType"]))
    default = value.get("defaultValue") or None
    return ParameterDefinition(
        name=name,
        type=value["cppType"] or "",
        optional=default is not None,
        default=default,
        cases=cases(definitions, enum) if enum else (),
        separator=enum.get("separator") if enum else None,
    )


def _assembly(definitions: RecordIndex, definition: RecordFields) -> dict[str, Any]:
    """How a dialect type or attribute is written; parameters that were not found may have a parser of their own."""
    parameters = definitions.record_arguments(definition["parameters"])
    if any(parameter.get("!unknown") for parameter, _ in parameters):
        return {"custom_assembly": True}
    return {
        "assembly_format": _format(definition),
        "custom_assembly": bool(definition.get("hasCustomAssemblyFormat")),
    }


def _format(definition: RecordFields) -> str | None:
    text = definition.get("assemblyFormat")
    return " ".join(text.split()) if text is not None else None


def _interface_names(definitions: RecordIndex, definition: RecordFields) -> list[str]:
    traits = [definitions.follow(trait) for trait in definition.get("traits") or ()]
    return [trait["cppInterfaceName"] for trait in traits if trait and trait.get("cppInterfaceName")]
