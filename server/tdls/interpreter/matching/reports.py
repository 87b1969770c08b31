"""The results of matchers in a run, and the wording of failed conditions."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tdls.interpreter.observing.instrumented import place_at
from tdls.interpreter.runs.model import RunDiagnostic, RunLevel
from tdls.structs import NamedTuple
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.interpreter.matching.probes import MatcherCondition, ProbedAttempt
    from tdls.interpreter.runs.model import Place
    from tdls.interpreter.runs.script import Script


class FailedCondition(NamedTuple):
    """A condition of a matcher at which operations failed."""

    condition: MatcherCondition
    failed: int
    nearest: ProbedAttempt
    """The first of these operations."""


class MatcherReport(NamedTuple):
    """The results of a matcher in a run."""

    matcher: str
    first: MatcherCondition
    reached: int
    """Number of operations passed to it; `accepted` is the number of accepted ones."""
    accepted: int
    conditions: int
    """Number of conditions tried."""
    stops: tuple[FailedCondition, ...]
    """The nearest misses first: those that failed at the last condition."""


def matcher_reports(
    conditions: Sequence[MatcherCondition], attempts: Sequence[ProbedAttempt]
) -> Iterator[MatcherReport]:
    """Yield the results of each matcher, in the order of the scripts."""
    stopped: defaultdict[int, list[ProbedAttempt]] = defaultdict(list)
    for attempt in attempts:
        stopped[attempt.last].append(attempt)
    first = 0
    for number, condition in enumerate(conditions):
        if condition.is_end:
            yield _report(conditions, first, number, stopped)
            first = number + 1


def _report(
    conditions: Sequence[MatcherCondition], first: int, end: int, stopped: defaultdict[int, list[ProbedAttempt]]
) -> MatcherReport:
    stops = [
        FailedCondition(conditions[number], len(stopped[number]), stopped[number][0])
        for number in range(end - 1, first - 1, -1)
        if stopped[number]
    ]
    tried = sum((number - first + (number < end)) * len(stopped[number]) for number in range(first, end + 1))
    reached = sum(len(stopped[number]) for number in range(first, end + 1))
    return MatcherReport(conditions[first].matcher, conditions[first], reached, len(stopped[end]), tried, tuple(stops))


def notes_of(stop: FailedCondition, *, counts_all: bool = True) -> Iterator[RunDiagnostic]:
    """Yield a note at a failed condition, and one at the first operation that failed there.

    Without `counts_all`, operations of the script are among those that fail at a first condition, which nobody counts.
    """
    message = why_stopped(stop)
    if not counts_all and stop.condition.is_first:
        message = f"operations fail here{required_and_actual(stop, 'the first ')}"
    yield place_in(stop.condition.script, stop.condition.start).diagnostic(RunLevel.NOTE, message)
    if stop.nearest.candidate is not None:
        which = "this one" if stop.failed == 1 else "the first of them"
        yield stop.nearest.candidate.diagnostic(RunLevel.NOTE, which)


def why_stopped(stop: FailedCondition) -> str:
    """Return the sentence on the operations that fail at a condition."""
    message = f"{counted(stop.failed, 'operation')} {'fails' if stop.failed == 1 else 'fail'} here"
    return f"{message}{required_and_actual(stop, '' if stop.failed == 1 else 'the first ')}"


def required_and_actual(stop: FailedCondition, first: str = "") -> str:
    """Return the requested property, or the compared values of the `first` operation, as the end of a sentence."""
    required, source = stop.condition.asks_for, stop.condition.implemented
    place = f" (its condition is in {source.file}:{source.line})" if source is not None else ""
    if stop.nearest.found:
        subject = f"for {first.strip()}, " if first else ""
        return f": {subject}`{comparison(stop.condition, stop.nearest.found)}` is false"
    return f": {required} is asked for{place}" if required is not None else place


def comparison(condition: MatcherCondition, actual: Sequence[str]) -> str:
    """Return the relation that a condition compares values by, such as ``64 >= 1024``; "" if it compares none."""
    predicate = (condition.asks_for or "").strip("`")
    values = (value.partition(" : ")[0] or "[]" for value in actual)
    return f" {_RELATIONS.get(predicate, predicate)} ".join(values)


_RELATIONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def place_in(script: Script, offset: int) -> Place:
    """Return the position of an offset of a script's text."""
    return place_at(script, script.original_offset(offset))
