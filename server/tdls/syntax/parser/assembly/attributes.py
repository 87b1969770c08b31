"""Reads the value of ``$attribute`` in an assembly format (`genAttrParser` of OpFormatGen.cpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.catalogue.model import AttributeSpelling
from tdls.syntax import scanner
from tdls.syntax.literals import type_of_literal
from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.dictionary import define_symbol, read_attribute
from tdls.syntax.tree import NamedAttribute, TypeUse

if TYPE_CHECKING:
    from tdls.catalogue.model import AttributeDefinition, ParameterDefinition
    from tdls.syntax.parser.asm_parser import AsmParser
    from tdls.syntax.parser.operation_state import OperationState

_SYMBOL_REFERENCES = ("SymbolRefAttr", "FlatSymbolRefAttr")
_UNIT = ("UnitAttr", "UnitProp")
_UNTYPED = ("StrAttr", "TypeAttr")
_TYPED = ("ElementsAttr", "TypedAttrInterface")


class NotInterpretable(Exception):  # noqa: N818 - not an error: the operation is read structurally instead
    """The text has a syntax that only the C++ of its dialect can parse."""


def is_unit(definition: AttributeDefinition) -> bool:
    """Whether the attribute has no value, only presence."""
    return definition.constraint in _UNIT


def read(parser: AsmParser, state: OperationState, definition: AttributeDefinition) -> None:
    """Read the value of an attribute as its constraint spells it; an optional one may be absent.

    Raises `Mismatch`, or `NotInterpretable` if the spelling is not known.
    """
    if definition.optional and not may_begin(parser, definition):
        return
    start = parser.index
    if definition.spelling is AttributeSpelling.SYMBOL_NAME:
        index = parser.expect(scanner.SYMBOL, "a symbol name such as `@name`")
        define_symbol(parser, state, index)
        return
    if definition.constraint in _SYMBOL_REFERENCES:
        first = parser.index
        parser.index = parser.after_symbol(first)
        if definition.constraint == "FlatSymbolRefAttr" and parser.index > first + 1:
            raise Mismatch(first + 1, "a symbol reference without `::`")
    elif is_unit(definition):
        parser.expect_keyword("unit")
    elif parser.at(scanner.ATTRIBUTE) and definition.spelling is not AttributeSpelling.PROPERTY:
        read_plain(parser, state, definition)
        return
    elif definition.spelling is AttributeSpelling.KEYWORD:
        _read_enum(parser, definition)
    elif definition.spelling is AttributeSpelling.CUSTOM:
        _read_custom(parser, definition)
    elif definition.spelling is AttributeSpelling.PROPERTY:
        _read_property(parser, definition)
    else:
        read_plain(parser, state, definition)
        return
    place = parser.place(start, parser.index)
    state.attributes.append(NamedAttribute(*place, definition.name, parser.text_between(start, parser.index), *place))


def read_plain(parser: AsmParser, state: OperationState, definition: AttributeDefinition) -> None:
    """Read the value in the general syntax of attribute values. Raises `Mismatch`."""
    expected = _expected_kinds(definition)
    if expected and parser.kinds[parser.index] not in expected:
        shape = {"[": "`[` and a list", "{": "`{` and a dictionary", scanner.STRING: "a string"}[expected[0]]
        raise Mismatch(parser.index, f"{shape} for `{definition.name}`")
    start, is_typed = parser.index, definition.type is None and definition.constraint not in _UNTYPED
    state.attributes.append(read_attribute(parser, definition.name, start, typed=is_typed))
    type_ = type_of_literal(parser.tokens, start, parser.index) if definition.constraint in _TYPED else None
    if type_ is not None:
        first, text = type_
        state.types[definition.name] = [parser.type_use(first, parser.index) if first >= 0 else TypeUse(0, 0, text)]


def may_begin(parser: AsmParser, definition: AttributeDefinition) -> bool:
    """Whether the next token can begin the attribute's value."""
    if definition.spelling is AttributeSpelling.SYMBOL_NAME or definition.constraint in _SYMBOL_REFERENCES:
        return parser.at(scanner.SYMBOL)
    if is_unit(definition):
        return parser.at_keyword("unit")
    if definition.cases and parser.at_case(definition):
        return True
    if definition.spelling is AttributeSpelling.KEYWORD:
        return parser.at(scanner.ATTRIBUTE)
    if definition.spelling is AttributeSpelling.CUSTOM:
        return parser.at("<") or parser.at("{") or parser.at(scanner.ATTRIBUTE)
    expected = _expected_kinds(definition)
    return parser.kinds[parser.index] in expected if expected else parser.at_attribute()


def _read_property(parser: AsmParser, definition: AttributeDefinition) -> None:
    """Read a property, spelled by its C++ type: an enum as its keyword, a number or a string as itself."""
    if definition.cases:
        _read_enum(parser, definition)
        return
    parser.accept("-")
    if parser.kinds[parser.index] not in (scanner.NUMBER, scanner.STRING):
        raise NotInterpretable
    parser.take()


# Dialect attributes with a format of their own


def _read_custom(parser: AsmParser, definition: AttributeDefinition) -> None:
    """Read an attribute by its own format, without ``#dialect.mnemonic``."""
    if definition.cases and definition.assembly_format is None:
        _read_enum(parser, definition)
    elif definition.cases and definition.assembly_format is not None:
        form = ods.parse_format(definition.assembly_format)
        if form.problem is not None:
            raise NotInterpretable
        for element in form.elements:
            _read_custom_element(parser, definition, element)
    elif parser.at("<"):
        end = parser.after_group(parser.index)
        if definition.mnemonic is not None and definition.assembly_format == _STRUCT:
            _check_words(parser, definition.mnemonic, end)
        parser.index = end
    else:
        raise NotInterpretable


_STRUCT = "`<` struct(params) `>`"


def _check_words(parser: AsmParser, mnemonic: str, end: int) -> None:
    """Raise `Mismatch` for a word behind ``key =`` before `end` that is no case of the enumeration of this key."""
    kinds = parser.known.catalogue.attribute_kind_variants(mnemonic)
    enumerations = {each.name: each for kind in kinds[:1] for each in kind.parameters if each.cases}
    for index in range(parser.index + 1, end - 2):
        key = enumerations.get(parser.spelling(index)) if parser.spelling(index + 1) == "=" else None
        word = parser.spelling(index + 2)
        if key is not None and word.isidentifier() and word not in key.cases:
            raise _no_case(index + 2, key)


def _read_custom_element(parser: AsmParser, definition: AttributeDefinition, element: ods.Element) -> None:
    if isinstance(element, ods.Variable | ods.Params):
        _read_enum(parser, definition)
    elif isinstance(element, ods.Literal):
        if parser.spelling(parser.index) != element.text:
            raise Mismatch(parser.index, f"`{element.text}`")
        parser.take()
    elif isinstance(element, ods.OptionalGroup) and isinstance(first := element.then[0], ods.Literal):
        is_there = parser.spelling(parser.index) == first.text
        for inner in element.then if is_there else element.otherwise:
            _read_custom_element(parser, definition, inner)
    elif not isinstance(element, ods.Whitespace):
        raise NotInterpretable


# Enums


def _read_enum(parser: AsmParser, definition: AttributeDefinition) -> None:
    """Read a case, or several of a bit enum with its separator in between."""
    _read_enum_case(parser, definition)
    separator = (definition.separator or "").strip()
    while separator and parser.at(separator):
        parser.take()
        _read_enum_case(parser, definition)


def _read_enum_case(parser: AsmParser, definition: AttributeDefinition) -> None:
    if not parser.at_case(definition):
        raise _no_case(parser.index, definition)
    parser.take()


def _no_case(index: int, enumeration: AttributeDefinition | ParameterDefinition) -> Mismatch:
    shown = ", ".join(f"`{case}`" for case in enumeration.cases[:8])
    more = ", ..." if len(enumeration.cases) > 8 else ""
    return Mismatch(index, f"one of {shown}{more} for `{enumeration.name}`", names=enumeration.cases)


# Shapes of plain attributes


def _expected_kinds(definition: AttributeDefinition) -> tuple[str, ...]:
    """Return the kinds of token that can begin the attribute; empty if the constraint does not determine them."""
    constraint = definition.constraint
    if constraint == "StrAttr":
        return (scanner.STRING, scanner.ATTRIBUTE)
    if constraint == "DictionaryAttr":
        return ("{", scanner.ATTRIBUTE)
    if definition.spelling is AttributeSpelling.DENSE_ARRAY or constraint.endswith("ArrayAttr"):
        return ("[", scanner.ATTRIBUTE)
    return ()
