"""Measures the time of matchers, by runs that apply one matcher many times, compared with runs of an empty loop.

The result is the time of applying a matcher to every operation that is walked where it is first applied, regardless of
the matchers before it: for a late arm of a ``foreach_match`` this is more than its actual share.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from tdls.interpreter.matching.explanation import ENDED_BY_ITSELF
from tdls.interpreter.matching.reports import MatcherTime
from tdls.interpreter.placed_edits import Insertion
from tdls.structs import NamedTuple, replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.interpreter.matching.explanation import Explanation
    from tdls.interpreter.matching.probes import AskingOperation
    from tdls.interpreter.matching.reports import MatcherReport
    from tdls.interpreter.model import RunRequest
    from tdls.interpreter.recording.backend import Backend
    from tdls.interpreter.script import Script
    from tdls.semantic.model import Block, Operation

_MOST_MATCHERS = 16
_CONDITIONS = 20_000
"""Approximate number of conditions to try when measuring a matcher."""
_MOST_DOUBLINGS = 12
_RUNS = 3


def timed(explanation: Explanation, request: RunRequest, backend: Backend) -> Explanation:
    """Return `explanation` of a run of `request` with the times of its matchers, as far as they can be measured.

    Raises BackendError if the backend itself does not start.
    """
    measuring = _Measuring(explanation, request, backend)
    reports = [
        report._replace(time=measuring.time_of(report)) if report.reached and number < _MOST_MATCHERS else report
        for number, report in enumerate(explanation.matchers)
    ]
    return explanation._replace(matchers=tuple(reports))


class _Applying(NamedTuple):
    """An operation that applies a matcher, in the text of its script."""

    script: Script
    operation: Operation
    start: int


class _Measuring:
    def __init__(self, explanation: Explanation, request: RunRequest, backend: Backend) -> None:
        self._explanation = explanation
        self._request = request
        self._backend = backend

    def time_of(self, report: MatcherReport) -> MatcherTime | None:
        """Return the time of a matcher; None if a measuring run is interrupted."""
        applying = next(self._applying(report.matcher), None)
        types = _yielded(report)
        if applying is None or types is None:
            return None
        doublings, left = 0, _CONDITIONS // max(report.conditions, 1)
        while left > 1 and doublings < _MOST_DOUBLINGS:
            doublings, left = doublings + 1, left // 2
        asking = self._seconds(applying, doublings, _collecting(report.matcher, types))
        idle = self._seconds(applying, doublings, "")
        if asking is None or idle is None:
            return None
        times = 2**doublings
        return MatcherTime(max(asking - idle, 0.0) / times, times)

    def _applying(self, matcher: str) -> Iterator[_Applying]:
        """Yield the operations that applied a matcher in the run."""
        for table in self._explanation.tables:
            names = [arm.matcher for arm in table.asking.arms]
            if matcher in names and table.reached[names.index(matcher)]:
                operation = _operation_of(table.asking)
                if operation is not None:
                    yield operation

    def _seconds(self, applying: _Applying, doublings: int, body: str) -> float | None:
        value = applying.operation.operands[0]
        if value is None:
            return None
        text = "".join(_looping(value.shown, str(value.type), doublings, body))
        inserted = applying.script.inserting([Insertion(applying.start, text)])
        scripts = (self._request.script, *self._request.libraries)
        script, *libraries = (inserted if script is applying.script else script for script in scripts)
        request = replace(
            self._request,
            script=script,
            libraries=tuple(libraries),
            emits=frozenset(),
            observe=False,
            limits=self._request.limits.afresh(),
        )
        results = [self._backend.run(request) for _ in range(_RUNS)]
        if any(result.status not in ENDED_BY_ITSELF for result in results):
            return None
        return median(result.seconds for result in results)


def _operation_of(asking: AskingOperation) -> _Applying | None:
    context = asking.script.file.context_at(asking.start)
    for operation in context.model.walk():
        if context.to_file(operation.location).start == asking.start:
            return _Applying(asking.script, operation, context.to_file(operation.span).start)
    return None


def _yielded(report: MatcherReport) -> Sequence[str] | None:
    """Return the types of a matcher's yielded values."""
    context = report.first.script.file.context_at(report.first.matcher_start)
    for operation in context.model.walk():
        if context.to_file(operation.location).start == report.first.matcher_start:
            block: Block | None = operation.body
            terminator = block.terminator if block is not None else None
            values = terminator.operands if terminator is not None else []
            return [str(value.type) for value in values if value is not None and value.type is not None]
    return None


def _collecting(matcher: str, types: Sequence[str]) -> str:
    results = ", ".join(f"%tdls_r{number}" for number in range(len(types)))
    listed = ", ".join(types)
    defined = f"{results} = " if results else ""
    return f"{defined}transform.collect_matching @{matcher} in %tdls_one : (TYPE) -> ({listed}) "


def _looping(root: str, spelled: str, doublings: int, body: str) -> Iterator[str]:
    """Yield a loop that executes `body` ``2**doublings`` times for each walked operation, ``%tdls_one``."""
    handle = root
    for number in range(doublings):
        yield f"%tdls_many_{number} = transform.merge_handles {handle}, {handle} : {spelled} "
        handle = f"%tdls_many_{number}"
    body = body.replace("TYPE", spelled, 1)
    yield f"transform.foreach {handle} : {spelled} {{ ^bb0(%tdls_one: {spelled}): {body}}} "
