"""Which handles are valid at each step of a recorded run, and since when the others are not.

Uses and certain consumptions of handles are in the script. Where an operation only may have consumed a handle, MLIR is
queried: the script runs again, with a use of the handle at each point where that is unknown. MLIR's expensive checks
end such a run at the first use of a stale handle, which names it, and the next run leaves it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.interpreter.observing.answers import DONE, POINT, mark
from tdls.interpreter.observing.execution_trace import RegionExecutions, bends_of
from tdls.interpreter.observing.probe import NAME, Probe, remark_with, remarks_in, size_of
from tdls.interpreter.observing.records import HandleRecord, Liveness
from tdls.semantic.handle_types import HandleKind
from tdls.structs import Struct, field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.interpreter.mlir.mlir_opt import Output
    from tdls.interpreter.model import Contents
    from tdls.interpreter.observing.following import Following
    from tdls.interpreter.observing.points import Point
    from tdls.interpreter.observing.records import Passing

_QUERIED = Probe("tdls.queried", 3)
"""A handle is about to be used, by the point where that is, the point that defines the handle, and its number there."""
_MOST_RUNS = 12

_Key = tuple[int, int]
"""The point that defines a handle, and the handle's number there."""


def _query(point: int, uses: Iterable[str]) -> str:
    return f"{mark(point)}{''.join(uses)}{remark_with(f'{NAME}{point}', DONE.label(point))}"


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


class RecordedHandles:
    """The handles in scope at each passing of a run."""

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
        self._passings = passings
        self._is_checked = is_checked
        self._visible: list[list[_Life]] = []
        executions: RegionExecutions[dict[_Key, _Life]] = RegionExecutions(bends_of(points), lambda _region: {})
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

    def query(self, numbers: Iterable[int], run: Callable[[Callable[[int], str]], Output]) -> None:
        """Find out which handles are valid at the passings `numbers`, where that is unknown.

        `run` repeats the run with the text that the given function returns for each point.
        """
        open_keys = {life.key for number in numbers for life in self._visible[number] if self._is_unknown(life, number)}
        for _ in range(_MOST_RUNS if self._is_checked else 0):
            if not open_keys:
                return
            uses = self._uses(open_keys)
            reached, last = self._read(run(lambda point: _query(point, uses.get(point, ()))))  # noqa: B023
            if reached == len(self._passings) and last is None:
                for life in self._lives(open_keys):
                    life.used = reached
                return
            if last is None or reached < 1:
                return
            open_keys.discard(last)
            stale = next((life for life in self._visible[reached - 1] if life.key == last), None)
            dangers = [danger for danger in stale.endangered if danger < reached - 1] if stale is not None else []
            if stale is None or not dangers:
                return
            stale.consumed, stale.used = dangers[-1], dangers[-1]

    @staticmethod
    def _is_unknown(life: _Life, number: int) -> bool:
        return life.at(number).liveness is Liveness.UNKNOWN

    def _lives(self, keys: set[_Key]) -> Iterable[_Life]:
        return {id(life): life for visible in self._visible for life in visible if life.key in keys}.values()

    def _uses(self, keys: set[_Key]) -> dict[int, list[str]]:
        """Return the operations that use the handles `keys`, by the points at which their validity is unknown."""
        where: dict[tuple[int, _Key], None] = {}
        for number, visible in enumerate(self._visible):
            point = self._passings[number].point
            where.update(
                ((point, life.key), None) for life in visible if life.key in keys and self._is_unknown(life, number)
            )
        uses: dict[int, list[str]] = {}
        for point, (definition, index) in where:
            handle = self._points[definition].handles[index]
            label = _QUERIED.label(point, definition, index)
            used = size_of(f"{NAME}_used_{point}_{definition}_{index}", handle.shown, handle.type)
            uses.setdefault(point, []).append(remark_with(f"{NAME}{point}", label) + used)
        return uses

    def _read(self, output: Output) -> tuple[int, _Key | None]:
        """Return how many passings a queried run reached, and the handle whose use was its last action, if any."""
        reached, last = 0, None
        for answer in remarks_in(output.diagnostics, POINT, _QUERIED, DONE):
            if answer.probe is DONE:
                last = None
            elif answer.probe is POINT:
                if reached == len(self._passings) or self._passings[reached].point != answer.numbers[0]:
                    return 0, None
                reached, last = reached + 1, None
            else:
                last = answer.numbers[1], answer.numbers[2]
        return reached, last

    def _define(self, known: dict[_Key, _Life], number: int, passing: Passing) -> None:
        for index, (handle, contents) in enumerate(
            zip(self._points[passing.point].handles, passing.contents, strict=True)
        ):
            key = (passing.point, index)
            known[key] = _Life(key, number, contents, handle.kind)

    def _pass(self, following: Following, number: int, visible: dict[_Key, _Life]) -> None:
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
