"""Times of matchers come from further runs of them, which do not change the rest of the explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.matching.test_explanation import MATCHERS, MATCHING, PAYLOAD, script
from interpreter.scripts import QUICK, script_of
from tdls.interpreter.matching.explanation import explained
from tdls.interpreter.matching.messages import slowest
from tdls.interpreter.matching.reports import MatcherTime
from tdls.interpreter.matching.timing import timed
from tdls.interpreter.model import RunRequest, TextFile

if TYPE_CHECKING:
    from tdls.interpreter.recording.backend import Backend


def test_matchers_are_applied_repeatedly(backend: Backend) -> None:
    text = script(MATCHING, MATCHERS, "consumed")
    request = RunRequest(script_of(text), TextFile("payload.mlir", PAYLOAD), limits=QUICK)
    explanation = explained(request, backend)
    measured = timed(explanation, request, backend)
    assert [report._replace(time=None) for report in measured.matchers] == list(explanation.matchers)
    times = [report.time for report in measured.matchers]
    assert len(times) == 2
    assert all(time is not None and time.times > 1 and time.seconds >= 0 for time in times)


def test_the_slowest_one_comes_first(backend: Backend) -> None:
    text = script(MATCHING, MATCHERS, "consumed")
    explanation = explained(RunRequest(script_of(text), TextFile("payload.mlir", PAYLOAD), limits=QUICK), backend)
    assert slowest(explanation) == ""
    quick, slow = (
        report._replace(time=MatcherTime(seconds, 8))
        for report, seconds in zip(explanation.matchers, (0.001, 0.25), strict=True)
    )
    told = slowest(explanation._replace(matchers=(quick, slow)))
    assert told.endswith(": `@fill` 250.000 ms (asked 8 times more), `@large` 1.000 ms (asked 8 times more)")
