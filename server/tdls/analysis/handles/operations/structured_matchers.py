"""Evaluates ``transform.match.structured`` and the conditions in its body on a known payload operation.

The conditions follow LinalgMatchOps.cpp. A condition on an unknown property counts as met.
"""

from __future__ import annotations

import re
from functools import partial
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING

from tdls.analysis.handles.operations.navigation import hold_definers, users
from tdls.analysis.handles.operations.row import Meaning
from tdls.analysis.handles.payload_run import HeldInteger
from tdls.analysis.handles.shortfalls import Shortfall, ShortfallKind
from tdls.payload.loops import DYNAMIC, PARALLEL, REDUCTION, Loops, element_of, is_permutation, is_projected_permutation
from tdls.payload.operations import is_structured, result_count, type_of
from tdls.semantic.transform_dialect import suppresses_failures
from tdls.structs import NamedTuple
from tdls.text.scanning import integer
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from tdls.analysis.handles.payload_run import PayloadRun
    from tdls.payload.loops import IndexingMap
    from tdls.payload.operations import PayloadOperation
    from tdls.semantic.model import Operation, Value
    from tdls.syntax.tree import NamedAttribute

_KINDS = {PARALLEL: "parallel", REDUCTION: "a reduction"}
_INTEGER = "i64"
_CONSTANT = re.compile(r"([+-]?\d{1,19})(?:\s*:\s*(i\d+|index))?", re.ASCII)
_WIDTH = re.compile(r"(?:[su]?i|b?f)(\d{1,8})(?:E\w+)?", re.ASCII)
_WITHOUT_WIDTH = re.compile(r"index|complex<", re.ASCII)
_POSITION = re.compile(r"-?\d+", re.ASCII)


class Comparison(NamedTuple):
    """A predicate of ``transform.match.param.cmpi``."""

    holds: Callable[[int, int], bool]
    words: str
    """Message text after the parameter if it does not hold."""


COMPARISONS = {
    "eq": Comparison(eq, "not {}"),
    "ne": Comparison(ne, "which is not to be"),
    "lt": Comparison(lt, "not less than {}"),
    "le": Comparison(le, "greater than {}"),
    "gt": Comparison(gt, "not greater than {}"),
    "ge": Comparison(ge, "less than {}"),
}


def match_structured(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.match.structured``, which fails unless the operation is structured and meets its body."""
    block = operation.body
    payload = _only(run, operation)
    if payload is None or not asks_for_structured(operation):
        return
    definition = payload.definition(run.context.catalogue)
    if definition is not None and not is_structured(definition):
        run.refuse(operation, f"{payload.shown} is not a structured operation")
    if block is not None and block.arguments:
        run.execute_body(operation, block)


def asks_for_structured(operation: Operation) -> bool:
    """Whether `operation` is a ``transform.match.structured`` that fails for other operations."""
    return MEANINGS.get(operation.name) is MATCH_STRUCTURED and not suppresses_failures(operation)


def _number(count: Callable[[Loops], int | None]) -> Callable[[PayloadRun, Operation], None]:
    """Return the evaluation of an operation whose result is a number that the loops of its operand tell."""

    def evaluate(run: PayloadRun, operation: Operation) -> None:
        loops = _loops(run, operation)
        _give(run, operation, [count(loops) if loops is not None else None])

    return evaluate


def dim(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.match.structured.dim``: conditions on kinds, and the sizes of loops."""
    loops = _loops(run, operation)
    taken = _positions(run, operation, "raw_dim_list", loops.count if loops is not None else None, "loop")
    if loops is None or taken is None:
        return
    for wanted in (PARALLEL, REDUCTION):
        kinds = loops.kinds if operation.has_attribute(wanted) else None
        wrong = next((loop for loop in taken if kinds is not None and kinds[loop] != wanted), None)
        if wrong is not None and kinds is not None:
            words = f"is {_KINDS.get(kinds[wrong], kinds[wrong])}, not {_KINDS[wanted]}"
            _fail(run, operation, f"loop number {wrong} of {_shown(run, operation)} {words}")
    ranges = loops.ranges
    _give(run, operation, [ranges[loop] for loop in taken] if ranges is not None else [None])


def result(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.match.structured.result``, which fails if the result does not exist or has no user."""
    loops, position = _loops(run, operation), operation.integer("position")
    count = loops.inits if loops is not None else None
    payload = _only(run, operation)
    if count is None or position is None or payload is None or len(operation.results) != 1:
        return
    if not -count <= position < count:
        _fail(run, operation, f"{payload.shown} has no result number {position}, only {count}")
    is_on_tensors = bool(result_count(payload))
    if not is_on_tensors or not (operation.has_attribute("any") or operation.has_attribute("single")):
        return
    consuming = users(run, payload, position % count)
    if consuming is not None and not consuming:
        _fail(run, operation, f"nothing uses result number {position % count} of {payload.shown}")
    if consuming is not None:
        run.hold(operation.results[0], consuming)


def body(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.match.structured.body``: elementwise, passthrough, or contraction."""
    loops, payload = _loops(run, operation), _only(run, operation)
    if loops is None or payload is None:
        return
    if operation.has_attribute("elementwise") and loops.kinds is not None and set(loops.kinds) - {PARALLEL}:
        _fail(run, operation, f"{payload.shown} is not elementwise: not all of its loops are parallel")
    if loops.inputs is None or loops.inits is None:
        return
    if operation.has_attribute("passthrough") and loops.inputs != loops.inits:
        _fail(run, operation, f"{payload.shown} does not pass its inputs through: it has other numbers of both")
    arguments = _body_arguments(run, payload, loops.inputs + loops.inits)
    if operation.has_attribute("contraction") and arguments not in (None, _IN_CONTRACTION):
        _fail(run, operation, f"{payload.shown} is not a contraction: its body takes {arguments} values")


def _body_arguments(run: PayloadRun, payload: PayloadOperation, operands: int) -> int | None:
    """Return the number of arguments of a structured body; an unwritten body has one for each of the `operands`."""
    written, definition = payload.written, payload.definition(run.context.catalogue)
    block = written.body if written is not None else None
    if block is not None:
        return len(block.arguments)
    return operands if definition is not None and not definition.written_body else None


_IN_CONTRACTION = 3


def elemental_bitwidth(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.match.structured.elemental_bitwidth``, which fails for elements without a bit width."""
    values = run.held_values(operation.first_operand)
    own = type_of(values[0]) if values is not None and len(values) == 1 else None
    if own is None:
        return
    element = element_of(own) or own
    if _WITHOUT_WIDTH.match(element):
        _fail(run, operation, f"`{own}` has no elements of a width")
    width = _WIDTH.fullmatch(element)
    _give(run, operation, [int(width[1]) if width is not None else None])


def constant(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.param.constant`` with an integer value."""
    match = _CONSTANT.fullmatch((operation.spelled("value") or "").strip())
    if match is not None and len(operation.results) == 1:
        run.hold_parameters(operation.results[0], (HeldInteger(int(match[1]), match[2] or _INTEGER),))


def count(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.num_associations``, the number of operations in a handle."""
    held = run.held(operation.first_operand)
    _give(run, operation, [len(held) if held is not None else None])


def compare(run: PayloadRun, operation: Operation) -> None:
    """Evaluate ``transform.match.param.cmpi``, which fails if a comparison of parameters does not hold."""
    if len(operation.operands) != 2:
        return
    own, references = map(run.parameters, operation.operands)
    comparison = COMPARISONS.get(operation.spelled("predicate") or "")
    if own is None or references is None or comparison is None:
        return
    if len(own) != len(references):
        first, second = (counted(len(each), "value") if each else "an empty list" for each in (own, references))
        _fail(run, operation, f"{_named(operation.operands[0])} is {first}, compared with {second}")
    for parameter, reference in zip(own, references, strict=True):
        if parameter.type != reference.type:
            _fail(run, operation, f"an `{parameter.type}` is compared with an `{reference.type}`")
        if not comparison.holds(parameter.value, reference.value):
            name = _named(operation.operands[0])
            value = "not known before it is run" if parameter.value == DYNAMIC else f"{parameter.value}"
            _fail(run, operation, f"{name} is {value}, {comparison.words.format(reference.value)}")


def _named(value: Value | None) -> str:
    """Return message text for a parameter, by the operation that defines it."""
    maker = value.operation if value is not None else None
    meaning = MEANINGS.get(maker.name) if maker is not None else None
    return (
        meaning.counts if meaning is not None and meaning.counts else f"`{value.shown}`" if value is not None else "it"
    )


def _loops(run: PayloadRun, operation: Operation) -> Loops | None:
    """Return the loops of the only operation in the first operand, or None if not known."""
    payload = _only(run, operation)
    return run.loops(payload) if payload is not None else None


def _only(run: PayloadRun, operation: Operation) -> PayloadOperation | None:
    held = run.held(operation.first_operand)
    return held[0] if held is not None and len(held) == 1 else None


def _shown(run: PayloadRun, operation: Operation) -> str:
    payload = _only(run, operation)
    return payload.shown if payload is not None else "it"


def _give(run: PayloadRun, operation: Operation, values: Sequence[int | None]) -> None:
    """Bind the only result of an operation, if any, to the parameters `values`, unless one of these is not known."""
    known = [HeldInteger(value, _INTEGER) for value in values if value is not None]
    if len(operation.results) == 1 and len(known) == len(values):
        run.hold_parameters(operation.results[0], known)


def _positions(run: PayloadRun, operation: Operation, name: str, count: int | None, noun: str) -> list[int] | None:
    """Return the positions among `count` that an operation selects, or None if not known.

    After `expandTargetSpecification` of MatchInterfaces.cpp. Messages call a position by `noun`.
    """
    if count is None:
        return None
    if operation.has_attribute("is_all"):
        return list(range(count))
    attribute = operation.syntax.attribute(name)
    spelled = attribute.value if attribute is not None and attribute.value is not None else ""
    taken: list[int] = []
    for number in map(integer, _POSITION.findall(spelled.rpartition("i64:")[2])):
        if number is None:
            return None
        if not -count <= number < count:
            _fail(run, operation, f"{_shown(run, operation)} has no {noun} number {number}, only {count}", attribute)
        taken.append(number % count)
    twice = next((position for position in taken if taken.count(position) > 1), None)
    if twice is not None:
        _fail(run, operation, f"{noun} number {twice} of {_shown(run, operation)} is named twice", attribute)
    if operation.has_attribute("is_inverted"):
        return [position for position in range(count) if position not in taken]
    return taken


def _operands(run: PayloadRun, operation: Operation, *, noun: str) -> None:
    """Evaluate ``match.structured.input`` or ``init``: conditions on indexing maps, and the values or producers."""
    loops = _loops(run, operation)
    count = None if loops is None else loops.inputs if noun == _INPUT else loops.inits
    taken = _positions(run, operation, "raw_position_list", count, noun)
    if loops is None or loops.operands is None or loops.inputs is None or taken is None:
        return
    offset = 0 if noun == _INPUT else loops.inputs
    for number in taken:
        own = loops.maps[offset + number] if loops.maps is not None else None
        wrong = _unmet_indexing(operation, own, loops.count)
        if wrong is not None:
            _fail(run, operation, f"{noun} number {number} of {_shown(run, operation)} is not indexed by {wrong}")
    values = [value for number in taken if (value := loops.operands[offset + number]) is not None]
    if len(operation.results) != 1 or len(values) < len(taken):
        return
    if operation.results[0].type == _ANY_VALUE:
        run.hold_values(operation.results[0], values)
    elif operation.results[0].type == _ANY_OPERATION:
        argument = next((value for value in values if value.operation is None), None)
        if argument is not None:
            words = f"the {noun} `{argument.shown}` of {_shown(run, operation)}"
            _fail(run, operation, f"{words} is a block argument, which nothing produces")
        hold_definers(run, operation, values)


_INPUT, _INITIAL = "input", "initial value"
_ANY_VALUE, _ANY_OPERATION = "!transform.any_value", "!transform.any_op"


def _unmet_indexing(operation: Operation, own: IndexingMap | None, count: int | None) -> str | None:
    """Return message text for the required indexing that an operand lacks, or None if it has it, or is not known."""
    if own is None or count is None:
        return None
    if operation.has_attribute("permutation") and is_permutation(own, count) is False:
        return "all loops, each once"
    if operation.has_attribute("projected_permutation") and is_projected_permutation(own) is False:
        return "loops, each once at most"
    return None


def _classify(run: PayloadRun, operation: Operation, *, noun: str, fits: Callable[[int], bool]) -> None:
    """Fail unless the operation has inputs of a number that `fits`, and one initial value."""
    loops = _loops(run, operation)
    if loops is None or loops.inputs is None or loops.inits is None:
        return
    if not fits(loops.inputs) or loops.inits != 1:
        _fail(run, operation, f"{_shown(run, operation)} is not {noun}")


def _fail(run: PayloadRun, operation: Operation, message: str, place: NamedAttribute | None = None) -> NoReturn:
    run.fail(Shortfall(operation, ShortfallKind.FAILS, message, place, is_of_content=True))


MATCH_STRUCTURED = Meaning(evaluates=match_structured)
CONSTANT = Meaning(evaluates=constant)
MEANINGS = {
    "transform.match.structured": MATCH_STRUCTURED,
    "transform.match.structured.body": Meaning(evaluates=body),
    "transform.match.structured.classify_contraction_dims": Meaning(
        evaluates=partial(_classify, noun="a contraction", fits=lambda inputs: inputs == 2)
    ),
    "transform.match.structured.classify_convolution_dims": Meaning(
        evaluates=partial(_classify, noun="a convolution", fits=lambda inputs: inputs >= 2)
    ),
    "transform.match.structured.dim": Meaning(evaluates=dim, counts="the size of its loop"),
    "transform.match.structured.elemental_bitwidth": Meaning(
        evaluates=elemental_bitwidth, counts="the width of its elements"
    ),
    "transform.match.structured.init": Meaning(evaluates=partial(_operands, noun=_INITIAL)),
    "transform.match.structured.input": Meaning(evaluates=partial(_operands, noun=_INPUT)),
    "transform.match.structured.num_inits": Meaning(
        evaluates=_number(lambda loops: loops.inits), counts="the number of its initial values"
    ),
    "transform.match.structured.num_inputs": Meaning(
        evaluates=_number(lambda loops: loops.inputs), counts="the number of its inputs"
    ),
    "transform.match.structured.rank": Meaning(
        evaluates=_number(lambda loops: loops.count), counts="the number of its loops"
    ),
    "transform.match.structured.result": Meaning(evaluates=result),
    "transform.match.param.cmpi": Meaning(evaluates=compare),
    "transform.num_associations": Meaning(evaluates=count),
    "transform.param.constant": CONSTANT,
}
