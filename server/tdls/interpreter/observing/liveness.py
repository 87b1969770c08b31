"""Which handles are valid at each step of a recorded run, since when the others are not, and what the valid ones hold.

Uses and certain consumptions of handles are in the script. Where an operation only may have consumed a handle, MLIR is
queried: the script runs again, with a use of each handle at the points of the requested states. MLIR's expensive checks
end such a run at the first use of a stale handle, and the next run leaves that out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.interpreter.observing.answers import DONE, POINT, Show, observed_run, with_names
from tdls.interpreter.observing.execution_trace import RegionExecutions, control_flow_of
from tdls.interpreter.observing.probe import SIZE, remarks_in
from tdls.interpreter.observing.records import HandleRecord, Liveness
from tdls.interpreter.runs.model import Status
from tdls.semantic.handle_types import HandleKind
from tdls.structs import Struct, field, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tdls.interpreter.mlir.mlir_opt import Output
    from tdls.interpreter.observing.answers import ObservedRun
    from tdls.interpreter.observing.next_operations import NextOperation
    from tdls.interpreter.observing.points import Handle, Point
    from tdls.interpreter.observing.records import Passing
    from tdls.interpreter.runs.model import Contents

    _Spelled = Callable[[int, tuple[Handle, ...]], str]

_MOST_RUNS = 16
_MOST_CONTENTS = 1_000
"""Maximum number of uses of handles in a run that also tells what they hold."""

_Key = tuple[int, int]
"""The point that defines a handle, and the handle's number there."""


class _Life(Struct, eq=False):
    """The history of a handle: the passings before operations that used it, consumed it, or may have consumed it."""

    key: _Key
    defined: int
    contents: Contents | None
    kind: HandleKind
    used: int = -1
    """The last passing at which it was certainly valid."""
    consumed: int | None = None
    endangered: list[int] = field(default_factory=list)
    later: dict[int, Contents] = field(default_factory=dict)
    """The queried contents at passings behind the definition."""

    def at(self, number: int) -> HandleRecord:
        """Return the handle in the state of a passing."""
        liveness, since = Liveness.LIVE, None
        dangers = [danger for danger in self.endangered if self.used <= danger < number]
        if self.consumed is not None and self.consumed < number:
            liveness, since = Liveness.STALE, self.consumed
        elif dangers and self.used < number:
            liveness, since = Liveness.UNKNOWN, dangers[0]
        contents = self.later.get(number, self.contents) if liveness is Liveness.LIVE else None
        is_current = number == self.defined or number in self.later
        return HandleRecord(*self.key, self.defined, liveness, since, contents, is_current=is_current)


class RecordedHandles:
    """The handles in scope at each passing of a run."""

    def __init__(
        self,
        points: Sequence[Point],
        next_operations: Sequence[NextOperation | None],
        passings: Sequence[Passing],
        *,
        is_checked: bool,
    ) -> None:
        """`is_checked`: the interpreter would have reported a use of a stale handle."""
        self._points = points
        self._passings = passings
        self._is_checked = is_checked
        self._visible: list[list[_Life]] = []
        executions: RegionExecutions[dict[_Key, _Life]] = RegionExecutions(control_flow_of(points), lambda _region: {})
        for number, passing in enumerate(passings):
            known = executions.pass_point(passing.point).content
            defined = zip(points[passing.point].handles, passing.contents, strict=True)
            for index, (handle, contents) in enumerate(defined):
                key = (passing.point, index)
                known[key] = _Life(key, number, contents, handle.kind)
            visible = {key: life for execution in executions.innermost() for key, life in execution.content.items()}
            self._visible.append(list(visible.values()))
            next_operation = next_operations[passing.point]
            if next_operation is not None and number + 1 < len(passings):
                self._pass(next_operation, number, visible)

    def at(self, number: int) -> tuple[HandleRecord, ...]:
        """Return the handles in the state of a passing."""
        return tuple(life.at(number) for life in self._visible[number])

    def query(self, numbers: Sequence[int], show: Show, run: Callable[[_Spelled], Output]) -> None:
        """Find out which handles are valid at the passings `numbers`, and what they hold there.

        `run` repeats the run with the text that the given function spells at each point. If there are many handles,
        only those are used whose validity is unknown.
        """
        wanted = {number: self._queried(number, is_unknown=False) for number in numbers}
        if sum(map(len, wanted.values())) > _MOST_CONTENTS:
            wanted, show = {number: self._queried(number, is_unknown=True) for number in numbers}, Show.SIZES
        uses: dict[int, dict[_Key, None]] = {}
        for number, lives in wanted.items():
            uses.setdefault(self._passings[number].point, {}).update(dict.fromkeys(life.key for life in lives))
        for _ in range(_MOST_RUNS if self._is_checked and any(uses.values()) else 0):
            points = [
                replace(point, handles=tuple(self._points[at].handles[index] for at, index in uses.get(number, ())))
                for number, point in enumerate(self._points)
            ]
            # With the handles of `points` in place of those that are new there.
            observed = observed_run(points, show, lambda each: run(lambda n, _: each(n, points[n].handles)))  # noqa: B023
            reached, sizes = self._read(observed.raw)
            is_over = sizes is None or observed.raw.status is Status.SUCCESS
            if reached == len(self._passings) and is_over:
                self._take(wanted, uses, observed)
                return
            stale = self._stale_at(reached - 1, sizes, uses) if observed.raw.status is Status.FAILURE else None
            if stale is None:
                return
            for number in range(reached - 1, len(self._passings)):
                uses.get(self._passings[number].point, {}).pop(stale.key, None)

    def _queried(self, number: int, *, is_unknown: bool) -> list[_Life]:
        """Return the handles to use at a passing: those that may be valid, or whose validity `is_unknown`."""
        records = [(life, life.at(number)) for life in self._visible[number]]
        if is_unknown:
            return [life for life, record in records if record.liveness is Liveness.UNKNOWN]
        return [life for life, record in records if record.liveness is not Liveness.STALE and life.defined != number]

    def _read(self, output: Output) -> tuple[int, int | None]:
        """Return how many passings a run reached, and the number of handles that it had used where it ended in a use,
        else None.
        """
        reached, sizes = 0, None
        for answer in remarks_in(output.diagnostics, POINT, SIZE, DONE):
            if answer.probe is DONE:
                sizes = None
            elif answer.probe is SIZE:
                sizes = (sizes or 0) + 1
            elif reached == len(self._passings) or self._passings[reached].point != answer.numbers[0]:
                return 0, None
            else:
                reached, sizes = reached + 1, 0
        return reached, sizes

    def _stale_at(self, number: int, sizes: int | None, uses: dict[int, dict[_Key, None]]) -> _Life | None:
        """Record that the next handle behind `sizes` others is stale at a passing, and return it."""
        if number < 0 or sizes is None:
            return None
        keys = list(uses.get(self._passings[number].point, ()))
        key = keys[sizes] if sizes < len(keys) else None
        life = next((life for life in self._visible[number] if life.key == key), None)
        before = [danger for danger in life.endangered if danger < number] if life is not None else []
        if life is None or not before:
            return None
        life.consumed = life.used = before[-1]
        return life

    def _take(self, wanted: dict[int, list[_Life]], uses: dict[int, dict[_Key, None]], observed: ObservedRun) -> None:
        """Take over that all handles were valid in a run, and what they held."""
        contents = with_names(observed.record, observed.raw.printed).contents(observed.raw.source_map)
        for number, passing in enumerate(self._passings):
            visible = {life.key: life for life in self._visible[number]}
            for index, key in enumerate(uses.get(passing.point, ())):
                held = contents.get((passing.point, index))
                life = visible.get(key)
                if life is not None and number in wanted:
                    life.used = max(life.used, number)
                if held and (now := held.pop(0)) and life is not None and life.defined != number:
                    life.later[number] = now

    def _pass(self, next_operation: NextOperation, number: int, visible: dict[_Key, _Life]) -> None:
        """Record the effects of the operation behind passing `number` on handles."""
        for key in next_operation.operands:
            if key in visible and self._is_checked:
                visible[key].used = number
        for consumed in next_operation.consumed:
            life = visible.get((consumed.point, consumed.number))
            if life is None or life.kind is HandleKind.PARAMETERS:
                continue
            if consumed.is_certain:
                life.consumed = number if life.consumed is None else life.consumed
            for other in visible.values():
                if other.kind is not HandleKind.PARAMETERS:
                    other.endangered.append(number)
