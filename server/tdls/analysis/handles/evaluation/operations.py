"""The operations of a payload: those that are written, and those that a script makes of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.handles.payload.names import STRUCTURED
from tdls.analysis.verifying.attribute_values import integers_of
from tdls.syntax import scanner
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.sections.sections import Section


def entries(dictionary: str) -> list[tuple[str, str | None]]:
    """Return names and values of a dictionary attribute as it is spelled; None for units."""
    found: list[tuple[str, str | None]] = []
    for entry in split(dictionary.strip()[1:-1]):
        name, equals, value = entry.partition("=")
        found.append((name.strip().strip('"'), value.strip() if equals else None))
    return found


def split(text: str) -> list[str]:
    """Return what stands between commas that are in no brackets or strings, without blanks around."""
    found: list[str] = []
    depth, start, in_string = 0, 0, False
    for index, character in enumerate(text):
        if character == '"' and text[index - 1 : index] != "\\":
            in_string = not in_string
        elif in_string:
            continue
        elif character in "([{<":
            depth += 1
        elif character in ")]}" or (character == ">" and text[index - 1 : index] != "-"):
            depth -= 1
        elif character == "," and not depth:
            found.append(text[start:index].strip())
            start = index + 1
    last = text[start:].strip()
    return [*found, last] if last else found


SCALARS = frozenset({"arith", "complex", "index", "math", "ub"})
"""Dialects whose operations compute scalars, and have no regions."""


class Introduced(NamedTuple):
    """Names of operations that may have come."""

    names: frozenset[str] = frozenset()
    dialects: frozenset[str] = frozenset()
    """Those of which any operation may have come."""
    anything: bool = False

    def __or__(self, other: tuple[object, ...]) -> Introduced:
        """Return what may have come where both may."""
        names, dialects, anything = other
        assert isinstance(names, frozenset)
        assert isinstance(dialects, frozenset)
        return Introduced(self.names | names, self.dialects | dialects, self.anything or bool(anything))

    @property
    def is_nothing(self) -> bool:
        """True if nothing came."""
        return not (self.names or self.dialects or self.anything)

    def may_have(self, name: str) -> bool:
        """Tell whether an operation with this name may have come."""
        return self.anything or name in self.names or name.partition(".")[0] in self.dialects

    def may_have_trait(self, trait: str | None, catalogue: Catalogue) -> bool:
        """Tell whether an operation with a trait may have come; None stands for one that scalar operations lack."""
        if self.anything or self.dialects - SCALARS:
            return True
        definitions = (catalogue.operation(name) for name in self.names if name.partition(".")[0] not in SCALARS)
        return any(definition is None or trait is None or trait in definition.traits for definition in definitions)


NOTHING = Introduced()
ANYTHING = Introduced(anything=True)


def bringing(*several: str) -> Introduced:
    """Return that operations may come: of a name that has a dot, or of a whole dialect."""
    return Introduced(
        frozenset(name for name in several if "." in name), frozenset(name for name in several if "." not in name)
    )


@dataclass(eq=False, slots=True)
class PayloadOperation:
    """An operation of a payload. It changes as the script is run."""

    name: str
    parent: PayloadOperation | None
    written: Operation | None = None
    """As it is in the text; for a new operation that has the attributes of an old one, the old one; None for others."""
    section: Section | None = None
    """The section that it is written in."""
    children: list[PayloadOperation] = field(default_factory=list)
    """What is directly in its regions, in the order of the text."""
    is_sure: bool = True
    """False once it may be gone, or elsewhere, or another one."""
    is_as_written: bool = True
    """True if its operands, results and types are as they are written."""
    replaced_by: Operation | None = None
    """The operation of the script since which it is certainly gone, if there is one."""
    successor: PayloadOperation | None = None
    """What defines its results since it is gone, if that is known."""
    annotated: set[str] = field(default_factory=set)
    """The names of attributes that the script may have given it."""

    def walk(self) -> Iterator[PayloadOperation]:
        """Yield all that is in it, and itself at last, as MLIR walks."""
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
        """Return what the catalogue says of it."""
        return catalogue.operation(self.name)

    def put_in_place_of(self, old: PayloadOperation, cause: Operation) -> None:
        """Stand where `old` stood, which is gone since the script executed `cause`."""
        self.parent = old.parent
        if old.parent is not None:
            siblings = old.parent.children
            siblings[siblings.index(old)] = self
        for nested in old.walk():
            nested.replaced_by = cause

    def remove(self, cause: Operation) -> None:
        """Be gone since the script executed `cause`."""
        if self.parent is not None:
            self.parent.children.remove(self)
        for nested in self.walk():
            nested.replaced_by = cause

    def copy(self, parent: PayloadOperation | None) -> PayloadOperation:
        """Return the same operation elsewhere, as clones of it have other operands."""
        same = PayloadOperation(self.name, parent, self.written, self.section, is_sure=self.is_sure)
        same.is_as_written = False
        same.annotated = set(self.annotated)
        same.children = [child.copy(same) for child in self.children]
        return same

    @property
    def shown(self) -> str:
        """What messages call it."""
        symbol = self.written.syntax.symbol_name if self.written is not None else None
        return f"`{self.name}`" if symbol is None else f"`{self.name} @{symbol}`"


def operands_of(operation: PayloadOperation) -> list[Value | None] | None:
    """Return the values that an operation takes, in ODS order; None if they are not known."""
    written = operation.written if operation.is_as_written else None
    if written is None or written.syntax.broken:
        return None
    return written.operands if _is_in_order(written) else None


def input_count(operation: PayloadOperation) -> int | None:
    """Return how many operands of a structured operation are inputs, which stand before the initial values."""
    written, section = operation.written, operation.section
    if written is None or operands_of(operation) is None:
        return None
    if written.syntax.operand_groups is not None:
        group = next((group for name, group in written.syntax.operand_groups.items() if name in _INPUTS), None)
        return group[1] - group[0] if group is not None else None
    start = written.location[1]
    outputs = _word_in(section.text[start : written.span.end], _OUTPUTS) if section is not None else None
    return sum(use.start < start + outputs for use in written.syntax.operands) if outputs is not None else None


def own_attribute(operation: PayloadOperation, name: str, aliases: Mapping[str, str]) -> str | None:
    """Return the value of an attribute as it is spelled, also in the alias with which an operation begins."""
    written = operation.written
    own = written.syntax.attribute(name) if written is not None else None
    if own is not None and own.value is not None:
        return aliases.get(own.value, own.value)
    if written is None or operation.section is None or written.syntax.form is not Form.STRUCTURAL:
        return None
    words = operation.section.text[written.location[1] : written.span.end].split(maxsplit=1)
    dictionary = aliases.get(words[0]) if words else None
    return dict(entries(dictionary)).get(name) if dictionary is not None else None


def list_of(operation: PayloadOperation, name: str, aliases: Mapping[str, str]) -> tuple[int, ...] | None:
    """Return the integers of an attribute, spelled in a dictionary or as ``name = [...]`` in a form that C++ reads."""
    spelled = own_attribute(operation, name, aliases)
    if spelled is None and operation.written is not None and operation.section is not None:
        behind = operation.section.text[operation.written.location[1] : operation.written.span.end]
        start = _word_in(behind, name)
        found = _LIST.match(behind[start + len(name) :]) if start is not None else None
        spelled = found[1] if found is not None else None
    return integers_of(spelled) if spelled is not None else None


_LIST = re.compile(r"\s*=\s*(\[[^\[\]]*\])", re.ASCII)


def _word_in(text: str, word: str) -> int | None:
    """Return where a word stands in a text, outside of all brackets."""
    tokens = scanner.scan(text)
    index = 0
    while index < len(tokens.starts):
        if text.startswith(word, tokens.starts[index]) and tokens.ends[index] - tokens.starts[index] == len(word):
            return tokens.starts[index]
        partner = tokens.partners.get(index, -1)
        index = partner + 1 if partner > index else index + 1
    return None


_INPUTS = ("inputs", "input")
"""What definitions call the inputs of structured operations."""
_OUTPUTS = "outs"


def result_count(operation: PayloadOperation) -> int | None:
    """Return how many results an operation has; None if that is not known."""
    written = operation.written if operation.is_as_written else None
    if written is None:
        return None
    if written.syntax.results:
        return written.syntax.result_count
    if _is_structured(written):
        return 0 if is_on_buffers(operation) else None
    definition = written.definition
    return 0 if definition is not None and not definition.results else None


def is_on_buffers(operation: PayloadOperation) -> bool:
    """Tell whether what a structured operation writes to is known to be buffers: its last operand is."""
    operands = operands_of(operation)
    last = type_of(operands[-1]) if operands else None
    return last is not None and last.startswith(_BUFFER)


def result_type(operation: PayloadOperation) -> str | None:
    """Return the type of the only result of an operation; None if that is not known."""
    written = operation.written if operation.is_as_written else None
    return type_of(written.results[0]) if written is not None and len(written.results) == 1 else None


def type_of(value: Value | None) -> str | None:
    """Return the canonical type of a value, which structured operations do not spell for their results."""
    seen = 0
    while value is not None and value.type is None and value.operation is not None and seen < _MOST_VALUES:
        owner = value.operation
        if not _is_structured(owner) or not _is_in_order(owner) or len(owner.operands) < len(owner.results):
            return None
        value = owner.operands[value.index - len(owner.results)]
        seen += 1
    return value.type if value is not None else None


_BUFFER = "memref<"
_MOST_VALUES = 100
"""How many structured operations in a row are followed from result to initial value."""


def is_structured(definition: OperationDefinition) -> bool:
    """Tell whether operations of a definition are structured ones."""
    return STRUCTURED in definition.traits


def _is_structured(operation: Operation) -> bool:
    return operation.has_trait(STRUCTURED)


def _is_in_order(operation: Operation) -> bool:
    """Tell whether operands are in ODS order: the custom form of structured operations has inputs, then outputs."""
    return operation.syntax.form is not Form.STRUCTURAL or _is_structured(operation)
