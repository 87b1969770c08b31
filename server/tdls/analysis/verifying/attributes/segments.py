"""The sizes of groups of operands or results, which the generic form spells where several groups may vary."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.verifying.attributes.values import SpelledKind, integers_of, kind_of_value
from tdls.analysis.verifying.complaint import Complaint, counted
from tdls.catalogue.model import Arity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tdls.catalogue.model import OperandDefinition, OperationDefinition, ResultDefinition
    from tdls.semantic.model import Operation
    from tdls.syntax.tree import NamedAttribute

    Groups = Sequence[OperandDefinition | ResultDefinition]


class _Segmented(NamedTuple):
    """What an attribute has the sizes of."""

    trait: str
    noun: str


_SEGMENTS = {
    "operandSegmentSizes": _Segmented("AttrSizedOperandSegments", "operand"),
    "resultSegmentSizes": _Segmented("AttrSizedResultSegments", "result"),
}


def segments_of(variants: Sequence[OperationDefinition]) -> dict[str, tuple[Groups, ...]]:
    """Return the groups that each attribute with sizes may be about, by its name, where every variant has it."""
    return {
        name: tuple(_groups(variant, about) for variant in variants)
        for name, about in _SEGMENTS.items()
        if all(about.trait in variant.traits for variant in variants)
    }


def _groups(variant: OperationDefinition, about: _Segmented) -> Groups:
    return variant.operands if about.noun == "operand" else variant.results


def segment_sizes(operation: Operation, attribute: NamedAttribute, possible: Sequence[Groups]) -> Iterator[Complaint]:
    """Yield what is wrong with sizes by all that the groups may be."""
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
    """Yield which sizes are not there: without them there would be no operands, or no results."""
    for name in segments:
        if operation.syntax.attribute(name) is None and _count(operation, _SEGMENTS[name].noun):
            message = f"`{operation.name}` needs the attribute `{name}`"
            yield Complaint(message, operation.location, help="it has the number of values of each group, one by one")


def _wrong(operation: Operation, name: str, sizes: Sequence[int], groups: Groups) -> str | None:
    """Return what is wrong with sizes of some groups, for people; None if nothing is.

    MLIR does not verify that a group of one value has one.
    """
    noun = _SEGMENTS[name].noun
    if len(sizes) != len(groups):
        return f"`{name}` has {counted(len(sizes), 'size')} for {counted(len(groups), 'group')} of {noun}s"
    for size, group in zip(sizes, groups, strict=True):
        is_optional = group.arity is Arity.OPTIONAL
        if size < 0 or (is_optional and size > 1):
            return f"`{group.name}` has at most one {noun}, not {size}" if size > 1 else f"a size cannot be {size}"
    found = _count(operation, noun)
    if found is not None and sum(sizes) != found:
        return f"`{name}` adds up to {counted(sum(sizes), noun)}, found {found}"
    return None


def _count(operation: Operation, noun: str) -> int | None:
    if noun == "operand":
        return len(operation.operands)
    types = operation.syntax.result_types
    return len(types) if types is not None else None
