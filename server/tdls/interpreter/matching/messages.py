"""Words the results of matchers for users, as remarks with notes; the nearest misses first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.interpreter.matching.reports import notes_of, place_in
from tdls.interpreter.runs.model import RunDiagnostic, RunLevel
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.matching.explanation import Explanation
    from tdls.interpreter.matching.reports import MatcherReport

_MOST_MATCHERS = 8


def matcher_remarks(explanation: Explanation) -> Iterator[RunDiagnostic]:
    """Yield a remark for each matcher, in the order of the scripts."""
    for report in explanation.matchers:
        place = place_in(report.first.script, report.first.matcher_start)
        notes = tuple(note for stop in report.stops for note in notes_of(stop, counts_all=explanation.counts_all))
        message = summary(report, counts_all=explanation.counts_all)
        yield RunDiagnostic(RunLevel.REMARK, message, place.file, place.line, place.column, notes)


def most_work(explanation: Explanation) -> str:
    """Return a sentence on the matchers that tried the most conditions; "" for fewer than two matchers."""
    reached = [report for report in explanation.matchers if report.reached]
    if len(reached) < 2:
        return ""
    ordered = sorted(reached, key=lambda report: report.conditions, reverse=True)
    most = ", ".join(
        f"`@{report.matcher}` {report.conditions:,} for {counted(report.reached, 'operation')}"
        for report in ordered[:_MOST_MATCHERS]
    )
    return f"conditions that matchers tried: {most}{', ...' if len(ordered) > _MOST_MATCHERS else ''}"


def summary(report: MatcherReport, *, counts_all: bool) -> str:
    """Return a sentence on the number of operations that a matcher accepted."""
    if not report.reached:
        return f"`@{report.matcher}` was tried on no operation: others accept them first, or no operation uses it"
    whole = f" of {counted(report.reached, 'operation')}" if counts_all else ""
    return f"`@{report.matcher}` accepted {report.accepted or 'none'}{whole}"
