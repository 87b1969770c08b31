"""Converts TableGen records to operations, types, attributes and passes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tdls.catalogue.model import (
    AttributeDefinition,
    AttributeKindDefinition,
    AttributeSpelling,
    OperandDefinition,
    OperationDefinition,
    ParameterDefinition,
    PassDefinition,
    PassOption,
    RegionDefinition,
    ResultDefinition,
    SuccessorDefinition,
    TypeDefinition,
)
from tdls.catalogue.sources.ods import constraints, effects
from tdls.catalogue.sources.ods.definitions import is_a, without_colons

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.sources.ods.definitions import RecordFields, RecordIndex


def attribute(definitions: RecordIndex, constraint: RecordFields, name: str) -> AttributeDefinition:
    """Return an attribute (or property) argument of an operation."""
    return AttributeDefinition(name=name, **definitions.remembered(_fields, constraint))


def _fields(definitions: RecordIndex, constraint: RecordFields) -> dict[str, Any]:
    """Return all fields of an AttributeDefinition except its name."""
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
    """Return a dialect type, or None if it has no name of its own."""
    name = constraints.kind_name(definitions, definition)
    if name is None:
        return None
    traits = [definitions.follow(trait) for trait in definition.get("traits") or ()]
    return TypeDefinition(
        name=name,
        parameters=_parameters(definitions, definition),
        **_assembly(definitions, definition),
        interfaces=frozenset(trait["cppInterfaceName"] for trait in traits if trait and trait.get("cppInterfaceName")),
    )


def attribute_kind(definitions: RecordIndex, definition: RecordFields) -> AttributeKindDefinition | None:
    """Return a dialect attribute, or None if it has no name of its own."""
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
    """Return the keywords of an enum."""
    followed = map(definitions.follow, enum.get("enumerants") or ())
    return tuple(case["str"] for case in followed if case and case["str"] is not None)


def _case_numbers(definitions: RecordIndex, enum: RecordFields) -> tuple[int, ...]:
    """Return the numbers of an enum's cases; empty if one is unknown, and for bit enums."""
    followed = map(definitions.follow, enum.get("enumerants") or ())
    numbers = [case.get("value") for case in followed if case and case["str"] is not None]
    is_known = not enum.get("separator") and all(isinstance(number, int) for number in numbers)
    return tuple(number for number in numbers if isinstance(number, int)) if is_known else ()


def _spelling(definitions: RecordIndex, base: RecordFields) -> dict[str, Any]:
    """Return the fields of AttributeDefinition for the syntax of ``$attribute``, as in mlir-tblgen's genAttrParser."""
    if is_a(base, "EnumAttrInfo") and base.get("underlyingType") and base.get("constBuilderCall"):
        return {
            "spelling": AttributeSpelling.KEYWORD,
            "cases": cases(definitions, base),
            "case_numbers": _case_numbers(definitions, base),
            "separator": base.get("separator"),
        }
    if base["!name"] == "SymbolNameAttr":
        return {"spelling": AttributeSpelling.SYMBOL_NAME}
    storage = (base.get("storageType") or "").rpartition("::")[2]
    if storage.startswith("Dense") and storage.endswith("ArrayAttr") and storage != "DenseArrayAttr":
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


def _definition_of(definitions: RecordIndex, base: RecordFields) -> RecordFields | None:
    """Return the AttrDef that stores the attribute, if it has syntax of its own."""
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
    enum = definitions.enums_by_class.get(without_colons(value["cppType"])) or definitions.follow(value.get("enum"))
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
    """Return fields for the syntax of a type or attribute; unknown parameters may have a parser of their own."""
    parameters = definitions.record_arguments(definition["parameters"])
    if any(parameter.get("!unknown") for parameter, _ in parameters):
        return {"custom_assembly": True}
    return {"assembly_format": _format(definition), "custom_assembly": bool(definition.get("hasCustomAssemblyFormat"))}


def _format(definition: RecordFields) -> str | None:
    text = definition.get("assemblyFormat")
    return " ".join(text.split()) if text is not None else None


_FIELDS = ("argument", "type", "defaultValue", "description")


def pass_definition(definitions: RecordIndex, definition: RecordFields) -> PassDefinition | None:
    """Return a pass by its registered name, or None if the name is unknown."""
    name = definition["argument"]
    if not isinstance(name, str) or not name:
        return None
    options = definition["options"]
    known = tuple(_options(definitions, options)) if isinstance(options, (list, tuple)) else None
    return PassDefinition(name, runs_on=_runs_on(definition["baseClass"]), options=known)


def _runs_on(base: Any) -> str:
    """Return ``mlir::ModuleOp`` for ``::mlir::OperationPass<mlir::ModuleOp>``."""
    inside = base.partition("<")[2].rpartition(">")[0].strip() if isinstance(base, str) else ""
    return without_colons(inside)


def _options(definitions: RecordIndex, options: Sequence[Any]) -> Iterator[PassOption]:
    for record in map(definitions.follow, options):
        if record is not None and isinstance(record.get("argument"), str):
            name, written, default, summary = (_text(record, field) for field in _FIELDS)
            yield PassOption(name, written, default, is_a(record, "ListOption"), summary)


def _text(record: RecordFields, field: str) -> str:
    """Return a field in one line; empty if it is unknown."""
    text = record.get(field)
    return " ".join(text.split()) if isinstance(text, str) else ""


_VARIABLE = re.compile(r"\$(\w+)")
_DEFAULT_DIALECT = re.compile(r"getDefaultDialect\(\)\s*(?:const\s*)?\{\s*return\s*\"(\w+)\"")


def operation_name(definitions: RecordIndex, record: RecordFields) -> str | None:
    """Return the full name with the dialect's prefix, or None if unknown."""
    dialect = definitions.follow(record["opDialect"])
    if dialect is None or dialect["name"] is None or record["opName"] is None:
        return None
    return f"{dialect['name']}.{record['opName']}" if dialect["name"] else str(record["opName"])


def operation(definitions: RecordIndex, record: RecordFields) -> OperationDefinition:
    """Return the definition of a named operation, without effects, summary and versions."""
    return OperationDefinition(
        name=operation_name(definitions, record) or "",
        operands=_operands(definitions, record),
        results=tuple(
            ResultDefinition(name, **definitions.remembered(_value, constraint))
            for constraint, name in definitions.record_arguments(record["results"])
        ),
        attributes=_attributes(definitions, record),
        regions=_regions(definitions, record),
        successors=_successors(definitions, record),
        traits=effects.trait_names(definitions, record),
        assembly_format=_assembly_format(record),
        format_known=_is_format_known(definitions, record),
        custom_assembly=bool(record["hasCustomAssemblyFormat"]),
        default_dialect=_default_dialect(definitions, record),
        takes_repeated=_mentions_method(definitions, record, "allowsRepeatedHandleOperands"),
    )


def _assembly_format(record: RecordFields) -> str | None:
    assembly_format = record["assemblyFormat"]
    return " ".join(assembly_format.split()) if assembly_format is not None else None


def _is_format_known(definitions: RecordIndex, record: RecordFields) -> bool:
    """Whether the syntax of the operation is known.

    The syntax of a value in the format depends on the value's constraint. A class that was not found may have a format.
    """
    assembly_format = _assembly_format(record)
    if assembly_format is None:
        return bool(record["hasCustomAssemblyFormat"]) or not record.get("!unknown")
    variables = set(_VARIABLE.findall(assembly_format))
    values = [*definitions.record_arguments(record["arguments"]), *definitions.record_arguments(record["results"])]
    return not any(name in variables and _is_unknown(definitions, value) for value, name in values)


def _is_unknown(definitions: RecordIndex, constraint: RecordFields) -> bool:
    """Whether a part of the constraint was not found."""
    inner = constraints.strip(definitions, _below_argument(definitions, constraint))
    return bool(constraint.get("!unknown") or inner.get("!unknown"))


def _default_dialect(definitions: RecordIndex, record: RecordFields) -> str | None:
    """Return the result of `getDefaultDialect`; if it is only declared, assume the operation's own dialect.

    MLIR asks for it by the interface: without that, as in `transform.foreach`, nothing calls the method.
    """
    if "OpAsmOpInterface" not in effects.trait_names(definitions, record):
        return None
    declared = _DEFAULT_DIALECT.search(record["extraClassDeclaration"] or "")
    if declared is not None:
        return declared[1]
    if _overrides(definitions, record, "getDefaultDialect"):
        return (operation_name(definitions, record) or "").partition(".")[0]
    return None


def _overrides(definitions: RecordIndex, record: RecordFields, method: str) -> bool:
    """Whether the operation declares that it overrides a method of an interface in C++."""
    traits = (definitions.follow(trait) for trait in record["traits"] or ())
    return any(trait and method in (trait.get("alwaysOverriddenMethods") or ()) for trait in traits)


def _mentions_method(definitions: RecordIndex, record: RecordFields, method: str) -> bool:
    """Whether the operation has a method of its own of that name, which is assumed to differ from the default."""
    return method in (record["extraClassDeclaration"] or "") or _overrides(definitions, record, method)


def _value(definitions: RecordIndex, constraint: RecordFields) -> dict[str, Any]:
    stripped = constraints.strip(definitions, constraint)
    return {
        "constraint": constraints.readable_name(definitions, constraint),
        "arity": constraints.arity(_below_argument(definitions, constraint)),
        "type": constraints.only_type(definitions, stripped),
        "custom_type": constraints.custom_type(definitions, stripped),
    }


def _below_argument(definitions: RecordIndex, constraint: RecordFields) -> RecordFields:
    """Return the constraint inside ``Arg<...>`` and ``Res<...>``."""
    inner = definitions.follow(constraint.get("constraint")) if is_a(constraint, "OpVariable") else None
    return inner if inner is not None else constraint


def _operands(definitions: RecordIndex, record: RecordFields) -> tuple[OperandDefinition, ...]:
    return tuple(
        OperandDefinition(name, **definitions.remembered(_value, constraint))
        for constraint, name in definitions.record_arguments(record["arguments"])
        if constraints.kind(_below_argument(definitions, constraint)) is constraints.ArgumentKind.TYPE
    )


def _attributes(definitions: RecordIndex, record: RecordFields) -> tuple[AttributeDefinition, ...]:
    arguments = definitions.record_arguments(record["arguments"])
    named = ((_below_argument(definitions, constraint), name) for constraint, name in arguments)
    return tuple(
        attribute(definitions, constraint, name)
        for constraint, name in named
        if constraints.kind(constraint) in (constraints.ArgumentKind.ATTRIBUTE, constraints.ArgumentKind.PROPERTY)
    )


def _regions(definitions: RecordIndex, record: RecordFields) -> tuple[RegionDefinition, ...]:
    regions = []
    for constraint, name in definitions.record_arguments(record["regions"]):
        variadic = is_a(constraint, "VariadicRegion")
        regions.append(RegionDefinition(name, _region_name(constraint), variadic))
    return tuple(regions)


def _region_name(constraint: RecordFields) -> str:
    """Return ``AnyRegion``, ``SizedRegion<1>`` or ``MaxSizedRegion<1>``."""
    if not constraint["!anonymous"]:
        return str(constraint["!name"])
    summary = constraint["summary"] or ""
    count = re.search(r"\d+", summary)
    if count is None:
        return "AnyRegion"
    return f"{'MaxSizedRegion' if 'at most' in summary else 'SizedRegion'}<{count[0]}>"


def _successors(definitions: RecordIndex, record: RecordFields) -> tuple[SuccessorDefinition, ...]:
    return tuple(
        SuccessorDefinition(name, is_a(constraint, "VariadicSuccessor"))
        for constraint, name in definitions.record_arguments(record["successors"])
    )
