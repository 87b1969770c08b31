"""Hand-written ``custom<...>`` directives of upstream's formats, one small handler each.

A handler gets the reader and the directive's arguments, accepts the same text as the C++ parser of the same name, and
raises `Mismatch` where that would fail.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from tdls.syntax import scanner
from tdls.syntax.affine import expression_problem
from tdls.syntax.literals import literal_problem
from tdls.syntax.parser.assembly import format as ods
from tdls.syntax.parser.assembly.custom_payload_operations import ALIAS, applied
from tdls.syntax.parser.cursor import Mismatch
from tdls.syntax.parser.dictionary import (
    read_attribute,
    read_dictionary,
    read_function_type,
    read_type_list,
    read_types,
    read_value,
    read_values,
    value_at,
)
from tdls.syntax.tree import NamedAttribute, Successor, TypeUse
from tdls.syntax.types import type_tree

if TYPE_CHECKING:
    from tdls.syntax.parser.assembly.reader import Arguments, AssemblyReader, Directive


_DELIMITERS = {"::mlir::AsmParser::Delimiter::Paren": ("(", ")")}


def _variable(element: ods.Element) -> str:
    """Return the ODS name in an argument, through ``type(...)``, ``ref(...)`` and ``qualified(...)``."""
    while isinstance(element, ods.TypeOf | ods.Ref | ods.Qualified):
        element = element.arg
    return element.name if isinstance(element, ods.Variable) else ""


def _dynamic_index_list(reader: AssemblyReader, arguments: Arguments) -> None:
    """``[%a, 4, [8], %b : type]``: `parseDynamicIndexList` of ViewLikeInterface.cpp."""
    parser = reader.parser
    start = parser.index
    values = _variable(arguments[0])
    typed = any(isinstance(argument, ods.TypeOf) for argument in arguments)
    texts = [argument.text for argument in arguments if isinstance(argument, ods.String)]
    opener, closer = next((_DELIMITERS[text] for text in texts if text in _DELIMITERS), ("[", "]"))
    parser.expect(opener, f"`{opener}` and a list of SSA values and integers")
    reader.announce(values)
    while not parser.at(closer):
        _read_index(reader, values, typed=typed)
        if not parser.accept(","):
            break
        if parser.at(closer):
            raise Mismatch(parser.index, "an SSA value or an integer")
    parser.expect(closer, f"`,` or `{closer}` in the list of SSA values and integers")
    reader.state.values.setdefault(values, [])
    reader.add_attribute(next(name for name in map(_variable, arguments[1:]) if name != values), start)


def _read_index(reader: AssemblyReader, values: str, *, typed: bool) -> None:
    parser = reader.parser
    scalable = parser.accept("[")
    if parser.at(scanner.VALUE):
        reader.state.values.setdefault(values, []).append(read_value(parser))
        if typed:
            parser.expect(":", "`:` and the type of the value")
            reader.state.types.setdefault(values, []).append(parser.read_type())
    else:
        parser.expect_integer("an SSA value or an integer")
    if scalable:
        parser.expect("]", "`]` after the scalable size")


def _packed_or_dynamic_index_list(reader: AssemblyReader, arguments: Arguments) -> None:
    """``*(%packed)`` or an index list: `parsePackedOrDynamicIndexList` of Dialect/Transform/Utils."""
    parser = reader.parser
    packed = _variable(arguments[0])
    others = tuple(argument for argument in arguments[1:] if _variable(argument) != packed)
    if not parser.accept("*"):
        _dynamic_index_list(reader, others)
        return
    parser.expect("(", "`(` and the packed handle")
    reader.announce(packed)
    reader.state.values[packed] = [read_value(parser)]
    if any(isinstance(argument, ods.TypeOf) for argument in arguments):
        parser.expect(":", "`:` and the type of the handle")
        reader.state.types[packed] = [parser.read_type()]
    parser.expect(")")


def _semi_function_type(reader: AssemblyReader, arguments: Arguments) -> None:
    """``(type) -> types``, or just ``type`` where results are optional: Linalg's `parseSemiFunctionType`."""
    parser = reader.parser
    types = reader.state.types
    target, results = _variable(arguments[0]), _variable(arguments[1])
    result_required = len(arguments) > 2
    reader.announce(target)
    if not parser.at("(") and not result_required:
        types[target], types[results] = [parser.read_type()], []
        return
    parser.expect("(", "`(` and the type of the handle")
    types[target] = [parser.read_type()]
    parser.expect(")")
    parser.expect("->", "`->` and the result types")
    reader.announce(results)
    types[results] = read_type_list(parser) if parser.at("(") else [parser.read_type()]


def _functional_type_with_one_result(reader: AssemblyReader, arguments: Arguments) -> None:
    """``(type) -> type`` where all results share the type: the parsers of multitile and continuous tile sizes."""
    parser = reader.parser
    start = parser.index
    inputs, results = read_function_type(parser)
    if len(inputs) != 1 or len(results) != 1:
        raise Mismatch(start, "a function type with one argument and one result")
    reader.state.types[_variable(arguments[0])] = inputs
    for argument in arguments[1:]:
        reader.state.types[_variable(argument)] = results


def _transform_match_dims(reader: AssemblyReader, arguments: Arguments) -> None:
    """``all``, ``0, -1`` or ``except(0)``: `parseTransformMatchDims` of MatchInterfaces.cpp."""
    parser = reader.parser
    start = parser.index
    if parser.accept_keyword("all"):
        reader.add_attribute(_variable(arguments[2]), start)
        return
    inverted = parser.accept_keyword("except")
    if inverted:
        reader.add_attribute(_variable(arguments[1]), start)
        parser.expect("(", "`(` and the excepted positions")
    parser.expect_integer("`all`, `except` or an integer")
    while parser.accept(","):
        parser.expect_integer()
    if inverted:
        parser.expect(")")
    reader.add_attribute(_variable(arguments[0]), start)


def _foreach_match_symbols(reader: AssemblyReader, arguments: Arguments) -> None:
    """``@matcher -> @action, ...``; each symbol becomes an attribute of its own with the name of its list."""
    parser = reader.parser
    while True:
        _read_symbol_attribute(reader, _variable(arguments[0]), "a matcher such as `@matcher`")
        parser.expect("->", "`->` and the action of this matcher")
        _read_symbol_attribute(reader, _variable(arguments[1]), "an action such as `@action`")
        if not parser.accept(","):
            return


def _read_symbol_attribute(reader: AssemblyReader, name: str, expected: str) -> None:
    reader.announce(name)
    start = reader.parser.expect(scanner.SYMBOL, expected)
    reader.add_attribute(name, start)


def _sequence_operands(reader: AssemblyReader, arguments: Arguments) -> None:
    """``%root, %extra : type, type``, all optional: `parseSequenceOpOperands` of TransformOps.cpp."""
    parser = reader.parser
    root, bindings = _variable(arguments[0]), _variable(arguments[2])
    reader.announce(root)
    if not parser.at(scanner.VALUE):
        return
    reader.state.values[root] = [read_value(parser)]
    reader.announce(bindings)
    reader.state.values[bindings] = read_values(parser) if parser.accept(",") else []
    parser.expect(":", "`:` and the types of the operands")
    parenthesized = parser.accept("(")
    types = read_types(parser)
    if parenthesized:
        parser.accept(")")
    reader.state.types[root], reader.state.types[bindings] = types[:1], types[1:]


def _apply_registered_pass_options(reader: AssemblyReader, arguments: Arguments) -> None:
    """``{"name" = value}`` where a value may be, or hold, a parameter: `parseApplyRegisteredPassOptions`."""
    parser = reader.parser
    start = parser.index
    parser.expect("{", "`{` and the pass options")
    reader.announce(_variable(arguments[0]))
    while not parser.at("}"):
        parser.expect_any((scanner.STRING, scanner.IDENTIFIER), "the name of a pass option")
        parser.expect("=", "`=` and the value of the option")
        reader.announce(_variable(arguments[1]))
        _read_option_value(reader, _variable(arguments[1]))
        if not parser.accept(","):
            break
        reader.announce(_variable(arguments[0]))
    parser.expect("}", "`,` or `}` in the pass options")
    reader.add_attribute(_variable(arguments[0]), start)


def _read_option_value(reader: AssemblyReader, values: str) -> None:
    """Read an attribute, a parameter, or lists of such, however deep they are: no bracket need have an end."""
    parser, depth = reader.parser, 0
    while True:
        if parser.at(scanner.VALUE):
            reader.state.values.setdefault(values, []).append(read_value(parser))
        elif parser.accept("["):
            depth += 1
            if parser.at("]"):
                raise Mismatch(parser.index, "a value in the list, which cannot be empty")
            continue
        else:
            parser.index = parser.after_attribute(parser.index)
        while depth and (not parser.accept(",") or parser.at("]")):
            parser.expect("]", "`,` or `]` in the value of the option")
            depth -= 1
        if not depth:
            return


def _alternatives_selected_region(reader: AssemblyReader, arguments: Arguments) -> None:
    """An integer or a parameter: `parseAlternativesOpSelectedRegion` of TuneExtensionOps.cpp."""
    parser = reader.parser
    reader.announce(_variable(arguments[1]))
    if parser.at(scanner.VALUE):
        reader.state.values[_variable(arguments[1])] = [read_value(parser)]
        return
    reader.announce(_variable(arguments[0]))
    start = parser.index
    attribute = read_attribute(parser, _variable(arguments[0]), start)
    reader.state.attributes.append(attribute)


def _inner_tile_alignments(reader: AssemblyReader, arguments: Arguments) -> None:
    """``[Unknown, Multiple, Equal]``: `parseInnerTileAlignments` of LinalgTransformOps.cpp."""
    parser = reader.parser
    start = parser.index
    reader.announce(_variable(arguments[0]))
    parser.expect("[", "`[` and a list of alignments")
    if not parser.at("]"):
        _read_alignment(reader)
        while parser.accept(","):
            _read_alignment(reader)
    parser.expect("]", "`,` or `]` in the list of alignments")
    reader.add_attribute(_variable(arguments[0]), start)


def _read_alignment(reader: AssemblyReader) -> None:
    if not any(reader.parser.accept_keyword(alignment) for alignment in ("Unknown", "Multiple", "Equal")):
        raise Mismatch(reader.parser.index, "`Unknown`, `Multiple` or `Equal`")


def _attribute_dictionary(reader: AssemblyReader, _: Arguments) -> None:
    """``{...}``, as `attr-dict`: `parseLLVMOpAttrs` of LLVMDialect.cpp."""
    if reader.parser.at("{"):
        reader.state.attributes.extend(read_dictionary(reader.parser))


def _async_dependencies(reader: AssemblyReader, arguments: Arguments) -> None:
    """``async [%a, %b]``, both parts optional: `parseAsyncDependencies` of GPUDialect.cpp."""
    parser = reader.parser
    is_async = parser.accept_keyword("async")
    if isinstance(arguments[0], ods.TypeOf):
        reader.state.types[_variable(arguments[0].arg)] = [TypeUse(0, 0, _TOKEN)] if is_async else []
    reader.announce(_variable(arguments[1]))
    dependencies = reader.state.values.setdefault(_variable(arguments[1]), [])
    if parser.accept("["):
        dependencies.extend(read_values(parser))
        parser.expect("]", "`,` or `]` in the dependencies")


_TOKEN = "!gpu.async.token"


def _operation_attributes(reader: AssemblyReader, arguments: Arguments) -> None:
    """``{"name" = %value, ...}``, optional: `parseOperationOpAttributes` of PDL.cpp."""
    parser = reader.parser
    start = parser.index
    values = reader.state.values.setdefault(_variable(arguments[0]), [])
    if not parser.accept("{"):
        return
    while not parser.at("}"):
        parser.expect(scanner.STRING, "the name of an attribute, as a string")
        parser.expect("=", "`=` and the value of the attribute")
        reader.announce(_variable(arguments[0]))
        values.append(read_value(parser))
        if not parser.accept(","):
            break
    parser.expect("}", "`,` or `}` in the attributes")
    reader.add_attribute(_variable(arguments[1]), start)


def _switch_cases(reader: AssemblyReader, arguments: Arguments) -> None:
    """``case 2 {...}``, any number of times: `parseSwitchCases` of SCF.cpp and EmitC.cpp."""
    parser = reader.parser
    regions = reader.state.region_groups.setdefault(_variable(arguments[1]), [])
    start = parser.index
    while parser.accept_keyword("case"):
        parser.expect_integer()
        regions.append(parser.read_region(reader.state))
    if parser.index > start:
        place = parser.place(start, parser.index)
        reader.state.attributes.append(NamedAttribute(*place, _variable(arguments[0]), None, *place))


def _applied_map(reader: AssemblyReader, arguments: Arguments) -> None:
    """``map(%dimensions)[%symbols]``, as in the parsers of AffineOps.cpp."""
    parser = reader.parser
    reader.state.attributes.append(read_attribute(parser, _variable(arguments[0]), parser.index))
    reader.state.values[_variable(arguments[1])] = applied(parser)


def _affine_indices(reader: AssemblyReader, arguments: Arguments) -> None:
    """``[%i + 1, symbol(%n)]``: `parseAffineMapOfSSAIds`; the values are operands in the order of the text."""
    parser = reader.parser
    start = parser.expect("[")
    parser.index = parser.after_group(start)
    problem = expression_problem(parser.tokens, start + 1, parser.index - 1)
    if problem is not None:
        index = bisect_left(parser.starts, problem.offset)
        raise Mismatch(index, problem.expected, is_certain=True)
    reader.add_attribute("map", start)
    inside = (index for index in range(start, parser.index) if parser.kinds[index] == scanner.VALUE)
    values = {parser.spelling(index): value_at(parser, index) for index in inside}
    reader.state.values[_variable(arguments[0])] = list(values.values())


def _selected_types(reader: AssemblyReader, arguments: Arguments) -> None:
    """``type``, or ``type, type`` where the condition is no ``i1``: `SelectOp::parse` of Arith."""
    types = read_types(reader.parser)
    reader.state.types[_variable(arguments[0])] = types[:-1] or [TypeUse(0, 0, "i1")]
    reader.state.types[_variable(arguments[1])] = types[-1:]


def _global_type_and_value(reader: AssemblyReader, arguments: Arguments) -> None:
    """``type [= value]``: `parseGlobalMemrefOpTypeAndInitialValue` of MemRefOps.cpp."""
    parser = reader.parser
    type_ = parser.index
    parser.read_type()
    reader.add_attribute(_variable(arguments[0]), type_)
    if not parser.accept("="):
        return
    if parser.at_keyword("uninitialized"):
        reader.add_attribute(_variable(arguments[1]), parser.take())
    else:
        start = parser.index  # the value has the type before `=`, so `dense<1>` needs none
        parser.index = parser.after_attribute(start)
        reader.add_attribute(_variable(arguments[1]), start)
        own = type_tree(parser.text_between(type_, start - 1))
        tensor = f"tensor<{''.join(f'{size}x' for size in own.dimensions or ())}{own.element.text}>"
        problem = literal_problem(f"{parser.text_between(start, parser.index)} : {tensor}") if own.is_shaped else None
        if problem is not None:
            index = bisect_left(parser.starts, parser.starts[start] + problem.offset)
            raise Mismatch(index if index < parser.index else type_, problem.expected, is_certain=True)


def _all_reduce_operation(reader: AssemblyReader, arguments: Arguments) -> None:
    """The name of an operation, or nothing before a body: `parseAllReduceOperation` of GPUDialect.cpp."""
    if reader.parser.at(scanner.IDENTIFIER):
        reader.add_attribute(_variable(arguments[0]), reader.parser.take())


def _trait_or_attributes(reader: AssemblyReader, arguments: Arguments) -> None:
    """``#trait`` or ``{...}`` before the operands: `ContractionOp::parse` of Vector."""
    del arguments
    parser, state = reader.parser, reader.state
    if parser.at("{"):
        state.attributes.extend(read_dictionary(parser))
    else:
        state.attributes.append(read_attribute(parser, ALIAS, parser.index))


def _masks(reader: AssemblyReader, arguments: Arguments) -> None:
    """``, %a, %b`` behind the operands, as before LLVM 17: `ContractionOp::parse` of Vector."""
    del arguments
    if reader.parser.accept(","):
        read_values(reader.parser)


def _first_types(reader: AssemblyReader, arguments: Arguments) -> None:
    """Types; the first ones belong to the arguments, further ones to nothing."""
    types = read_types(reader.parser)
    for argument, type_ in zip(arguments, types, strict=False):
        reader.state.types[_variable(argument)] = [type_]


def _switch_destinations(reader: AssemblyReader, arguments: Arguments) -> None:
    """``default: ^a, 1: ^b(%c : type)`` of ControlFlowOps.cpp, or ``[1: ^b(%c : type)]`` of LLVMDialect.cpp.

    Both are called `parseSwitchOpCases`.
    """
    del arguments
    parser, state = reader.parser, reader.state
    for group in ("defaultOperands", "caseOperands"):
        state.values.setdefault(group, [])
        state.types.setdefault(group, [])
    is_in_brackets = parser.accept("[")
    if not is_in_brackets:
        parser.expect_keyword("default")
        _destination(reader, "default")
    elif parser.accept("]"):
        return
    is_first = is_in_brackets
    while is_first or parser.accept(","):
        parser.accept("-")
        parser.expect_integer()
        _destination(reader, "case")
        is_first = False
    if is_in_brackets:
        parser.expect("]")


def _destination(reader: AssemblyReader, kind: str) -> None:
    """Read ``: ^b(%c : type)``, the destination of a case or of the default."""
    parser, state = reader.parser, reader.state
    parser.expect(":")
    index = parser.expect(scanner.BLOCK, "a block label such as `^bb1`")
    successor = Successor(*parser.place(index, index + 1), parser.spelling(index))
    state.successor_groups.setdefault(f"{kind}Destination" + "s" * (kind == "case"), []).append(successor)
    if parser.accept("("):
        state.values[f"{kind}Operands"] += read_values(parser)
        parser.expect(":")
        state.types[f"{kind}Operands"] += read_types(parser)
        parser.expect(")")


CUSTOM_DIRECTIVES: dict[str, Directive] = {
    "affineIndices": _affine_indices,
    "AllReduceOperation": _all_reduce_operation,
    "AlternativesOpSelectedRegion": _alternatives_selected_region,
    "appliedMap": _applied_map,
    "ApplyRegisteredPassOptions": _apply_registered_pass_options,
    "AsyncDependencies": _async_dependencies,
    "ContinuousTileSizeTypes": _functional_type_with_one_result,
    "DynamicIndexList": _dynamic_index_list,
    "firstTypes": _first_types,
    "ForeachMatchSymbols": _foreach_match_symbols,
    "GlobalMemrefOpTypeAndInitialValue": _global_type_and_value,
    "InnerTileAlignments": _inner_tile_alignments,
    "LLVMOpAttrs": _attribute_dictionary,
    "masks": _masks,
    "MultitileSizesTypes": _functional_type_with_one_result,
    "OperationOpAttributes": _operation_attributes,
    "PackedOrDynamicIndexList": _packed_or_dynamic_index_list,
    "selectedTypes": _selected_types,
    "SemiFunctionType": _semi_function_type,
    "SequenceOpOperands": _sequence_operands,
    "SwitchCases": _switch_cases,
    "SwitchOpCases": _switch_destinations,
    "traitOrAttributes": _trait_or_attributes,
    "TransformMatchDims": _transform_match_dims,
}
"""Handlers by the directive's name; a format that uses another directive is not interpreted."""
