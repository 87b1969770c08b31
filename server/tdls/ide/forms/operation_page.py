"""The page of an operation: what ``tdls catalogue show`` prints, and what editors open for its definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from tdls.catalogue.model import EffectSource, HandleEffect, PayloadEffect
from tdls.catalogue.source import MemorySource
from tdls.semantic.transform_dialect import is_transform_definition
from tdls.settings.llvm_versions import version_name, version_ranges

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import (
        AttributeDefinition,
        OperandDefinition,
        OperationDefinition,
        ResultDefinition,
        SourcePlace,
    )

_ROOT: Final = "https://mlir.llvm.org/docs/Dialects/"
_PAGES: Final = {
    "affine": "Affine",
    "arith": "ArithOps",
    "bufferization": "BufferizationOps",
    "builtin": "Builtin",
    "cf": "ControlFlowDialect",
    "complex": "ComplexOps",
    "func": "Func",
    "gpu": "GPU",
    "index": "IndexOps",
    "linalg": "Linalg",
    "llvm": "LLVM",
    "math": "MathOps",
    "memref": "MemRef",
    "pdl": "PDLOps",
    "scf": "SCFDialect",
    "tensor": "TensorOps",
    "tosa": "TOSA",
    "transform": "Transform",
    "ub": "UBOps",
    "vector": "Vector",
}
"""The page names follow no rule; dialects missing here get no link."""
_INDENT = "  "
_EFFECT_OF_BODY = {EffectSource.REGION: "as its region", EffectSource.CALLEE: "as the named sequence"}


def documentation_address(definition: OperationDefinition) -> str | None:
    """Return the URL of the official documentation of an upstream operation, at its heading, or None for others.

    The page's anchors contain C++ class names, so the URL finds the heading by its text (a text fragment): the name
    and, in parentheses, the class.
    """
    page = _PAGES.get(definition.dialect)
    if page is None or not definition.versions:
        return None
    return f"{_ROOT}{page}/#:~:text={quote(f'{definition.name} (')}"


def operation_page(definition: OperationDefinition, catalogue: Catalogue) -> Iterator[str]:
    """Yield the lines of the page; other variants of the definition are mentioned."""
    others = [variant for variant in catalogue.variants(definition.name) if variant is not definition]
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
    effect, of_body = definition.payload_effect, _EFFECT_OF_BODY.get(definition.effect_source, "unknown")
    yield from _section("payload effect", [(of_body if effect is PayloadEffect.UNKNOWN else effect.value,)])
    yield from _section("effects from", [(origin_of_effects(definition, catalogue),)])
    yield from _section("traits", [(trait,) for trait in sorted(definition.traits)])
    yield from _section("assembly format", [(_assembly(definition),)])
    yield from _section("example", [(line,) for line in example(definition, catalogue).splitlines()])
    yield from _section("former names", [(name,) for name in definition.former_names])
    yield from _section("known from", [(definition.source or version_ranges(definition.versions),)])
    yield from _section("defined at", [(_place(place),) for place in [definition.defined_at] if place is not None])
    yield from _section("implemented at", [(_place(place),) for place in definition.implemented_at])
    for other in (other for other in others if other.versions):
        yield f"{_INDENT}it differs in {version_ranges(other.versions)}: see --llvm {version_name(other.versions[-1])}"
    address = documentation_address(definition)
    if address is not None:
        yield from _section("documentation", [(address,)])


def example(definition: OperationDefinition, catalogue: Catalogue, *, is_least: bool = False) -> str:
    """Return an operation with sensible values, or with what its form requires; empty if no form is known.

    With `is_least`, it has no more than its form requires.
    """
    from tdls.catalogue.shipped import printed_example, script_example
    from tdls.ide.forms.snippets import Suggestions, operation_snippet
    from tdls.syntax.parser.parser import parse

    text = None if is_least else script_example(definition) or printed_example(definition)
    if text is None and is_transform_definition(definition):
        snippet = operation_snippet(definition, Suggestions(catalogue))
        text = snippet.plain if snippet is not None else None
    return text if text is not None and not any(parse(text, catalogue).problems()) else ""


def origin_of_effects(definition: OperationDefinition, catalogue: Catalogue) -> str:
    """Return how the effects of a definition are known, in words; the first one says it."""
    for source in catalogue.sources:
        if isinstance(source, MemorySource) and source.is_stated and source.operations.variants(definition.name):
            return f"asked of {source.name}"
    place = definition.defined_at
    if place is not None and place.path.suffix == ".py":
        return "unknown until its `get_effects` may be asked: with --trust-workspace, in trusted workspaces of editors"
    return "text of its definition"


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
