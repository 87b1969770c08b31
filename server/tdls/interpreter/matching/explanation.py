"""Explains the matchers and empty handles of a run, as data and as remarks with notes, the nearest misses first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.prefilter import mentions_transform
from tdls.analysis.meaning.matchers import used_matchers
from tdls.interpreter.matching.empty_handles import found_nothing
from tdls.interpreter.matching.probes import answers_of, marked
from tdls.interpreter.matching.reports import matcher_reports, notes_of, place_in
from tdls.interpreter.matching.searched_payload import search_of
from tdls.interpreter.observing.instrumented import place_at
from tdls.interpreter.runs.model import RunDiagnostic, RunLevel, Status
from tdls.structs import NamedTuple
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.matching.empty_handles import FoundNothing
    from tdls.interpreter.matching.probes import (
        AskingOperation,
        MatcherCondition,
        ProbedAttempt,
        ProbedScript,
    )
    from tdls.interpreter.matching.reports import MatcherReport
    from tdls.interpreter.runs.model import Place, RunRequest, RunResult

MOST_CANDIDATES = 1_000
"""Maximum number of payload operations to list in a table."""


class TriedOperation(NamedTuple):
    """A payload operation that met the first condition of some matcher."""

    place: Place
    attempts: tuple[ProbedAttempt | None, ...]
    """The attempt at each arm, or None for arms after the accepting one."""
    accepted: int | None
    """The number of the accepting arm."""


class ArmsTable(NamedTuple):
    """The results of the arms of an operation."""

    asking: AskingOperation
    accepted: tuple[int, ...]
    """Number of operations that each arm accepted; `reached` is the number that was passed to it."""
    reached: tuple[int, ...]
    candidates: tuple[TriedOperation, ...]
    others: int
    """Number of operations that failed the first condition of every arm, or are left out."""


def tables_of(marks: ProbedScript, attempts: Sequence[ProbedAttempt]) -> Iterator[ArmsTable]:
    """Yield a table for each operation with arms, in the order of the scripts; also for operations never executed."""
    by_asking: list[list[ProbedAttempt]] = [[] for _ in marks.asking]
    for attempt in attempts:
        if attempt.asking is not None:
            by_asking[attempt.asking].append(attempt)
    for asking, own in zip(marks.asking, by_asking, strict=True):
        yield _Filling(asking, marks.conditions).table(own)


class _Filling:
    """Builds the table of one operation."""

    def __init__(self, asking: AskingOperation, conditions: Sequence[MatcherCondition]) -> None:
        self._asking = asking
        self._conditions = conditions
        self._count = len(asking.arms)
        self._accepted = [0] * self._count
        self._reached = [0] * self._count
        self._candidates: list[TriedOperation] = []
        self._rows = 0

    def table(self, attempts: Sequence[ProbedAttempt]) -> ArmsTable:
        """Return the table; each payload operation has one attempt per arm, up to the accepting arm."""
        names = [arm.matcher for arm in self._asking.arms]
        row: list[ProbedAttempt] = []
        for attempt in attempts:
            condition = self._conditions[attempt.last]
            if row and (len(row) == self._count or condition.matcher != names[len(row)]):
                self._end(row, is_accepted=False)
                row = []
            row.append(attempt)
            if condition.is_end:
                self._end(row, is_accepted=True)
                row = []
        if row:
            self._end(row, is_accepted=False)
        accepted, reached = tuple(self._accepted), tuple(self._reached)
        left_out = self._rows - len(self._candidates)
        return ArmsTable(self._asking, accepted, reached, tuple(self._candidates), left_out)

    def _end(self, row: list[ProbedAttempt], *, is_accepted: bool) -> None:
        self._rows += 1
        for number in range(len(row)):
            self._reached[number] += 1
        self._accepted[len(row) - 1] += is_accepted
        place = next((attempt.candidate for attempt in row if attempt.candidate is not None), None)
        if place is not None and len(self._candidates) < MOST_CANDIDATES:
            padding = (None,) * (self._count - len(row))
            self._candidates.append(TriedOperation(place, (*row, *padding), len(row) - 1 if is_accepted else None))


ENDED_BY_ITSELF = frozenset({Status.SUCCESS, Status.FAILURE})
"""Statuses of runs that report the results of their matchers."""


class Explanation(NamedTuple):
    """The explanation of matchers and empty handles; `reason` is set if there is no explanation."""

    conditions: tuple[MatcherCondition, ...] = ()
    """The conditions of all matchers, indexed by attempts."""
    matchers: tuple[MatcherReport, ...] = ()
    tables: tuple[ArmsTable, ...] = ()
    nothing: tuple[FoundNothing, ...] = ()
    counts_all: bool = True
    """False if operations of the script are among those that were passed to matchers."""
    reason: str | None = None


def is_worth_explaining(request: RunRequest, result: RunResult) -> bool:
    """Whether an observed run applied matchers, or defined handles that were always empty."""
    if result.status not in ENDED_BY_ITSELF:
        return False
    is_empty = any(handle.is_empty for handle in result.handles)
    return is_empty or asks_matchers(request) or _failed_in_search(request, result)


def _failed_in_search(request: RunRequest, result: RunResult) -> bool:
    """Whether a run failed at an operation that examines payload operations one by one."""
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
    """Whether operations of the scripts apply matchers."""
    return any(used_matchers(script.file) for script in (request.script, *request.libraries))


def explained(request: RunRequest, backend: Backend) -> Explanation:
    """Run `request` again with marks, and return the results of its matchers, and the reasons for empty handles.

    Raises BackendError if the backend itself does not start.
    """
    marks = marked(request)
    result = backend.run(marks.request)
    if result.status not in ENDED_BY_ITSELF:
        return Explanation(reason=result.detail or f"the run that was to tell it ended as {result.status.value}")
    answers = answers_of(marks, result)
    reports = list(matcher_reports(marks.conditions, answers.attempts))
    return Explanation(
        conditions=tuple(marks.conditions),
        matchers=tuple(reports),
        tables=tuple(tables_of(marks, answers.attempts)),
        nothing=tuple(found_nothing(request, marks, answers, reports, backend)),
        counts_all=request.payload is not None,
    )


def matcher_remarks(explanation: Explanation) -> Iterator[RunDiagnostic]:
    """Yield a remark for each matcher, in the order of the scripts."""
    for report in explanation.matchers:
        place = place_in(report.first.script, report.first.matcher_start)
        notes = tuple(note for stop in report.stops for note in notes_of(stop, counts_all=explanation.counts_all))
        message = summary(report, counts_all=explanation.counts_all)
        yield place.diagnostic(RunLevel.REMARK, message, notes)


def summary(report: MatcherReport, *, counts_all: bool) -> str:
    """Return a sentence on the number of operations that a matcher accepted."""
    if not report.reached:
        return f"`@{report.matcher}` was tried on no operation: others accept them first, or no operation uses it"
    whole = f" of {counted(report.reached, 'operation')}" if counts_all else ""
    return f"`@{report.matcher}` accepted {report.accepted or 'none'}{whole}"
