"""``tdls catalogue show`` and ``search``: print the definition of one operation, and operations by words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tdls.catalogue.documents import encode
from tdls.catalogue.model import EffectSource, HandleEffect, PayloadEffect
from tdls.catalogue.source import MemorySource
from tdls.cli.checking.configurations import catalogue_here
from tdls.cli.console import console
from tdls.cli.console.options import JSON, catalogue_option, format_option, operations, trust_option
from tdls.cli.rendering.json_text import json_text
from tdls.ide.hover.operation import documentation_address
from tdls.settings.keys import version_name, version_named, version_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import (
        AttributeDefinition,
        OperandDefinition,
        OperationDefinition,
        ResultDefinition,
        SourcePlace,
    )
    from tdls.settings.consent import Trust

_INDENT = "  "
_EFFECT_OF_BODY = {EffectSource.REGION: "as its region", EffectSource.CALLEE: "as the named sequence"}


@click.command("show", short_help="Show an operation.")
@click.argument("name", metavar="OP", shell_complete=operations)
@click.option("--llvm", "version", metavar="N", help="The definition of LLVM N, not the newest one.")
@format_option
@trust_option
@catalogue_option
def show(name: str, version: str | None, format_: str, trust: Trust, catalogues: tuple[Path, ...]) -> int:
    """Show an operation: operands with their effects, results, attributes, assembly format."""
    catalogue = catalogue_here(catalogues, trust)
    variants = catalogue.variants(name)
    if not variants:
        raise console.InputError(_unknown(name, catalogue))
    fitting = [variant for variant in variants if version is None or version_named(version) in variant.versions]
    if not fitting:
        known = _llvm(tuple(sorted(number for variant in variants for number in variant.versions)))
        raise console.InputError(f"'{name}' is not known for LLVM {version}, only for {known}")
    others = [variant for variant in variants if variant is not fitting[0]]
    origin = _origin_of_effects(fitting[0], catalogue)
    document = {**_document(fitting[0], others), "effects": origin.partition(" ")[0]}
    console.write([json_text(document, indent=2), "\n"] if format_ == JSON else [])
    console.write_lines(_page(fitting[0], others, origin) if format_ != JSON else [])
    return console.EXIT_CLEAN


def _document(definition: OperationDefinition, others: Sequence[OperationDefinition]) -> dict[str, Any]:
    return {
        "operation": encode(definition),
        "other_versions": [list(other.versions) for other in others if other.versions],
        "documentation": documentation_address(definition),
    }


@click.command("search", short_help="Find operations by words of their names and summaries.")
@click.argument("words", metavar="WORD...", nargs=-1, required=True)
@click.option("--dialect", metavar="NAME", help="Only operations of this dialect.")
@format_option
@catalogue_option
def search(words: tuple[str, ...], dialect: str | None, format_: str, catalogues: tuple[Path, ...]) -> int:
    """Find the operations whose name or summary contains all WORDs, those with the words in their name first.

    Exit status: 1 if there is none.
    """
    catalogue = catalogue_here(catalogues)
    wanted = [word.lower() for word in words]
    definitions = filter(None, map(catalogue.operation, catalogue.operation_names(dialect)))
    found = [known for known in definitions if all(word in f"{known.name} {known.summary}".lower() for word in wanted)]
    found.sort(key=lambda known: (not all(word in known.name for word in wanted), -catalogue.uses(known.name)))
    if format_ == JSON:
        rows = [{"name": known.name, "summary": known.summary} for known in found]
        console.write([json_text({"operations": rows}, indent=2), "\n"])
    else:
        console.write_lines(f"{known.name}  {known.summary}".rstrip() for known in found)
    return console.EXIT_CLEAN if found else console.EXIT_FINDINGS


def _unknown(name: str, catalogue: Catalogue) -> str:
    rename = catalogue.renamed(name)
    if rename is not None:
        return f"'{name}' {rename.fate}"
    similar = [f"'{close}'" for close in catalogue.similar(name)]
    advice = f"did you mean {' or '.join(similar)}?" if similar else "'tdls catalogue list' lists all operations"
    return f"no operation is called '{name}'; {advice}"


def _origin_of_effects(definition: OperationDefinition, catalogue: Catalogue) -> str:
    """Return how the effects of a definition are known, in words of which the first one says it."""
    for source in catalogue.sources:
        if isinstance(source, MemorySource) and source.is_stated and source.operations.variants(definition.name):
            return f"asked of {source.name}"
    place = definition.defined_at
    if place is not None and place.path.suffix == ".py":
        return "static reading of its `get_effects`"
    return "text of its definition"


def _page(definition: OperationDefinition, others: list[OperationDefinition], origin: str) -> Iterator[str]:
    yield definition.name
    if definition.summary:
        yield _INDENT + definition.summary
    yield from _section("operands", [_value_row(definition, operand) for operand in definition.operands])
    yield from _section("results", [_value_row(definition, result) for result in definition.results])
    yield from _section("attributes", [_attribute_row(attribute) for attribute in definition.attributes])
    regions = [(item.name, item.constraint, "variadic" * item.variadic) for item in definition.regions]
    yield from _section("regions", regions)
    successors = [(item.name, "variadic" * item.variadic) for item in definition.successors]
    yield from _section("successors", successors)
    yield from _section("payload effect", [(_payload_effect(definition),)])
    yield from _section("effects from", [(origin,)])
    yield from _section("traits", [(trait,) for trait in sorted(definition.traits)])
    yield from _section("assembly format", [(_assembly(definition),)])
    yield from _section("former names", [(name,) for name in definition.former_names])
    yield from _section("known from", [(definition.source or _llvm(definition.versions),)])
    yield from _section("defined at", [(_place(place),) for place in [definition.defined_at] if place is not None])
    yield from _section("implemented at", [(_place(place),) for place in definition.implemented_at])
    for other in (other for other in others if other.versions):
        yield f"{_INDENT}it differs in {_llvm(other.versions)}: see --llvm {version_name(other.versions[-1])}"
    address = documentation_address(definition)
    if address is not None:
        yield from _section("documentation", [(address,)])


def _section(title: str, rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield a titled table with aligned columns, nothing without rows."""
    if not rows:
        return
    yield ""
    yield f"{_INDENT}{title}"
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield f"{_INDENT * 2}{'  '.join(cells)}".rstrip()


def _value_row(definition: OperationDefinition, value: OperandDefinition | ResultDefinition) -> tuple[str, ...]:
    return value.name, value.arity.value, _effect(definition, value), value.type or value.constraint


def _effect(definition: OperationDefinition, value: OperandDefinition | ResultDefinition) -> str:
    if value.effect is HandleEffect.UNKNOWN:
        return _EFFECT_OF_BODY.get(definition.effect_source, "unknown")
    exceptions = [
        f"{exception.effect.value} with {exception.attribute}{f' = {exception.value}' if exception.value else ''}"
        for exception in value.effect_when
    ]
    return ", ".join([value.effect.value, *exceptions])


def _payload_effect(definition: OperationDefinition) -> str:
    if definition.payload_effect is PayloadEffect.UNKNOWN:
        return _EFFECT_OF_BODY.get(definition.effect_source, "unknown")
    return str(definition.payload_effect.value)


def _attribute_row(attribute: AttributeDefinition) -> tuple[str, ...]:
    is_optional = attribute.optional or attribute.default is not None
    default = f"default {attribute.default}" if attribute.default is not None else ""
    cases = f"one of {', '.join(attribute.cases)}" if attribute.cases else ""
    return attribute.name, "optional" if is_optional else "required", attribute.constraint, default or cases


def _assembly(definition: OperationDefinition) -> str:
    if definition.assembly_format is not None:
        return definition.assembly_format
    if not definition.format_known:
        return "(not known)"
    order = f"; operands in the order {', '.join(definition.operand_order)}" if definition.operand_order else ""
    return f"(parsed by C++ code{order})" if definition.custom_assembly else "(generic form only)"


def _place(place: SourcePlace) -> str:
    return f"{place.path}:{place.line + 1}"


def _llvm(versions: tuple[int, ...]) -> str:
    return version_names(versions)
