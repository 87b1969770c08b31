"""Checks the numbers of matches in a run against comments (``// tdls: expect-matches=3``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.interpreter.matching.explanation import matcher_remarks
from tdls.interpreter.matching.reports import place_in
from tdls.interpreter.observing.instrumented import place_at
from tdls.interpreter.runs.model import RunDiagnostic, RunLevel
from tdls.semantic.expected_matches import expected_matches
from tdls.structs import NamedTuple, replace
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tdls.interpreter.matching.explanation import Explanation
    from tdls.interpreter.runs.model import Place, RunRequest
    from tdls.interpreter.runs.script import Script
    from tdls.semantic.expected_matches import ExpectedMatches

_FORMS = "3, 1.., ..4 or 2..4"


class _Counted(NamedTuple):
    """A countable item in a line of a script: its number of matches at each execution, and its matchers."""

    place: Place
    subject: str
    counts: tuple[int, ...]
    matchers: tuple[str, ...] = ()


def expects_matches(request: RunRequest) -> bool:
    """Whether the scripts have comments with expected numbers of matches."""
    return any(expected_matches(script.original) for script in (request.script, *request.libraries))


def unmet(request: RunRequest, explanation: Explanation) -> Iterator[RunDiagnostic]:
    """Yield an error for each comment whose expectation an explained run did not meet."""
    if explanation.reason is not None:
        return
    for script in (request.script, *request.libraries):
        expected = expected_matches(script.original)
        reports = {each.place.line - 1: each for each in _countable(script, explanation)} if expected else {}
        for expectation in expected:
            error = _error(script, expectation, reports.get(expectation.line), explanation)
            if error is not None:
                yield error


def unmatched(explanation: Explanation, reported: Collection[RunDiagnostic]) -> Iterator[RunDiagnostic]:
    """Yield an error for each search that found no payload, except in lines of the errors `reported`."""
    known = {(error.file, error.line) for error in reported}
    for search in explanation.nothing:
        if search.looks_for_payload and (search.remark.file, search.remark.line) not in known:
            yield replace(search.remark, level=RunLevel.ERROR)


def _countable(script: Script, explanation: Explanation) -> Iterator[_Counted]:
    """Yield the countable items of a script; of several in one line, the last one counts."""
    for held in reversed(explanation.held):
        if held.script is script:
            yield _Counted(place_at(script, held.start), f"`{held.shown}`", held.counts)
    for report in explanation.matchers:
        if report.first.script.name == script.name:
            place = place_in(report.first.script, report.first.matcher_start)
            yield _Counted(place, f"`@{report.matcher}`", (report.accepted,), (report.matcher,))
    for table in explanation.tables:
        if table.asking.script.name == script.name:
            place = place_in(table.asking.script, table.asking.start)
            matchers = tuple(arm.matcher for arm in table.asking.arms)
            counts = (sum(table.accepted),) if any(table.reached) else ()
            yield _Counted(place, f"`{table.asking.operation}`", counts, matchers)


def _error(
    script: Script, expectation: ExpectedMatches, entry: _Counted | None, explanation: Explanation
) -> RunDiagnostic | None:
    comment = place_at(script, expectation.span.start)
    if expectation.wanted is None:
        return comment.diagnostic(RunLevel.ERROR, f"`{expectation.spelled}` is no count of matches, as {_FORMS} are")
    if entry is None:
        return comment.diagnostic(RunLevel.ERROR, "no match stands here whose operations could be counted")
    counts = entry.counts or (0,)
    wrong = next((count for count in counts if not expectation.wanted.allows(count)), None)
    if wrong is None:
        return None
    note = comment.diagnostic(RunLevel.NOTE, "as this comment says")
    message = f"{entry.subject} matched {counted(wrong, 'operation')}, {expectation.wanted} expected"
    if not entry.counts:
        message = f"{entry.subject} was not executed, {expectation.wanted} expected"
    return entry.place.diagnostic(RunLevel.ERROR, message, (note, *_reasons(entry, explanation)))


def _reasons(entry: _Counted, explanation: Explanation) -> Iterator[RunDiagnostic]:
    """Yield notes with the reasons for missing matches."""
    for nothing in explanation.nothing:
        remark = nothing.remark
        if (remark.file, remark.line) == (entry.place.file, entry.place.line):
            yield replace(remark, level=RunLevel.NOTE, notes=())
            yield from remark.notes
    remarks = zip(explanation.matchers, matcher_remarks(explanation), strict=True)
    for report, remark in remarks:
        if report.matcher in entry.matchers:
            yield replace(remark, level=RunLevel.NOTE, notes=())
            yield from remark.notes
