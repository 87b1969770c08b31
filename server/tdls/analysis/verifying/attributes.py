"""Checks that attributes of operations are present, of the right kind, and within bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.effects import CONSUMED, READONLY
from tdls.analysis.file.finding import SectionEdit, SectionFix
from tdls.analysis.verifying.attribute_values import SpelledKind, integers_of, kind_of_value, wanted_of
from tdls.analysis.verifying.bodies import has_no_symbols
from tdls.analysis.verifying.complaint import Complaint
from tdls.catalogue.model import STRICT_PROPERTIES, Arity, AttributeDefinition, AttributeSpelling
from tdls.semantic.transform_dialect import TRANSFORM, WITH_NAMED_SEQUENCE
from tdls.structs import NamedTuple
from tdls.syntax.tree import Form
from tdls.text.similarity import is_typing_error, most_similar
from tdls.text.span import Span
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import NamedAttribute

    Groups = Sequence[OperandDefinition | ResultDefinition]


class _Segmented(NamedTuple):
    """The trait that requires an attribute with sizes of groups, and a noun for the members of the groups."""

    trait: str
    noun: str


_SEGMENTS = {
    "operandSegmentSizes": _Segmented("AttrSizedOperandSegments", "operand"),
    "resultSegmentSizes": _Segmented("AttrSizedResultSegments", "result"),
}


def segments_of(variants: Sequence[OperationDefinition]) -> dict[str, tuple[Groups, ...]]:
    """Return, by attribute with sizes, the groups that it may describe, where every variant has the attribute."""
    return {
        name: tuple(variant.operands if about.noun == "operand" else variant.results for variant in variants)
        for name, about in _SEGMENTS.items()
        if all(about.trait in variant.traits for variant in variants)
    }


def segment_sizes(operation: Operation, attribute: NamedAttribute, possible: Sequence[Groups]) -> Iterator[Complaint]:
    """Yield the errors in sizes, where they are errors for all of the `possible` groups."""
    value = (attribute.value or "").strip()
    kind = kind_of_value(value or None)
    if kind is None:
        return
    sizes = integers_of(value) if kind is SpelledKind.DENSE_ARRAY else None
    if sizes is None or not value.replace(" ", "").startswith("array<i32"):
        message = f"`{attribute.name}` has to be a dense array `array<i32: ...>`, not `{value or 'unit'}`"
        yield Complaint(message, attribute.span)
        return
    wrong = [_wrong(operation, attribute.name, sizes, groups) for groups in possible]
    if wrong and None not in wrong:
        yield Complaint(wrong[0] or "", attribute.span)


def missing_segment_sizes(operation: Operation, segments: Mapping[str, Sequence[Groups]]) -> Iterator[Complaint]:
    """Yield the missing attributes with sizes: without them there would be no operands, or no results."""
    for name in segments:
        if operation.syntax.attribute(name) is None and _count(operation, _SEGMENTS[name].noun):
            message = f"`{operation.name}` needs the attribute `{name}`"
            yield Complaint(message, operation.location, help="it has the number of values of each group, one by one")


def _wrong(operation: Operation, name: str, sizes: Sequence[int], groups: Groups) -> str | None:
    """Return the error in sizes of `groups` as a message, or None.

    MLIR does not verify that a group of one value has exactly one.
    """
    noun = _SEGMENTS[name].noun
    if len(sizes) != len(groups):
        return f"`{name}` has {counted(len(sizes), 'size')} for {counted(len(groups), 'group')} of {noun}s"
    for size, group in zip(sizes, groups, strict=True):
        is_optional = group.arity is Arity.OPTIONAL
        if size < 0 or (is_optional and size > 1):
            return f"`{group.name}` has at most one {noun}, not {size}" if size > 1 else f"a size cannot be {size}"
    count = _count(operation, noun)
    if count is not None and sum(sizes) != count:
        return f"`{name}` adds up to {counted(sum(sizes), noun)}, found {count}"
    return None


def _count(operation: Operation, noun: str) -> int | None:
    if noun == "operand":
        return len(operation.operands)
    types = operation.syntax.result_types
    return len(types) if types is not None else None


_PREFIX = f"{TRANSFORM}."
_KINDS: dict[str, SpelledKind | None] = {
    WITH_NAMED_SEQUENCE: None,
    f"{_PREFIX}target_tag": SpelledKind.STRING,
    f"{_PREFIX}silence_tracking_failures": SpelledKind.UNIT,
    CONSUMED: SpelledKind.UNIT,
    READONLY: SpelledKind.UNIT,
}
"""The attributes that the dialect verifies, with their required kind, or None for any."""


def dialect_attributes(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Yield the errors in attributes of the transform dialect on an operation of any dialect.

    MLIR drops attributes inside the properties, ``<{...}>``, that are not properties.
    """
    for attribute in operation.syntax.attributes:
        name = attribute.name
        _, opener, inside = context.section.text[operation.location.end : attribute.start].rpartition("<{")
        is_property = bool(opener) and "}>" not in inside
        if not name.startswith(_PREFIX) or is_property:
            continue
        if name not in _KINDS:
            words = [each.removeprefix(_PREFIX) for each in _KINDS]
            word = most_similar(name.removeprefix(_PREFIX), words, 0.75)
            close = f"{_PREFIX}{word}" if word is not None else None
            place = Span(attribute.start, attribute.start + len(name))
            fix = SectionFix(f"Change to `{close}`", (SectionEdit(place, f"{close}"),))
            known = "it has " + ", ".join(f"`{each}`" for each in sorted(_KINDS))
            help_text, fixes = (f"did you mean `{close}`?", (fix,)) if close is not None else (known, ())
            yield Complaint(f"the dialect has no attribute `{name}`", attribute.span, (), help_text, fixes)
            continue
        wanted, kind = _KINDS[name], kind_of_value(attribute.value)
        if wanted is not None and kind is not None and kind is not wanted:
            message = f"`{name}` has no value" if wanted is SpelledKind.UNIT else f"`{name}` has to be {wanted.value}"
            yield Complaint(message, attribute.span)
        if name == WITH_NAMED_SEQUENCE and has_no_symbols(operation):
            message = f"`{name}` only fits operations with a symbol table, which `{operation.name}` has not"
            yield Complaint(message, attribute.span, help="write it to the module around the named sequences")


class _Demands(NamedTuple):
    """Requirements on attributes that are common to all definitions an operation may have."""

    in_custom_form: tuple[str, ...]
    """The attributes that have to be in the dictionary."""
    in_generic_form: tuple[str, ...]
    segments: dict[str, tuple[Groups, ...]]
    """The attributes with sizes of groups of operands or results, with the groups of each definition."""
    described: dict[str, tuple[AttributeDefinition, ...]]
    plain: frozenset[str]
    """The attributes that assembly formats contain directly, not in a directive that C++ parses."""


def by_definition(context: Context, operation: Operation) -> Iterator[Complaint]:
    """Yield the errors in the attributes of an operation that are errors for every definition it may have."""
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
    """Return the requirements on the attributes of an operation, or None where no definition has a known format."""
    variants = [each for each in catalogue.counting(operation_name) if each.format_known]
    if not variants:
        return None
    lenient = [variant for variant in variants if STRICT_PROPERTIES not in variant.traits]
    names = [attribute.name for attribute in variants[0].attributes]
    described = {name: [_described(variant, name) for variant in variants] for name in names}
    known = {name: [each for each in demands if each is not None] for name, demands in described.items()}
    return _Demands(
        tuple(name for name in names if lenient and all(_needs(variant, name, Form.EXACT) for variant in lenient)),
        tuple(name for name in names if all(_needs(variant, name, Form.GENERIC) for variant in variants)),
        segments_of(variants),
        {name: tuple(demands) for name, demands in known.items() if len(demands) == len(variants)},
        frozenset(name for name in names if _is_plain(variants, name)),
    )


def _described(variant: OperationDefinition, name: str) -> AttributeDefinition | None:
    return next((attribute for attribute in variant.attributes if attribute.name == name), None)


def _missing(operation: Operation, needed: tuple[str, ...]) -> Iterator[Complaint]:
    spelled = {attribute.name: attribute.span for attribute in operation.syntax.attributes}
    for name in needed:
        if name not in spelled:
            message = f"`{operation.name}` needs the attribute `{name}`"
            misspelt = (span for other, span in spelled.items() if is_typing_error(other, name))
            place = next(misspelt, operation.location)
            yield Complaint(message, place, help=f"write `{name} = ...` into its dictionary")


def _needs(variant: OperationDefinition, name: str, form: Form) -> bool:
    """Whether the attribute has to be in the dictionary of an operation in `form`."""
    attribute = _described(variant, name)
    if attribute is None or attribute.optional or attribute.default is not None:
        return False
    if attribute.spelling is AttributeSpelling.PROPERTY:
        return False
    if form is Form.GENERIC:
        return True
    return variant.assembly_format is not None and not has_place(variant.assembly_format, name)


def has_place(assembly_format: str, name: str) -> bool:
    """Whether an assembly format contains the attribute."""
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
    is_number = kind_of_value(value) in (SpelledKind.INTEGER, SpelledKind.UNIT)  # whose type a format may leave out
    is_spelled_out = not is_number and all(each.spelling is AttributeSpelling.ATTRIBUTE for each in described)
    if is_in_dictionary(context, operation, attribute) or (is_plain and is_spelled_out):
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
"""Stands for an element that is given by an operand."""


def is_in_dictionary(context: Context, operation: Operation, attribute: NamedAttribute) -> bool:
    """Whether an attribute is spelled with its name; otherwise the assembly format decides on its spelling."""
    if operation.syntax.form is Form.GENERIC:
        return True
    text = context.section.text
    is_named = text.startswith((attribute.name, f'"{attribute.name}"'), attribute.start)
    return is_named and (attribute.value is None or attribute.value_start > attribute.start + len(attribute.name))


def _is_plain(variants: list[OperationDefinition], name: str) -> bool:
    """Whether all assembly formats contain the attribute directly, not in a directive that C++ parses."""
    for variant in variants:
        before, separator, _ = (variant.assembly_format or "").partition(f"${name}")
        directive = before.rpartition("custom<")
        if not separator or (directive[1] and directive[2].count("(") > directive[2].count(")")):
            return False
    return True


def _short(value: str | None) -> str:
    text = value if value is not None else "unit"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


_LONGEST = 40
