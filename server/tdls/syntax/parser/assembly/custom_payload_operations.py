"""Payload operations with regions whose parser is hand-written C++ upstream, one small handler for each form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.syntax import scanner
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
from tdls.syntax.tree import BlockArgument, NamedAttribute, TypeUse

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.catalogue.model import OperationDefinition
    from tdls.syntax.parser.asm_parser import AsmParser
    from tdls.syntax.parser.operation_state import OperationState
    from tdls.syntax.tree import ValueUse


def _for(parser: AsmParser, state: OperationState) -> None:
    """``%i = %a to %b step %c [iter_args(%x = %y) -> types] [: type] {...} [{...}]``: `ForOp::parse` of SCF."""
    _flag(parser, state, "unsigned", "unsignedCmp")
    variables = [_defined(parser, may_have_location=False)]
    for name, before in (("lowerBound", "="), ("upperBound", "to"), ("step", "step")):
        _accept(parser, before)
        state.values[name] = [read_value(parser)]
    carried = _carried(parser, state, "initArgs") if parser.accept_keyword("iter_args") else _nothing(state)
    bound = parser.read_type() if parser.accept(":") else _INDEX
    state.types.update((name, [bound]) for name in ("lowerBound", "upperBound", "step"))
    state.regions.append(parser.read_region(state, (*_typed(variables, [bound]), *carried)))
    _attributes(parser, state)


def _flag(parser: AsmParser, state: OperationState, keyword: str, name: str) -> None:
    start = parser.index
    if parser.accept_keyword(keyword):
        place = parser.place(start, parser.index)
        state.attributes.append(NamedAttribute(*place, name, None, *place))


_INDEX = TypeUse(0, 0, "index")


def _carried(parser: AsmParser, state: OperationState, operands: str) -> tuple[BlockArgument, ...]:
    """Read ``(%x = %y, ...) -> types``, the values that a loop carries."""
    arguments, state.values[operands] = _assignments(parser)
    types = state.types["results"] = state.types[operands] = _results(parser, is_needed=True)
    return _typed(arguments, types)


def _nothing(state: OperationState) -> tuple[BlockArgument, ...]:
    state.types["results"] = []
    return ()


def _typed(arguments: list[BlockArgument], types: list[TypeUse]) -> tuple[BlockArgument, ...]:
    """Return the arguments with their types; without types if the numbers differ."""
    if len(types) == 1 and types[0] is _INDEX:
        types = types * len(arguments)
    if len(arguments) != len(types):
        return tuple(arguments)
    pairs = zip(arguments, types, strict=True)
    return tuple(BlockArgument(each.start, each.end, each.name, type_) for each, type_ in pairs)


def _while(parser: AsmParser, state: OperationState) -> None:
    """``[(%a = %b, ...)] : (types) -> types {...} do {...} [attributes {...}]``: `WhileOp::parse` of SCF."""
    arguments: list[BlockArgument] = []
    state.values["inits"] = []
    if parser.at("("):
        arguments, state.values["inits"] = _assignments(parser)
    parser.expect(":")
    state.types["inits"], state.types["results"] = read_function_type(parser)
    state.regions.append(parser.read_region(state, _typed(arguments, state.types["inits"])))
    parser.expect_keyword("do")
    state.regions.append(parser.read_region(state))
    if parser.accept_keyword("attributes"):
        state.attributes.extend(read_dictionary(parser))


def _parallel(parser: AsmParser, state: OperationState) -> None:
    """``(%i) = (%a) to (%b) step (%c) [init (%d)] [-> types] {...} [{...}]``: `ParallelOp::parse` of SCF."""
    arguments = _definitions(parser)
    for name, before in (("lowerBound", "="), ("upperBound", "to"), ("step", "step")):
        _accept(parser, before)
        state.values[name] = _in_parentheses(parser)
    state.values["initVals"] = _in_parentheses(parser) if parser.accept_keyword("init") else []
    state.types["results"] = _results(parser)
    state.regions.append(parser.read_region(state, _typed(arguments, [_INDEX])))
    _attributes(parser, state)


def _if(parser: AsmParser, state: OperationState) -> None:
    """``%condition [-> types] {...} [else {...}] [{...}]``: `IfOp::parse` of SCF."""
    state.values["condition"] = [read_value(parser)]
    _branches(parser, state)


def _branches(parser: AsmParser, state: OperationState) -> None:
    state.types["results"] = _results(parser)
    state.regions.append(parser.read_region(state))
    if parser.accept_keyword("else"):
        state.regions.append(parser.read_region(state))
    _attributes(parser, state)


def _forall(parser: AsmParser, state: OperationState) -> None:
    """``(%i) in (sizes)`` or ``(%i) = (a) to (b) step (c)``, ``[shared_outs(%o = %t) -> (types)] {...} [{...}]``."""
    arguments = _definitions(parser)
    if parser.accept("="):
        state.values["dynamicLowerBound"] = _values_in_group(parser)
        parser.expect_keyword("to")
        state.values["dynamicUpperBound"] = _values_in_group(parser)
        parser.expect_keyword("step")
        state.values["dynamicStep"] = _values_in_group(parser)
    else:
        _accept(parser, "in")
        state.values["dynamicUpperBound"] = _values_in_group(parser)
    carried = _carried(parser, state, "outputs") if parser.accept_keyword("shared_outs") else _nothing(state)
    state.regions.append(parser.read_region(state, (*_typed(arguments, [_INDEX]), *carried)))
    _attributes(parser, state)


def _launch(parser: AsmParser, state: OperationState) -> None:
    """``[async] [[%d]] blocks(%b, ...) in (%s = %g, ...) threads... {...} [{...}]``: `LaunchOp::parse` of GPU."""
    state.types["asyncToken"] = [TypeUse(0, 0, "!gpu.async.token")] if parser.accept_keyword("async") else []
    state.values["asyncDependencies"] = []
    if parser.accept("["):
        state.values["asyncDependencies"] = read_values(parser)
        parser.expect("]", "`,` or `]` in the dependencies")
    sizes: list[BlockArgument] = []
    numbers: list[BlockArgument] = []
    for word, group in (("clusters", "cluster"), ("blocks", "grid"), ("threads", "block")):
        if word == "clusters" and not parser.at_keyword(word):
            continue
        if not parser.accept_keyword(word):
            raise Mismatch(parser.index, f"`{word}`", is_certain=True)
        numbers += _definitions(parser)
        _accept(parser, "in")
        named, operands = _assignments(parser)
        sizes += named
        state.values.update((f"{group}Size{axis}", [size]) for axis, size in zip("XYZ", operands, strict=False))
        if len(sizes) % 3 or len(numbers) != len(sizes):
            raise Mismatch(parser.index, f"three names and three sizes of `{word}` before this")
    if parser.accept_keyword("dynamic_shared_memory_size"):
        state.values["dynamicSharedMemorySize"] = [read_value(parser)]
    attributes = {attribute.name for attribute in state.definition.attributes} if state.definition is not None else ()
    for name in ("module", "function"):
        if name in attributes and parser.accept_keyword(name):
            start = parser.expect("(")
            state.attributes.append(read_attribute(parser, name, start))
            parser.expect(")")
    _flag(parser, state, "cooperative", "cooperative")
    memory = [
        argument for word in ("workgroup", "private") if parser.accept_keyword(word) for argument in _arguments(parser)
    ]
    state.regions.append(parser.read_region(state, (*_typed([*numbers, *sizes], [_INDEX]), *memory)))
    _attributes(parser, state)


def _affine_for(parser: AsmParser, state: OperationState) -> None:
    """``%i = bound to bound [step 2] [iter_args(%x = %y) -> types] {...} [{...}]``: `AffineForOp::parse`."""
    arguments = [_defined(parser)]
    for name, before in (("lowerBoundOperands", "="), ("upperBoundOperands", "to")):
        _accept(parser, before)
        state.values[name] = _bound(parser)
    if parser.accept_keyword("step"):
        if parser.at("-"):
            raise Mismatch(parser.index, "a step that is not negative", is_certain=True)
        parser.expect_integer()
    carried = _carried(parser, state, "inits") if parser.accept_keyword("iter_args") else _nothing(state)
    state.regions.append(parser.read_region(state, (*_typed(arguments, [_INDEX]), *carried)))
    _attributes(parser, state)


def _bound(parser: AsmParser) -> list[ValueUse]:
    """Read ``[min|max] map(dimensions)[symbols]``, a value or an integer."""
    if parser.at(scanner.VALUE):
        return [read_value(parser)]
    is_map = parser.accept_keyword("min") or parser.accept_keyword("max") or parser.at_keyword("affine_map")
    if is_map or parser.at(scanner.ATTRIBUTE):
        read_attribute(parser, "", parser.index)
        return applied(parser)
    parser.accept("-")
    parser.expect_integer("a bound: an integer, a value or a map with its operands")
    return []


def applied(parser: AsmParser) -> list[ValueUse]:
    """Read the operands of a map, ``(dimensions)[symbols]``. Raises `Mismatch`."""
    uses = _in_parentheses(parser)
    if parser.accept("["):
        uses += read_values(parser)
        parser.expect("]")
    return uses


def _affine_if(parser: AsmParser, state: OperationState) -> None:
    """``set(dimensions)[symbols] [-> types] {...} [else {...}] [{...}]``: `AffineIfOp::parse`."""
    state.attributes.append(read_attribute(parser, "condition", parser.index))
    state.values[""] = applied(parser)
    _branches(parser, state)


def _affine_parallel(parser: AsmParser, state: OperationState) -> None:
    """``(%i) = (a) to (b) [step (1)] [reduce ("addf")] [-> types] {...} [{...}]``: `AffineParallelOp::parse`."""
    arguments = _definitions(parser)
    _accept(parser, "=")
    values = _values_in_group(parser)
    parser.expect_keyword("to")
    state.values["mapOperands"] = values + _values_in_group(parser)
    for keyword in ("step", "reduce"):
        if parser.accept_keyword(keyword):
            _values_in_group(parser)
    state.types["results"] = _results(parser)
    state.regions.append(parser.read_region(state, _typed(arguments, [_INDEX])))
    _attributes(parser, state)


def _scope(parser: AsmParser, state: OperationState) -> None:
    """``[-> types] [no_inline] {...} [{...}]``: `AllocaScopeOp::parse` of MemRef, `ExecuteRegionOp::parse` of SCF."""
    state.types[state.definition.results[0].name if state.definition is not None else ""] = _results(parser)
    _flag(parser, state, "no_inline", "no_inline")
    state.regions.append(parser.read_region(state))
    _attributes(parser, state)


def _structured(parser: AsmParser, state: OperationState) -> None:
    """The attributes, ``ins(...)``, ``outs(...)``, a region where users write it, and ``-> types``."""
    if parser.at("<"):
        parser.index = parser.after_group(parser.index)
    if parser.at(scanner.ATTRIBUTE):
        state.attributes.append(read_attribute(parser, ALIAS, parser.index))
    _attributes(parser, state)
    attributes = {each.name for each in state.definition.attributes} if state.definition is not None else ()
    while parser.spelling(parser.index) in attributes and parser.kinds[parser.index + 1] == "=":
        _assigned_attribute(parser, state)
        parser.accept(",")
    _attributes(parser, state)
    _operands_of_structured(parser, state)
    if parser.accept_keyword("attrs"):
        parser.expect("=")
        state.attributes.extend(read_dictionary(parser))
    if state.definition is not None and state.definition.written_body:
        state.regions.append(parser.read_region(state))
    else:
        _attributes(parser, state)
    state.types[_result_name(state)] = _results(parser)


def _assigned_attribute(parser: AsmParser, state: OperationState) -> None:
    start = parser.take()
    parser.expect("=")
    state.attributes.append(read_attribute(parser, parser.spelling(start), start))


def _operands_of_structured(parser: AsmParser, state: OperationState) -> None:
    """Read ``ins(%a : type)`` and ``outs(%b : type)``, each optional, as `parseCommonStructuredOpParts` does."""
    assert state.definition is not None
    for keyword, group in zip(("ins", "outs"), state.definition.operands, strict=False):
        state.values[group.name], state.types[group.name] = [], []
        if not parser.accept_keyword(keyword):
            may_lack = state.definition.written_body and (parser.at("{") or parser.at_keyword("attrs"))
            if not (parser.at_keyword("outs") or may_lack):
                expected = "`ins(...) outs(...)`, as since LLVM 15" if parser.at("(") else f"`{keyword}`"
                raise Mismatch(parser.index, expected)
            continue
        parser.expect("(")
        if parser.accept(")"):
            continue
        state.values[group.name] = read_values(parser)
        parser.expect(":", "`,` or `:` and the types of the values")
        state.types[group.name] = read_types(parser)
        parser.expect(")", "`,` or `)` behind the types")


def _result_name(state: OperationState) -> str:
    return state.definition.results[0].name if state.definition is not None and state.definition.results else ""


def _along(attribute: str) -> Callable[[AsmParser, OperationState], None]:
    """Return the handler of an operation with ``attribute = [...]`` behind ``outs``, or a body: `linalg.reduce`."""

    def read(parser: AsmParser, state: OperationState) -> None:
        _body_operation(parser, state)
        _operands_of_structured(parser, state)
        if attribute:
            start = parser.index
            for expected in (attribute, "=", "["):
                if not (parser.at_keyword(expected) if expected == attribute else parser.at(expected)):
                    raise Mismatch(parser.index, f"`{expected}`", is_certain=True)
                parser.take()
            parser.index = start
            _assigned_attribute(parser, state)
        _attributes(parser, state)
        if parser.at("("):
            state.regions.append(parser.read_region(state, _arguments(parser)))
        results = state.types[state.definition.operands[-1].name] if state.definition is not None else []
        state.types[_result_name(state)] = [each for each in results if not each.text.startswith("memref")]
        if any(each.text.startswith("!") for each in results):
            del state.types[_result_name(state)]

    return read


def _body_operation(parser: AsmParser, state: OperationState) -> None:
    """Read ``{ operation [{...}] }``, the body in short."""
    if not parser.accept("{"):
        return
    index = parser.expect(scanner.IDENTIFIER, "the operation that is the body")
    place = parser.place(index, index + 1)
    state.attributes.append(NamedAttribute(*place, BODY, parser.spelling(index), *place))
    _attributes(parser, state)
    parser.expect("}")


def _arguments(parser: AsmParser) -> tuple[BlockArgument, ...]:
    parser.expect("(")
    arguments = [] if parser.at(")") else [parser.read_argument()]
    while parser.accept(","):
        arguments.append(parser.read_argument())
    parser.expect(")", "`,` or `)` in the arguments")
    return tuple(arguments)


def _results(parser: AsmParser, *, is_needed: bool = False) -> list[TypeUse]:
    if is_needed:
        parser.expect("->")
    elif not parser.accept("->"):
        return []
    return read_type_list(parser) if parser.at("(") else [parser.read_type()]


def _attributes(parser: AsmParser, state: OperationState) -> None:
    if parser.at("{"):
        state.attributes.extend(read_dictionary(parser))


def _definitions(parser: AsmParser) -> list[BlockArgument]:
    parser.expect("(")
    arguments = [] if parser.at(")") else [_defined(parser)]
    while parser.accept(","):
        arguments.append(_defined(parser))
    parser.expect(")", "`,` or `)`")
    return arguments


def _values_in_group(parser: AsmParser) -> list[ValueUse]:
    """Step over ``(...)`` and return the values in it."""
    start = parser.expect("(")
    parser.index = parser.after_group(start)
    inside = range(start, parser.index)
    return [value_at(parser, index) for index in inside if parser.kinds[index] == scanner.VALUE]


def _accept(parser: AsmParser, word: str) -> None:
    if not (parser.accept(word) or parser.accept_keyword(word)):
        raise Mismatch(parser.index, f"`{word}`")


def _defined(parser: AsmParser, *, may_have_location: bool = True) -> BlockArgument:
    """Read ``%name [loc(...)]``, the name that an operation gives to an argument of its region."""
    index = parser.expect(scanner.VALUE)
    if may_have_location and parser.at_keyword("loc") and parser.kinds[parser.index + 1] == "(":
        parser.index = parser.after_group(parser.index + 1)
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


ALIAS = "(alias)"
"""The name under which an alias that stands for the dictionary is kept among the attributes."""
BODY = "(body)"
"""The name under which the operation of a body in short is kept among the attributes."""

_OTHERS: dict[str, Callable[[AsmParser, OperationState], None]] = {
    "affine.for": _affine_for,
    "affine.if": _affine_if,
    "affine.parallel": _affine_parallel,
    "gpu.launch": _launch,
    "linalg.broadcast": _along("dimensions"),
    "linalg.map": _along(""),
    "linalg.reduce": _along("dimensions"),
    "linalg.transpose": _along("permutation"),
    "memref.alloca_scope": _scope,
    "scf.execute_region": _scope,
    "scf.for": _for,
    "scf.forall": _forall,
    "scf.if": _if,
    "scf.parallel": _parallel,
    "scf.while": _while,
}
"""Handlers by operation name."""


def payload_handler(definition: OperationDefinition) -> Callable[[AsmParser, OperationState], None] | None:
    """Return the handler of an upstream operation, or None if C++ does not parse it, or none is written."""
    if not definition.versions or not definition.custom_assembly:
        return None
    is_structured = definition.name.startswith("linalg.") and "LinalgOp" in definition.traits
    return _OTHERS.get(definition.name) or (_structured if is_structured else None)
