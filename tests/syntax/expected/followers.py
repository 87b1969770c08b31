"""Compares the tokens of a text with those that the parser expects at their places."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.syntax import scanner
from tdls.syntax.expected.at_cursor import expected_at
from tdls.syntax.expected.model import (
    Anything,
    AttributeDictionary,
    AttributeName,
    AttributeValue,
    BlockLabel,
    Expectation,
    ExpectedLiteral,
    ExpectedType,
    FunctionType,
    NewName,
    Number,
    Operand,
    OperationStart,
    RegionStart,
    SuccessorLabel,
    SymbolName,
    SymbolReference,
    Text,
)
from tdls.syntax.parser.cursor import TokenCursor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.catalogue.catalogue import Catalogue
    from tdls.syntax.scanner import Tokens
    from tdls.syntax.tree import Operation, Tree


class Boundary(NamedTuple):
    """A place between two tokens of an operation: the text before it, and the token after it."""

    before: str
    follower: str
    expectations: tuple[Expectation, ...]
    is_expected: bool


def boundaries(catalogue: Catalogue, tree: Tree, operation: Operation, dialect: str) -> Iterator[Boundary]:
    """Ask at each boundary of `operation` outside its regions for the expected tokens."""
    span = operation.span
    begin = span.start - (span.start - tree.text.rfind("\n", 0, span.start) - 1)
    regions = [region.span for region in operation.regions]
    inside = [(region.start + 1 - begin, region.end - begin) for region in regions]
    column = span.start - tree.text.rfind("\n", 0, span.start) - 1
    text = " " * column + tree.text[span.start : span.end]
    tokens = scanner.scan(text)
    for index in range(1, tokens.count):
        start = tokens.starts[index]
        if tokens.kinds[index] == "::" or any(first <= start < end for first, end in inside):
            continue
        if tokens.kinds[index - 1] == "::":
            continue
        before = f"{text[:start]} "
        found = expected_at(before + text[start:], len(before), catalogue, default_dialect=dialect, nested=True)
        expected = any(matches(expectation, tokens, index) for expectation in found.expectations)
        yield Boundary(before, text[start : tokens.ends[index]], found.expectations, expected)


def matches(expectation: Expectation, tokens: Tokens, index: int) -> bool:
    """Whether token `index` is, or begins, an expected token."""
    kind = tokens.kinds[index]
    spelling = tokens.text[tokens.starts[index] : tokens.ends[index]]
    match expectation:
        case ExpectedLiteral(text=text):
            return spelling == text
        case OperationStart():
            return kind in (scanner.IDENTIFIER, scanner.STRING)
        case AttributeValue(definition=definition):
            if definition is not None and definition.cases:
                return spelling.strip('"') in definition.cases or kind in (scanner.ATTRIBUTE, scanner.NUMBER)
            return _cursor(tokens, index).at_attribute()
        case Anything(head=head):
            return bool(head)
        case ExpectedType():
            return _cursor(tokens, index).at_type()
        case _:
            return kind in _KINDS[type(expectation)]


_KINDS: dict[type, tuple[str, ...]] = {
    Operand: (scanner.VALUE,),
    NewName: (scanner.VALUE,),
    FunctionType: ("(",),
    AttributeName: (scanner.IDENTIFIER, scanner.STRING),
    AttributeDictionary: ("{", scanner.IDENTIFIER),
    RegionStart: ("{",),
    SuccessorLabel: (scanner.BLOCK,),
    BlockLabel: (scanner.BLOCK,),
    SymbolReference: (scanner.SYMBOL,),
    SymbolName: (scanner.SYMBOL,),
    Text: (scanner.STRING,),
    Number: (scanner.NUMBER,),
}


def _cursor(tokens: Tokens, index: int) -> TokenCursor:
    cursor = TokenCursor(tokens)
    cursor.index = index
    return cursor
