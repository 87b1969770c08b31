"""Readers of values, types, symbols, successors and attribute dictionaries, and of the whole generic form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax import scanner
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.operation_state import OPERANDS, RESULTS
from tdls.syntax.spellings import symbol_in, symbol_references_in
from tdls.syntax.tree import NamedAttribute, Successor, SymbolUse, ValueUse
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.syntax.parser.asm_parser import AsmParser
    from tdls.syntax.parser.operation_state import OperationState
    from tdls.syntax.tree import TypeUse


def symbols_in_attributes(attributes: Iterable[NamedAttribute]) -> Iterator[SymbolUse]:
    """Yield the symbol references that the values of `attributes` spell."""
    for attribute in attributes:
        for reference in symbol_references_in(attribute.value or ""):
            yield SymbolUse(*reference.span.shifted(attribute.value_start), reference.path)


def read_value(parser: AsmParser) -> ValueUse:
    """Read one ``%name`` or ``%name#number``. Raises `Mismatch`."""
    index = parser.expect(scanner.VALUE, "an SSA value such as `%0`")
    return value_at(parser, index)


def value_at(parser: AsmParser, index: int) -> ValueUse:
    """Create the node of the value used at token `index`."""
    start, end, name = parser.starts[index], parser.ends[index], parser.spellings[index]
    if "#" not in name:
        return ValueUse(start, end, name)
    name, _, number = name.partition("#")
    return ValueUse(start, end, name, integer(number) if number else None)


def read_values(parser: AsmParser) -> list[ValueUse]:
    """Read a comma-separated list of values, which may be empty. Raises `Mismatch` after a trailing comma."""
    values: list[ValueUse] = []
    while parser.at(scanner.VALUE):
        values.append(read_value(parser))
        if not parser.accept(","):
            return values
    if values:
        read_value(parser)
    return values


def read_types(parser: AsmParser) -> list[TypeUse]:
    """Read a comma-separated list of one or more types. Raises `Mismatch`."""
    types = [parser.read_type()]
    while parser.accept(","):
        types.append(parser.read_type())
    return types


def read_symbol(parser: AsmParser) -> SymbolUse:
    """Read a symbol reference ``@a::@b``. Raises `Mismatch`."""
    start = parser.index
    parser.index = parser.after_symbol(start)
    path = tuple(map(symbol_in, parser.spellings[start : parser.index : 2]))
    return SymbolUse(*parser.place(start, parser.index), path)


def define_symbol(parser: AsmParser, state: OperationState, index: int) -> None:
    """Take the symbol token `index` as the name that the operation defines."""
    state.symbol_name, state.symbol_span = symbol_in(parser.spelling(index)), parser.span(index, index + 1)


def read_successor(parser: AsmParser) -> Successor:
    """Read ``^label`` with an optional ``(%a, %b : types)``. Raises `Mismatch`."""
    start = parser.expect(scanner.BLOCK, "a block label such as `^bb1`")
    arguments: list[ValueUse] = []
    if parser.accept("("):
        if parser.at(scanner.VALUE):
            arguments = read_values(parser)
            parser.expect(":", "`:` and the types of the values")
            read_types(parser)
        parser.expect(")")
    return Successor(*parser.place(start, parser.index), parser.spelling(start), tuple(arguments))


def read_dictionary(parser: AsmParser) -> tuple[NamedAttribute, ...]:
    """Read the dictionary that begins at the next token. Raises `Mismatch`."""
    parser.expect("{")
    if parser.accept("}"):
        return ()
    entries = [read_entry(parser)]
    while parser.accept(","):
        entries.append(read_entry(parser))
    parser.expect("}", "`,` or `}` in the attribute dictionary")
    return tuple(entries)


def read_entry(parser: AsmParser) -> NamedAttribute:
    """Read ``name = value``, or a name alone. Raises `Mismatch`."""
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
    """Whether the ``{`` at token `index` opens a dictionary rather than a region."""
    first, second = parser.kinds[index + 1], parser.kinds[index + 2]
    if first not in (scanner.IDENTIFIER, scanner.STRING):
        return False
    if second in ("=", ","):
        return True
    return second == "}" and (first == scanner.STRING or looks_like_unit(parser, index + 1))


def looks_like_unit(parser: AsmParser, index: int) -> bool:
    """Whether the lone identifier at token `index` between braces is a name rather than an operation.

    Of all operations only a terminator can be a region's whole content on one line, as in ``{transform.yield}``.
    """
    if parser.tokens.first_on_line(index):
        return False
    name = parser.spelling(index)
    definitions = parser.known.variants(name if "." in name else f"{parser.scopes[-1].dialect}.{name}")
    return not any("IsTerminator" in definition.traits for definition in definitions)


def read_generic(parser: AsmParser, state: OperationState) -> None:
    """Read the generic form behind the quoted name into `state`. Raises `Mismatch`."""
    parser.expect("(", "`(` and the operands")
    state.values[OPERANDS] = read_values(parser)
    parser.expect(")", "`,` or `)` in the operands")
    if parser.accept("["):
        state.successors.append(read_successor(parser))
        while parser.accept(","):
            state.successors.append(read_successor(parser))
        parser.expect("]", "`,` or `]` in the successors")
    if parser.at("<"):
        parser.expect("<")
        if parser.at("{"):
            state.attributes.extend(read_dictionary(parser))
        else:
            parser.index = parser.after_attribute(parser.index)
        parser.expect(">", "`>` after the properties")
    if parser.at("("):
        parser.expect("(")
        state.regions.append(parser.read_region(state))
        while parser.accept(","):
            state.regions.append(parser.read_region(state))
        parser.expect(")", "`,` or `)` after the region")
    if parser.at("{"):
        state.attributes.extend(read_dictionary(parser))
    parser.expect(":", "`:` and the type of the operation")
    state.types[OPERANDS], state.types[RESULTS] = read_function_type(parser)
    state.symbols.extend(symbols_in_attributes(state.attributes))


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
