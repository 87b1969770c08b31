"""The syntax tree: the text's structure without its semantics.

A tree is immutable after parsing, and parts of it are shared between versions of a document. To allow that, offsets
count from the start of the parsed text, which is a section's, hardly ever a file's.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from tdls.structs import Struct
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.model import OperationDefinition


class Node(Struct, eq=False):
    """Base of all nodes: the range ``[start, end)`` in code points from the start of the tree's text."""

    start: int
    end: int

    @property
    def span(self) -> Span:
        """The node's range in the tree's text."""
        return Span(self.start, self.end)


class ValueUse(Node, eq=False):
    """A use of an SSA value: ``%name`` or ``%name#number``; `name` includes the percent sign."""

    name: str
    number: int | None = None


class ResultGroup(Node, eq=False):
    """A definition before ``=``: ``%name`` or ``%name:count``."""

    name: str
    count: int = 1


class TypeUse(Node, eq=False):
    """A type; `text` is as written. A type implied by the definition, which allows no other, has an empty range."""

    text: str

    @property
    def is_spelled(self) -> bool:
        """False for a type that is implied."""
        return self.end > 0


class NamedAttribute(Node, eq=False):
    """``name = value`` of a dictionary, or an attribute spelled by an assembly format.

    `value` is the text of the value as written, None for a unit attribute; an attribute that a format implies by a
    keyword has the range of that keyword.
    """

    name: str
    value: str | None
    value_start: int
    value_end: int


class SymbolUse(Node, eq=False):
    """A symbol reference ``@root::@nested``; `path` has the names without ``@`` and quotes."""

    path: tuple[str, ...]


class BlockArgument(Node, eq=False):
    """A block argument; `type` is None if the syntax does not spell it."""

    name: str
    type: TypeUse | None = None
    attributes: tuple[NamedAttribute, ...] = ()


class Successor(Node, eq=False):
    """A successor ``^label(%a, %b : ...)``."""

    label: str
    arguments: tuple[ValueUse, ...] = ()


class Signature(Struct, eq=False):
    """The spelled signature of a function-like operation; arguments of a declaration may have no name (``""``)."""

    arguments: tuple[BlockArgument, ...]
    results: tuple[TypeUse, ...]


class Form(Enum):
    """The form in which an operation was parsed."""

    GENERIC = "generic"
    EXACT = "exact"
    """Custom form, parsed by the operation's assembly format."""
    STRUCTURAL = "structural"
    """Custom form with an unknown format: boundaries, uses and regions only."""


class Block(Node, eq=False):
    """A block; `label` is None for an entry block without a label. `arguments` include those that the operation's own
    syntax defines (``scf.for %i = ...``)."""

    label: str | None
    label_span: Span
    arguments: tuple[BlockArgument, ...]
    operations: tuple[Operation, ...]


class Region(Node, eq=False):
    """A region, braces included."""

    blocks: tuple[Block, ...]


class Operation(Node, eq=False):
    """An operation, from its first result to its trailing location.

    `name` is the full name (default dialect filled in), ``""`` if it is missing. `operands` are in ODS order for
    exact and generic forms, in the order of the text otherwise; `operand_groups` maps ODS names to index ranges of
    `operands` and is None if the binding is not known. Types are None if they are neither spelled nor implied;
    entries are texts as written.
    """

    name: str
    name_span: Span
    form: Form
    definition: OperationDefinition | None
    results: tuple[ResultGroup, ...]
    operands: tuple[ValueUse, ...]
    operand_groups: dict[str, tuple[int, int]] | None
    operand_types: tuple[TypeUse | None, ...] | None
    result_types: tuple[TypeUse, ...] | None
    result_groups: dict[str, tuple[int, int]] | None
    attributes: tuple[NamedAttribute, ...]
    successors: tuple[Successor, ...]
    regions: tuple[Region, ...]
    symbols: tuple[SymbolUse, ...]
    """Symbol references spelled anywhere in the operation outside its regions, the defined name excluded."""
    symbol_name: str | None
    """The symbol that the operation defines, without ``@``."""
    symbol_span: Span | None
    signature: Signature | None = None
    """Only for function-like operations in a known custom form."""
    broken: bool = False
    """True if the operation itself has a syntax error (its regions do not count)."""

    def walk(self) -> Iterator[Operation]:
        """Yield this operation and all nested ones in the order of the text."""
        yield self
        for region in self.regions:
            for block in region.blocks:
                for operation in block.operations:
                    yield from operation.walk()

    def attribute(self, name: str) -> NamedAttribute | None:
        """Return the spelled attribute called `name`."""
        return next((attribute for attribute in self.attributes if attribute.name == name), None)

    @property
    def result_count(self) -> int:
        """The number of results that are named before ``=``."""
        return sum(group.count for group in self.results)


class SyntaxProblem(Node, eq=False):
    """A syntax error: a message with the expected and the found token, and advice to fix it."""

    message: str
    help: str | None = None
    is_certain: bool = False
    """True if no form of any operation, known or not, can be written like this."""
    new_name: str = ""
    """The present name of an operation that is written with its former one, as before all versions of the facts."""


class Alias(Node, eq=False):
    """``!name = type`` or ``#name = attribute``; `name` includes the sigil."""

    name: str
    value: str
    value_start: int


class Member(Node, eq=False):
    """One operation or alias of a text's top level or of a container, from its first token to its last."""

    operation: Operation | None
    alias: Alias | None
    problems: tuple[SyntaxProblem, ...]
    """The member's syntax errors, without those of `children`."""
    children: tuple[Member, ...]
    """The members of containers that were parsed as a part of this member."""


class Tree(Struct, frozen=True, eq=False):
    """The text of a section or of a whole file, and the members of its top level."""

    text: str
    members: tuple[Member, ...]
    balanced: bool = True
    """False if a brace of the text has no partner."""

    def top_level(self) -> Iterator[Operation]:
        """Yield the operations of the text's top level."""
        for member in self.members:
            if member.operation is not None:
                yield member.operation

    def walk(self) -> Iterator[Operation]:
        """Yield every operation in the order of the text."""
        for operation in self.top_level():
            yield from operation.walk()

    def all_members(self) -> Iterator[Member]:
        """Yield every member before its children, in the order of the text."""
        pending = list(reversed(self.members))
        while pending:
            member = pending.pop()
            yield member
            pending.extend(reversed(member.children))

    def problems(self) -> Iterator[SyntaxProblem]:
        """Yield every syntax error, member by member."""
        for member in self.all_members():
            yield from member.problems
