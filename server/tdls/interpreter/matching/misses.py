"""Explains why payload operations do not satisfy a search: the requested property, and the actual one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.handles.evaluation.payload_operation import operands_of
from tdls.analysis.handles.matches import names_asked
from tdls.analysis.handles.operations.navigation import has_unit, is_parent_asked, number_of
from tdls.interpreter.matching.pattern_misses import asked_name, pattern_misses
from tdls.interpreter.matching.probes import SearchKind
from tdls.interpreter.matching.reports import counted
from tdls.text.similarity import likeness

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.analysis.handles.evaluation.payload_operation import PayloadOperation
    from tdls.interpreter.matching.probes import HandleSearch
    from tdls.interpreter.matching.searched_payload import SearchedPayload
    from tdls.interpreter.model import Place
    from tdls.semantic.model import Operation, Value


class Miss(NamedTuple):
    """A payload operation that does not satisfy a search."""

    place: Place | None
    message: str
    nearness: float = 0.0
    """Degree to which the search is satisfied: larger is nearer."""


def misses(search: HandleSearch, looked: SearchedPayload) -> list[Miss]:
    """Return the examined operations that do not satisfy a search, with reasons, the nearest miss first."""
    if search.kind is SearchKind.PATTERN:
        pattern = search.context.callee(search.operation)
        roots = [candidate.operation for candidate in looked.operations if candidate.operation is not None]
        found = pattern_misses(pattern, roots, looked.payload) if pattern is not None else []
        places = _places_inside(pattern, roots, looked) if pattern is not None else {}
        return [Miss(places.get(id(miss.operation)), miss.words, miss.met) for miss in found]
    test = _TESTS[search.kind]
    answers = (
        (candidate.place, test(search, candidate.operation, number))
        for number, candidate in enumerate(looked.operations)
        if candidate.operation is not None
    )
    found_of = (Miss(place, *answer) for place, answer in answers if answer is not None)
    return sorted(found_of, key=lambda miss: miss.nearness, reverse=True)


def _places_inside(pattern: Operation, roots: Sequence[PayloadOperation], looked: SearchedPayload) -> dict[int, Place]:
    """Return the positions of nested operations with the name that a pattern requests, by their identity.

    MLIR reports them in payload order, so the result is empty if one is nested in another. Operations that MLIR creates
    in implicit bodies have no position.
    """
    name = asked_name(pattern)
    named = [operation for root in roots for operation in root.walk() if operation.name == name]
    nested = any(around.name == name for operation in named for around in operation.ancestors())
    places = [place for place in looked.inside if place is not None]
    if nested or len(named) != len(places):
        return {}
    return {id(operation): place for operation, place in zip(named, places, strict=True)}


def _parent(search: HandleSearch, looked: PayloadOperation, _number: int) -> tuple[str, float] | None:
    operation, catalogue = search.operation, search.context.catalogue
    parents = list(looked.ancestors())
    wanted = [parent for parent in parents if is_parent_asked(operation, parent, catalogue)]
    times = number_of(operation, "nth_parent", 1) or 1
    if len(wanted) >= times:
        return None
    number = f"{len(wanted)} of {times}" if times > 1 else "no"
    around = ", ".join(parent.shown for parent in parents)
    tail = f": its parents are {around}" if parents else ": it has no parents"
    return f"{looked.shown} is in {number} {_parent_words(search)}{tail}", len(wanted)


def _parent_words(search: HandleSearch) -> str:
    names = names_asked(search.operation)
    words = " or ".join(f"`{name}`" for name in sorted(names)) if names else "operation"
    is_isolated = has_unit(search.operation, "isolated_from_above")
    return f"{words} that is isolated from above" if is_isolated else words


def _producer(search: HandleSearch, looked: PayloadOperation, _number: int) -> tuple[str, float] | None:
    number, operands = number_of(search.operation, "operand_number", None), operands_of(looked)
    if number is None or operands is None:
        return None
    if number >= len(operands):
        return f"{looked.shown} has {counted(len(operands), 'operand')}, and none with number {number}", 0.0
    value = operands[number]
    if value is None or value.operation is not None:
        return None
    return f"operand {number} of {looked.shown} is {_argument(value, looked)}, which no operation defines", 1.0


def _argument(value: Value, looked: PayloadOperation) -> str:
    """Return the words for an argument of a block around an operation."""
    owner = value.block.region.parent if value.block is not None else None
    shown = next((around.shown for around in looked.ancestors() if around.written is owner), None)
    return f"block argument {value.index}" + (f" of {shown}" if shown is not None else "")


def _selection(search: HandleSearch, looked: PayloadOperation, _number: int) -> tuple[str, float] | None:
    names = names_asked(search.operation) or frozenset()
    if looked.name in names:
        return None
    wanted = " or ".join(f"`{name}`" for name in sorted(names))
    return f"{looked.shown} is no {wanted}", max((likeness(looked.name, name) for name in names), default=0.0)


def _part(_search: HandleSearch, looked: PayloadOperation, number: int) -> tuple[str, float] | None:
    return f"operation {number + 1} is {looked.shown}", -float(number)


_TESTS: dict[SearchKind, Callable[[HandleSearch, PayloadOperation, int], tuple[str, float] | None]] = {
    SearchKind.PARENT: _parent,
    SearchKind.PRODUCER: _producer,
    SearchKind.SELECTION: _selection,
    SearchKind.SPLIT: _part,
}
"""The test of each kind of search: None if an operation satisfies it, or may do so; else the reason, and the nearness.
"""


def summary_of(search: HandleSearch, looked: SearchedPayload, found: list[Miss]) -> str | None:
    """Return the reason for a failed or empty search; None if unknown."""
    held = f"`{search.target.shown}` holds {counted(looked.size, 'operation')}"
    if search.kind is SearchKind.SPLIT:
        return f"{counted(len(search.operation.results), 'handle')} asked for, but {held}"
    if not found:
        return None
    others = f" ({counted(len(found) - 1, 'other')} as well)" if len(found) > 1 else ""
    return f"{found[0].message}{others}"
