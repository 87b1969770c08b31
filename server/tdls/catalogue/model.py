"""The one model of operations, types and attributes that every source fills and every floor above reads.

Names follow ODS (https://mlir.llvm.org/docs/DefiningDialects/Operations/).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Arity(Enum):
    """How many values (or regions, successors) one ODS name stands for."""

    ONE = "one"
    OPTIONAL = "optional"
    VARIADIC = "variadic"
    VARIADIC_OF_VARIADIC = "variadic-of-variadic"


class HandleEffect(Enum):
    """What an operation does to the mapping of one handle: a memory effect on `TransformMappingResource`.

    Consuming is "read and free", producing is "allocate and write", as `consumesHandle`, `onlyReadsHandle` and
    `producesHandle` of TransformInterfaces.h define them. `NONE` is certain absence of effects.
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


@dataclass(frozen=True, slots=True)
class OperandDefinition:
    """An operand group. `constraint` is its ODS definition, e.g. ``TransformHandleTypeInterface``."""

    name: str
    constraint: str = ""
    arity: Arity = Arity.ONE
    effect: HandleEffect = HandleEffect.UNKNOWN
    type: str | None = None
    """The only type the constraint allows, where there is just one (ODS "buildable")."""


@dataclass(frozen=True, slots=True)
class ResultDefinition:
    """A result group; fields as for operands."""

    name: str
    constraint: str = ""
    arity: Arity = Arity.ONE
    effect: HandleEffect = HandleEffect.UNKNOWN
    type: str | None = None


@dataclass(frozen=True, slots=True)
class AttributeDefinition:
    """An attribute. `constraint` is its ODS base definition, e.g. ``DenseI64ArrayAttr``, ``UnitAttr``, ``SymbolRefAttr``.

    `default` is the textual ODS default value (C++), None where there is none. `cases` are an enum's keywords.
    `type` is the elided type of a typed attribute (``i64`` of ``I64Attr``).
    """

    name: str
    constraint: str = ""
    optional: bool = False
    default: str | None = None
    cases: tuple[str, ...] = ()
    type: str | None = None
    mnemonic: str | None = None
    """``dialect.mnemonic`` of a dialect attribute with its own assembly format, e.g. ``transform.failure_...``."""


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
    assembly_format: str | None = None
    """Declarative format; None with `custom_assembly` false means the operation only has the generic form
    or its format is not known (see `format_known`)."""
    custom_assembly: bool = False
    """True where parser and printer are C++."""
    format_known: bool = True
    """False where the source cannot tell how the operation is written."""
    summary: str = ""
    versions: tuple[int, ...] = ()
    former_names: tuple[str, ...] = ()
    """Names the same operation had in earlier LLVM versions."""
    source: str = ""
    """Where the definition comes from, for people: ``LLVM 22``, ``my_catalogue.json``."""

    @property
    def dialect(self) -> str:
        """The part of the name before the first dot."""
        return self.name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class TypeDefinition:
    """A dialect type, written ``!name`` (``transform.op``); `parameters` is its assembly format."""

    name: str
    assembly_format: str | None = None
    summary: str = ""
    versions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AttributeKindDefinition:
    """A dialect attribute, written ``#name``."""

    name: str
    assembly_format: str | None = None
    cases: tuple[str, ...] = ()
    summary: str = ""
    versions: tuple[int, ...] = ()
