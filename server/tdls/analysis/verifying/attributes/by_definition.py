"""What attributes of operations have to be: there, of a kind, and within bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.verifying.attributes.segments import missing_segment_sizes, segment_sizes, segments_of
from tdls.analysis.verifying.attributes.values import SpelledKind, integers_of, kind_of_value, wanted_of
from tdls.analysis.verifying.complaint import Complaint
from tdls.catalogue.model import AttributeDefinition, AttributeSpelling
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.verifying.attributes.segments import Groups
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import NamedAttribute


class _Demands(NamedTuple):
    """What all definitions that an operation may have say of its attributes."""

    in_custom_form: tuple[str, ...]
    """The attributes that have to be in the dictionary."""
    in_generic_form: tuple[str, ...]
    segments: dict[str, tuple[Groups, ...]]
    """What says how many operands or results each group has, with the groups of each definition."""
    described: dict[str, tuple[AttributeDefinition, ...]]
    plain: frozenset[str]
    """The attributes that assembly formats have by themselves, not in a directive that C++ reads."""


def by_definition(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Yield what is wrong with the attributes of an operation by every definition that it may have."""
    form = operation.syntax.form
    demands = context.catalogue.ask(_demands, operation.name) if form is not Form.STRUCTURAL else None
    if demands is None:
        return
    needed = demands.in_generic_form if form is Form.GENERIC else demands.in_custom_form
    if needed:
        yield from _missing(operation, needed)
    if form is Form.GENERIC and demands.segments:
        yield from missing_segment_sizes(operation, demands.segments)
    for attribute in operation.syntax.attributes:
        if attribute.name in demands.segments:
            yield from segment_sizes(operation, attribute, demands.segments[attribute.name])
        described = demands.described.get(attribute.name)
        if described is not None:
            yield from _value(context, operation, attribute, described, attribute.name in demands.plain)


def _demands(catalogue: Catalogue, operation_name: str) -> _Demands | None:
    """Return what is demanded of the attributes of an operation; None where no definition of it has a format."""
    variants = [each for each in catalogue.counting(operation_name) if each.format_known]
    if not variants:
        return None
    names = [attribute.name for attribute in variants[0].attributes]
    described = {name: [_described(variant, name) for variant in variants] for name in names}
    known = {name: [each for each in found if each is not None] for name, found in described.items()}
    return _Demands(
        tuple(name for name in names if all(_needs(variant, name, Form.EXACT) for variant in variants)),
        tuple(name for name in names if all(_needs(variant, name, Form.GENERIC) for variant in variants)),
        segments_of(variants),
        {name: tuple(found) for name, found in known.items() if len(found) == len(variants)},
        frozenset(name for name in names if _is_plain(variants, name)),
    )


def _described(variant: OperationDefinition, name: str) -> AttributeDefinition | None:
    return next((attribute for attribute in variant.attributes if attribute.name == name), None)


def _missing(operation: Operation, needed: tuple[str, ...]) -> Iterator[Complaint]:
    spelled = {attribute.name for attribute in operation.syntax.attributes}
    for name in needed:
        if name not in spelled:
            message = f"`{operation.name}` needs the attribute `{name}`"
            yield Complaint(message, operation.location, help=f"write `{name} = ...` into its dictionary")


def _needs(variant: OperationDefinition, name: str, form: Form) -> bool:
    """Tell whether the attribute has to be in the dictionary of an operation in a form."""
    attribute = _described(variant, name)
    if attribute is None or attribute.optional or attribute.default is not None:
        return False
    if attribute.spelling is AttributeSpelling.PROPERTY:
        return False
    if form is Form.GENERIC:
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
    described: tuple[AttributeDefinition, ...],
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
