"""Records runs of backends without tdls's own operations: their instrumentation issues remarks and prints.

The result is that of a plain run; instrumented runs only add observations, and only if they end in the same way. The
contents of handles are known at their definitions. Their liveness is derived from the operations that consume handles,
and from later uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.interpreter.instrumentation.execution_trace import RegionExecutions, bends_of
from tdls.interpreter.instrumentation.instrumented import PointsOfRun, contents_of_moment, executing, instrumented
from tdls.interpreter.instrumentation.probe import STATE, print_of, prints_in
from tdls.interpreter.instrumentation.timeout_probe import INTERRUPTED, UNFINISHED, again
from tdls.interpreter.instrumentation.tool_answers import QUIET, Show, observed_run, passed_points, with_names
from tdls.interpreter.model import Emit, Status
from tdls.interpreter.output.stripping import without_scripts
from tdls.interpreter.recording.following import followings_of
from tdls.interpreter.recording.records import HandleRecord, Liveness, Passing, RunRecord, StateRecord
from tdls.interpreter.recording.stored_states import compressed
from tdls.semantic.handle_types import HandleKind
from tdls.structs import Struct, field, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.interpreter.instrumentation.points import Handle, Point
    from tdls.interpreter.instrumentation.tool_answers import RawRun
    from tdls.interpreter.instrumentation.tool_run import ToolRuns
    from tdls.interpreter.model import Contents, RunRequest
    from tdls.interpreter.recording.following import Following
    from tdls.interpreter.recording.records import Wanted

_NO_TIME = "the script took all of the time, and observing it takes a second run"
_FEW_LINES = 200
_ROOT_OPTION = "debug-payload-root-tag"
"""An option with which the tool prints less than the whole payload."""
_UNCHECKED_OPTION = "disable-expensive-checks"
_GENERIC_SCRIPT = '"transform.'


def record_with_tool(request: RunRequest, wanted: Wanted, tool: ToolRuns) -> RunRecord:
    """Carry out `request` and record it."""
    request = replace(request, observe=False, until=None)
    points = PointsOfRun.of(request).points
    followings = followings_of(points)
    result = tool.plain(request)
    repeated = again(request) if result.status in INTERRUPTED else replace(request, limits=request.limits.afresh())
    if result.status in (Status.INVALID, Status.CANCELLED):
        return RunRecord(result, tuple(points), followings, (), {})
    if repeated is None:
        return RunRecord(replace(result, unobserved=_NO_TIME), tuple(points), followings, (), {})
    show = Show.NAMES if request.root.text.count("\n") < _FEW_LINES else Show.PLACES

    def run(spelled: Callable[[int, tuple[Handle, ...]], str]) -> RawRun:
        def with_state(number: int, handles: tuple[Handle, ...]) -> str:
            is_printed = wanted.all or number in wanted.points
            return spelled(number, handles) + (print_of(STATE.label(number)) if is_printed else "")

        return tool.raw(instrumented(repeated, points, with_state), QUIET)

    observed = observed_run(points, show, run)
    raw, record = observed.raw, with_names(observed.record, observed.raw.printed)
    reason = observed.difference(result)
    if reason:
        return RunRecord(replace(result, unobserved=reason), tuple(points), followings, (), {})
    contents: dict[tuple[int, int], list[Contents]] = {}
    for moment in record.moments:
        contents.setdefault((moment.point, moment.handle), []).append(contents_of_moment(moment, raw.source_map))
    passings = tuple(_passings(points, passed_points(raw.diagnostics, len(points)), contents))
    if result.status in UNFINISHED:
        result = executing(points, record).of(result)
    options = {name for name, _ in request.options}
    texts = _texts(raw, passings, wanted) if _ROOT_OPTION not in options else {}
    handles = _Handles(points, followings, passings, is_checked=_UNCHECKED_OPTION not in options)
    states = {
        number: _state(_payload(request, tool, texts[number]) if number in texts else None, handles.at(number))
        for number in range(len(passings))
        if number in wanted
    }
    return RunRecord(result, tuple(points), followings, passings, states)


def _passings(
    points: Sequence[Point], numbers: Sequence[int], contents: dict[tuple[int, int], list[Contents]]
) -> Iterator[Passing]:
    for number in numbers:
        found = (contents.get((number, index)) for index in range(len(points[number].handles)))
        yield Passing(number, tuple(known.pop(0) if known else None for known in found))


def _texts(raw: RawRun, passings: Sequence[Passing], wanted: Wanted) -> dict[int, str]:
    """Return the payloads printed at passings; of a run that crashed, the last ones may be missing."""
    numbers = [number for number, passing in enumerate(passings) if wanted.all or passing.point in wanted.points]
    found: dict[int, str] = {}
    for number, state in zip(numbers, prints_in(raw.printed, STATE), strict=False):
        if state.numbers[0] != passings[number].point:
            break
        found[number] = state.value
    return found


def _state(text: str | None, handles: tuple[HandleRecord, ...]) -> StateRecord:
    return StateRecord(None if text is None else compressed(text), handles)


def _payload(request: RunRequest, tool: ToolRuns, printed: str) -> str | None:
    """Return the payload in a printed module.

    None if scripts cannot be separated from it: MLIR prints an invalid module in the generic form.
    """
    printed = printed.rstrip("\n") + "\n"
    if without_scripts(printed) == printed and _GENERIC_SCRIPT not in printed:
        return printed
    found = tool.ended_with(replace(request, emits=frozenset({Emit.PAYLOAD})), printed).texts.get(Emit.PAYLOAD)
    return None if found is None or STATE.word in found else found


class _Life(Struct, eq=False):
    """The history of a handle: the passings before operations that used it, consumed it, or may have consumed it."""

    key: tuple[int, int]
    defined: int
    contents: Contents | None
    kind: HandleKind
    used: int = -1
    consumed: int | None = None
    endangered: list[int] = field(default_factory=list)

    def at(self, number: int) -> HandleRecord:
        """Return the handle in the state of a passing."""
        liveness, since = Liveness.LIVE, None
        dangers = [danger for danger in self.endangered if self.used <= danger < number]
        if self.consumed is not None and self.consumed < number:
            liveness, since = Liveness.STALE, self.consumed
        elif dangers and self.used < number:
            liveness, since = Liveness.UNKNOWN, dangers[0]
        contents = self.contents if liveness is Liveness.LIVE else None
        return HandleRecord(*self.key, self.defined, liveness, since, contents, is_current=self.defined == number)


class _Handles:
    """The handles in scope at each passing."""

    def __init__(
        self,
        points: Sequence[Point],
        followings: Sequence[Following | None],
        passings: Sequence[Passing],
        *,
        is_checked: bool,
    ) -> None:
        """`is_checked`: the interpreter would have reported a use of a stale handle."""
        self._points = points
        self._is_checked = is_checked
        self._visible: list[list[_Life]] = []
        executions: RegionExecutions[dict[tuple[int, int], _Life]] = RegionExecutions(
            bends_of(points), lambda _region: {}
        )
        for number, passing in enumerate(passings):
            self._define(executions.pass_point(passing.point).content, number, passing)
            visible = {key: life for execution in executions.innermost() for key, life in execution.content.items()}
            self._visible.append(list(visible.values()))
            following = followings[passing.point]
            if following is not None and number + 1 < len(passings):
                self._pass(following, number, visible)

    def at(self, number: int) -> tuple[HandleRecord, ...]:
        """Return the handles in the state of a passing."""
        return tuple(life.at(number) for life in self._visible[number])

    def _define(self, known: dict[tuple[int, int], _Life], number: int, passing: Passing) -> None:
        for index, (handle, contents) in enumerate(
            zip(self._points[passing.point].handles, passing.contents, strict=True)
        ):
            key = (passing.point, index)
            known[key] = _Life(key, number, contents, handle.kind)

    def _pass(self, following: Following, number: int, visible: dict[tuple[int, int], _Life]) -> None:
        """Record the effects of the operation behind passing `number` on handles."""
        for key in following.operands:
            if key in visible and self._is_checked:
                visible[key].used = number
        for consumed in following.consumed:
            life = visible.get((consumed.point, consumed.number))
            if life is None or life.kind is HandleKind.PARAMETERS:
                continue
            if consumed.is_certain:
                life.consumed = number if life.consumed is None else life.consumed
            for other in visible.values():
                if other.kind is not HandleKind.PARAMETERS:
                    other.endangered.append(number)
