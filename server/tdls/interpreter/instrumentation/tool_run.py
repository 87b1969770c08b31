"""Observes runs of backends that cannot define transform operations: tools, and older bindings.

Scripts are instrumented with MLIR's own operations, which issue remarks and print.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tdls.interpreter.instrumentation.instrumented import Executing, PointsOfRun, executing, instrumented, place_at
from tdls.interpreter.instrumentation.observed_run import stop_at
from tdls.interpreter.instrumentation.timeout_probe import (
    INTERRUPTED,
    NOT_EXECUTED,
    NOT_REACHED,
    NOT_STOPPED,
    UNFINISHED,
    TimeoutProbe,
    again,
    failed,
)
from tdls.interpreter.instrumentation.tool_answers import (
    LOCATED,
    ObservedToolRun,
    RawRun,
    Show,
    affordable,
    names,
    observed_run,
    printed_at_stop,
    stop,
    stopping_sequence,
    with_names,
    without_stop,
)
from tdls.interpreter.model import Emit, RunLevel, RunRequest, Status
from tdls.interpreter.output.exit_codes import still_running
from tdls.interpreter.placed_edits import Insertion
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.interpreter.instrumentation.journal import JournalRecord
    from tdls.interpreter.instrumentation.points import Handle
    from tdls.interpreter.instrumentation.timeout_probe import Watcher
    from tdls.interpreter.model import Place, RunDiagnostic, RunResult

_ROOT_OPTION = "debug-payload-root-tag"
_FEW_LINES = 200
"""Maximum number of lines of a payload for which the first run prints all names."""
_MANY_LINES = 2000
"""Maximum number of lines of a payload for which handles' items are always reported."""


class ToolRuns(Protocol):
    """The abilities of a backend that has no operations other than MLIR's."""

    @property
    def shows_operations(self) -> bool:
        """True if remarks always show their operation, which takes long."""
        ...

    def plain(self, request: RunRequest) -> RunResult:
        """Run the script without instrumentation."""
        ...

    def raw(self, request: RunRequest, flags: tuple[str, ...]) -> RawRun:
        """Run the script with more `flags` for the tool."""
        ...

    def ended_with(self, request: RunRequest, module: str) -> RunResult:
        """Return the result of a successful run that printed `module`."""
        ...


def run_with_tool(request: RunRequest, tool: ToolRuns, watcher: Callable[[], Watcher]) -> RunResult:
    """Carry out `request` with the requested observations; `watcher` is for `TimeoutProbe`."""
    if request.until is not None:
        return _ObservedRuns(request, tool).until(request.until)
    with TimeoutProbe(request, watcher) as timeout_probe:
        result = tool.plain(request)
    if result.status is Status.TIMEOUT:
        return replace(result, executing=timeout_probe.places)
    if result.status in INTERRUPTED or (result.status is Status.FAILURE and not request.observe):
        repeated = again(request)
        return _ObservedRuns(repeated, tool).observed(result) if repeated is not None else result
    if request.observe and result.status not in (Status.INVALID, Status.CANCELLED):
        return _ObservedRuns(request, tool).observed(result)
    return result


def executing_by_tool_when_ended(request: RunRequest, tool: ToolRuns) -> tuple[Place, ...]:
    """Return the operations in execution when the run of `tool` is cancelled; () if it ends before."""
    return _ObservedRuns(replace(request, observe=False, until=None), tool).executing_when_ended()


class _ObservedRuns:
    """The instrumented runs of one request."""

    def __init__(self, request: RunRequest, tool: ToolRuns) -> None:
        self._request = request
        self._tool = tool
        self._points = PointsOfRun.of(request).points
        self._lines = (request.payload or request.script).text.count("\n") + 1
        self._show = Show.NAMES if self._lines <= _FEW_LINES else Show.PLACES
        if tool.shows_operations and self._lines > _MANY_LINES:
            self._show = Show.SIZES

    def observed(self, result: RunResult) -> RunResult:
        """Return `result` with the observations of another run."""
        found = self._run_instrumented(None)
        reason = found.difference(result)
        if reason:
            return replace(result, unobserved=reason) if self._request.observe else result
        ended = executing(self._points, found.record) if result.status in UNFINISHED else Executing()
        return ended.of(self._with_observations(result, found, None) if self._request.observe else result)

    def executing_when_ended(self) -> tuple[Place, ...]:
        """Run once, and return the operations in execution when the run was cancelled; () if it ended before."""
        found = self._run_instrumented(None)
        return executing(self._points, found.record).executing if found.raw.status is Status.CANCELLED else ()

    def until(self, offset: int) -> RunResult:
        """Return the result of the script up to `offset`."""
        script = self._request.script
        place = place_at(script, offset)
        last = stop_at([point for point in self._points if point.script is script], script.edited_offset(offset))
        if last is None or any(name == _ROOT_OPTION for name, _ in self._request.options):
            return failed(self._unstopped(), NOT_EXECUTED if last is None else NOT_STOPPED, place)
        raw = self._tool.raw(self._instrumented(lambda _number, _handles: "", last), ())
        if raw.status is Status.TIMEOUT:
            result = self._tool.ended_with(replace(self._request, emits=frozenset()), "")
            return replace(result, status=Status.TIMEOUT, detail=still_running(self._request.limits.seconds))
        stopped = printed_at_stop(raw.printed)
        if stopped is None or raw.status is not Status.FAILURE:
            message = NOT_REACHED if raw.status is Status.SUCCESS else NOT_STOPPED
            return failed(self._unstopped(), message, place)
        printed, module = stopped
        result = replace(
            self._tool.ended_with(self._request, without_stop(module)),
            printed=printed,
            diagnostics=raw.source_map.diagnostics(_without_last_error(raw.diagnostics)),
        )
        return self._with_observations(result, self._run_instrumented(last), last) if self._request.observe else result

    def _unstopped(self) -> RunResult:
        """Run the script without a stop, and add observations to a failure."""
        result = self._tool.plain(self._request)
        return self.observed(result) if result.status is Status.FAILURE else result

    def _instrumented(self, spelled: Callable[[int, tuple[Handle, ...]], str], last: int | None) -> RunRequest:
        """Insert `spelled` texts at all points, and the stop at point `last` if given."""
        if last is None:
            return instrumented(self._request, self._points, spelled)

        def stopping(number: int, handles: tuple[Handle, ...]) -> str:
            return spelled(number, handles) + (stop() if number == last else "")

        sequence = Insertion(self._outermost(self._points[last].offset), stopping_sequence())
        return instrumented(self._request, self._points, stopping, [sequence])

    def _outermost(self, offset: int) -> int:
        """Return the offset of the outermost executing operation of the script around `offset`."""
        arounds = (point.around for point in self._points if point.script is self._request.script)
        return min(around.start for around in arounds if around.start <= offset < around.end)

    def _run_instrumented(self, last: int | None) -> ObservedToolRun:
        """Run the script with instrumentation, up to point `last` if given."""
        show = self._show if self._request.observe else Show.POINTS
        return observed_run(
            self._points, show, lambda spelled: self._tool.raw(self._instrumented(spelled, last), LOCATED)
        )

    def _with_observations(self, result: RunResult, found: ObservedToolRun, last: int | None) -> RunResult:
        handles = found.handles(self._named(found, last))
        return replace(result, handles=handles, origins=found.origins(result.texts.get(Emit.PAYLOAD)))

    def _named(self, found: ObservedToolRun, last: int | None) -> JournalRecord:
        """Return the observations with the names of operations, as far as they can be printed in reasonable time."""
        if self._show is Show.NAMES:
            return with_names(found.record, found.raw.printed)
        wanted = affordable(found.record, self._points, self._lines)
        if not wanted:
            return found.record

        def spelled(number: int, handles: tuple[Handle, ...]) -> str:
            numbered = ((index, handle) for index, handle in enumerate(handles) if (number, index) in wanted)
            return "".join(names(number, index, handle) for index, handle in numbered)

        return with_names(found.record, self._tool.raw(self._instrumented(spelled, last), LOCATED).printed)


def _without_last_error(diagnostics: tuple[RunDiagnostic, ...]) -> list[RunDiagnostic]:
    errors = [index for index, diagnostic in enumerate(diagnostics) if diagnostic.level is RunLevel.ERROR]
    return [diagnostic for index, diagnostic in enumerate(diagnostics) if index not in errors[-1:]]
