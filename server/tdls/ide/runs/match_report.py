"""Converts the explanation of a run's matches (`interpreter.matching`) into marks of matchers and of empty handles."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from tdls.ide.markdown import code, foreign, place_link, section
from tdls.ide.run_marks import MatcherMark, Reason
from tdls.interpreter.matching.reports import place_in, why_stopped
from tdls.interpreter.runs.locations import offset_of
from tdls.structs import NamedTuple
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.matching.explanation import Explanation
    from tdls.interpreter.matching.reports import MatcherReport
    from tdls.interpreter.runs.model import Place
    from tdls.text.diagnostic import Diagnostic

_SYMBOL = re.compile(r'@(?:[\w$.-]+|"[^"\n]*")')
_MOST_MISSES = 8


class MatchMarks(NamedTuple):
    """Marks for one file: of matchers, and reasons of empty handles by the offset of their definition."""

    matchers: tuple[MatcherMark, ...]
    reasons: Mapping[int, Reason]
    suppressed: tuple[Diagnostic, ...] = ()
    """Suppressed failures."""


def match_marks(
    explanation: Explanation,
    files: Mapping[str, SourceFile],
    suppressed: Mapping[str, tuple[Diagnostic, ...]],
) -> dict[str, MatchMarks]:
    """Return the marks for `files` from an explanation and suppressed failures; keys are the file names of the run."""
    matchers: dict[str, list[MatcherMark]] = defaultdict(list)
    for report in explanation.matchers:
        file = files.get(report.first.script.name)
        mark = _matcher_mark(report, file) if file is not None else None
        if mark is not None:
            matchers[report.first.script.name].append(mark)
    reasons = {name: dict(_reasons(explanation, name, file)) for name, file in files.items()}
    return {name: MatchMarks(tuple(matchers[name]), reasons[name], suppressed.get(name, ())) for name in files}


def _matcher_mark(report: MatcherReport, file: SourceFile) -> MatcherMark | None:
    script = report.first.script
    symbol = _SYMBOL.search(file.text, script.original_offset(report.first.matcher_start))
    if symbol is None:
        return None
    summary = f"matched {report.accepted:,} of {report.reached:,}" if report.reached else "asked about nothing"
    misses = tuple(place for place, _ in _misses(report))
    title = f"In the last run: {summary}"
    story = section(title, (f"{place_link(place)}: {_words(text)}" for place, text in _misses(report)))
    return MatcherMark(FileSpan(*symbol.span()), summary, story or f"**{title}**", misses)


def _misses(report: MatcherReport) -> Iterator[tuple[Place, str]]:
    """Yield failed conditions, their implementations and the failing operations, each with a text; nearest first."""
    for stop in report.stops[:_MOST_MISSES]:
        yield place_in(stop.condition.script, stop.condition.start), why_stopped(stop)
        if stop.condition.implemented is not None:
            yield stop.condition.implemented, "where the sources say what it asks for"
        if stop.nearest.candidate is not None:
            yield stop.nearest.candidate, "this one" if stop.failed == 1 else "the first of them"


def _reasons(explanation: Explanation, name: str, file: SourceFile) -> Iterator[tuple[int, Reason]]:
    """Yield the reasons for empty handles of a file, by the offset of their definition."""
    nearest = {
        report.matcher: place_in(report.stops[0].condition.script, report.stops[0].condition.start)
        for report in explanation.matchers
        if report.stops
    }
    first_matchers = {
        (table.asking.script.name, table.asking.result): table.asking.arms[0].matcher for table in explanation.tables
    }
    for search in explanation.nothing:
        remark = search.remark
        if remark.file == name:
            start = offset_of(file, remark.line, remark.column)
            misses = tuple((note.message, note.place) for note in remark.notes)
            place = next((missed for _, missed in misses if missed is not None), None)
            yield start, Reason(remark.message, nearest.get(first_matchers.get((name, start), ""), place), misses)


def reason_text(reason: Reason) -> str:
    """Return the reason for an empty match as Markdown, with links to the misses or to the nearest miss's condition."""
    words, place = _words(reason.text), reason.place
    if reason.misses:
        misses = ((_words(text), at) for text, at in reason.misses)
        return section(words, (f"{place_link(at)}: {text}" if at else text for text, at in misses))
    return f"{words}; the nearest miss fails at {place_link(place)}" if place is not None else words


def _words(message: str) -> str:
    """Return a message as Markdown; text between backticks becomes code."""
    pieces = message.split("`")
    return "".join(code(piece) if number % 2 else foreign(piece) for number, piece in enumerate(pieces))
