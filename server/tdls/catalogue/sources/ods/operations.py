"""Operations from TableGen records."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tdls.catalogue.model import (
    AttributeDefinition,
    OperandDefinition,
    OperationDefinition,
    RegionDefinition,
    ResultDefinition,
    SuccessorDefinition,
)
from tdls.catalogue.sources.ods import attributes, constraints, traits
from tdls.catalogue.sources.ods.definitions import is_a

if TYPE_CHECKING:
    from tdls.catalogue.sources.ods.definitions import RecordFields, RecordIndex

_VARIABLE = re.compile(r"\$(\w+)")
_DEFAULT_DIALECT = re.compile(r"getDefaultDialect\(\)\s*(?:const\s*)?\{\s*return\s*\"(\w+)\"")


def operation_name(definitions: RecordIndex, record: RecordFields) -> str | None:
    """Full name with the dialect's prefix; None where that is not known."""
    dialect = definitions.follow(record["opDialect"])
    if dialect is None or dialect["name"] is None or record["opName"] is None:
        return None
    return f"{dialect['name']}.{record['opName']}" if dialect["name"] else str(record["opName"])


def operation(definitions: RecordIndex, record: RecordFields) -> OperationDefinition:
    """The definition of one operation that has a name, without effects, summary and versions."""
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
        traits=traits.trait_names(definitions, record),
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
    """Is it certain how the operation is written?

    How a value is written that the format names depends on its constraint. A class that was not found may have a
    format.
    """
    assembly_format = _assembly_format(record)
    if assembly_format is None:
        return bool(record["hasCustomAssemblyFormat"]) or not record.get("!unknown")
    variables = set(_VARIABLE.findall(assembly_format))
    values = [*definitions.record_arguments(record["arguments"]), *definitions.record_arguments(record["results"])]
    return not any(name in variables and _is_unknown(definitions, value) for value, name in values)


def _is_unknown(definitions: RecordIndex, constraint: RecordFields) -> bool:
    """Is there something in the constraint that was not found?"""
    inner = constraints.strip(definitions, _below_argument(definitions, constraint))
    return bool(constraint.get("!unknown") or inner.get("!unknown"))


def _default_dialect(definitions: RecordIndex, record: RecordFields) -> str | None:
    """What `getDefaultDialect` returns; where only its declaration is here, the operation's own dialect."""
    declared = _DEFAULT_DIALECT.search(record["extraClassDeclaration"] or "")
    if declared is not None:
        return declared[1]
    if _overrides(definitions, record, "getDefaultDialect"):
        return (operation_name(definitions, record) or "").partition(".")[0]
    return None


def _overrides(definitions: RecordIndex, record: RecordFields, method: str) -> bool:
    """Is the method of an interface declared, to be written in C++?"""
    traits = (definitions.follow(trait) for trait in record["traits"] or ())
    return any(trait and method in (trait.get("alwaysOverriddenMethods") or ()) for trait in traits)


def _mentions_method(definitions: RecordIndex, record: RecordFields, method: str) -> bool:
    """Does the operation have a method of its own of that name? Nobody declares one to repeat the default."""
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
    """The constraint inside ``Arg<...>`` and ``Res<...>``."""
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
        attributes.attribute(definitions, constraint, name)
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
    """``AnyRegion``, ``SizedRegion<1>``, ``MaxSizedRegion<1>``."""
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
