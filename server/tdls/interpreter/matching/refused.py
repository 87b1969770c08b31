"""Reports the property that payload operations have where a condition of a matcher asks for another one.

The script runs once more, and prints the operations at these conditions: their names where names are required, the
names of their parents where a parent is searched, and else their text, on which the matcher is evaluated.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.handles.findings import refusal
from tdls.analysis.handles.written_payload import payload_in
from tdls.interpreter.matching.searched_payload import SearchKind, search_of
from tdls.interpreter.observing.answers import operation_name
from tdls.interpreter.observing.probe import (
    HANDLE,
    Probe,
    only_probing,
    parent_of,
    print_of,
    prints_in,
    remark_at,
    remarks_in,
)
from tdls.interpreter.runs.placed_edits import Insertion
from tdls.payload.attributes import split
from tdls.semantic.handle_types import HandleKind, kind_of
from tdls.semantic.model import operation_at
from tdls.semantic.transform_dialect import NAMED_SEQUENCE
from tdls.structs import NamedTuple
from tdls.text.similarity import likeness

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.analysis.file.context import Context
    from tdls.catalogue.catalogue import Catalogue
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.matching.reports import FailedCondition, MatcherReport
    from tdls.interpreter.runs.model import Place, RunRequest
    from tdls.interpreter.runs.script import Script
    from tdls.semantic.model import Operation, Value

_MOST_AROUND = 6
"""Maximum number of parents to list."""
_MOST_STOPS = 16
_MOST_PRINTED = 1_000_000
"""Code points: MLIR numbers all values of a function to print an operation of it, and the outermost operation is the
whole payload.
"""
_MOST_EVALUATED = 64
_MOST_NAMES = 4
_REFUSED = Probe("tdls.refused", 2)
"""At an operation, by the number of the stop and the distance of the parent; 0 for the operation itself."""


class _Shows(Enum):
    """The text that is printed at a condition."""

    NAMES = "the names of the operations"
    PARENTS = "the names of their parents"
    TEXT = "the operations"


class _Stop(NamedTuple):
    report: int
    number: int
    """Index of the stop in its report."""
    shows: _Shows
    script: Script
    context: Context
    operation: Operation
    target: Value


class _Printed(NamedTuple):
    """An operation that got to a condition: its place, its text, and the texts of its parents."""

    place: Place | None
    text: str
    around: tuple[str, ...]


def with_refused(reports: Sequence[MatcherReport], request: RunRequest, backend: Backend) -> list[MatcherReport]:
    """Return `reports` with the properties of the operations that fail at conditions.

    Runs the script once more, unless too many operations get there. Raises BackendError.
    """
    stops = list(_stops(reports, len(request.root.text)))[:_MOST_STOPS]
    explained = list(reports)
    for stop, printed in zip(stops, _printed(request, stops, backend) if stops else (), strict=True):
        report = explained[stop.report]
        failed = _described(stop, report.stops[stop.number], printed)
        known = [*report.stops[: stop.number], failed, *report.stops[stop.number + 1 :]]
        explained[stop.report] = report._replace(stops=tuple(known))
    return explained


def _stops(reports: Sequence[MatcherReport], size: int) -> Iterator[_Stop]:
    """Yield the conditions to print operations at, in a payload of `size` code points."""
    for at, report in enumerate(reports):
        reached = report.accepted
        for number, stop in enumerate(report.stops):
            reached += stop.failed
            if reached * size <= _MOST_PRINTED:
                yield from _stop(at, number, stop)


def _stop(report: int, number: int, stop: FailedCondition) -> Iterator[_Stop]:
    script = stop.condition.script
    context = script.file.context_at(stop.condition.start)
    operation = operation_at(context.model, context.to_local(stop.condition.start))
    target = operation.first_operand if operation is not None else None
    if operation is None or target is None or kind_of(context.catalogue, target.type) is not HandleKind.OPERATIONS:
        return
    search = search_of(script, context, operation)
    shows = _Shows.TEXT
    if search is not None and search.kind is SearchKind.PARENT:
        shows = _Shows.PARENTS
    elif not operation.results and operation.required_names is not None:
        shows = _Shows.NAMES
    yield _Stop(report, number, shows, script, context, operation, target)


def _printed(request: RunRequest, stops: Sequence[_Stop], backend: Backend) -> list[list[_Printed]]:
    """Return the operations that get to each stop, in their order; an operation that several runs reach comes again."""
    marks = []
    for number, stop in enumerate(stops):
        offset = stop.context.to_file(stop.operation.span).start
        marks.append((stop.script, Insertion(offset, "".join(_marks(number, stop)))))
    result = backend.run(only_probing(request, marks))
    places: list[list[Place | None]] = [[] for _ in stops]
    for answer in remarks_in(result.diagnostics, _REFUSED):
        if answer.numbers[0] < len(stops):
            places[answer.numbers[0]].append(answer.place)
    texts: list[list[list[str]]] = [[] for _ in stops]
    for answer in prints_in(result.printed, _REFUSED):
        number, far = answer.numbers
        if number < len(stops) and not far:
            texts[number].append([answer.value])
        elif number < len(stops) and texts[number]:
            texts[number][-1].append(answer.value)
    return [
        [_Printed(place, text, tuple(around)) for place, (text, *around) in zip(known, own, strict=True)]
        if len(known) == len(own)
        else []
        for known, own in zip(places, texts, strict=True)
    ]


def _marks(number: int, stop: _Stop) -> Iterator[str]:
    target, spelled = stop.target.shown, stop.target.type or HANDLE
    head = "skip_regions, use_local_scope"
    yield remark_at(target, _REFUSED.label(number, 0), spelled)
    whole = "use_local_scope" if stop.shows is _Shows.TEXT else head
    yield print_of(_REFUSED.label(number, 0), target, spelled, whole)
    for far in range(1, _MOST_AROUND + 1) if stop.shows is _Shows.PARENTS else ():
        parent = f"%tdls_around_{number}_{far}"
        yield parent_of(parent, target, spelled, f"nth_parent = {far} : i64")
        yield print_of(_REFUSED.label(number, far), parent, HANDLE, head)


def _described(stop: _Stop, failed: FailedCondition, printed: Sequence[_Printed]) -> FailedCondition:
    """Return a failed condition with the property that operations have in place of the required one."""
    if stop.shows is _Shows.PARENTS:
        nearest = next((one for one in printed if one.place == failed.nearest.candidate), None)
        names = (
            [operation_name(text) for text in nearest.around]
            if nearest is not None and nearest.place is not None
            else []
        )
        return failed._replace(around=tuple(name for name in names if name))
    if stop.shows is _Shows.NAMES:
        required = stop.operation.required_names or frozenset()
        names = [operation_name(one.text) for one in printed]
        counts = Counter(name for name in names if name not in required)
        return failed._replace(names=_nearest(counts, required) if counts.total() == failed.failed else ())
    for one in printed[:_MOST_EVALUATED]:
        words = _refusal(stop, one.text)
        if words is not None:
            return failed._replace(has=words)
    return failed


def _nearest(counts: Counter[str], required: frozenset[str]) -> tuple[str, ...]:
    """Return the names with their counts, those most similar to `required` first."""
    near = {name: max((likeness(name, other) for other in required), default=0.0) for name in counts}
    ordered = sorted(counts, key=lambda name: (-near[name], name))
    named = [f"`{name}`" if counts[name] == 1 else f"{counts[name]:,} `{name}`" for name in ordered[:_MOST_NAMES]]
    others = sum(counts[name] for name in ordered[_MOST_NAMES:])
    return (*named, f"{others:,} {'other' if others == 1 else 'others'}") if others else tuple(named)


def _refusal(stop: _Stop, printed: str) -> str | None:
    """Return the reason why an operation fails at a condition, as the operation's printed text shows."""
    file = _with_operands(printed, stop.context.catalogue)
    payload = payload_in(file)
    matcher = stop.operation
    while matcher.name != NAMED_SEQUENCE and matcher.parent is not None:
        matcher = matcher.parent
    around = payload.root.children[-1] if payload is not None and payload.root.children else None
    candidate = around.children[-1] if around is not None and around.children else None
    if payload is None or candidate is None:
        return None
    reason = refusal(stop.context, matcher, payload, candidate)
    return reason.message if reason is not None and reason.operation is stop.operation else None


_OPERANDS = re.compile(r"\b(?:ins|outs)\((%[^:()]*) : ", re.ASCII)


def _with_operands(printed: str, catalogue: Catalogue) -> SourceFile:
    """Return a file with an operation around a printed one and definitions of its operands, if it is structured."""
    head, brace, rest = printed.partition("{\n")
    defined: dict[str, str] = {}
    for group in _OPERANDS.finditer(head):
        names = [name.strip() for name in group[1].split(",")]
        defined.update(zip(names, split(_until_closed(head[group.end() :])), strict=False))
    lines = (f'{name} = "tdls.operand"() : () -> {spelled}\n' for name, spelled in defined.items())
    return SourceFile.of("".join(('"tdls.around"() ({\n', *lines, head, brace, rest, "}) : () -> ()\n")), catalogue)


def _until_closed(text: str) -> str:
    """Return the text before the bracket that closes one opened before it."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return text[:at]
    return text
