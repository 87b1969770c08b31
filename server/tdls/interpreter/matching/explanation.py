"""What a run says of its matchers and of handles that held nothing, as data; `words` says it to people."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.prefilter import mentions_transform
from tdls.analysis.meaning.matchers import asked_matchers
from tdls.interpreter.matching.attempts import told
from tdls.interpreter.matching.marks import marked
from tdls.interpreter.matching.nothing import found_nothing
from tdls.interpreter.matching.reports import matcher_reports
from tdls.interpreter.matching.searches.parents import with_parents
from tdls.interpreter.matching.searching import search_of
from tdls.interpreter.matching.tables import ArmsTable, tables_of
from tdls.interpreter.model import Status
from tdls.interpreter.observation.instrumented import place_at
from tdls.semantic.handle_types import HandleKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.matching.attempts import Told
    from tdls.interpreter.matching.backend import ExplainingBackend
    from tdls.interpreter.matching.marks import Marks, MatcherCondition
    from tdls.interpreter.matching.nothing import FoundNothing
    from tdls.interpreter.matching.reports import MatcherReport
    from tdls.interpreter.model import RunRequest, RunResult
    from tdls.interpreter.script import Script

ENDED_BY_ITSELF = frozenset({Status.SUCCESS, Status.FAILURE})
"""How runs end that tell what their matchers did."""


class HeldCounts(NamedTuple):
    """How much a handle held whenever it was defined; `start` is where that is in what people wrote."""

    script: Script
    start: int
    shown: str
    counts: tuple[int, ...]


class Explanation(NamedTuple):
    """What there is to say of matchers and of handles that held nothing; `reason` if nothing could be found out."""

    conditions: tuple[MatcherCondition, ...] = ()
    """Those of all matchers, by the numbers that attempts have."""
    matchers: tuple[MatcherReport, ...] = ()
    tables: tuple[ArmsTable, ...] = ()
    nothing: tuple[FoundNothing, ...] = ()
    held: tuple[HeldCounts, ...] = ()
    """Of all handles to operations, in the order of the texts."""
    counts_all: bool = True
    """False where operations of the script are among those that matchers were asked about."""
    reason: str | None = None


def is_worth_explaining(request: RunRequest, result: RunResult) -> bool:
    """Tell whether a run that was observed asked matchers, or defined handles that held nothing."""
    if result.status not in ENDED_BY_ITSELF:
        return False
    is_empty = any(
        handle.kind is HandleKind.OPERATIONS and handle.moments and not any(moment.count for moment in handle.moments)
        for handle in result.handles
    )
    return is_empty or asks_matchers(request) or _failed_in_search(request, result)


def _failed_in_search(request: RunRequest, result: RunResult) -> bool:
    """Tell whether a run failed at an operation that looks at payload operations one by one."""
    place = result.executing[0] if result.executing else None
    return place is not None and any(
        search_of(script, context, operation) is not None
        and place_at(script, script.original_offset(context.to_file(operation.location).start)) == place
        for script in (request.script, *request.libraries)
        if script.name == place.file
        for context in script.file.contexts
        if mentions_transform(context.section)
        for operation in context.model.walk()
    )


def asks_matchers(request: RunRequest) -> bool:
    """Tell whether operations of the scripts ask matchers."""
    return any(asked_matchers(script.file) for script in (request.script, *request.libraries))


def explained(request: RunRequest, backend: ExplainingBackend) -> Explanation:
    """Run what `request` asks for again, and return what its matchers did, and why handles held nothing.

    Raises BackendError if the backend itself does not start.
    """
    marks = marked(request)
    result = backend.run_in_full(marks.request)
    if result.status not in ENDED_BY_ITSELF:
        return Explanation(reason=result.detail or f"the run that was to tell it ended as {result.status.value}")
    found = told(marks, result)
    reports = with_parents(list(matcher_reports(marks.conditions, found.attempts)), request, backend)
    return Explanation(
        conditions=tuple(marks.conditions),
        matchers=tuple(reports),
        tables=tuple(tables_of(marks, found.attempts)),
        nothing=tuple(found_nothing(request, marks, found, reports, backend)),
        held=tuple(_held(marks, found)),
        counts_all=request.payload is not None,
    )


def _held(marks: Marks, found: Told) -> Iterator[HeldCounts]:
    for number, point in enumerate(marks.points):
        for index, handle in enumerate(point.handles):
            if handle.kind is HandleKind.OPERATIONS:
                start = point.script.original_span(handle.span).start
                yield HeldCounts(point.script, start, handle.shown, tuple(found.held.get((number, index), ())))
