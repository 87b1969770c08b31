"""Attribute dictionaries: ``{name = value, unit}``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax.lexing import scanner
from tdls.syntax.tree import NamedAttribute

if TYPE_CHECKING:
    from tdls.syntax.parser.asm_parser import AsmParser


def read_dictionary(parser: AsmParser) -> tuple[NamedAttribute, ...]:
    """Read the dictionary that begins at the next token. Raises `Mismatch`."""
    parser.expect("{")
    if parser.accept("}"):
        return ()
    entries = [_read_entry(parser)]
    while parser.accept(","):
        entries.append(_read_entry(parser))
    parser.expect("}", "`,` or `}` in the attribute dictionary")
    return tuple(entries)


def _read_entry(parser: AsmParser) -> NamedAttribute:
    start = parser.expect_any((scanner.IDENTIFIER, scanner.STRING), "an attribute name")
    name = parser.spelling(start)
    if name.startswith('"'):
        name = name[1:-1]
    if not parser.accept("="):
        place = parser.place(start, parser.index)
        return NamedAttribute(*place, name, None, *place)
    return read_attribute(parser, name, start)


def read_attribute(parser: AsmParser, name: str, start: int, *, typed: bool = True) -> NamedAttribute:
    """Read and check an attribute value; the node begins at token `start`. Raises `Mismatch`."""
    value = parser.index
    parser.index = parser.after_attribute(value, typed=typed)
    text = parser.check_detail("attribute", value, parser.index)
    return NamedAttribute(*parser.place(start, parser.index), name, text, *parser.place(value, parser.index))


def looks_like_dictionary(parser: AsmParser, index: int) -> bool:
    """Tell whether the ``{`` at token `index` opens a dictionary rather than a region."""
    first, second = parser.kinds[index + 1], parser.kinds[index + 2]
    if first not in (scanner.IDENTIFIER, scanner.STRING):
        return False
    if second in ("=", ","):
        return True
    if second != "}":
        return False
    return first == scanner.STRING or looks_like_unit(parser, index + 1)


def looks_like_unit(parser: AsmParser, index: int) -> bool:
    """Tell whether the lone identifier at token `index` between braces is a name rather than an operation.

    Of all operations only a terminator can be a region's whole content on one line, as in ``{transform.yield}``.
    """
    if parser.tokens.first_on_line(index):
        return False
    name = parser.spelling(index)
    definitions = parser.known.variants(name if "." in name else f"{parser.scopes[-1].dialect}.{name}")
    return not any("IsTerminator" in definition.traits for definition in definitions)
