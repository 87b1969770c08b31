"""The model of operations, types, attributes and passes: every source fills it, all other packages read it.

Names follow ODS (https://mlir.llvm.org/docs/DefiningDialects/Operations/).
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from tdls.settings.llvm_versions import older_versions
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class SourcePlace(Struct, frozen=True):
    """A place in a project's TableGen, C++ or Python. `line` and `column` are 0-based, columns in code points."""

    path: Path
    line: int
    column: int = 0


class Arity(Enum):
    """The number of values (or regions, successors) of one ODS name."""

    ONE = "one"
    OPTIONAL = "optional"
    VARIADIC = "variadic"
    VARIADIC_OF_VARIADIC = "variadic-of-variadic"


class HandleEffect(Enum):
    """The effect of an operation on the mapping of one handle: a memory effect on `TransformMappingResource`.

    Consuming is "read and free", producing is "allocate and write", as `consumesHandle`, `onlyReadsHandle`
    and `producesHandle` of TransformInterfaces.h define them. `NONE` is certain absence of effects.
    """

    CONSUMES = "consumes"
    READS = "reads"
    PRODUCES = "produces"
    NONE = "none"
    UNKNOWN = "unknown"


class PayloadEffect(Enum):
    """The effect of an operation on the payload: a memory effect on `PayloadIRResource`."""

    MODIFIES = "modifies"
    READS = "reads"
    NONE = "none"
    UNKNOWN = "unknown"


class EffectSource(Enum):
    """The source of the effects of an operation on handles and payload.

    `FIXED`: the definition alone, with the exceptions of single attributes in `effect_when`. `REGION`: the operation
    consumes an operand if its body consumes the block argument for it, else it reads it; the payload effect is the
    body's, too. `CALLEE`: it consumes an operand if the named sequence that it refers to declares the argument
    consumed (``transform.consumed``), else it reads it. With `REGION` and `CALLEE`, effects that depend on the body or
    callee are `UNKNOWN` in the definition, and all others apply.
    """

    FIXED = "fixed"
    REGION = "region"
    CALLEE = "callee"


class ConditionalEffect(Struct, frozen=True):
    """An effect that an operand or result has only if an attribute is present or has a given value.

    `value` is the attribute's value as it is spelled (``true``); None stands for presence of a unit attribute.
    """

    attribute: str
    effect: HandleEffect
    value: str | None = None


STRICT_PROPERTIES = "StrictProperties"
"""The trait of an operation whose ``attr-dict`` takes none of its inherent attributes, as since August 2026."""


UNDECIDED = "(`<` $value^ `>`) : ($value)?"
"""The format of an enumeration that stands in brackets or not, as LLVM's own sources say if they are there."""


class AttributeSpelling(Enum):
    """The syntax of ``$attribute`` in a declarative assembly format, after OpFormatGen.cpp of mlir-tblgen.

    `ATTRIBUTE` is any attribute, without the trailing type if `AttributeDefinition.type` names it. `KEYWORD` is one of
    the cases as a bare keyword or string. `SYMBOL_NAME` is ``@name``. `DENSE_ARRAY` is ``[1, 2]`` without
    ``array<i64: >``. `CUSTOM` is the attribute's own `assembly_format`, without ``#dialect.mnemonic``; the full form
    ``#dialect.mnemonic...`` is accepted, too. `PROPERTY` is a property that is not an attribute, with its own parser.
    """

    ATTRIBUTE = "attribute"
    KEYWORD = "keyword"
    SYMBOL_NAME = "symbol-name"
    DENSE_ARRAY = "dense-array"
    CUSTOM = "custom"
    PROPERTY = "property"


class RelationKind(Enum):
    """How the payload operations of a result relate to those of an operand or of another result, the *others*.

    `SAME`: they are the others. `PART_OF`: they are some of the others; results of one group have no operation in
    common. `WHOLE_OF`: they include all others. `WITHIN`: each is nested in one of the others; for a relation to the
    result's own group, in an operation of the result before it, or, if the group is a single handle, possibly in an
    earlier operation of the same handle. `FOUND_IN`: each is one of the others or nested in one. `AROUND`: each
    contains one of the others, and each of the others is contained in one of them. `REPLACES`: they are new, in the
    block of the others, which were consumed. `LIKE`: they have the same names as the others. `VALUES_OF`: they are
    values that the others define. `DEFINES`: they define the others, which are values. `FEEDS`: each defines an
    operand of one of the others, one for each. `TAKES`: each has a result of one of the others as an operand.
    `OUTLINES`: they are new, in another place, one for each of the others, which were consumed, and have its content.
    """

    SAME = "same"
    PART_OF = "part-of"
    WHOLE_OF = "whole-of"
    WITHIN = "within"
    FOUND_IN = "found-in"
    AROUND = "around"
    REPLACES = "replaces"
    LIKE = "like"
    VALUES_OF = "values-of"
    DEFINES = "defines"
    FEEDS = "feeds"
    TAKES = "takes"
    OUTLINES = "outlines"


class Relation(Struct, frozen=True):
    """A relation of `kind` to the operand or result group `other`."""

    kind: RelationKind
    other: str


class LoopFit(Enum):
    """The constraint between integers and the loops of a structured operation.

    `AT_MOST`: at most one integer per loop. `EACH`: exactly one per loop. `EACH_OR_NONE`: exactly one per loop, or none
    at all. `INDEX`: an integer is the 0-based number of a loop.
    """

    AT_MOST = "at-most"
    EACH = "each"
    EACH_OR_NONE = "each-or-none"
    INDEX = "index"


class MatchCriterion(Enum):
    """The condition of an attribute on the payload operations that an operation searches for, selects, or accepts.

    `NAMES`: they have one of these names. `INTERFACE`: they implement this interface. `RESULT_TYPE`: they have exactly
    one result, of this type. `PATTERN`: the ``pdl.pattern`` that the attribute refers to matches them. `MATCHERS`: one
    of the named sequences that it refers to matches them. An operation has to satisfy the conditions of all attributes.
    """

    NAMES = "names"
    INTERFACE = "interface"
    RESULT_TYPE = "result-type"
    PATTERN = "pattern"
    MATCHERS = "matchers"


class LoopNumbers(Struct, frozen=True):
    """Integers with the constraint `fit` to the loops of the payload operations of the operand group `operand`."""

    fit: LoopFit
    operand: str


class ResultCount(Struct, frozen=True):
    """The number of results of a variadic group, where attributes or the payload determine it.

    Empty names, and attributes and operands that an instance lacks, determine nothing.
    """

    sizes: tuple[str, ...] = ()
    """Attributes; the first one present determines the number: one result for each nonzero integer."""
    one_with: str = ""
    """The attribute whose presence means exactly one result, regardless of all others."""
    unknown_with: str = ""
    """The operand whose presence makes the number unknown."""
    outputs_of: str = ""
    """The operand that determines the number: one result for each initial value of its payload operations."""
    operations_of: str = ""
    """The operand that determines the number: one result for each of its payload operations."""
    free_with: tuple[str, ...] = ()
    """Attributes that, unless they are spelled as their default, make other numbers valid, too."""


class OperandDefinition(Struct, frozen=True):
    """An operand group. `constraint` is its ODS definition, e.g. ``TransformHandleTypeInterface``."""

    name: str
    constraint: str = ""
    arity: Arity = Arity.ONE
    effect: HandleEffect = HandleEffect.UNKNOWN
    type: str | None = None
    """The only type that the constraint allows, if there is just one (ODS "buildable"), as it is spelled:
    ``!transform.any_op``, ``index``."""
    custom_type: str | None = None
    """Name of the dialect type that ``type($operand)`` writes by its own assembly format, without ``!name``."""
    effect_when: tuple[ConditionalEffect, ...] = ()
    """Exceptions from `effect`; the first that applies decides (see `handle_effect`)."""
    takes_one: bool = False
    """True if its payload has to be exactly one operation."""
    applies_to: tuple[str, ...] = ()
    """Names (with a dot) and interfaces; each payload operation has to have one of them. Empty for any operation."""
    excludes_script: bool = False
    """True if no payload operation may be, or contain, the script that is run."""
    one_or_each: str = ""
    """The operand group for each of whose payload operations it holds a value, unless it holds only one."""
    applies_to_any_with: str = ""
    """An attribute with which it applies to any payload operation, regardless of `applies_to`."""


class ResultDefinition(Struct, frozen=True):
    """A result group; fields as for operands."""

    name: str
    constraint: str = ""
    arity: Arity = Arity.ONE
    effect: HandleEffect = HandleEffect.UNKNOWN
    type: str | None = None
    custom_type: str | None = None
    effect_when: tuple[ConditionalEffect, ...] = ()
    relations: tuple[Relation, ...] = ()
    """Known relations of its payload operations; empty if none is known."""
    stands_for: tuple[str, ...] = ()
    """The possible names of its payload operations, if they are few."""
    count: ResultCount | None = None
    """The number of results of a variadic group, if it is known."""
    several: bool = False
    """True if it may have several payload operations for each operation that `relations` refer to."""
    empty_with: tuple[str, str] | None = None
    """A string attribute and its value with which the result holds nothing, or None if there is no such value."""


class AttributeDefinition(Struct, frozen=True):
    """An attribute. `constraint` is its ODS base definition: ``DenseI64ArrayAttr``, ``UnitAttr``, ``SymbolRefAttr``.

    `default` is the textual ODS default value (C++), None without one. `cases` are an enum's keywords, and
    `separator` separates several keywords of a bit enum. `type` is the elided type of a typed attribute (``i64`` of
    ``I64Attr``).
    """

    name: str
    constraint: str = ""
    optional: bool = False
    default: str | None = None
    cases: tuple[str, ...] = ()
    type: str | None = None
    mnemonic: str | None = None
    """``dialect.mnemonic`` of a dialect attribute with its own assembly format, e.g. ``transform.param_operand``."""
    spelling: AttributeSpelling = AttributeSpelling.ATTRIBUTE
    assembly_format: str | None = None
    """The format behind ``#mnemonic`` if `spelling` is `CUSTOM`, or None if the parser is C++."""
    separator: str | None = None
    per_loop: LoopNumbers | None = None
    """The constraint between its integers and the loops of the transformed operations, or None if unknown."""
    asks: MatchCriterion | None = None
    """Its condition on matched payload operations, or None if it has none of these kinds."""
    case_numbers: tuple[int, ...] = ()
    """The numbers of `cases` in the generic form, one each; empty if they are unknown, or for a bit enum."""
    least: int | None = None
    """Lower bound of its value, or of each of its integers, or None without a bound."""


class RegionDefinition(Struct, frozen=True):
    """A region or a variadic group of regions."""

    name: str
    constraint: str = ""
    variadic: bool = False


class SuccessorDefinition(Struct, frozen=True):
    """A successor or a variadic group of successors."""

    name: str
    variadic: bool = False


class OperationDefinition(Struct, frozen=True):
    """An operation at the LLVM major versions `versions` (empty: not version dependent)."""

    name: str
    """Full name with the dialect prefix."""
    operands: tuple[OperandDefinition, ...] = ()
    results: tuple[ResultDefinition, ...] = ()
    attributes: tuple[AttributeDefinition, ...] = ()
    regions: tuple[RegionDefinition, ...] = ()
    successors: tuple[SuccessorDefinition, ...] = ()
    traits: frozenset[str] = frozenset()
    """Traits and interfaces by C++ class name without namespaces, arguments kept, e.g. ``IsTerminator``,
    ``SymbolTable``, ``MemoryEffectOpInterface``, ``AllTypesMatch<source,target>``."""
    payload_effect: PayloadEffect = PayloadEffect.UNKNOWN
    """The strongest effect on the payload of any instance."""
    effect_source: EffectSource = EffectSource.FIXED
    local: bool = False
    """True if only consumed payload operations and the operations nested in them are moved."""
    moves_with: str = ""
    """The attribute whose presence means that others are moved, too, though it is `local`; "" without one."""
    keeps: tuple[str, ...] = ()
    """Traits of payload operations that it neither removes nor adds: each such operation is kept, or replaced by one
    of the same name."""
    takes_repeated: bool = False
    """True if consumed handles may hold an operation more than once (`allowsRepeatedHandleOperands`)."""
    only_moves: bool = False
    """True if it erases and replaces no payload operation: its modifications only move operations."""
    written_body: bool = False
    """True for a structured payload operation with a body written by users; MLIR generates those of others."""
    made_body: tuple[str, ...] | None = None
    """Names of the operations that MLIR generates in the body of this structured payload operation, in order, without
    the last one, for values of one floating-point type, or None if unknown."""
    loops: int | None = None
    """The number of loops of a structured payload operation, if it is the same for all of this name."""
    outputs: int | None = None
    """The number of initial values of a structured operation, if it is the same for all of this name."""
    indexing: tuple[str, ...] = ()
    """Indexing maps of a structured operation without indexing maps of its own: one for each input, of which the last
    applies to all further inputs, then one for each initial value. A digit is the number of a loop, `?` an expression
    of several, `*` all loops in order, as many as there are dimensions, `-NAME` all but those that an attribute lists,
    `^NAME` the inverse of a permutation in an attribute, and `!` is unknown. Loops that do not index initial values are
    reductions."""
    assembly_format: str | None = None
    """Declarative format; None with `custom_assembly` false means that the operation only has the generic form, or that
    its format is unknown (see `format_known`)."""
    custom_assembly: bool = False
    """True if parser and printer are C++."""
    format_known: bool = True
    """False if the source does not determine the operation's syntax."""
    is_patched: bool = False
    """True if a patch of the project changes LLVM's operation: it may be any other way than this definition says."""
    operand_order: tuple[str, ...] = ()
    """Names of operand groups in their order in the custom form, if this order is known but the form is not; groups
    that the form lacks are left out. Empty: unknown."""
    summary: str = ""
    versions: tuple[int, ...] = ()
    default_dialect: str | None = None
    """Dialect whose prefix operations directly in this operation's regions may omit (`getDefaultDialect`)."""
    former_names: tuple[str, ...] = ()
    """Names the same operation had in earlier LLVM versions."""
    source: str = ""
    """Origin of the definition, for people: ``LLVM 22``, ``my_catalogue.json``."""
    description: str = ""
    """The project's own documentation as Markdown; the shipped facts have none."""
    defined_at: SourcePlace | None = None
    implemented_at: tuple[SourcePlace, ...] = ()
    """The functions that implement it: ``apply``, ``applyToOne``, ``getEffects``."""

    @property
    def dialect(self) -> str:
        """The part of the name before the first dot."""
        return self.name.partition(".")[0]

    @property
    def is_older(self) -> bool:
        """True if only LLVM versions before those of the shipped facts have it."""
        return bool(self.versions) and max(self.versions) <= older_versions()[-1]


class ParameterDefinition(Struct, frozen=True):
    """A parameter of a dialect type or attribute. `type` is its C++ type."""

    name: str
    type: str = ""
    optional: bool = False
    default: str | None = None
    cases: tuple[str, ...] = ()
    separator: str | None = None


class TypeDefinition(Struct, frozen=True):
    """A dialect type, written as ``!name`` and its parameters in the `assembly_format`."""

    name: str
    """``transform.any_op``"""
    parameters: tuple[ParameterDefinition, ...] = ()
    assembly_format: str | None = None
    custom_assembly: bool = False
    interfaces: frozenset[str] = frozenset()
    """Type interfaces by C++ class name, e.g. ``TransformHandleTypeInterface``."""
    summary: str = ""
    versions: tuple[int, ...] = ()
    source: str = ""
    description: str = ""
    defined_at: SourcePlace | None = None


class AttributeKindDefinition(Struct, frozen=True):
    """A dialect attribute, written as ``#name`` and its parameters in the `assembly_format`.

    `cases` are the keywords of an enum attribute.
    """

    name: str
    parameters: tuple[ParameterDefinition, ...] = ()
    assembly_format: str | None = None
    custom_assembly: bool = False
    cases: tuple[str, ...] = ()
    summary: str = ""
    versions: tuple[int, ...] = ()
    source: str = ""
    description: str = ""
    defined_at: SourcePlace | None = None

    @property
    def enumerated(self) -> tuple[str, ...]:
        """The keywords of an enumeration, or of the only parameter, which is one; empty for other attributes."""
        return self.cases or (self.parameters[0].cases if len(self.parameters) == 1 else ())


class PassOption(Struct, frozen=True):
    """An option of a pass, written ``name=value``. `type` is its C++ type, or that of each value if `is_list`."""

    name: str
    type: str = ""
    default: str = ""
    """The default value in C++; empty without one."""
    is_list: bool = False
    summary: str = ""
    cases: tuple[str, ...] = ()
    """The values of an enumeration."""


class PassDefinition(Struct, frozen=True):
    """A pass or pipeline, by its registered name, used in ``transform.apply_registered_pass`` and on command lines.

    `options` is None if they are unknown. `runs_on` is the operation that it is restricted to: its name in shipped
    facts, its C++ class or interface in a project's sources; empty for any operation, and if it is unknown.
    """

    name: str
    runs_on: str = ""
    options: tuple[PassOption, ...] | None = None
    summary: str = ""
    versions: tuple[int, ...] = ()
    source: str = ""
    description: str = ""
    defined_at: SourcePlace | None = None


AnyDefinition: TypeAlias = OperationDefinition | TypeDefinition | AttributeKindDefinition


def handle_effect(
    definition: OperationDefinition, value: OperandDefinition | ResultDefinition, attributes: Mapping[str, str]
) -> HandleEffect:
    """Return the effect on an operand or result of `definition`, for an instance with these attributes.

    `attributes` maps names to values as they are spelled; the value of a unit attribute does not matter. Absent
    attributes have their default.
    """
    if not value.effect_when:
        return value.effect
    defaults = {attribute.name: attribute.default for attribute in definition.attributes}
    for exception in value.effect_when:
        spelled = attributes.get(exception.attribute, defaults.get(exception.attribute))
        if spelled is not None and exception.value in (None, spelled):
            return exception.effect
    return value.effect
