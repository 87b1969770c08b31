"""The constraints that a definition states: of attributes, operands, results, regions, successors, and by traits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.model import Arity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import (
        AttributeDefinition,
        OperandDefinition,
        OperationDefinition,
        RegionDefinition,
        ResultDefinition,
    )


class Constraint(NamedTuple):
    """A constraint of an operation on a part of it. `part` is its name, empty if the operation has one such part."""

    operation: str
    kind: str
    part: str = ""

    @property
    def shown(self) -> str:
        """The constraint without the operation, for people."""
        return f"{self.kind} {self.part}".strip()


REQUIRED = "required attribute"
VALUE = "value of attribute"
LEAST = "least value of attribute"
CASES = "cases of attribute"
ELEMENTS = "elements of attribute"
SEGMENTS = "segments of"
OPERAND_COUNT = "number of operands"
RESULT_COUNT = "number of results"
GROUP_COUNT = "number of values of"
OPERAND_TYPE = "type of operand"
RESULT_TYPE = "type of result"
REGION_COUNT = "number of regions"
NEEDS_BLOCK = "block in region"
ONE_BLOCK = "one block in region"
NO_SUCCESSORS = "no successors"
TRAIT = "trait"

ANYTHING = frozenset({"AnyAttr"})
"""Constraints of attributes that every value satisfies."""

UNCONSTRAINED_TRAITS = frozenset(
    {
        *("AttrSizedOperandSegments", "SingleBlock", "NoTerminator", "HasOnlyGraphRegion", "RegionKindInterface"),
        *("MemoryEffectOpInterface", "TransformOpInterface", "PatternDescriptorOpInterface", "MatchOpInterface"),
        *("ConversionPatternDescriptorOpInterface", "TypeConverterBuilderOpInterface", "OpAsmOpInterface"),
        *("TransformEachOpTrait", "ReportTrackingListenerFailuresOpTrait", "FunctionalStyleTransformOpTrait"),
        *("SingleOpMatcherOpTrait", "SingleValueMatcherOpTrait", "AtMostOneOpMatcherOpTrait"),
        *("NavigationTransformOpTrait", "ParamProducerTransformOpTrait", "CallOpInterface", "CastOpInterface"),
    }
)
"""Traits that demand nothing of an instance, or only properties of another constraint here: how many blocks
there are, of which types operands and results are."""


def all_constraints(catalogue: Catalogue, major: int) -> list[Constraint]:
    """Return every constraint of every transform operation that a version of LLVM has."""
    return [each for definition in definitions_at(catalogue, major) for each in constraints_of(definition)]


def definitions_at(catalogue: Catalogue, major: int) -> list[OperationDefinition]:
    """Return the definitions of a version's transform operations, as its TableGen records have them."""
    names = catalogue.operation_names("transform")
    variants = (variant for name in names for variant in catalogue.variants(name))
    return [variant for variant in variants if major in variant.versions]


def constraints_of(definition: OperationDefinition) -> Iterator[Constraint]:
    """Yield the constraints of a definition, by kind and part."""
    parts = (
        *(each for attribute in definition.attributes for each in _of_attribute(attribute)),
        *_of_values(definition.operands, OPERAND_COUNT, OPERAND_TYPE),
        *_of_values(definition.results, RESULT_COUNT, RESULT_TYPE),
        *_of_segments(definition),
        *_of_regions(definition),
        (NO_SUCCESSORS, "") if not definition.successors else ("", ""),
        *((TRAIT, trait) for trait in sorted(definition.traits - UNCONSTRAINED_TRAITS)),
    )
    yield from (Constraint(definition.name, kind, part) for kind, part in parts if kind)


def _of_attribute(attribute: AttributeDefinition) -> Iterator[tuple[str, str]]:
    if not attribute.optional and attribute.default is None:
        yield REQUIRED, attribute.name
    if attribute.constraint not in ANYTHING:
        yield VALUE, attribute.name
    if attribute.least is not None:
        yield LEAST, attribute.name
    if attribute.cases:
        yield CASES, attribute.name
    if "Array" in attribute.constraint and attribute.constraint != "ArrayAttr":
        yield ELEMENTS, attribute.name


def _of_values(
    groups: Sequence[OperandDefinition | ResultDefinition], of_count: str, of_type: str
) -> Iterator[tuple[str, str]]:
    """Yield constraints on groups; without a fixed count, too few operands make MLIR crash, and are left out."""
    is_unlimited = any(group.arity not in (Arity.ONE, Arity.OPTIONAL) for group in groups)
    is_needed = any(group.arity is Arity.ONE for group in groups) and of_count is RESULT_COUNT
    if not is_unlimited or is_needed:
        yield of_count, ""
    yield from ((of_type, group.name) for group in groups)


def _of_segments(definition: OperationDefinition) -> Iterator[tuple[str, str]]:
    for trait, groups, shown in (
        ("AttrSizedOperandSegments", definition.operands, "operands"),
        ("AttrSizedResultSegments", definition.results, "results"),
    ):
        if trait in definition.traits:
            yield SEGMENTS, shown
            yield from ((GROUP_COUNT, group.name) for group in groups if group.arity is Arity.OPTIONAL)


def _of_regions(definition: OperationDefinition) -> Iterator[tuple[str, str]]:
    regions = definition.regions
    if not regions or not all(region.variadic for region in regions):
        yield REGION_COUNT, ""
    for region in regions:
        if region.constraint == "SizedRegion<1>":
            yield NEEDS_BLOCK, region.name
        if _has_one_block(definition, region):
            yield ONE_BLOCK, region.name


def _has_one_block(definition: OperationDefinition, region: RegionDefinition) -> bool:
    return region.constraint in ("SizedRegion<1>", "MaxSizedRegion<1>") or "SingleBlock" in definition.traits
