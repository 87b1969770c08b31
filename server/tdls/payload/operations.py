"""Payload operations while a script runs on them: written ones, and those that the script makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.payload.kinds import STRUCTURED
from tdls.structs import Struct, field
from tdls.syntax import scanner
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation, Value


class PayloadOperation(Struct, eq=False):
    """A mutable operation of the payload."""

    name: str
    parent: PayloadOperation | None
    written: Operation | None = None
    """The operation in the text; for a new one with the attributes of an old one, the old one; else None."""
    text: str = ""
    """The text that the spans of `written` count in."""
    place: int | None = None
    """Its index among the written operations of its payload, or None for new ones."""
    children: list[PayloadOperation] = field(default_factory=list)
    """The operations directly in its regions, in text order."""
    is_sure: bool = True
    """False once it may have been erased, moved or replaced."""
    is_as_written: bool = True
    """True if its operands, results and types are those of `written`."""
    replaced_by: Operation | None = None
    """The script operation that certainly erased or replaced it, if there is one."""
    successor: PayloadOperation | None = None
    """The operation that defines its results after it was replaced, if known."""
    made_by: Operation | None = None
    """The script operation that made it, if its attributes are known by that."""
    made_from: PayloadOperation | None = None
    """The replaced operation that it was made from; without `made_by`, one that has the same loops."""
    is_added: bool = False
    """True if MLIR adds it to what is written, without attributes but those that its operation always has."""
    annotated: set[str] = field(default_factory=set)
    """The names of attributes that the script may have given it."""

    def walk(self) -> Iterator[PayloadOperation]:
        """Yield the operations in it, then itself, in post-order as MLIR walks."""
        for child in self.children:
            yield from child.walk()
        yield self

    def ancestors(self) -> Iterator[PayloadOperation]:
        """Yield the operations around it, innermost first."""
        parent = self.parent
        while parent is not None:
            yield parent
            parent = parent.parent

    def definition(self, catalogue: Catalogue) -> OperationDefinition | None:
        return catalogue.operation(self.name)

    def has_trait(self, trait: str, catalogue: Catalogue) -> bool:
        """Whether it is known to have a trait or interface."""
        definition = self.definition(catalogue)
        return definition is not None and trait in definition.traits

    def put_in_place_of(self, old: PayloadOperation, cause: Operation) -> None:
        """Replace `old` in its parent; mark `old` and the operations in it as replaced by `cause`."""
        self.parent = old.parent
        if old.parent is not None:
            siblings = old.parent.children
            siblings[siblings.index(old)] = self
        for nested in old.walk():
            nested.replaced_by = cause

    def remove(self, cause: Operation) -> None:
        """Remove it from its parent; mark it and the operations in it as replaced by `cause`."""
        if self.parent is not None:
            self.parent.children.remove(self)
        for nested in self.walk():
            nested.replaced_by = cause

    def copy(self, parent: PayloadOperation | None) -> PayloadOperation:
        """Return a deep copy for another place, with other operands than written, like a clone in MLIR."""
        same = PayloadOperation(self.name, parent, self.written, self.text, is_sure=self.is_sure)
        same.is_as_written = False
        same.made_by, same.made_from, same.is_added = self.made_by, self.made_from, self.is_added
        same.annotated = set(self.annotated)
        same.children = [child.copy(same) for child in self.children]
        return same

    @property
    def behind_name(self) -> str:
        """The text of `written` behind its name."""
        return self.text[self.written.location[1] : self.written.span.end] if self.written is not None else ""

    @property
    def shown(self) -> str:
        """Its name in messages."""
        symbol = self.written.syntax.symbol_name if self.written is not None else None
        return f"`{self.name}`" if symbol is None else f"`{self.name} @{symbol}`"


def operands_of(operation: PayloadOperation) -> list[Value | None] | None:
    """Return the operands of an operation, in ODS order, or None if not known."""
    written = operation.written if operation.is_as_written else None
    if written is None or written.syntax.broken:
        return None
    return written.operands if _is_in_order(written) else None


def input_count(operation: PayloadOperation) -> int | None:
    """Return the number of inputs of a structured operation, which come before the initial values; None if unknown."""
    written = operation.written
    if written is None or operands_of(operation) is None:
        return None
    if written.syntax.operand_groups is not None:
        group = next((group for name, group in written.syntax.operand_groups.items() if name in _INPUTS), None)
        return group[1] - group[0] if group is not None else None
    outputs = word_in(operation.behind_name, _OUTPUTS)
    if outputs is None:
        return None
    return sum(use.start < written.location[1] + outputs for use in written.syntax.operands)


def word_in(text: str, word: str) -> int | None:
    """Return the offset of the token `word` in a text, outside of all brackets, or None if absent."""
    tokens = scanner.scan(text)
    index = 0
    while index < len(tokens.starts):
        if text.startswith(word, tokens.starts[index]) and tokens.ends[index] - tokens.starts[index] == len(word):
            return tokens.starts[index]
        partner = tokens.partners.get(index, -1)
        index = partner + 1 if partner > index else index + 1
    return None


_INPUTS = ("inputs", "input")
"""Operand group names for the inputs of structured operations."""
_OUTPUTS = "outs"


def result_count(operation: PayloadOperation) -> int | None:
    """Return the number of results of an operation, or None if not known."""
    written = operation.written if operation.is_as_written else None
    if written is None:
        return None
    if written.syntax.results:
        return written.syntax.result_count
    types = written.syntax.result_types
    if types is not None and written.syntax.form is not Form.STRUCTURAL and not written.syntax.broken:
        return len(types)
    if written.has_trait(STRUCTURED):
        return 0 if is_on_buffers(operation) else None
    definition = written.definition
    return 0 if definition is not None and not definition.results else None


def is_on_buffers(operation: PayloadOperation) -> bool:
    """Whether a structured operation is known to write to buffers: its last operand is one."""
    operands = operands_of(operation)
    last = type_of(operands[-1]) if operands else None
    return last is not None and last.startswith(_BUFFER)


def result_type(operation: PayloadOperation) -> str | None:
    """Return the canonical type of the only result of an operation, or None if not known."""
    written = operation.written if operation.is_as_written else None
    return type_of(written.results[0]) if written is not None and len(written.results) == 1 else None


def type_of(value: Value | None) -> str | None:
    """Return the canonical type of a value; for results of structured operations, that of the initial value."""
    seen = 0
    while value is not None and value.type is None and value.operation is not None and seen < _MOST_VALUES:
        owner = value.operation
        if not owner.has_trait(STRUCTURED) or not _is_in_order(owner) or len(owner.operands) < len(owner.results):
            return None
        value = owner.operands[value.index - len(owner.results)]
        seen += 1
    return value.type if value is not None else None


_BUFFER = "memref<"
_MOST_VALUES = 100
"""Maximum number of structured operations to follow from result to initial value."""


def is_structured(definition: OperationDefinition) -> bool:
    """Whether operations of a definition are structured ones."""
    return STRUCTURED in definition.traits


def _is_in_order(operation: Operation) -> bool:
    """Whether operands are in ODS order: the custom form of structured operations has inputs, then outputs."""
    return operation.syntax.form is not Form.STRUCTURAL or operation.has_trait(STRUCTURED)
