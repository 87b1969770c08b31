"""How ``$attribute`` is spelled in an assembly format (`genAttrParser` of OpFormatGen.cpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax import scanner
from tdls.syntax.cursor import Mismatch
from tdls.syntax.dictionary import read_attribute
from tdls.syntax.tree import NamedAttribute
from tdls.syntax.uses import symbol_name

if TYPE_CHECKING:
    from tdls.catalogue.model import AttributeDefinition
    from tdls.syntax.draft import Draft
    from tdls.syntax.parser import Parser

_SYMBOL_NAME = "SymbolNameAttr"
_SYMBOL_REFERENCES = ("SymbolRefAttr", "FlatSymbolRefAttr")
_UNIT = ("UnitAttr", "UnitProp")
_DICTIONARIES = ("DictionaryAttr",)
_ARRAYS = ("ArrayAttr",)
_UNTYPED = ("StrAttr", "TypeAttr")


def is_unit(definition: AttributeDefinition) -> bool:
    """Tell whether presence is all that the attribute says."""
    return definition.constraint in _UNIT


def read(parser: Parser, draft: Draft, definition: AttributeDefinition) -> None:
    """Read the value of an attribute as its constraint spells it, or nothing if it is optional. Raises `Mismatch`."""
    if definition.optional and not may_begin(parser, definition):
        return
    start = parser.index
    if definition.constraint == _SYMBOL_NAME:
        _read_symbol_name(parser, draft)
    elif definition.constraint in _SYMBOL_REFERENCES:
        _read_symbol_reference(parser, draft, definition)
    elif is_unit(definition):
        parser.expect_keyword("unit")
        draft.attributes.append(_spelled(parser, definition, start))
    elif definition.cases:
        _read_enum(parser, draft, definition)
    elif definition.mnemonic is not None and parser.at("<"):
        parser.index = parser.after_group(start)
        draft.attributes.append(_spelled(parser, definition, start))
    else:
        read_plain(parser, draft, definition)


def read_plain(parser: Parser, draft: Draft, definition: AttributeDefinition) -> None:
    """Read the value as any attribute value is written. Raises `Mismatch`."""
    _expect_shape(parser, definition)
    draft.attributes.append(read_attribute(parser, definition.name, parser.index, typed=_may_carry_type(definition)))


def may_begin(parser: Parser, definition: AttributeDefinition) -> bool:
    """Tell whether the next token can begin the attribute's value."""
    if definition.constraint == _SYMBOL_NAME or definition.constraint in _SYMBOL_REFERENCES:
        return parser.at(scanner.SYMBOL)
    if is_unit(definition):
        return parser.at_keyword("unit")
    if definition.cases:
        return _enum_case_at(parser, definition) or parser.at("<") or parser.at(scanner.ATTRIBUTE)
    if definition.mnemonic is not None:
        return parser.at("<") or parser.at(scanner.ATTRIBUTE)
    expected = _expected_kinds(definition)
    return parser.kinds[parser.index] in expected if expected else parser.at_attribute()


def _spelled(parser: Parser, definition: AttributeDefinition, start: int) -> NamedAttribute:
    place = parser.place(start, parser.index)
    return NamedAttribute(*place, definition.name, parser.text_between(start, parser.index), *place)


def _read_symbol_name(parser: Parser, draft: Draft) -> None:
    index = parser.expect(scanner.SYMBOL, "a symbol name such as `@name`")
    draft.symbol_name = symbol_name(parser, index)
    draft.symbol_span = parser.span(index, index + 1)


def _read_symbol_reference(parser: Parser, draft: Draft, definition: AttributeDefinition) -> None:
    start = parser.index
    parser.index = parser.after_symbol(start)
    if definition.constraint == "FlatSymbolRefAttr" and parser.index > start + 1:
        raise Mismatch(start + 1, "a symbol reference without `::`")
    draft.attributes.append(_spelled(parser, definition, start))


def _enum_case_at(parser: Parser, definition: AttributeDefinition) -> bool:
    kind = parser.kinds[parser.index]
    if kind == scanner.IDENTIFIER:
        return parser.spelling(parser.index) in definition.cases
    return kind in (scanner.STRING, scanner.NUMBER) and parser.spelling(parser.index).strip('"') in definition.cases


def _read_enum(parser: Parser, draft: Draft, definition: AttributeDefinition) -> None:
    """An enum is a keyword, ``<keyword>`` where its attribute's own format says so, or spelled in full after ``#``.

    Cases of a bit enum are joined by ``|`` or ``,``.
    """
    start = parser.index
    if parser.at(scanner.ATTRIBUTE):
        read_plain(parser, draft, definition)
        return
    if parser.accept("<"):
        _read_enum_cases(parser, definition)
        parser.expect(">")
    else:
        _read_enum_cases(parser, definition)
    draft.attributes.append(_spelled(parser, definition, start))


def _read_enum_cases(parser: Parser, definition: AttributeDefinition) -> None:
    _read_enum_case(parser, definition)
    while parser.kinds[parser.index] in ("|", ",") and _next_is_case(parser, definition):
        parser.take()
        _read_enum_case(parser, definition)


def _next_is_case(parser: Parser, definition: AttributeDefinition) -> bool:
    return parser.spelling(parser.index + 1) in definition.cases


def _read_enum_case(parser: Parser, definition: AttributeDefinition) -> None:
    if not _enum_case_at(parser, definition):
        shown = ", ".join(f"`{case}`" for case in definition.cases[:8])
        more = ", ..." if len(definition.cases) > 8 else ""
        raise Mismatch(parser.index, f"one of {shown}{more} for `{definition.name}`")
    parser.take()


def _may_carry_type(definition: AttributeDefinition) -> bool:
    """An attribute whose type the constraint fixes is written without it."""
    return definition.type is None and definition.constraint not in _UNTYPED


def _expected_kinds(definition: AttributeDefinition) -> tuple[str, ...]:
    """The kinds of token that can begin the attribute; empty where the constraint does not say."""
    constraint = definition.constraint
    if constraint == "StrAttr":
        return (scanner.STRING, scanner.ATTRIBUTE)
    if constraint in _DICTIONARIES:
        return ("{", scanner.ATTRIBUTE)
    if constraint.endswith("ArrayAttr") or constraint in _ARRAYS:
        return ("[", scanner.ATTRIBUTE)
    return ()


def _expect_shape(parser: Parser, definition: AttributeDefinition) -> None:
    expected = _expected_kinds(definition)
    if not expected or parser.kinds[parser.index] in expected:
        return
    if definition.constraint.startswith("Dense") and parser.at_keyword("array"):
        return
    shape = {"[": "`[` and a list", "{": "`{` and a dictionary", scanner.STRING: "a string"}[expected[0]]
    raise Mismatch(parser.index, f"{shape} for `{definition.name}`")
