"""The generic form: ``"name"(%a) [^bb1] <{properties}> ({...}) {attributes} : (types) -> (types)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.dictionary import read_dictionary
from tdls.syntax.parser.draft import OPERANDS, RESULTS
from tdls.syntax.parser.symbols import symbols_in_attributes
from tdls.syntax.parser.uses import read_successor, read_types, read_values

if TYPE_CHECKING:
    from tdls.syntax.parser.asm_parser import AsmParser
    from tdls.syntax.parser.draft import Draft
    from tdls.syntax.tree import TypeUse


def read_generic(parser: AsmParser, draft: Draft) -> None:
    """Read what follows the quoted name into `draft`. Raises `Mismatch`."""
    parser.expect("(", "`(` and the operands")
    draft.values[OPERANDS] = read_values(parser)
    parser.expect(")", "`,` or `)` in the operands")
    if parser.accept("["):
        _read_successors(parser, draft)
    if parser.at("<"):
        _read_properties(parser, draft)
    if parser.at("("):
        _read_regions(parser, draft)
    if parser.at("{"):
        draft.attributes.extend(read_dictionary(parser))
    parser.expect(":", "`:` and the type of the operation")
    draft.types[OPERANDS], draft.types[RESULTS] = read_function_type(parser)
    draft.symbols.extend(symbols_in_attributes(draft.attributes))


def _read_successors(parser: AsmParser, draft: Draft) -> None:
    draft.successors.append(read_successor(parser))
    while parser.accept(","):
        draft.successors.append(read_successor(parser))
    parser.expect("]", "`,` or `]` in the successors")


def _read_properties(parser: AsmParser, draft: Draft) -> None:
    parser.expect("<")
    if parser.at("{"):
        draft.attributes.extend(read_dictionary(parser))
    else:
        parser.index = parser.after_attribute(parser.index)
    parser.expect(">", "`>` after the properties")


def _read_regions(parser: AsmParser, draft: Draft) -> None:
    parser.expect("(")
    draft.regions.append(parser.read_region(draft))
    while parser.accept(","):
        draft.regions.append(parser.read_region(draft))
    parser.expect(")", "`,` or `)` after the region")


def read_function_type(parser: AsmParser) -> tuple[list[TypeUse], list[TypeUse]]:
    """Read ``(types) -> types`` and return both lists. Raises `Mismatch`."""
    inputs = read_type_list(parser)
    parser.expect("->", "`->` and the result types")
    if not parser.at("("):
        return inputs, [parser.read_type()]
    if _begins_function_type(parser):
        return inputs, [parser.read_type()]
    return inputs, read_type_list(parser)


def _begins_function_type(parser: AsmParser) -> bool:
    try:
        return parser.kinds[parser.after_group(parser.index)] == "->"
    except Mismatch:
        return False


def read_type_list(parser: AsmParser) -> list[TypeUse]:
    """Read ``(types)``, which may be empty. Raises `Mismatch`."""
    parser.expect("(", "`(` and a list of types")
    types = [] if parser.at(")") else read_types(parser)
    parser.expect(")", "`,` or `)` in the list of types")
    return types
