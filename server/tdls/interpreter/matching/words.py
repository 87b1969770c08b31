"""Says to people what matchers did, as remarks with notes; the nearest misses first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.interpreter.matching.counted import counted
from tdls.interpreter.model import RunDiagnostic, RunLevel
from tdls.interpreter.observation.instrumented import place_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.matching.explanation import Explanation, FailedCondition, MatcherReport
    from tdls.interpreter.model import Place
    from tdls.interpreter.script import Script

_MOST_MATCHERS = 8


def matcher_remarks(explanation: Explanation) -> Iterator[RunDiagnostic]:
    """Yield a remark for each matcher, in the order of the scripts."""
    for report in explanation.matchers:
        place = place_in(report.first.script, report.first.matcher_start)
        notes = tuple(note for stop in report.stops for note in _notes(stop))
        message = summary(report, counts_all=explanation.counts_all)
        yield RunDiagnostic(RunLevel.REMARK, message, place.file, place.line, place.column, notes)


def most_work(explanation: Explanation) -> str:
    """Return which of several matchers tried the most conditions, in words; "" if there are no several ones."""
    asked = [report for report in explanation.matchers if report.asked]
    if len(asked) < 2:
        return ""
    ordered = sorted(asked, key=lambda report: report.conditions, reverse=True)
    most = ", ".join(
        f"`@{report.matcher}` {report.conditions:,} for {counted(report.asked, 'operation')}"
        for report in ordered[:_MOST_MATCHERS]
    )
    return f"conditions that matchers tried: {most}{', ...' if len(ordered) > _MOST_MATCHERS else ''}"


def slowest(explanation: Explanation) -> str:
    """Return how long it takes to ask matchers, the slowest first, in words; "" if that was not measured."""
    measured = [(report, report.time) for report in explanation.matchers if report.time is not None]
    ordered = sorted(measured, key=lambda pair: pair[1].seconds, reverse=True)
    most = ", ".join(
        f"`@{report.matcher}` {1e3 * time.seconds:,.3f} ms (asked {time.times:,} times more)"
        for report, time in ordered[:_MOST_MATCHERS]
    )
    tail = ", ..." if len(ordered) > _MOST_MATCHERS else ""
    return (
        f"time to ask about all operations that are walked, whoever accepts them before: {most}{tail}" if most else ""
    )


def summary(report: MatcherReport, *, counts_all: bool) -> str:
    """Return how many operations a matcher accepted, in words."""
    if not report.asked:
        return f"`@{report.matcher}` was asked about nothing: other matchers accept it first, or nobody asks"
    whole = f" of {counted(report.asked, 'operation')}" if counts_all else ""
    return f"`@{report.matcher}` accepted {report.accepted or 'none'}{whole}"


def _notes(stop: FailedCondition) -> Iterator[RunDiagnostic]:
    yield _note(place_in(stop.condition.script, stop.condition.start), why_stopped(stop))
    if stop.nearest.candidate is not None:
        yield _note(stop.nearest.candidate, "this one" if stop.failed == 1 else "the first of them")


def why_stopped(stop: FailedCondition) -> str:
    """Return the words for operations that stop at a condition."""
    message = f"{counted(stop.failed, 'operation')} {'fails' if stop.failed == 1 else 'fail'} here"
    if stop.nearest.found:
        compared = " and ".join(f"`{value}`" for value in stop.nearest.found)
        return f"{message}, {'' if stop.failed == 1 else 'the first '}with {compared}"
    if stop.condition.asks_for is not None:
        return f"{message}: {stop.condition.asks_for} is asked for"
    source = stop.condition.implemented
    return f"{message} (its condition is in {source.file}:{source.line})" if source is not None else message


def _note(place: Place, message: str) -> RunDiagnostic:
    return RunDiagnostic(RunLevel.NOTE, message, place.file, place.line, place.column)


def place_in(script: Script, offset: int) -> Place:
    """Return the place of what is at an offset of the text of a script."""
    return place_at(script, script.original_offset(offset))
