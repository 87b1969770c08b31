"""Payload operations with a hand-written assembly: loops, and operations that need a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax import scanner
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.dictionary import (
    read_dictionary,
    read_function_type,
    read_type_list,
    read_value,
    read_values,
)
from tdls.syntax.tree import BlockArgument, NamedAttribute, TypeUse, ValueUse

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.syntax.parser.asm_parser import AsmParser
    from tdls.syntax.parser.operation_state import OperationState


def _for(parser: AsmParser, state: OperationState) -> None:
    """``%i = %a to %b step %c [iter_args(%x = %y) -> types] [: type] {...} [{...}]``: `ForOp::parse` of SCF."""
    start = parser.index
    if parser.accept_keyword("unsigned"):
        place = parser.place(start, parser.index)
        state.attributes.append(NamedAttribute(*place, "unsignedCmp", None, *place))
    arguments = [_defined(parser)]
    for name, before in (("lowerBound", "="), ("upperBound", "to"), ("step", "step")):
        _accept(parser, before)
        state.values[name] = [read_value(parser)]
    state.types["results"] = []
    if parser.accept_keyword("iter_args"):
        assigned, state.values["initArgs"] = _assignments(parser)
        arguments += assigned
        parser.expect("->")
        state.types["results"] = read_type_list(parser) if parser.at("(") else [parser.read_type()]
    state.types["initArgs"] = state.types["results"]
    bound = parser.read_type() if parser.accept(":") else TypeUse(0, 0, "index")
    state.types.update((name, [bound]) for name in ("lowerBound", "upperBound", "step"))
    state.regions.append(parser.read_region(state, tuple(arguments)))
    if parser.at("{"):
        state.attributes.extend(read_dictionary(parser))


def _while(parser: AsmParser, state: OperationState) -> None:
    """``[(%a = %b, ...)] : (types) -> types {...} do {...} [attributes {...}]``: `WhileOp::parse` of SCF."""
    arguments: list[BlockArgument] = []
    state.values["inits"] = []
    if parser.at("("):
        arguments, state.values["inits"] = _assignments(parser)
    parser.expect(":")
    state.types["inits"], state.types["results"] = read_function_type(parser)
    state.regions.append(parser.read_region(state, tuple(arguments)))
    parser.expect_keyword("do")
    state.regions.append(parser.read_region(state))
    if parser.accept_keyword("attributes"):
        state.attributes.extend(read_dictionary(parser))


def _parallel(parser: AsmParser, state: OperationState) -> None:
    """``(%i) = (%a) to (%b) step (%c) [init (%d)] [-> types] {...} [{...}]``: `ParallelOp::parse` of SCF."""
    parser.expect("(")
    arguments = [] if parser.at(")") else [_defined(parser)]
    while parser.accept(","):
        arguments.append(_defined(parser))
    parser.expect(")")
    for name, before in (("lowerBound", "="), ("upperBound", "to"), ("step", "step")):
        _accept(parser, before)
        state.values[name] = _in_parentheses(parser)
    state.values["initVals"] = _in_parentheses(parser) if parser.accept_keyword("init") else []
    state.types["results"] = []
    if parser.accept("->"):
        state.types["results"] = read_type_list(parser) if parser.at("(") else [parser.read_type()]
    state.regions.append(parser.read_region(state, tuple(arguments)))
    if parser.at("{"):
        state.attributes.extend(read_dictionary(parser))


def _needs_list(keyword: str) -> Callable[[AsmParser, OperationState], None]:
    """Return the handler of a structured operation with ``keyword = [numbers]`` behind ``outs``, in every version."""

    def read(parser: AsmParser, state: OperationState) -> None:
        del state
        if parser.at("{"):
            parser.index = parser.after_group(parser.index)
        for word in ("ins", "outs"):
            parser.expect_keyword(word)
            parser.index = parser.after_group(parser.index)
        for expected in (keyword, "=", "["):
            if parser.spelling(parser.index) != expected:
                raise Mismatch(parser.index, f"`{expected}`", is_certain=True)
            parser.take()
        raise Mismatch(parser.index, "the rest of the operation")

    return read


def _accept(parser: AsmParser, word: str) -> None:
    if not (parser.accept(word) or parser.accept_keyword(word)):
        raise Mismatch(parser.index, f"`{word}`")


def _defined(parser: AsmParser) -> BlockArgument:
    """Read the name that an operation gives to an argument of its region."""
    index = parser.expect(scanner.VALUE)
    return BlockArgument(*parser.place(index, index + 1), parser.spelling(index))


def _assignments(parser: AsmParser) -> tuple[list[BlockArgument], list[ValueUse]]:
    """Read ``(%argument = %operand, ...)``."""
    arguments: list[BlockArgument] = []
    operands: list[ValueUse] = []
    parser.expect("(")
    while not parser.at(")"):
        arguments.append(_defined(parser))
        parser.expect("=")
        operands.append(read_value(parser))
        if not parser.accept(","):
            break
    parser.expect(")")
    return arguments, operands


def _in_parentheses(parser: AsmParser) -> list[ValueUse]:
    parser.expect("(")
    values = read_values(parser)
    parser.expect(")")
    return values


CUSTOM_PAYLOAD_OPERATIONS: dict[str, Callable[[AsmParser, OperationState], None]] = {
    "linalg.broadcast": _needs_list("dimensions"),
    "linalg.reduce": _needs_list("dimensions"),
    "linalg.transpose": _needs_list("permutation"),
    "scf.for": _for,
    "scf.parallel": _parallel,
    "scf.while": _while,
}
"""Handlers that are tried: text that they reject is read structurally."""
