"""A parser that records the tokens it queries at the cursor, which is the end of its text.

Each query of the parser at the cursor is answered with "no" and recorded as an expectation.
"""

from __future__ import annotations

from bisect import bisect_right
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.grammars import parser
from tdls.syntax import scanner
from tdls.syntax.expected.model import (
    NOTHING,
    Anything,
    AttributeName,
    AttributeValue,
    ExpectedLiteral,
    ExpectedType,
    Focus,
    NewName,
    Number,
    Operand,
    PartialOperation,
    SuccessorLabel,
    SymbolName,
    SymbolReference,
    Text,
    group_at,
    place_in_function_type,
    type_of,
)
from tdls.syntax.parser import operation_ends
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.operation_state import OPERANDS, RESULTS, OperationState
from tdls.syntax.parser.parser import Parser
from tdls.syntax.terminals import acceptable, literals
from tdls.syntax.tree import Form, ValueUse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import AttributeDefinition
    from tdls.syntax.expected.model import Expectation
    from tdls.syntax.parser.assembly import format as ods
    from tdls.syntax.tree import ResultGroup

_TYPES = frozenset({"SCALAR_TYPE", "TYPE_ALIAS", "DIALECT_TYPE", "DIALECT_TYPE_HEAD"})
_SHAPED_TYPES = frozenset({"_COMPLEX", "_TUPLE", "_VECTOR", "_TENSOR", "_MEMREF"})
_ATTRIBUTES = frozenset({"ATTRIBUTE_ALIAS", "DIALECT_ATTRIBUTE", "DIALECT_ATTRIBUTE_HEAD"})
_NUMBERS = frozenset({"INTEGER", "FLOAT", "DIMENSION"})
_BRACKETS = frozenset("[{(<")
_ELEMENT_ENDS = (scanner.STRING, scanner.NUMBER, scanner.SYMBOL)


def expected_in_detail(
    symbol: str, text: str, name: str = "", definition: AttributeDefinition | None = None
) -> tuple[Expectation, ...]:
    """Return the expectations behind `text`, the beginning of a detail that `symbol` of ``mlir.lark`` describes.

    `name` and `definition` are those of the attribute whose value it is. Empty if `text` is malformed. Never raises.
    """
    tokens = scanner.scan(text)
    kinds = tokens.kinds[: tokens.count]
    if kinds[1:] == ["<"] and kinds[0] in (scanner.TYPE, scanner.ATTRIBUTE):
        return _parameters(text, name, definition)
    element = _element(name, definition)
    listed = _in_list(kinds, element) if element else ()
    return listed or _expectations(_terminals_after(symbol, text), text, name, definition)


def _element(name: str, definition: AttributeDefinition | None) -> tuple[Expectation, ...]:
    """Return the expectations for an element of an array attribute, by the attribute's constraint."""
    match definition.constraint if definition is not None else "":
        case "StrArrayAttr":
            return (Text(name, definition),)
        case "SymbolRefArrayAttr":
            return (SymbolReference(name, definition),)
        case "TypeArrayAttr":
            return (ExpectedType(),)
        case "I64ArrayAttr" | "DenseI32ArrayAttr" | "DenseI64ArrayAttr":
            return (Number(), ExpectedLiteral("-"))
    return ()


def _in_list(kinds: list[str], element: tuple[Expectation, ...]) -> tuple[Expectation, ...]:
    """Return the expectations behind the beginning of a list of plain elements; empty for other text."""
    if kinds[:1] != ["["] or any(kind in _BRACKETS for kind in kinds[1:]):
        return ()
    if kinds[-1] in ("[", ","):
        return (*element, ExpectedLiteral("]")) if kinds[-1] == "[" else element
    return (ExpectedLiteral(","), ExpectedLiteral("]")) if kinds[-1] in _ELEMENT_ENDS else ()


def _parameters(text: str, name: str, definition: AttributeDefinition | None) -> tuple[Expectation, ...]:
    """Return the expectations behind the ``<`` of a dialect's type or attribute."""
    head = _open_head(text)
    return (Text(name, definition, head), Anything(head), ExpectedLiteral(">"))


def _expectations(
    terminals: frozenset[str], text: str, name: str, definition: AttributeDefinition | None
) -> tuple[Expectation, ...]:
    if "BODY_TEXT" in terminals:
        closers = _literals(terminals - {"LESS", "LPAR", "LSQB", "LBRACE"})
        return tuple(dict.fromkeys((*_parameters(text, name, definition), *closers)))
    expectations: list[Expectation] = []
    if "STRING" in terminals:
        expectations.append(Text(name, definition))
    if "SYMBOL" in terminals:
        expectations.append(SymbolReference(name, definition))
    if terminals & _TYPES:
        expectations.append(ExpectedType())
    if terminals & _ATTRIBUTES:
        expectations.append(AttributeValue(name, definition))
    if "BARE_IDENTIFIER" in terminals:
        expectations.append(AttributeName())
    if terminals & _NUMBERS:
        expectations.append(Number())
    return (*expectations, *_literals(terminals))


def _literals(terminals: frozenset[str]) -> tuple[ExpectedLiteral, ...]:
    parts: list[ExpectedLiteral] = []
    for terminal in sorted(terminals - _SHAPED_TYPES):
        if terminal == "BOOL":
            parts += (ExpectedLiteral("true"), ExpectedLiteral("false"))
        elif terminal in literals():
            parts.append(ExpectedLiteral(literals()[terminal]))
        elif terminal.startswith("_"):
            parts.append(ExpectedLiteral(terminal[1:].lower()))
    return tuple(parts)


@lru_cache(maxsize=256)
def _terminals_after(symbol: str, text: str) -> frozenset[str]:
    import lark

    state = parser("mlir").parse_interactive(text, symbol)
    try:
        state.exhaust_lexer()
    except lark.UnexpectedInput:
        return frozenset()
    return acceptable(state)


def _open_head(text: str) -> str:
    """Return the ``!name`` or ``#name`` before the last unclosed ``<``, or ``""``."""
    tokens = scanner.scan(text)
    for index in range(tokens.count - 1, 0, -1):
        if tokens.kinds[index] != "<" or index in tokens.partners:
            continue
        if tokens.kinds[index - 1] in (scanner.TYPE, scanner.ATTRIBUTE):
            return text[tokens.starts[index - 1] : tokens.ends[index - 1]]
    return ""


class CompletionParser(Parser):
    """A parser whose text ends at the cursor. `found` and `operation` hold the expectations and their operation."""

    def __init__(
        self, tokens: scanner.Tokens, catalogue: Catalogue, default_dialect: str, *, nested: bool = False
    ) -> None:
        super().__init__(tokens, catalogue, default_dialect, nested=nested)
        self.cursor = tokens.count
        self.nested = nested
        self.catalogue = catalogue
        self.found: dict[Expectation, None] = {}
        self.operation: PartialOperation | None = None
        self.shift = 0
        """The difference between an offset in the requested text and the same offset in the parser's text."""
        self.focus = NOTHING
        self.path: list[ods.Element] = []
        """The elements of the format that are being read, outermost first."""
        self.silent = False
        """True while expectations are not recorded."""
        self._state: OperationState | None = None
        self._results: tuple[ResultGroup, ...] = ()
        self._detail: tuple[str, int] | None = None

    @property
    def at_cursor(self) -> bool:
        """Whether the next token is at the cursor."""
        return self.index == self.cursor

    def note(self, *expectations: Expectation) -> None:
        """Record expectations at the cursor."""
        if self.silent:
            return
        if self.operation is None and self._state is not None:
            self.operation = self._partial(self._state)
        self.found.update(dict.fromkeys(expectations))

    def _partial(self, state: OperationState) -> PartialOperation:
        offset = self.shift
        return PartialOperation(
            state.name,
            self.span(state.name_index, state.name_index + 1).shifted(offset),
            state.form,
            state.definition,
            self._results,
            {
                name: tuple(ValueUse(use.start + offset, use.end + offset, use.name, use.number) for use in uses)
                for name, uses in state.values.items()
            },
            tuple(state.attributes),
            tuple(self.path),
            self.focus.name,
        )

    @contextmanager
    def focused(self, focus: Focus) -> Iterator[None]:
        """Relate expectations inside the ``with`` block to `focus`."""
        saved, self.focus = self.focus, focus
        try:
            yield
        finally:
            self.focus = saved

    # Queries, each of which records an expectation if it concerns the token at the cursor

    def at(self, kind: str) -> bool:
        self._note_kind(kind)
        return super().at(kind)

    def at_keyword(self, keyword: str) -> bool:
        if self.at_cursor:
            self.note(ExpectedLiteral(keyword))
        return super().at_keyword(keyword)

    def accept(self, kind: str) -> bool:
        self._note_kind(kind)
        return super().accept(kind)

    def expect(self, kind: str, expected: str | None = None) -> int:
        self._note_kind(kind)
        return super().expect(kind, expected)

    def expect_any(self, kinds: tuple[str, ...], expected: str) -> int:
        if self.at_cursor and scanner.IDENTIFIER in kinds:
            self.note(AttributeName(self._attributes_not_given(), argument=self.focus.is_argument))
        return super().expect_any(kinds, expected)

    def at_type(self, index: int | None = None) -> bool:
        if (self.index if index is None else index) == self.cursor:
            self.note(self._type())
        return super().at_type(index)

    def at_attribute(self, index: int | None = None) -> bool:
        where = self.index if index is None else index
        if where == self.cursor:
            self.note(self._attribute())
            return False
        return super().at_attribute(index)

    def at_case(self, definition: AttributeDefinition) -> bool:
        if self.at_cursor:
            self.note(AttributeValue(definition.name, definition))
        return super().at_case(definition)

    def after_type(self, index: int) -> int:
        if index == self.cursor:
            self.note(self._type())
        with self._inside_detail("type", index):
            behind = super().after_type(index)
        if behind == self.cursor and self._may_have_parameters(behind - 1):
            self.note(ExpectedLiteral("<"))
        return behind

    def after_attribute(self, index: int, *, typed: bool = True) -> int:
        if index == self.cursor:
            self.note(self._attribute())
        with self._inside_detail("attribute", index):
            behind = super().after_attribute(index, typed=typed)
        if behind == self.cursor and typed and self.kinds[behind - 1] in (scanner.NUMBER, scanner.STRING):
            self.note(ExpectedLiteral(":"))
        if behind == self.cursor and self.kinds[behind - 1] == scanner.ATTRIBUTE:
            self.note(ExpectedLiteral("<"))
        return behind

    def after_symbol(self, index: int) -> int:
        """Return the index behind the symbol reference that begins at token `index`. Raises `Mismatch`."""
        if index == self.cursor:
            self.note(self._symbol())
        return super().after_symbol(index)

    def after_group(self, index: int) -> int:
        """Return the index behind the partner of the bracket at `index`. Raises `Mismatch`.

        If the bracket is still open at the cursor, the expectations of a location are recorded.
        """
        if self.silent or self.tokens.partners.get(index, -1) >= index:
            return super().after_group(index)
        lines = self.tokens.line_starts
        behind = lines[bisect_right(lines, index) :]
        if any(operation_ends.starts_operation(self, line) for line in behind if line < self.cursor):
            return super().after_group(index)
        if self._detail is None and self.spelling(index - 1) == "loc":
            self.note(*expected_in_detail("location", self.text[self.starts[index - 1] :]))
        raise Mismatch(self.cursor, "the rest")

    def _may_have_parameters(self, index: int) -> bool:
        """Whether ``<`` may follow the type's name at token `index`."""
        if self.kinds[index] != scanner.TYPE or "." not in self.spelling(index):
            return False
        definition = self.catalogue.type_definition(self.spelling(index)[1:])
        return definition is None or bool(definition.parameters) or definition.custom_assembly

    def _note_kind(self, kind: str) -> None:
        if self.silent or not self.at_cursor:
            return
        match kind:
            case scanner.VALUE:
                self.note(NewName() if self._defines_names() else self._operand())
            case scanner.SYMBOL:
                self.note(self._symbol())
            case scanner.BLOCK:
                self.note(SuccessorLabel())
            case scanner.NUMBER:
                self.note(Number())
            case scanner.STRING:
                self.note(Text(*self._attribute_in_focus(self.cursor)))
            case scanner.TYPE | scanner.ATTRIBUTE | scanner.IDENTIFIER:
                return
            case _:
                self.note(ExpectedLiteral(kind))

    # Details

    @contextmanager
    def _inside_detail(self, symbol: str, index: int) -> Iterator[None]:
        """Take expectations from the grammar if the detail from token `index` on, read in the block, is incomplete."""
        outermost = self._detail is None and index != self.cursor and not self.silent
        if outermost:
            self._detail = (symbol, index)
        try:
            yield
        except Mismatch as mismatch:
            if outermost and mismatch.index >= self.cursor - 1 and self._note_detail(symbol, index):
                raise Mismatch(self.cursor, mismatch.expected) from None
            raise
        finally:
            if outermost:
                self._detail = None

    def _note_detail(self, symbol: str, index: int) -> bool:
        """Record the expectations behind the detail that begins at token `index`; False if it is malformed."""
        name, definition = self._attribute_in_focus(index)
        expectations = expected_in_detail(symbol, self.text[self.starts[index] :], name, definition)
        self.note(*expectations)
        return bool(expectations)

    def _attribute_in_focus(self, index: int) -> tuple[str, AttributeDefinition | None]:
        """Return the name and the definition of the attribute whose value begins at token `index`."""
        if self.focus.attribute is None and self.kinds[index - 1] == "=":
            name = self.spelling(index - 2).strip('"')
            return name, next((attribute for attribute in self._attributes() if attribute.name == name), None)
        return (self.focus.name if self.focus.attribute is not None else ""), self.focus.attribute

    # Expectations in the current focus

    def _attributes(self) -> tuple[AttributeDefinition, ...]:
        definition = self._state.definition if self._state is not None else None
        return definition.attributes if definition is not None and not self.focus.is_argument else ()

    def _attributes_not_given(self) -> tuple[AttributeDefinition, ...]:
        """Return the operation's attributes that neither its format nor the dictionary before the cursor spells."""
        given = {attribute.name for attribute in self._state.attributes} if self._state is not None else set()
        given.update(self._names_in_open_dictionary())
        return tuple(attribute for attribute in self._attributes() if attribute.name not in given)

    def _names_in_open_dictionary(self) -> Iterator[str]:
        index = self.cursor - 1
        while index >= 0 and not (self.kinds[index] == "{" and index not in self.tokens.partners):
            partner = self.tokens.partners.get(index, index)
            if self.kinds[index] in (scanner.IDENTIFIER, scanner.STRING):
                yield self.spelling(index).strip('"')
            index = min(partner, index) - 1

    def _defines_names(self) -> bool:
        if self.focus.is_argument:
            return True
        definition = self._state.definition if self._state is not None else None
        return definition is not None and not definition.operands

    def _operand(self) -> Operand:
        state = self._state
        if state is None or state.definition is None:
            return Operand()
        if self.focus.operand is not None:
            position = self._values_since(self.focus.start)
            return Operand(self.focus.operand, position)
        if state.form is Form.GENERIC:
            return Operand(*group_at(state.definition.operands, self._values_since(state.name_index)))
        unbound = (operand for operand in state.definition.operands if operand.name not in state.values)
        return Operand(next(unbound, None))

    def _values_since(self, start: int) -> int:
        return sum(kind == scanner.VALUE for kind in self.kinds[start : self.cursor])

    def _symbol(self) -> SymbolReference | SymbolName:
        state = self._state
        given = state is None or state.symbol_name is not None
        defines = any(attribute.constraint == "SymbolNameAttr" for attribute in self._attributes())
        if defines and not given and self.focus.attribute is None:
            return SymbolName()
        return SymbolReference(*self._attribute_in_focus(self.cursor))

    def _attribute(self) -> AttributeValue:
        return AttributeValue(*self._attribute_in_focus(self.cursor))

    def _type(self) -> ExpectedType:
        state = self._state
        if state is None or self._detail is not None or self.focus.is_argument:
            return ExpectedType()
        keys = self.focus.function_type
        if keys is None and state.form is Form.GENERIC:
            keys = (OPERANDS, RESULTS)
        if keys is not None:
            side, position = place_in_function_type(self, self.cursor)
            return type_of(state, keys[side], position)
        name = self.focus.name
        return type_of(state, name, len(state.types.get(name, ()))) if name else ExpectedType()
