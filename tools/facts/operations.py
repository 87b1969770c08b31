"""Operations from TableGen records."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from facts import attributes, constraints, traits
from facts.records import is_a
from tdls.catalogue.model import (
    AttributeDefinition,
    OperandDefinition,
    OperationDefinition,
    RegionDefinition,
    ResultDefinition,
    SuccessorDefinition,
)

if TYPE_CHECKING:
    from facts.records import Record, Records

_DEFAULT_DIALECT = re.compile(r"getDefaultDialect\(\)\s*(?:const\s*)?\{\s*return\s*\"(\w+)\"")


def operation_name(records: Records, record: Record) -> str:
    """Full name with the dialect's prefix."""
    dialect = records.follow(record["opDialect"])
    assert dialect is not None
    return f"{dialect['name']}.{record['opName']}" if dialect["name"] else str(record["opName"])


def operation(records: Records, record: Record) -> OperationDefinition:
    """The definition of one operation, without effects, summary and versions."""
    assembly_format = record["assemblyFormat"]
    return OperationDefinition(
        name=operation_name(records, record),
        operands=_operands(records, record),
        results=tuple(
            ResultDefinition(name, **_value(records, constraint))
            for constraint, name in records.arguments(record["results"])
        ),
        attributes=_attributes(records, record),
        regions=_regions(records, record),
        successors=_successors(records, record),
        traits=traits.trait_names(records, record),
        assembly_format=" ".join(assembly_format.split()) if assembly_format is not None else None,
        custom_assembly=bool(record["hasCustomAssemblyFormat"]),
        default_dialect=_default_dialect(records, record),
    )


def _default_dialect(records: Records, record: Record) -> str | None:
    """What `getDefaultDialect` returns; where only its declaration is here, the operation's own dialect."""
    declared = _DEFAULT_DIALECT.search(record["extraClassDeclaration"] or "")
    if declared is not None:
        return declared[1]
    for trait in map(records.follow, record["traits"]):
        if trait and "getDefaultDialect" in trait.get("alwaysOverriddenMethods", ()):
            return operation_name(records, record).partition(".")[0]
    return None


def _value(records: Records, constraint: Record) -> dict[str, Any]:
    stripped = constraints.strip(records, constraint)
    return {
        "constraint": constraints.readable_name(records, constraint),
        "arity": constraints.arity(_below_argument(records, constraint)),
        "type": constraints.only_type(records, stripped),
        "custom_type": constraints.custom_type(records, stripped),
    }


def _below_argument(records: Records, constraint: Record) -> Record:
    """The constraint inside ``Arg<...>`` and ``Res<...>``."""
    inner = records.follow(constraint.get("constraint")) if is_a(constraint, "OpVariable") else None
    return inner if inner is not None else constraint


def _operands(records: Records, record: Record) -> tuple[OperandDefinition, ...]:
    return tuple(
        OperandDefinition(name, **_value(records, constraint))
        for constraint, name in records.arguments(record["arguments"])
        if is_a(_below_argument(records, constraint), "TypeConstraint")
    )


def _attributes(records: Records, record: Record) -> tuple[AttributeDefinition, ...]:
    arguments = (
        (_below_argument(records, constraint), name) for constraint, name in records.arguments(record["arguments"])
    )
    return tuple(
        attributes.attribute(records, constraint, name)
        for constraint, name in arguments
        if is_a(constraint, "AttrConstraint") or is_a(constraint, "Property")
    )


def _regions(records: Records, record: Record) -> tuple[RegionDefinition, ...]:
    regions = []
    for constraint, name in records.arguments(record["regions"]):
        variadic = is_a(constraint, "VariadicRegion")
        regions.append(RegionDefinition(name, _region_name(constraint), variadic))
    return tuple(regions)


def _region_name(constraint: Record) -> str:
    """``AnyRegion``, ``SizedRegion<1>``, ``MaxSizedRegion<1>``."""
    if not constraint["!anonymous"]:
        return str(constraint["!name"])
    count = re.search(r"\d+", constraint["summary"])
    if count is None:
        return "AnyRegion"
    return f"{'MaxSizedRegion' if 'at most' in constraint['summary'] else 'SizedRegion'}<{count[0]}>"


def _successors(records: Records, record: Record) -> tuple[SuccessorDefinition, ...]:
    return tuple(
        SuccessorDefinition(name, is_a(constraint, "VariadicSuccessor"))
        for constraint, name in records.arguments(record["successors"])
    )
