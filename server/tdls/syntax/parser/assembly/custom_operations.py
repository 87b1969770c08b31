"""Operations whose parser is hand-written C++ upstream, one small handler each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax import scanner
from tdls.syntax.parser.cursor import TYPE_NAMES, Mismatch
from tdls.syntax.parser.dictionary import define_symbol, read_dictionary, read_function_type, read_value, read_values
from tdls.syntax.parser.operation_state import OPERANDS, RESULTS
from tdls.syntax.tree import BlockArgument, NamedAttribute, Signature, TypeUse

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.syntax.parser.asm_parser import AsmParser
    from tdls.syntax.parser.operation_state import OperationState

_VISIBILITIES = ("private", "public", "nested")


def _function(parser: AsmParser, state: OperationState) -> None:
    """``[visibility] @name(arguments) [-> results] [attributes {...}] [{body}]``: `parseFunctionOp` of
    FunctionImplementation.cpp."""
    start = parser.index
    if any(parser.accept_keyword(visibility) for visibility in _VISIBILITIES):
        place = parser.place(start, start + 1)
        state.attributes.append(NamedAttribute(*place, "sym_visibility", f'"{parser.spelling(start)}"', *place))
    index = parser.expect(scanner.SYMBOL, "the symbol name such as `@name`")
    define_symbol(parser, state, index)
    arguments, named = _function_arguments(parser)
    results = _function_results(parser) if parser.accept("->") else ()
    state.signature = Signature(arguments, results)
    if parser.accept_keyword("attributes"):
        state.attributes.extend(read_dictionary(parser))
    if parser.at("{") and parser.index < parser.limit:
        state.regions.append(parser.read_region(state, arguments if named else ()))
    state.types[RESULTS] = []


def _function_arguments(parser: AsmParser) -> tuple[tuple[BlockArgument, ...], bool]:
    """Read the argument list; return the arguments and whether they have names."""
    parser.expect("(", "`(` and the arguments")
    if parser.accept(")"):
        return (), True
    arguments = [_function_argument(parser)]
    while parser.accept(","):
        arguments.append(_function_argument(parser))
    parser.expect(")", "`,` or `)` in the arguments")
    return tuple(arguments), all(argument.name for argument in arguments)


def _function_argument(parser: AsmParser) -> BlockArgument:
    """Read an argument, which has no name (``""``) if only its type is spelled."""
    if parser.at(scanner.VALUE):
        return parser.read_argument()
    start = parser.index
    if not parser.at_type():
        raise Mismatch(start, "an argument such as `%arg0: !transform.any_op`", names=TYPE_NAMES)
    type_use = parser.read_type()
    attributes = read_dictionary(parser) if parser.at("{") else ()
    if parser.at_keyword("loc") and parser.kinds[parser.index + 1] == "(":
        parser.index = parser.after_group(parser.index + 1)
    return BlockArgument(*parser.place(start, parser.index), "", type_use, attributes)


def _function_results(parser: AsmParser) -> tuple[TypeUse, ...]:
    if not parser.accept("("):
        return (parser.read_type(),)
    if parser.accept(")"):
        return ()
    results = [_function_result(parser)]
    while parser.accept(","):
        results.append(_function_result(parser))
    parser.expect(")", "`,` or `)` in the result types")
    return tuple(results)


def _function_result(parser: AsmParser) -> TypeUse:
    type_use = parser.read_type()
    if parser.at("{"):
        read_dictionary(parser)
    return type_use


def _split(parser: AsmParser, state: OperationState) -> None:
    """``%target after 4 {...} : type`` or ``%target after %size {...} : type, type``: `SplitOp::parse`."""
    definition = state.definition
    target = read_value(parser)
    state.values["target"] = [target]
    parser.expect_keyword("after")
    start = parser.index
    dynamic = parser.at(scanner.VALUE)
    if dynamic:
        state.values["dynamic_chunk_sizes"] = [read_value(parser)]
    else:
        parser.expect_integer("an SSA value or an integer after `after`")
        place = parser.place(start, parser.index)
        value = parser.text_between(start, parser.index)
        state.attributes.append(NamedAttribute(*place, "static_chunk_sizes", value, *place))
    if parser.at("{"):
        state.attributes.extend(read_dictionary(parser))
    parser.expect(":", "`:` and the type of the target")
    target_type = parser.read_type()
    state.types["target"] = [target_type]
    if dynamic:
        parser.expect(",", "`,` and the type of the chunk size")
        state.types["dynamic_chunk_sizes"] = [parser.read_type()]
    for result in definition.results if definition is not None else ():
        state.types[result.name] = [target_type]


def _expression(parser: AsmParser, state: OperationState) -> None:
    """``%a, %b [noinline] {...} : (types) -> type {body}``, whose body names its arguments like the operands."""
    state.values[OPERANDS] = read_values(parser)
    parser.accept_keyword("noinline")
    if parser.at("{"):
        state.attributes.extend(read_dictionary(parser))
    parser.expect(":", "`:` and the type of the expression")
    state.types[OPERANDS], state.types[RESULTS] = read_function_type(parser)
    has_label = parser.kinds[parser.index + 1] == scanner.BLOCK  # as in LLVM's main branch
    uses = [] if has_label else state.values[OPERANDS]
    arguments = (BlockArgument(use.start, use.end, use.name) for use in uses)
    state.regions.append(parser.read_region(state, tuple(arguments)))


CUSTOM_OPERATIONS: dict[str, Callable[[AsmParser, OperationState], None]] = {
    "emitc.expression": _expression,
    "func.func": _function,
    "transform.named_sequence": _function,
    "transform.structured.split": _split,
}
"""Handlers by operation name; any other operation with a C++ parser is read structurally."""
