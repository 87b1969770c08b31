"""What may stand inside a type or an attribute whose end is not written yet: `grammar/mlir.lark` is asked."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tdls.grammars.grammars import parser
from tdls.syntax.expected.model import (
    Anything,
    AttributeName,
    AttributeValue,
    ExpectedLiteral,
    ExpectedType,
    Number,
    SymbolReference,
    Text,
)
from tdls.syntax.lexing import scanner
from tdls.syntax.terminals import acceptable, literals

if TYPE_CHECKING:
    from tdls.catalogue.model import AttributeDefinition
    from tdls.syntax.expected.model import Expectation

_TYPES = frozenset({"SCALAR_TYPE", "TYPE_ALIAS", "DIALECT_TYPE", "DIALECT_TYPE_HEAD"})
_SHAPED_TYPES = frozenset({"_COMPLEX", "_TUPLE", "_VECTOR", "_TENSOR", "_MEMREF"})
_ATTRIBUTES = frozenset({"ATTRIBUTE_ALIAS", "DIALECT_ATTRIBUTE", "DIALECT_ATTRIBUTE_HEAD"})
_NUMBERS = frozenset({"INTEGER", "FLOAT", "DIMENSION"})
_BRACKETS = frozenset("[{(<")
_ELEMENT_ENDS = (scanner.STRING, scanner.NUMBER, scanner.SYMBOL)


def expected_in_detail(
    symbol: str, text: str, name: str = "", definition: AttributeDefinition | None = None
) -> tuple[Expectation, ...]:
    """Return what may follow `text`, the beginning of a detail that `symbol` of ``mlir.lark`` describes.

    `name` and `definition` are those of the attribute it is the value of. Empty where `text` is broken. Never raises.
    """
    tokens = scanner.scan(text)
    kinds = tokens.kinds[: tokens.count]
    if kinds[1:] == ["<"] and kinds[0] in (scanner.TYPE, scanner.ATTRIBUTE):
        return _parameters(text, name, definition)
    element = _element(name, definition)
    listed = _in_list(kinds, element) if element else ()
    return listed or _expectations(_terminals_after(symbol, text), text, name, definition)


def _element(name: str, definition: AttributeDefinition | None) -> tuple[Expectation, ...]:
    """Return what an array's element is, where the constraint of the attribute says so."""
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
    """Return what may follow the beginning of a list of plain elements; empty if it is not one."""
    if kinds[:1] != ["["] or any(kind in _BRACKETS for kind in kinds[1:]):
        return ()
    if kinds[-1] in ("[", ","):
        return (*element, ExpectedLiteral("]")) if kinds[-1] == "[" else element
    return (ExpectedLiteral(","), ExpectedLiteral("]")) if kinds[-1] in _ELEMENT_ENDS else ()


def _parameters(text: str, name: str, definition: AttributeDefinition | None) -> tuple[Expectation, ...]:
    """Return what may stand behind the ``<`` of a dialect's type or attribute."""
    head = _open_head(text)
    return (Text(name, definition, head), Anything(head), ExpectedLiteral(">"))


def _expectations(
    terminals: frozenset[str], text: str, name: str, definition: AttributeDefinition | None
) -> tuple[Expectation, ...]:
    if "BODY_TEXT" in terminals:
        closers = _literals(terminals - {"LESS", "LPAR", "LSQB", "LBRACE"})
        return tuple(dict.fromkeys((*_parameters(text, name, definition), *closers)))
    found: list[Expectation] = []
    if "STRING" in terminals:
        found.append(Text(name, definition))
    if "SYMBOL" in terminals:
        found.append(SymbolReference(name, definition))
    if terminals & _TYPES:
        found.append(ExpectedType())
    if terminals & _ATTRIBUTES:
        found.append(AttributeValue(name, definition))
    if "BARE_IDENTIFIER" in terminals:
        found.append(AttributeName())
    if terminals & _NUMBERS:
        found.append(Number())
    return (*found, *_literals(terminals))


def _literals(terminals: frozenset[str]) -> tuple[ExpectedLiteral, ...]:
    found: list[ExpectedLiteral] = []
    for terminal in sorted(terminals - _SHAPED_TYPES):
        if terminal == "BOOL":
            found += (ExpectedLiteral("true"), ExpectedLiteral("false"))
        elif terminal in literals():
            found.append(ExpectedLiteral(literals()[terminal]))
        elif terminal.startswith("_"):
            found.append(ExpectedLiteral(terminal[1:].lower()))
    return tuple(found)


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
    """Return ``!name`` or ``#name`` whose ``<`` is the last one that nothing closes."""
    tokens = scanner.scan(text)
    for index in range(tokens.count - 1, 0, -1):
        if tokens.kinds[index] != "<" or index in tokens.partners:
            continue
        if tokens.kinds[index - 1] in (scanner.TYPE, scanner.ATTRIBUTE):
            return text[tokens.starts[index - 1] : tokens.ends[index - 1]]
    return ""
