"""Explains empty handles of a run: the search of the operation that defines a handle, and the payload it searched."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.handles.findings import evaluated
from tdls.analysis.handles.operations.executing import meaning_of
from tdls.analysis.meaning.matchers import MATCHER_ATTRIBUTES
from tdls.interpreter.matching.probes import looks_for_payload
from tdls.interpreter.matching.reports import notes_of, required_and_actual
from tdls.interpreter.matching.searched_payload import (
    SearchKind,
    SizedSearch,
    operations_in,
    search_of,
    searched_payloads,
    without_more_of_the_same,
)
from tdls.interpreter.observing.instrumented import place_at
from tdls.interpreter.runs.model import Emit, RunDiagnostic, RunLevel, Status
from tdls.semantic.symbols import symbols_in
from tdls.semantic.transform_dialect import ENTRY_POINT, NAMED_SEQUENCE, WITH_NAMED_SEQUENCE, YIELD, is_transform_name
from tdls.structs import NamedTuple, replace
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from tdls.analysis.file.context import Context
    from tdls.interpreter.backend import Backend
    from tdls.interpreter.matching.probes import ProbeAnswers, ProbedScript
    from tdls.interpreter.matching.reports import MatcherReport
    from tdls.interpreter.matching.searched_payload import HandleSearch, SearchedPayload
    from tdls.interpreter.observing.points import Handle, Point
    from tdls.interpreter.runs.model import Place, RunRequest
    from tdls.interpreter.runs.script import Script
    from tdls.semantic.model import Operation, Value

_MOST_RUNS = 8
"""Maximum number of payload states to print, each by a run up to the search."""
_MOST_NAMES = 3
_MOST_SEARCHES = 16
"""Maximum number of searches to examine."""
_MOST_HELD = 256
"""Maximum number of operations that a search may examine; larger searches are skipped."""
_MOST_NOTES = 8


class FoundNothing(NamedTuple):
    """An empty handle, or one that its operation failed to define, with the reason; notes are at single operations."""

    remark: RunDiagnostic
    looks_for_payload: bool
    """True if its operation searches payload by attributes: such a handle is the cause of other empty handles."""
    is_failure: bool = False
    """True if there is no handle, since its operation failed."""


class _Empty(NamedTuple):
    """An empty handle, in the script that defines it; `start` is the offset of its name in the user's text."""

    script: Script
    context: Context
    operation: Operation
    value: Value
    start: int


def found_nothing(
    request: RunRequest, marks: ProbedScript, answers: ProbeAnswers, reports: Sequence[MatcherReport], backend: Backend
) -> Iterator[FoundNothing]:
    """Yield the handles that were empty at each definition in a run of `request`, or never defined, with the reasons.

    `answers` has the observations of the run of `marks`, and `reports` the results of its matchers. Runs the script
    up to several searches, to see the payload there. Raises BackendError.
    """
    empty = list(_empty(marks.points, answers.held))
    nothing = {(each.script.name, each.start, each.value.number) for each in empty}
    failed = _failed(marks, answers)
    explained = {*(id(each.operation) for each in empty), *(id(search.operation) for search in failed)}
    searches = [search for search in marks.searches if id(search.operation) in explained]
    reasons = _reasons_of_searches(request, searches, answers, marks.points, backend)
    texts = {place: answers.states[number] for number, place in enumerate(marks.states) if number in answers.states}
    others = [each for each in empty if (each.script.name, each.start) not in texts]
    by_matcher = {report.matcher: report for report in reports}
    texts.update(islice(_states(request, others, backend), _MOST_RUNS))
    for search in failed:
        reason = reasons.get(id(search.operation))
        if reason is not None:
            operation = search.operation
            subject = f"`{operation.name}` fails"
            if search.kind is not SearchKind.SPLIT:
                subject = f"`{operation.results[0].shown}` is not found"
            remark = _remark(search.script, _defined_at(search)[1], subject, reason)
            yield FoundNothing(remark, looks_for_payload(search.operation), is_failure=True)
    for each in empty:
        state = texts.get((each.script.name, each.start))
        known = reasons.get(id(each.operation)) or _reason_of_matchers(each.operation, by_matcher)
        reason = _reason(each, nothing, state, known)
        remark = _remark(each.script, each.start, f"`{each.value.shown}` holds nothing", reason)
        yield FoundNothing(remark, looks_for_payload(each.operation))


class _Reason(NamedTuple):
    """A reason: words that continue a sentence, and notes on examined operations."""

    words: str
    notes: tuple[RunDiagnostic, ...] = ()


def _remark(script: Script, start: int, subject: str, reason: _Reason) -> RunDiagnostic:
    place = place_at(script, start)
    return place.diagnostic(RunLevel.REMARK, f"{subject}{reason.words}", reason.notes)


def _failed(marks: ProbedScript, answers: ProbeAnswers) -> list[HandleSearch]:
    """Return the searches that were executed more often than their results were defined."""
    counts = {
        (point.script.name, point.script.original_offset(handle.span.start)): len(answers.held.get((number, index), ()))
        for number, point in enumerate(marks.points)
        for index, handle in enumerate(point.handles)
    }
    return [
        search
        for number, search in enumerate(marks.searches)
        if answers.begun[number] > counts.get(_defined_at(search), answers.begun[number])
    ]


def _defined_at(search: HandleSearch) -> tuple[str, int]:
    """Return the script and the offset in the user's text at which a search's result is defined."""
    start = search.context.to_file(search.operation.results[0].span).start
    return search.script.name, search.script.original_offset(start)


def _reasons_of_searches(
    request: RunRequest,
    searches: Sequence[HandleSearch],
    answers: ProbeAnswers,
    points: Sequence[Point],
    backend: Backend,
) -> dict[int, _Reason]:
    """Return the known reasons of failed and empty searches, by the identity of their operations."""
    most = _most_held(points, answers)
    targets = [(it.script.name, it.context.to_file(it.target.span).start, it.target.number) for it in searches]
    sized = [SizedSearch(search, most.get(target, 0)) for search, target in zip(searches, targets, strict=True)]
    sized = [each for each in sized if 0 < each.most <= _MOST_HELD][:_MOST_SEARCHES]
    reasons: dict[int, _Reason] = {}
    for (search, _), searched in zip(sized, searched_payloads(request, sized, backend) if sized else (), strict=True):
        missed = misses(search, searched) if searched is not None else []
        words = summary_of(search, searched, missed) if searched is not None else None
        if words is not None:
            reasons[id(search.operation)] = _Reason(f": {words}", tuple(_notes(missed, words)))
    return reasons


def _most_held(points: Sequence[Point], answers: ProbeAnswers) -> dict[tuple[str, int, int | None], int]:
    """Return the maximum number of operations in each handle, by the offset of its definition in the script's text."""
    return {
        (points[number].script.name, handle.span.start, handle.number): max(counts)
        for (number, index), counts in answers.held.items()
        if counts and number < len(points) and index < len(points[number].handles)
        for handle in (points[number].handles[index],)
    }


def _notes(misses: Sequence[Miss], words: str) -> Iterator[RunDiagnostic]:
    """Yield notes on the examined operations, except for repetitions of `words`."""
    for miss in misses[:_MOST_NOTES]:
        is_said = miss.message == words
        if miss.place is not None:
            message = "this one" if is_said else miss.message
            yield miss.place.diagnostic(RunLevel.NOTE, message)
        elif not is_said:
            yield RunDiagnostic(RunLevel.NOTE, miss.message)


def _empty(points: Sequence[Point], held: Mapping[tuple[int, int], Sequence[int]]) -> Iterator[_Empty]:
    """Yield the results of operations that were always empty, in text order."""
    for (number, index), counts in sorted(held.items()):
        if not any(counts) and number < len(points) and index < len(points[number].handles):
            point = points[number]
            definition = _defined(point.script, point.handles[index])
            if definition is not None:
                yield definition


def _defined(script: Script, handle: Handle) -> _Empty | None:
    """Return the handle with the operation that defines it, or None for block arguments."""
    context = script.file.context_at(handle.span.start)
    for operation in context.model.walk():
        for value in operation.results:
            if value.number == handle.number and context.to_file(value.span) == handle.span:
                return _Empty(script, context, operation, value, script.original_span(handle.span).start)
    return None


def _states(request: RunRequest, empty: Iterable[_Empty], backend: Backend) -> Iterator[tuple[tuple[str, int], str]]:
    """Yield the payload before each empty match in the script, by script and offset of the handle's definition."""
    for each in empty:
        if each.script is not request.script or not _is_match(each):
            continue
        until = each.script.original_offset(each.context.to_file(each.operation.location).start)
        result = backend.run(replace(request, until=until, observe=False, emits=frozenset({Emit.PAYLOAD})))
        if result.status is Status.SUCCESS:
            yield (each.script.name, each.start), result.texts[Emit.PAYLOAD]


def _reason(
    empty: _Empty, nothing: Collection[tuple[str, int, int | None]], payload: str | None, known: _Reason | None
) -> _Reason:
    """Return the reason for an empty handle.

    `nothing` has all empty handles, `payload` is the payload before the search, and `known` the reason of a search.
    """
    for operand in empty.operation.operands:
        if operand is not None and operand.operation is not None:
            start = empty.script.original_offset(empty.context.to_file(operand.span).start)
            if (empty.script.name, start, operand.number) in nothing:
                return _Reason(f", since `{operand.shown}` holds nothing")
    if known is not None:
        return known
    if payload is None or not _is_match(empty):
        return _Reason(" wherever this is executed")
    shortfall = _shortfall(empty, payload)
    return _Reason(f": {shortfall if shortfall is not None else _by_names(empty, payload)}")


def _reason_of_matchers(operation: Operation, reports: Mapping[str, MatcherReport]) -> _Reason | None:
    """Return the nearest miss, if the operation depends on matchers and none accepted an operation."""
    applied = [reports.get(use.path[-1]) for use in symbols_in(operation.syntax, MATCHER_ATTRIBUTES)]
    known = [report for report in applied if report is not None and report.stops and not report.accepted]
    if not known or len(known) < len(applied):
        return None
    nearest = next((report for report in known if report.stops[0].nearest.candidate is not None), known[0])
    stop = nearest.stops[0]
    failing = f"the nearest miss fails at `{stop.condition.operation}`{required_and_actual(stop)}"
    refused = f"`@{nearest.matcher}` accepts none of {counted(nearest.reached, 'operation')}"
    several = f"none of {counted(len(known), 'matcher')} accepts anything"
    return _Reason(f": {refused if len(known) == 1 else several}; {failing}", tuple(notes_of(stop)))


def _is_match(empty: _Empty) -> bool:
    """Whether an operation searches all nested operations by attributes."""
    return looks_for_payload(empty.operation) and search_of(empty.script, empty.context, empty.operation) is None


def _shortfall(empty: _Empty, payload: str) -> str | None:
    """Return the missing property in the whole payload, as the static check of scripts with a payload words it."""
    target = empty.operation.searched
    if target is None or target.type is None:
        return None
    text = empty.context.section.text
    operation = empty.operation
    place = operation.syntax.operands[operation.operands.index(target)].span
    spelled = f"{text[operation.span.start : place.start]}%root{text[place.end : operation.span.end]}"
    beginning = f"module attributes {{{WITH_NAMED_SEQUENCE}}} {{ {NAMED_SEQUENCE} @{ENTRY_POINT}"
    script = f"{beginning}(%root: {target.type}) {{\n{spelled}\n{YIELD}\n}} }}\n"
    lean = without_more_of_the_same(payload, empty.operation.required_names)
    file = SourceFile.of(f"{lean}\n{script}", empty.context.catalogue)
    shortfalls = evaluated(file.context_at(len(file.text) - 2)).shortfalls
    if not shortfalls:
        return None
    reason = shortfalls[0].message.removeprefix("nothing is found: ")
    return f"{reason}; {shortfalls[0].help}" if shortfalls[0].help is not None else reason


def _by_names(empty: _Empty, payload: str) -> str:
    """Return the numbers of payload operations with the requested names."""
    names = empty.operation.required_names
    there = operations_in(payload, empty.context.catalogue)
    wanted = {name: there[name] for name in sorted(names or ()) if there[name]}
    if wanted:
        listed = " and ".join(f"{count:,} `{name}`" for name, count in wanted.items())
        target = empty.operation.searched
        where = f"`{target.shown}`" if target is not None else "what is looked in"
        return f"the payload has {listed}, but none that is asked for in {where}"
    others = Counter({name: count for name, count in there.items() if not is_transform_name(name)})
    most = ", ".join(f"{count:,} `{name}`" for name, count in others.most_common(_MOST_NAMES))
    return f"the payload has none, but {most}" if most else "the payload is empty"


class Miss(NamedTuple):
    """A payload operation that does not satisfy a search."""

    place: Place | None
    message: str
    nearness: float = 0.0
    """Degree to which the search is satisfied: larger is nearer."""


def misses(search: HandleSearch, searched: SearchedPayload) -> list[Miss]:
    """Return the examined operations that do not satisfy a search, with reasons, the nearest miss first."""
    several = [each for each in enumerate(searched.operations, 1) if each[1].operation is not None]
    unmet = meaning_of(search.operation).unmet
    if unmet is None:
        return [
            Miss(place, f"operation {number} is {payload.shown}") for number, (place, payload) in several if payload
        ]
    catalogue = search.context.catalogue
    tested = ((place, unmet(search.operation, payload, catalogue)) for _, (place, payload) in several if payload)
    missed = (
        Miss(place, answer.message if answer.help is None else f"{answer.message}: {answer.help}", answer.nearness)
        for place, answer in tested
        if answer is not None
    )
    return sorted(missed, key=lambda miss: miss.nearness, reverse=True)


def summary_of(search: HandleSearch, searched: SearchedPayload, misses: list[Miss]) -> str | None:
    """Return the reason for a failed or empty search, or None if unknown."""
    held = f"`{search.target.shown}` holds {counted(searched.size, 'operation')}"
    if search.kind is SearchKind.SPLIT:
        return f"{counted(len(search.operation.results), 'handle')} asked for, but {held}"
    if not misses:
        return None
    others = f" ({counted(len(misses) - 1, 'other')} as well)" if len(misses) > 1 else ""
    return f"{misses[0].message}{others}"
