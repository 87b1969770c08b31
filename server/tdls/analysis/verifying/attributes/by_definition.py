"""What attributes of operations have to be: there, of a kind, and within bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.verifying.attributes.values import SpelledKind, integers_of, kind_of_value, wanted_of
from tdls.analysis.verifying.complaint import Complaint
from tdls.catalogue.model import AttributeSpelling
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.catalogue.model import AttributeDefinition, OperationDefinition
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import NamedAttribute


def by_definition(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Yield what is wrong with the attributes of an operation by every definition that it may have."""
    if operation.syntax.form is Form.STRUCTURAL:
        return
    variants = [each for each in context.catalogue.counting(operation.name) if each.format_known]
    if not variants:
        return
    yield from _missing(operation, variants)
    yield from _segment_sizes(operation, variants)
    for attribute in operation.syntax.attributes:
        described = [_described(variant, attribute.name) for variant in variants]
        known = [each for each in described if each is not None]
        if known and len(known) == len(described):
            yield from _value(context, operation, attribute, known, _is_plain(variants, attribute.name))


def _segment_sizes(operation: Operation, variants: list[OperationDefinition]) -> Iterator[Complaint]:
    """Check what says how many operands or results each group has, where all definitions have it."""
    for name, trait in _SEGMENTS.items():
        attribute = operation.syntax.attribute(name)
        if attribute is None or not all(trait in variant.traits for variant in variants):
            continue
        kind = kind_of_value(attribute.value)
        if kind not in (None, SpelledKind.DENSE_ARRAY):
            message = f"`{name}` has to be a dense array `array<i32: ...>`, not `{_short(attribute.value)}`"
            yield Complaint(message, attribute.span)


_SEGMENTS = {"operandSegmentSizes": "AttrSizedOperandSegments", "resultSegmentSizes": "AttrSizedResultSegments"}


def _described(variant: OperationDefinition, name: str) -> AttributeDefinition | None:
    return next((attribute for attribute in variant.attributes if attribute.name == name), None)


def _missing(operation: Operation, variants: list[OperationDefinition]) -> Iterator[Complaint]:
    spelled = {attribute.name for attribute in operation.syntax.attributes}
    for needed in variants[0].attributes:
        if needed.name in spelled or not all(_needs(operation, variant, needed.name) for variant in variants):
            continue
        message = f"`{operation.name}` needs the attribute `{needed.name}`"
        yield Complaint(message, operation.location, help=f"write `{needed.name} = ...` into its dictionary")


def _needs(operation: Operation, variant: OperationDefinition, name: str) -> bool:
    """Tell whether the attribute has to be in the operation's dictionary."""
    attribute = _described(variant, name)
    if attribute is None or attribute.optional or attribute.default is not None:
        return False
    if attribute.spelling is AttributeSpelling.PROPERTY:
        return False
    if operation.syntax.form is Form.GENERIC:
        return True
    return variant.assembly_format is not None and not _has_place(variant.assembly_format, name)


def _has_place(assembly_format: str, name: str) -> bool:
    """Tell whether an assembly format says where the attribute stands."""
    _, *behind = assembly_format.split(f"${name}")
    return any(not (rest[:1].isalnum() or rest.startswith("_")) for rest in behind)


def _value(
    context: Context,
    operation: Operation,
    attribute: NamedAttribute,
    described: list[AttributeDefinition],
    is_plain: bool,
) -> Iterator[Complaint]:
    value = attribute.value.strip() if attribute.value is not None else None
    if _is_in_dictionary(context, operation, attribute) or (
        is_plain and all(_is_spelled_out(each, value) for each in described)
    ):
        wanted = [wanted_of(definition, value) for definition in described]
        if None not in wanted:
            message = f"`{attribute.name}` has to be {wanted[0]}, not `{_short(value)}`"
            yield Complaint(message, attribute.span)
            return
    bounds = [definition.least for definition in described if definition.least is not None]
    numbers = integers_of(value) if value is not None and len(bounds) == len(described) else None
    least = min(bounds, default=0)
    wrong = next((number for number in numbers or () if number < least and number != _DYNAMIC), None)
    if wrong is not None:
        wanted_number = "positive" if least == 1 else "at least 0" if least == 0 else f"at least {least}"
        yield Complaint(f"`{attribute.name}` has to be {wanted_number}, not {wrong}", attribute.span)


_DYNAMIC = -(2**63)
"""What stands in a list for an element that is an operand."""


def _is_in_dictionary(context: Context, operation: Operation, attribute: NamedAttribute) -> bool:
    """Tell whether an attribute is spelled with its name: else the assembly format says how its value is spelled."""
    if operation.syntax.form is Form.GENERIC:
        return True
    text = context.section.text
    is_named = text.startswith((attribute.name, f'"{attribute.name}"'), attribute.start)
    return is_named and (attribute.value is None or attribute.value_start > attribute.start + len(attribute.name))


def _is_plain(variants: list[OperationDefinition], name: str) -> bool:
    """Tell whether assembly formats have the attribute by itself, not in a directive that C++ reads."""
    for variant in variants:
        before, found, _ = (variant.assembly_format or "").partition(f"${name}")
        directive = before.rpartition("custom<")
        if not found or (directive[1] and directive[2].count("(") > directive[2].count(")")):
            return False
    return True


def _is_spelled_out(definition: AttributeDefinition, value: str | None) -> bool:
    """Tell whether an assembly format spells a value as a dictionary does, but for the type of a number."""
    is_number = kind_of_value(value) in (SpelledKind.INTEGER, SpelledKind.UNIT)
    return definition.spelling is AttributeSpelling.ATTRIBUTE and not is_number


def _short(value: str | None) -> str:
    text = value if value is not None else "unit"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


_LONGEST = 40
