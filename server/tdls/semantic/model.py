"""The semantic model of a section: operations with resolved operands, values with types, blocks with their successors.

Offsets are those of the section's tree: they count code points from the section's start.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from tdls.catalogue.model import EffectSource, MatchCriterion
from tdls.structs import Struct, field
from tdls.text.scanning import integer, integers_in, strings_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.types import TypeTexts
    from tdls.syntax import tree as syntax
    from tdls.syntax.tree import NamedAttribute
    from tdls.text.span import Span

DEDUPLICATE = "deduplicate"


class Value(Struct, eq=False):
    """One SSA value.

    `name` includes the percent sign; `number` is the result number inside its group (``%a#1``), None for a group of one
    and for arguments. `type` is canonical (aliases expanded, blanks removed), None if it is not known. A value is
    result `index` of `operation` or argument `index` of `block`.
    """

    name: str
    number: int | None
    type: str | None
    span: Span
    """The range of the name in its definition."""
    operation: Operation | None = None
    block: Block | None = None
    index: int = 0

    @property
    def shown(self) -> str:
        """The name as written in a use of the value."""
        return self.name if self.number is None else f"{self.name}#{self.number}"

    @property
    def owner_block(self) -> Block | None:
        """The block that defines the value, or None for results of the top level."""
        return self.operation.block if self.operation is not None else self.block

    @property
    def owner(self) -> Operation | None:
        """The operation whose result the value is, or whose region has it as an argument."""
        return self.operation or (self.block.region.parent if self.block is not None else None)


class Block(Struct, eq=False):
    """A block with its arguments and operations."""

    syntax: syntax.Block
    region: Region
    index: int
    arguments: tuple[Value, ...] = ()
    operations: list[Operation] = field(default_factory=list)
    successors: list[Block] = field(default_factory=list)
    """Known successors of its last operation; unknown labels are left out."""

    @property
    def terminator(self) -> Operation | None:
        """The last operation, a terminator or not."""
        return self.operations[-1] if self.operations else None

    @property
    def yielded(self) -> list[Value | None]:
        """The operands of the last operation."""
        return self.operations[-1].operands if self.operations else []


class Region(Struct, eq=False):
    """Region number `index` of the operation `parent`."""

    syntax: syntax.Region
    parent: Operation
    index: int
    blocks: list[Block] = field(default_factory=list)
    labels: dict[str, Block] = field(default_factory=dict)
    """The blocks that have a label."""


class Operation(Struct, eq=False):
    """An operation with its operands resolved."""

    syntax: syntax.Operation
    block: Block | None
    """None for an operation of the section's top level."""
    index: int
    """Position in its block, or in the section."""
    operands: list[Value | None] = field(default_factory=list)
    """One entry per spelled operand, or None for an undefined name."""
    results: tuple[Value, ...] = ()
    regions: list[Region] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The full name."""
        return self.syntax.name

    @property
    def definition(self) -> OperationDefinition | None:
        """The operation's definition in the catalogue."""
        return self.syntax.definition

    @property
    def parent(self) -> Operation | None:
        """The operation whose region this one is in."""
        return self.block.region.parent if self.block is not None else None

    @property
    def span(self) -> Span:
        """The whole operation, from its first result to its trailing location."""
        return self.syntax.span

    @property
    def location(self) -> Span:
        """The range that MLIR reports for the operation: its name."""
        return self.syntax.name_span

    def has_trait(self, name: str) -> bool:
        """Whether the operation is known to have the trait or interface `name`."""
        return self.definition is not None and name in self.definition.traits

    @property
    def has_callee(self) -> bool:
        """True if the effects on its operands are those of a named sequence that it refers to."""
        return self.definition is not None and self.definition.effect_source is EffectSource.CALLEE

    @property
    def first_operand(self) -> Value | None:
        """The first operand, or None, or its name is undefined."""
        return self.operands[0] if self.operands else None

    @property
    def body(self) -> Block | None:
        """The first block of its regions."""
        return next(self.blocks(), None)

    # Attributes

    def has_attribute(self, name: str) -> bool:
        """Whether an attribute is spelled, with a value or as a unit."""
        return self.syntax.attribute(name) is not None

    def spelled(self, attribute: str) -> str | None:
        """Return the value of an attribute as spelled, or None if the attribute is absent or has no value."""
        named = self.syntax.attribute(attribute)
        return named.value if named is not None else None

    def integer(self, attribute: str, default: int | None = None) -> int | None:
        """Return the value of an integer attribute, `default` if it is absent; None if the value is no integer."""
        if not self.has_attribute(attribute):
            return default
        return integer((self.spelled(attribute) or "").partition(":")[0].strip())

    def integers(self, attribute: str) -> tuple[int | None, ...] | None:
        """Return the elements of an attribute as `integers_in` does; () if it is absent."""
        return integers_in(self.spelled(attribute) or "[]")

    def criterion(self, asks: MatchCriterion) -> NamedAttribute | None:
        """Return the attribute with a criterion of its search, or None if absent or has no value."""
        described = self.definition.attributes if self.definition is not None else ()
        name = next((attribute.name for attribute in described if attribute.asks is asks), None)
        criterion = self.syntax.attribute(name) if name is not None else None
        return criterion if criterion is not None and criterion.value is not None else None

    @property
    def required_names(self) -> frozenset[str] | None:
        """The names of payload operations that its search requires, or None without such a criterion."""
        attribute = self.criterion(MatchCriterion.NAMES)
        return strings_in(attribute.value) if attribute is not None and attribute.value is not None else None

    @property
    def searched(self) -> Value | None:
        """The searched handle: the first operand of the group to which the first result is related."""
        results = self.definition.results if self.definition is not None else ()
        first = next((relation for result in results for relation in result.relations), None)
        return next(iter(self.group(first.other)), None) if first is not None else None

    @property
    def deduplicates(self) -> bool:
        """True if it has the unit attribute ``deduplicate``, or by its definition does not need it."""
        described = self.definition.attributes if self.definition is not None else ()
        always = any(attribute.name == DEDUPLICATE and attribute.default == "true" for attribute in described)
        return always or self.has_attribute(DEDUPLICATE)

    # Other operations

    def ancestors(self) -> Iterator[Operation]:
        """Yield the enclosing operations, innermost first."""
        parent = self.parent
        while parent is not None:
            yield parent
            parent = parent.parent

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks of all its regions."""
        for region in self.regions:
            yield from region.blocks

    def walk(self) -> Iterator[Operation]:
        """Yield this operation and all nested ones in the order of the text."""
        yield self
        for block in self.blocks():
            for operation in block.operations:
                yield from operation.walk()

    def group(self, name: str) -> tuple[Value | None, ...]:
        """Return the operands bound to the ODS name `name`; empty if the binding is not known."""
        groups = self.syntax.operand_groups
        if groups is None or name not in groups:
            return ()
        begin, end = groups[name]
        return tuple(self.operands[begin:end])

    def result_group(self, name: str) -> tuple[Value, ...]:
        """Return the results bound to the ODS name `name`; empty if the binding is not known."""
        begin, end = (self.syntax.result_groups or {}).get(name, (0, 0))
        return self.results[begin:end]


class UnresolvedUse(Struct, eq=False):
    """An operand whose name has no visible definition."""

    operation: Operation
    operand: int
    name: str
    span: Span


class Redefinition(Struct, eq=False):
    """A second definition of an SSA name that is still visible."""

    operation: Operation
    """The operation whose result or block argument redefines the name."""
    name: str
    span: Span
    first: Span


class Model(Struct, eq=False):
    """The operations of the top level, and the names and labels that could not be resolved."""

    operations: list[Operation]
    types: TypeTexts
    unresolved: list[UnresolvedUse]
    redefinitions: list[Redefinition]
    unknown_labels: list[tuple[Operation, str, Span]]
    """Successors that name no block of their region: the operation, the label and its span."""
    _all: list[Operation] = field(default_factory=list)

    def walk(self) -> Iterator[Operation]:
        """Yield every operation in the order of the text."""
        if not self._all:
            self._all = [nested for operation in self.operations for nested in operation.walk()]
        return iter(self._all)


def operation_at(model: Model, offset: int) -> Operation | None:
    """Return the innermost operation whose text contains `offset` of the section, or ends there."""
    operation = _containing(model.operations, offset)
    inner = operation
    while inner is not None:
        operation, inner = inner, _operation_in(inner, offset)
    return operation


def _containing(operations: Sequence[Operation], offset: int) -> Operation | None:
    index = bisect_right(operations, offset, key=lambda operation: operation.span.start) - 1
    return operations[index] if index >= 0 and offset <= operations[index].span.end else None


def _operation_in(operation: Operation, offset: int) -> Operation | None:
    for region in operation.regions:
        if region.syntax.span.start <= offset < region.syntax.span.end:
            index = bisect_right(region.blocks, offset, key=lambda block: block.syntax.start) - 1
            return _containing(region.blocks[index].operations, offset) if index >= 0 else None
    return None
