"""Attributes of operations, and dialect types and attributes, from TableGen records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from facts import constraints
from facts.records import is_a
from tdls.catalogue.model import (
    AttributeDefinition,
    AttributeKindDefinition,
    AttributeSpelling,
    ParameterDefinition,
    TypeDefinition,
)

if TYPE_CHECKING:
    from facts.records import Record, Records


def attribute(records: Records, constraint: Record, name: str) -> AttributeDefinition:
    """An attribute (or property) argument of an operation."""
    if is_a(constraint, "Property"):
        return _property(records, constraint, name)
    base = constraints.base_attribute(records, constraint)
    is_unit = base["!name"] == "UnitAttr"
    value_type = records.follow(constraint.get("valueType")) or records.follow(base.get("valueType"))
    return AttributeDefinition(
        name=name,
        constraint=constraints.readable_name(records, base),
        optional=bool(constraint["isOptional"]) or is_unit,
        default=None if is_unit else constraint["defaultValue"] or None,
        type=constraints.only_type(records, value_type) if value_type else None,
        **_spelling(records, base),
    )


def dialect_type(records: Records, definition: Record) -> TypeDefinition | None:
    """A dialect type; None where it has no name of its own."""
    name = constraints.kind_name(records, definition)
    if name is None:
        return None
    return TypeDefinition(
        name=name,
        parameters=_parameters(records, definition),
        assembly_format=_format(definition),
        custom_assembly=bool(definition["hasCustomAssemblyFormat"]),
        interfaces=frozenset(_interface_names(records, definition)),
    )


def attribute_kind(records: Records, definition: Record) -> AttributeKindDefinition | None:
    """A dialect attribute; None where it has no name of its own."""
    name = constraints.kind_name(records, definition)
    if name is None:
        return None
    enum = records.follow(definition.get("enum"))
    return AttributeKindDefinition(
        name=name,
        parameters=_parameters(records, definition),
        assembly_format=_format(definition),
        custom_assembly=bool(definition["hasCustomAssemblyFormat"]),
        cases=cases(records, enum) if enum else (),
    )


def cases(records: Records, enum: Record) -> tuple[str, ...]:
    """The keywords of an enum."""
    return tuple(case["str"] for case in map(records.follow, enum["enumerants"]) if case)


def _spelling(records: Records, base: Record) -> dict[str, Any]:
    """How ``$attribute`` is written, as mlir-tblgen's genAttrParser decides it; fields of
    AttributeDefinition."""
    if is_a(base, "EnumAttrInfo") and base["underlyingType"] and base["constBuilderCall"]:
        return {
            "spelling": AttributeSpelling.KEYWORD,
            "cases": cases(records, base),
            "separator": base.get("separator"),
        }
    if base["!name"] == "SymbolNameAttr":
        return {"spelling": AttributeSpelling.SYMBOL_NAME}
    if _is_dense_array(base["storageType"] or ""):
        return {"spelling": AttributeSpelling.DENSE_ARRAY}
    definition = _definition_of(records, base)
    if definition is None:
        return {}
    enum = records.follow(definition.get("enum"))
    return {
        "mnemonic": constraints.kind_name(records, definition),
        "assembly_format": _format(definition),
        "spelling": AttributeSpelling.CUSTOM,
        "cases": cases(records, enum) if enum else (),
        "separator": enum.get("separator") if enum else None,
    }


def _is_dense_array(storage: str) -> bool:
    name = storage.rpartition("::")[2]
    return name.startswith("Dense") and name.endswith("ArrayAttr") and name != "DenseArrayAttr"


def _definition_of(records: Records, base: Record) -> Record | None:
    """The AttrDef that stores the attribute, if it has syntax of its own."""
    if is_a(base, "AttrDef"):
        return base if constraints.has_own_syntax(records, base) else None
    for definition in records.instances("AttrDef"):
        same_class = definition["cppType"].removeprefix("::") == (base["storageType"] or "").removeprefix("::")
        if same_class and constraints.has_own_syntax(records, definition):
            return definition
    return None


def _property(records: Records, constraint: Record, name: str) -> AttributeDefinition:
    default = constraint.get("defaultValue") or None
    base = constraint
    while base["!anonymous"] and (inner := records.follow(base.get("baseProperty"))) is not None:
        base = inner
    enum = records.follow(base.get("enum"))
    return AttributeDefinition(
        name=name,
        constraint=constraints.readable_name(records, base),
        optional=default is not None,
        default=default,
        spelling=AttributeSpelling.PROPERTY,
        cases=cases(records, enum) if enum else (),
        separator=enum.get("separator") if enum else None,
    )


def _parameters(records: Records, definition: Record) -> tuple[ParameterDefinition, ...]:
    return tuple(_parameter(records, value, name) for value, name in records.arguments(definition["parameters"]))


def _parameter(records: Records, value: Any, name: str) -> ParameterDefinition:
    if isinstance(value, str):
        return ParameterDefinition(name, value)
    enum = _enum_of(records, value["cppType"])
    default = value.get("defaultValue") or None
    return ParameterDefinition(
        name=name,
        type=value["cppType"],
        optional=default is not None,
        default=default,
        cases=cases(records, enum) if enum else (),
        separator=enum.get("separator") if enum else None,
    )


def _enum_of(records: Records, cpp_type: str) -> Record | None:
    for enum in records.instances("EnumInfo") if "EnumInfo" in records.by_name["!instanceof"] else ():
        if f"{enum['cppNamespace']}::{enum['className']}".removeprefix("::") == cpp_type.removeprefix("::"):
            return enum
    return None


def _format(definition: Record) -> str | None:
    text = definition["assemblyFormat"]
    return " ".join(text.split()) if text is not None else None


def _interface_names(records: Records, definition: Record) -> list[str]:
    traits = [records.follow(trait) for trait in definition["traits"]]
    return [trait["cppInterfaceName"] for trait in traits if trait and trait.get("cppInterfaceName")]
