"""Custom directives in the assembly formats of IRDL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax import scanner
from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.dictionary import read_value

if TYPE_CHECKING:
    from tdls.syntax.parser.assembly.reader import Arguments, AssemblyReader, Directive


_VARIADICITIES = ("single", "optional", "variadic")


def _name(element: ods.Element) -> str:
    return element.name if isinstance(element, ods.Variable) else ""


def _single_block_region(reader: AssemblyReader, arguments: Arguments) -> None:
    """``{...}`` or nothing: `parseSingleBlockRegion`."""
    regions = reader.state.region_groups.setdefault(_name(arguments[0]), [])
    if reader.parser.at("{"):
        regions.append(reader.parser.read_region(reader.state))


def _named_value_list(reader: AssemblyReader, arguments: Arguments) -> None:
    """``(name: %a, ...)``: `parseNamedValueList`."""
    _read_list(reader, arguments[0], names=arguments[1])


def _named_value_list_with_variadicity(reader: AssemblyReader, arguments: Arguments) -> None:
    """``(name: optional %a, ...)``: `parseNamedValueListWithVariadicity`."""
    _read_list(reader, arguments[0], names=arguments[1], variadicities=arguments[2])


def _values_with_variadicity(reader: AssemblyReader, arguments: Arguments) -> None:
    """``(optional %a, ...)``, as LLVM 19 has it: `parseValuesWithVariadicity`."""
    _read_list(reader, arguments[0], variadicities=arguments[1])


def _read_list(
    reader: AssemblyReader,
    values: ods.Element,
    names: ods.Element | None = None,
    variadicities: ods.Element | None = None,
) -> None:
    parser = reader.parser
    parser.expect("(", "`(` and a list of values")
    found = reader.state.values.setdefault(_name(values), [])
    while not parser.at(")"):
        if names is not None:
            reader.add_attribute(_name(names), parser.expect(scanner.IDENTIFIER, "a name"))
            parser.expect(":", "`:` and the value")
        if variadicities is not None:
            start = parser.index
            any(parser.accept_keyword(variadicity) for variadicity in _VARIADICITIES)
            reader.add_attribute(_name(variadicities), start)
        reader.announce(_name(values))
        found.append(read_value(parser))
        if not parser.accept(","):
            break
    parser.expect(")", "`,` or `)` in the list of values")


def _attributes(reader: AssemblyReader, arguments: Arguments) -> None:
    """``{"name" = %a, ...}`` or nothing: `parseAttributesOp`."""
    parser = reader.parser
    found = reader.state.values.setdefault(_name(arguments[0]), [])
    if not parser.accept("{"):
        return
    while True:
        reader.add_attribute(
            _name(arguments[1]), parser.expect(scanner.STRING, 'the name of an attribute, such as `"depth"`')
        )
        parser.expect("=", "`=` and the value that constrains the attribute")
        reader.announce(_name(arguments[0]))
        found.append(read_value(parser))
        if not parser.accept(","):
            break
    parser.expect("}", "`,` or `}` in the list of attributes")


IRDL_DIRECTIVES: dict[str, Directive] = {
    "AttributesOp": _attributes,
    "NamedValueList": _named_value_list,
    "NamedValueListWithVariadicity": _named_value_list_with_variadicity,
    "SingleBlockRegion": _single_block_region,
    "ValuesWithVariadicity": _values_with_variadicity,
}
"""Handlers by the directive's name."""
