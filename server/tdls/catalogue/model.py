"""The one model of operations, types and attributes that every source fills and every floor above reads.

Names follow ODS (https://mlir.llvm.org/docs/DefiningDialects/Operations/).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where something is written in a project's sources: TableGen, C++, Python. `line` and `column` count from 0,
    columns in code points."""

    path: Path
    line: int
    column: int = 0


class Arity(Enum):
    """How many values (or regions, successors) one ODS name stands for."""

    ONE = "one"
    OPTIONAL = "optional"
    VARIADIC = "variadic"
    VARIADIC_OF_VARIADIC = "variadic-of-variadic"


class HandleEffect(Enum):
    """What an operation does to the mapping of one handle: a memory effect on `TransformMappingResource`.

    Consuming is "read and free", producing is "allocate and write", as `consumesHandle`, `onlyReadsHandle`
    and `producesHandle` of TransformInterfaces.h define them. `NONE` is certain absence of effects.
    """

    CONSUMES = "consumes"
    READS = "reads"
    PRODUCES = "produces"
    NONE = "none"
    UNKNOWN = "unknown"


class PayloadEffect(Enum):
    """What an operation does to the payload: a memory effect on `PayloadIRResource`."""

    MODIFIES = "modifies"
    READS = "reads"
    NONE = "none"
    UNKNOWN = "unknown"


class EffectSource(Enum):
    """What decides the effects of an operation on handles and payload.

    `FIXED`: the definition alone; `effect_when` holds what single attributes change. `REGION`: the operation consumes
    an operand if its body consumes the block argument that stands for it, else it reads it; the payload effect is the
    body's, too. `CALLEE`: it consumes an operand if the named sequence it refers to says so of the argument (by
    ``transform.consumed``), else it reads it. Where it is not `FIXED`, effects that depend are `UNKNOWN` and the
    others hold.
    """

    FIXED = "fixed"
    REGION = "region"
    CALLEE = "callee"


@dataclass(frozen=True, slots=True)
class ConditionalEffect:
    """An effect that an operand or result has only where an attribute is present or has a given value.

    `value` is the attribute's value as it is spelled (``true``); None stands for presence of a unit attribute.
    """

    attribute: str
    effect: HandleEffect
    value: str | None = None


class AttributeSpelling(Enum):
    """How ``$attribute`` of a declarative assembly format is written; after OpFormatGen.cpp of mlir-tblgen.

    `ATTRIBUTE` is any attribute, without the trailing type where `AttributeDefinition.type` names it.
    `KEYWORD` is one of the cases as a bare keyword or string. `SYMBOL_NAME` is ``@name``. `DENSE_ARRAY` is
    ``[1, 2]`` without ``array<i64: >``. `CUSTOM` is the attribute's own `assembly_format`, without
    ``#dialect.mnemonic``; the full form ``#dialect.mnemonic...`` is accepted, too. `PROPERTY` is a property
    that is no attribute, with its own parser.
    """

    ATTRIBUTE = "attribute"
    KEYWORD = "keyword"
    SYMBOL_NAME = "symbol-name"
    DENSE_ARRAY = "dense-array"
    CUSTOM = "custom"
    PROPERTY = "property"


class RelationKind(Enum):
    """How the payload operations of a result lie to those of an operand, or of another result.

    `SAME`: they are the same. `PART_OF`: they are some of them; results of one group have no operation in common.
    `WHOLE_OF`: they include all of them. `WITHIN`: each is nested in one of them; of the result's own group: in one of
    the result before it, or, where the group is one handle, perhaps in one that this holds before. `FOUND_IN`: each is
    nested in one of them, or is one. `AROUND`: each contains one of them, and each of them is contained in one.
    `REPLACES`: they are new and stand in the block of those that were consumed. `LIKE`: they have the same names.
    `VALUES_OF`: they are values, which those define. `DEFINES`: they define those, which are values. `FEEDS`: each
    defines an operand of one of them, one for each. `TAKES`: each has a result of one of them as an operand.
    `OUTLINES`: they are new and stand elsewhere, one for each of those that were consumed, with what was in that.
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


@dataclass(frozen=True, slots=True)
class Relation:
    """A `kind` of relation to the operand or result group `other`."""

    kind: RelationKind
    other: str


class LoopFit(Enum):
    """How integers have to fit the loops of a structured operation.

    `AT_MOST`: there are no more than loops. `EACH`: there is one for each. `EACH_OR_NONE`: so, unless there are none.
    `INDEX`: it is the number of one of the loops, from 0.
    """

    AT_MOST = "at-most"
    EACH = "each"
    EACH_OR_NONE = "each-or-none"
    INDEX = "index"


class MatchCriterion(Enum):
    """What an attribute asks of the payload operations that an operation looks for, selects, or accepts.

    `NAMES`: they have one of these names; `INTERFACE`: they implement this interface; `RESULT_TYPE`: they have exactly
    one result, of this type; `PATTERN`: the ``pdl.pattern`` that it refers to matches them; `MATCHERS`: so does one of
    the named sequences that it refers to. All that have what all attributes ask for are meant.
    """

    NAMES = "names"
    INTERFACE = "interface"
    RESULT_TYPE = "result-type"
    PATTERN = "pattern"
    MATCHERS = "matchers"


@dataclass(frozen=True, slots=True)
class LoopNumbers:
    """Integers that `fit` the loops of the operations which the operand group `operand` stands for."""

    fit: LoopFit
    operand: str


@dataclass(frozen=True, slots=True)
class ResultCount:
    """How many results a variadic group has, where attributes or the payload decide it. Names that are empty, or what
    is not given, decide nothing."""

    sizes: tuple[str, ...] = ()
    """Attributes of which the first one that is given decides: one result for each integer that is not zero."""
    one_with: str = ""
    """The attribute with which there is one result, whatever else is given."""
    unknown_with: str = ""
    """The operand with which it is not known."""
    outputs_of: str = ""
    """The operand that decides: one result for each initial value of the operations that it stands for."""
    operations_of: str = ""
    """The operand that decides: one result for each operation that it stands for."""
    free_with: tuple[str, ...] = ()
    """Attributes with which, unless they are spelled as their default, other numbers are right, too."""


@dataclass(frozen=True, slots=True)
class OperandDefinition:
    """An operand group. `constraint` is its ODS definition, e.g. ``TransformHandleTypeInterface``."""

    name: str
    constraint: str = ""
    arity: Arity = Arity.ONE
    effect: HandleEffect = HandleEffect.UNKNOWN
    type: str | None = None
    """The only type the constraint allows, where there is just one (ODS "buildable"), as it is spelled:
    ``!transform.any_op``, ``index``."""
    custom_type: str | None = None
    """Name of the dialect type that ``type($operand)`` writes by its own assembly format, without
    ``!name``."""
    effect_when: tuple[ConditionalEffect, ...] = ()
    """Exceptions from `effect`; the first that holds counts (see `effects.operand_effect`)."""
    takes_one: bool = False
    """True if it has to stand for exactly one operation of the payload."""


@dataclass(frozen=True, slots=True)
class ResultDefinition:
    """A result group; fields as for operands."""

    name: str
    constraint: str = ""
    arity: Arity = Arity.ONE
    effect: HandleEffect = HandleEffect.UNKNOWN
    type: str | None = None
    custom_type: str | None = None
    effect_when: tuple[ConditionalEffect, ...] = ()
    relations: tuple[Relation, ...] = ()
    """What is known of the payload operations that it stands for; empty where nothing is."""
    stands_for: tuple[str, ...] = ()
    """The names that these may have, where there are few."""
    count: ResultCount | None = None
    """How many results there are, where that is known of a variadic group."""
    several: bool = False
    """True if it may stand for several operations for each of those that it is related to."""


@dataclass(frozen=True, slots=True)
class AttributeDefinition:
    """An attribute. `constraint` is its ODS base definition, e.g. ``DenseI64ArrayAttr``, ``UnitAttr``,
    ``SymbolRefAttr``.

    `default` is the textual ODS default value (C++), None where there is none. `cases` are an enum's
    keywords, and `separator` what a bit enum writes between several. `type` is the elided type of a typed
    attribute (``i64`` of ``I64Attr``).
    """

    name: str
    constraint: str = ""
    optional: bool = False
    default: str | None = None
    cases: tuple[str, ...] = ()
    type: str | None = None
    mnemonic: str | None = None
    """``dialect.mnemonic`` of a dialect attribute with its own assembly format, e.g.
    ``transform.param_operand``."""
    spelling: AttributeSpelling = AttributeSpelling.ATTRIBUTE
    assembly_format: str | None = None
    """What follows ``#mnemonic`` where `spelling` is `CUSTOM`; None where its parser is C++."""
    separator: str | None = None
    per_loop: LoopNumbers | None = None
    """What its integers have to do with the loops of what is transformed; None where that is not known."""
    asks: MatchCriterion | None = None
    """What it asks of operations that are looked for; None if it is nothing of these."""
    case_numbers: tuple[int, ...] = ()
    """The numbers that stand for `cases` in the generic form, one each; empty where they are not known, or are bits."""
    least: int | None = None
    """The least that it, or any of its integers, may be; None where there is no bound."""


@dataclass(frozen=True, slots=True)
class RegionDefinition:
    """A region or a variadic group of regions."""

    name: str
    constraint: str = ""
    variadic: bool = False


@dataclass(frozen=True, slots=True)
class SuccessorDefinition:
    """A successor or a variadic group of successors."""

    name: str
    variadic: bool = False


@dataclass(frozen=True, slots=True)
class OperationDefinition:
    """What one operation is at the LLVM major versions `versions` (empty: not version dependent)."""

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
    """The strongest effect on the payload that any instance has."""
    effect_source: EffectSource = EffectSource.FIXED
    local: bool = False
    """True if no payload operation is moved but the consumed ones and what is nested in them."""
    moves_with: str = ""
    """The attribute with which others are moved though it is `local`, if there is one."""
    keeps: tuple[str, ...] = ()
    """Traits of payload operations of which none goes or comes, in whatever it rewrites: each is still there, or one in
    its place that is called the same."""
    takes_repeated: bool = False
    """True if consumed handles may hold an operation more than once (`allowsRepeatedHandleOperands`)."""
    only_moves: bool = False
    """True if it erases and replaces nothing of the payload: what it modifies is only moved."""
    written_body: bool = False
    """True if people write the body of this structured operation of the payload, while MLIR makes those of others."""
    made_body: tuple[str, ...] | None = None
    """The names of what MLIR makes in the body of this structured operation of the payload, in order and without the
    last one, where all its values are of one floating-point type; None if they are not known."""
    loops: int | None = None
    """How many loops a structured operation of the payload has, where all of this name have as many."""
    outputs: int | None = None
    """How many initial values a structured operation has, where all of this name have as many."""
    indexing: tuple[str, ...] = ()
    """What indexes the operands of a structured operation that does not say it itself: inputs, the last of which stands
    for all others, then initial values. A digit is the number of a loop, `?` what is computed of some, `*` all loops in
    order, as many as there are dimensions, `-NAME` all but those that an attribute lists, `^NAME` what the inverse of a
    permutation says, and `!` is not known. Loops that do not index initial values reduce."""
    assembly_format: str | None = None
    """Declarative format; None with `custom_assembly` false means the operation only has the generic form
    or its format is not known (see `format_known`)."""
    custom_assembly: bool = False
    """True where parser and printer are C++."""
    format_known: bool = True
    """False where the source cannot tell how the operation is written."""
    operand_order: tuple[str, ...] = ()
    """Names of operand groups in the order in which the custom form has them, where that form is not known but this
    is: those that it does not have are left out. Empty: not known."""
    summary: str = ""
    versions: tuple[int, ...] = ()
    default_dialect: str | None = None
    """Dialect whose prefix operations directly in this operation's regions may omit (`getDefaultDialect`)."""
    former_names: tuple[str, ...] = ()
    """Names the same operation had in earlier LLVM versions."""
    source: str = ""
    """Where the definition comes from, for people: ``LLVM 22``, ``my_catalogue.json``."""
    description: str = ""
    """The project's own documentation, as Markdown; tdls ships none."""
    defined_at: SourcePlace | None = None
    implemented_at: tuple[SourcePlace, ...] = ()
    """Functions that say what it does: ``apply``, ``applyToOne``, ``getEffects``."""

    @property
    def dialect(self) -> str:
        """The part of the name before the first dot."""
        return self.name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class ParameterDefinition:
    """A parameter of a dialect type or attribute. `type` is its C++ type."""

    name: str
    type: str = ""
    optional: bool = False
    default: str | None = None
    cases: tuple[str, ...] = ()
    separator: str | None = None


@dataclass(frozen=True, slots=True)
class TypeDefinition:
    """A dialect type, written ``!name`` and then what `assembly_format` says of its parameters."""

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


@dataclass(frozen=True, slots=True)
class AttributeKindDefinition:
    """A dialect attribute, written ``#name`` and then what `assembly_format` says of its parameters.

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


@dataclass(frozen=True, slots=True)
class PassOption:
    """An option of a pass, written ``name=value``. `type` is its C++ type, that of each value if `is_list`."""

    name: str
    type: str = ""
    default: str = ""
    """In C++; empty if it has none."""
    is_list: bool = False
    summary: str = ""


@dataclass(frozen=True, slots=True)
class PassDefinition:
    """A pass or pipeline, by the name that ``transform.apply_registered_pass`` and command lines know it by.

    `options` is None where they are not known. `runs_on` is the C++ class of the operations, or the interface, that it
    runs on; empty for any, and where that is not known.
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


@dataclass(frozen=True, slots=True)
class Rename:
    """An operation name that LLVM gave up: `former` existed up to the major version `last_version`.

    `name` is what took its place, None where the operation was removed. `note` says what else changed.
    """

    former: str
    name: str | None
    last_version: int
    note: str = ""
    adds: tuple[str, ...] = ()
    """Attributes, as they are written, without which the operation of the new name does something else."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Former and new names of attributes."""
    keyword: str = ""
    """What is written in front of the first list behind the operands, where that stood alone."""
    first_result_last: bool = False
    by_hand: bool = False
    """True if more is to be changed than the above says."""


def handle_effect(
    definition: OperationDefinition,
    value: OperandDefinition | ResultDefinition,
    attributes: Mapping[str, str],
) -> HandleEffect:
    """The effect on an operand or result of `definition`, for an instance with these attributes.

    `attributes` maps names to values as they are spelled; a unit attribute that is present has any value. Attributes
    that are absent count with their default.
    """
    if not value.effect_when:
        return value.effect
    defaults = {attribute.name: attribute.default for attribute in definition.attributes}
    for exception in value.effect_when:
        spelled = attributes.get(exception.attribute, defaults.get(exception.attribute))
        if spelled is not None and exception.value in (None, spelled):
            return exception.effect
    return value.effect
