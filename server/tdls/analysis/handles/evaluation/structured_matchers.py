"""Conditions on structured operations, as ``transform.match.structured`` has in its body: what one that is known meets.

What each asks follows LinalgMatchOps.cpp. What is not known of an operation is taken to be as asked for.
"""

from __future__ import annotations

import re
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING

from tdls.analysis.handles.evaluation.loops import (
    DYNAMIC,
    PARALLEL,
    REDUCTION,
    Loops,
    element_of,
    is_permutation,
    is_projected_permutation,
)
from tdls.analysis.handles.evaluation.navigation import defining, has_unit, number_of, users
from tdls.analysis.handles.evaluation.operations import is_structured, result_count, type_of
from tdls.analysis.handles.evaluation.payload_run import HeldInteger, Shortfall, ShortfallKind
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from tdls.analysis.handles.evaluation.loops import IndexingMap
    from tdls.analysis.handles.evaluation.operations import PayloadOperation
    from tdls.analysis.handles.evaluation.payload_run import PayloadRun
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import NamedAttribute

_KINDS = {PARALLEL: "parallel", REDUCTION: "a reduction"}
_SUPPRESS = ("suppress", "2")
_INTEGER = "i64"
_CONSTANT = re.compile(r"([+-]?\d{1,19})(?:\s*:\s*(i\d+|index))?", re.ASCII)
_WIDTH = re.compile(r"(?:[su]?i|b?f)(\d{1,8})(?:E\w+)?", re.ASCII)
_WITHOUT_WIDTH = re.compile(r"index|complex<", re.ASCII)
_POSITION = re.compile(r"-?\d+", re.ASCII)
_COMPARISONS: dict[str, tuple[Callable[[int, int], bool], str]] = {
    "eq": (eq, "not {}"),
    "ne": (ne, "which is not to be"),
    "lt": (lt, "not less than {}"),
    "le": (le, "greater than {}"),
    "gt": (gt, "not greater than {}"),
    "ge": (ge, "less than {}"),
}
"""What a predicate compares with, and what is wrong where it does not hold, in words behind the parameter."""


def match_structured(run: PayloadRun, operation: Operation) -> None:
    """``transform.match.structured``: fails for what is not structured, or does not meet what its body asks."""
    block = next(operation.blocks(), None)
    payload = _only(run, operation)
    if payload is None or not asks_for_structured(operation):
        return
    definition = payload.definition(run.context.catalogue)
    if definition is not None and not is_structured(definition):
        run.fail(
            Shortfall(operation, ShortfallKind.FAILS, f"{payload.shown} is not a structured operation"),
        )
    if block is None or not block.arguments:
        return
    run.enter(block, operation.operands)
    run.execute(block)
    terminator = block.terminator
    for result, value in zip(operation.results, terminator.operands if terminator is not None else (), strict=False):
        if value is not None:
            run.pass_on(value, result)


def asks_for_structured(operation: Operation) -> bool:
    """Tell whether an operation is one that fails for what is not structured."""
    mode = (operation.spelled("failure_propagation_mode") or "").partition(":")[0].strip()
    return operation.name == _MATCH_STRUCTURED and mode not in _SUPPRESS


_MATCH_STRUCTURED = "transform.match.structured"


def rank(run: PayloadRun, operation: Operation) -> None:
    """``transform.match.structured.rank``: the number of loops."""
    loops = _loops(run, operation)
    _give(run, operation, [loops.count if loops is not None else None])


def num_inputs(run: PayloadRun, operation: Operation) -> None:
    """``transform.match.structured.num_inputs``."""
    loops = _loops(run, operation)
    _give(run, operation, [loops.inputs if loops is not None else None])


def num_inits(run: PayloadRun, operation: Operation) -> None:
    """``transform.match.structured.num_inits``."""
    loops = _loops(run, operation)
    _give(run, operation, [loops.inits if loops is not None else None])


def dim(run: PayloadRun, operation: Operation) -> None:
    """``transform.match.structured.dim``: kinds and sizes of loops."""
    loops = _loops(run, operation)
    taken = _positions(run, operation, "raw_dim_list", loops.count if loops is not None else None, "loop")
    if loops is None or taken is None:
        return
    for wanted in (PARALLEL, REDUCTION):
        kinds = loops.kinds if has_unit(operation, wanted) else None
        wrong = next((loop for loop in taken if kinds is not None and kinds[loop] != wanted), None)
        if wrong is not None and kinds is not None:
            words = f"is {_KINDS.get(kinds[wrong], kinds[wrong])}, not {_KINDS[wanted]}"
            _fail(run, operation, f"loop number {wrong} of {_shown(run, operation)} {words}")
    ranges = loops.ranges
    _give(run, operation, [ranges[loop] for loop in taken] if ranges is not None else [None])


def inputs(run: PayloadRun, operation: Operation) -> None:
    """``transform.match.structured.input``: inputs, what indexes them, and what produces them."""
    loops = _loops(run, operation)
    taken = _positions(run, operation, "raw_position_list", loops.inputs if loops is not None else None, "input")
    if loops is not None and taken is not None:
        _operands(run, operation, loops, taken, "input")


def inits(run: PayloadRun, operation: Operation) -> None:
    """``transform.match.structured.init``: initial values, what indexes them, and what produces them."""
    loops = _loops(run, operation)
    count = loops.inits if loops is not None else None
    taken = _positions(run, operation, "raw_position_list", count, "initial value")
    if loops is not None and taken is not None and loops.inputs is not None:
        _operands(run, operation, loops, [loops.inputs + position for position in taken], "initial value")


def result(run: PayloadRun, operation: Operation) -> None:
    """``transform.match.structured.result``: fails where there is no such result."""
    loops, position = _loops(run, operation), number_of(operation, "position", None)
    count = loops.inits if loops is not None else None
    payload = _only(run, operation)
    if count is None or position is None or payload is None or len(operation.results) != 1:
        return
    if not -count <= position < count:
        _fail(run, operation, f"{payload.shown} has no result number {position}, only {count}")
    is_on_tensors = bool(result_count(payload))
    if not is_on_tensors or not (has_unit(operation, "any") or has_unit(operation, "single")):
        return
    found = users(run, payload, position % count)
    if found is not None and not found:
        _fail(run, operation, f"nothing uses result number {position % count} of {payload.shown}")
    if found is not None:
        run.hold(operation.results[0], found)


def body(run: PayloadRun, operation: Operation) -> None:
    """``transform.match.structured.body``: what is elementwise, or a contraction of some operations."""
    loops, payload = _loops(run, operation), _only(run, operation)
    if loops is None or payload is None:
        return
    if has_unit(operation, "elementwise") and loops.kinds is not None and set(loops.kinds) - {PARALLEL}:
        _fail(run, operation, f"{payload.shown} is not elementwise: not all of its loops are parallel")
    if loops.inputs is None or loops.inits is None:
        return
    if has_unit(operation, "passthrough") and loops.inputs != loops.inits:
        _fail(run, operation, f"{payload.shown} does not pass its inputs through: it has other numbers of both")
    arguments = _body_arguments(run, payload, loops.inputs + loops.inits)
    if operation.syntax.attribute("contraction") is not None and arguments not in (None, _IN_CONTRACTION):
        _fail(run, operation, f"{payload.shown} is not a contraction: its body takes {arguments} values")


def _body_arguments(run: PayloadRun, payload: PayloadOperation, operands: int) -> int | None:
    """Return how many arguments the body of a structured operation has: one for each operand, unless it is written."""
    written, definition = payload.written, payload.definition(run.context.catalogue)
    block = next(written.blocks(), None) if written is not None else None
    if block is not None:
        return len(block.arguments)
    return operands if definition is not None and not definition.written_body else None


_IN_CONTRACTION = 3


def contraction_dims(run: PayloadRun, operation: Operation) -> None:
    """``transform.match.structured.classify_contraction_dims``: fails without two inputs and one initial value."""
    _classify(run, operation, "a contraction", lambda inputs: inputs == 2)


def convolution_dims(run: PayloadRun, operation: Operation) -> None:
    """``transform.match.structured.classify_convolution_dims``: fails without inputs to convolve."""
    _classify(run, operation, "a convolution", lambda inputs: inputs >= 2)


def elemental_bitwidth(run: PayloadRun, operation: Operation) -> None:
    """``transform.match.structured.elemental_bitwidth``: fails where elements are no integers or floats."""
    values = run.held_values(next(iter(operation.operands), None))
    own = type_of(values[0]) if values is not None and len(values) == 1 else None
    if own is None:
        return
    element = element_of(own) or own
    if _WITHOUT_WIDTH.match(element):
        _fail(run, operation, f"`{own}` has no elements of a width")
    width = _WIDTH.fullmatch(element)
    _give(run, operation, [int(width[1]) if width is not None else None])


def constant(run: PayloadRun, operation: Operation) -> None:
    """``transform.param.constant``: an integer, if it is one."""
    found = _CONSTANT.fullmatch((operation.spelled("value") or "").strip())
    if found is not None and len(operation.results) == 1:
        run.hold_parameters(operation.results[0], (HeldInteger(int(found[1]), found[2] or _INTEGER),))


def count(run: PayloadRun, operation: Operation) -> None:
    """``transform.num_associations``: how many operations a handle holds."""
    held = run.held(next(iter(operation.operands), None))
    _give(run, operation, [len(held) if held is not None else None])


def compare(run: PayloadRun, operation: Operation) -> None:
    """``transform.match.param.cmpi``: fails where a parameter does not compare as it should."""
    if len(operation.operands) != 2:
        return
    own, references = map(run.parameters, operation.operands)
    comparison = _COMPARISONS.get(operation.spelled("predicate") or "")
    if own is None or references is None or comparison is None:
        return
    if len(own) != len(references):
        _fail(run, operation, f"{len(own)} parameters are compared with {len(references)}")
    holds, words = comparison
    for parameter, reference in zip(own, references, strict=True):
        if parameter.type != reference.type:
            _fail(run, operation, f"an `{parameter.type}` is compared with an `{reference.type}`")
        if not holds(parameter.value, reference.value):
            what = _named(operation.operands[0])
            value = "not known before it is run" if parameter.value == DYNAMIC else f"{parameter.value}"
            _fail(run, operation, f"{what} is {value}, {words.format(reference.value)}")


def _named(value: Value | None) -> str:
    """Return what a parameter is, in words."""
    maker = value.operation if value is not None else None
    words = _PARAMETERS.get(maker.name) if maker is not None else None
    return words if words is not None else f"`{value.shown}`" if value is not None else "it"


_PARAMETERS = {
    "transform.match.structured.rank": "the number of its loops",
    "transform.match.structured.num_inputs": "the number of its inputs",
    "transform.match.structured.num_inits": "the number of its initial values",
    "transform.match.structured.dim": "the size of its loop",
    "transform.match.structured.elemental_bitwidth": "the width of its elements",
}


def _loops(run: PayloadRun, operation: Operation) -> Loops | None:
    """Return the loops of the one operation that the first operand holds; None if that is not known."""
    payload = _only(run, operation)
    return Loops(payload, run.context.catalogue, run.payload.aliases) if payload is not None else None


def _only(run: PayloadRun, operation: Operation) -> PayloadOperation | None:
    held = run.held(next(iter(operation.operands), None))
    return held[0] if held is not None and len(held) == 1 else None


def _shown(run: PayloadRun, operation: Operation) -> str:
    payload = _only(run, operation)
    return payload.shown if payload is not None else "it"


def _give(run: PayloadRun, operation: Operation, values: Sequence[int | None]) -> None:
    """Let the result of an operation, if it has one, be the parameters `values`, unless one of these is not known."""
    known = [HeldInteger(value, _INTEGER) for value in values if value is not None]
    if len(operation.results) == 1 and len(known) == len(values):
        run.hold_parameters(operation.results[0], known)


def _positions(run: PayloadRun, operation: Operation, name: str, count: int | None, what: str) -> list[int] | None:
    """Return the positions that an operation means of `count` (`expandTargetSpecification` of MatchInterfaces.cpp)."""
    if count is None:
        return None
    if has_unit(operation, "is_all"):
        return list(range(count))
    attribute = operation.syntax.attribute(name)
    spelled = attribute.value if attribute is not None and attribute.value is not None else ""
    taken: list[int] = []
    for number in map(integer, _POSITION.findall(spelled.rpartition("i64:")[2])):
        if number is None:
            return None
        if not -count <= number < count:
            _fail(run, operation, f"{_shown(run, operation)} has no {what} number {number}, only {count}", attribute)
        taken.append(number % count)
    twice = next((position for position in taken if taken.count(position) > 1), None)
    if twice is not None:
        _fail(run, operation, f"{what} number {twice} of {_shown(run, operation)} is named twice", attribute)
    if has_unit(operation, "is_inverted"):
        return [position for position in range(count) if position not in taken]
    return taken


def _operands(run: PayloadRun, operation: Operation, loops: Loops, taken: Sequence[int], what: str) -> None:
    """Let an operation fail for what indexes operands, or who produces them, or else return these."""
    if loops.operands is None:
        return
    offset = 0 if what == "input" or loops.inputs is None else loops.inputs
    for number in taken:
        own = loops.maps[number] if loops.maps is not None else None
        wrong = _not_as_asked(operation, own, loops.count)
        if wrong is not None:
            message = f"{what} number {number - offset} of {_shown(run, operation)} is not indexed by {wrong}"
            _fail(run, operation, message)
    if len(operation.results) != 1:
        return
    values = [loops.operands[number] for number in taken]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return
    type_ = operation.results[0].type or ""
    if type_ == _ANY_VALUE:
        run.hold_values(operation.results[0], known)
    elif type_ == _ANY_OPERATION:
        _producers(run, operation, known, what)


_ANY_VALUE, _ANY_OPERATION = "!transform.any_value", "!transform.any_op"


def _not_as_asked(operation: Operation, own: IndexingMap | None, count: int | None) -> str | None:
    """Return by what an operand is not indexed though that is asked for, in words; None if nothing is known of it."""
    if own is None or count is None:
        return None
    if has_unit(operation, "permutation") and is_permutation(own, count) is False:
        return "all loops, each once"
    if has_unit(operation, "projected_permutation") and is_projected_permutation(own) is False:
        return "loops, each once at most"
    return None


def _producers(run: PayloadRun, operation: Operation, values: Sequence[Value], what: str) -> None:
    found: list[PayloadOperation] = []
    for value in values:
        if value.operation is None:
            words = f"the {what} `{value.shown}` of {_shown(run, operation)}"
            _fail(run, operation, f"{words} is a block argument, which nothing produces")
        producer = defining(run, value)
        if producer is None:
            return
        found.append(producer)
    run.hold(operation.results[0], found)


def _classify(run: PayloadRun, operation: Operation, what: str, fits: Callable[[int], bool]) -> None:
    loops = _loops(run, operation)
    if loops is None or loops.inputs is None or loops.inits is None:
        return
    if not fits(loops.inputs) or loops.inits != 1:
        _fail(run, operation, f"{_shown(run, operation)} is not {what}")


def _fail(run: PayloadRun, operation: Operation, message: str, place: NamedAttribute | None = None) -> NoReturn:
    run.fail(Shortfall(operation, ShortfallKind.FAILS, message, place, is_of_content=True))
