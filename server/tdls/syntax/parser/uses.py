"""Uses of values, symbols and blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax.lexing import scanner
from tdls.syntax.tree import Successor, SymbolUse, ValueUse
from tdls.text.numbers import integer

if TYPE_CHECKING:
    from tdls.syntax.parser.asm_parser import AsmParser
    from tdls.syntax.tree import TypeUse


def read_value(parser: AsmParser) -> ValueUse:
    """Read one ``%name`` or ``%name#number``. Raises `Mismatch`."""
    index = parser.expect(scanner.VALUE, "an SSA value such as `%0`")
    return value_at(parser, index)


def value_at(parser: AsmParser, index: int) -> ValueUse:
    """Make the node of the value used at token `index`."""
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
    path = tuple(symbol_name(parser, index) for index in range(start, parser.index, 2))
    return SymbolUse(*parser.place(start, parser.index), path)


def symbol_name(parser: AsmParser, index: int) -> str:
    """Return the name at the symbol token `index` without ``@`` and quotes."""
    spelled = parser.spelling(index)[1:]
    return spelled[1:-1] if spelled.startswith('"') else spelled


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
