"""Plain records of a recorded run: the points that it passed, and the requested states.

A *passing* is one moment at which the interpreter passes a point of a script. Passings count from 0 in their order, and
a state is that of a passing.
"""

from __future__ import annotations

import base64
import json
import zlib
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Protocol, TypeVar

from tdls.interpreter.confinement.reports import ReportError, decoded, decompressed, expect
from tdls.interpreter.instrumentation.journal import is_handle
from tdls.interpreter.model import Contents, PayloadItem
from tdls.limits import RUN_OUTPUT
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from tdls.interpreter.instrumentation.execution_trace import Bend
    from tdls.interpreter.instrumentation.points import Point
    from tdls.interpreter.model import RunResult
    from tdls.interpreter.recording.following import Following
    from tdls.interpreter.source_map import SourceMap


class Wanted(Struct, frozen=True):
    """The states to record: those of the passings `numbers`, or all.

    `points` are the points of these passings. Nothing is recorded after passing `last`, and a backend may end the run
    there.
    """

    numbers: frozenset[int] = frozenset()
    points: frozenset[int] = frozenset()
    all: bool = False
    last: int | None = None
    checkpoints: int = 0
    """Maximum number of checkpoints to keep, for callers that request further states one by one."""

    @classmethod
    def every(cls) -> Wanted:
        """Return the options to record all states of a whole run."""
        return cls(all=True)

    @classmethod
    def only(cls, points: Mapping[int, int]) -> Wanted:
        """Return the options to record a few states; `points` maps their passings to points."""
        return cls(frozenset(points), frozenset(points.values()), last=max(points))

    def __contains__(self, number: int) -> bool:
        return self.all or number in self.numbers


class Passing(NamedTuple):
    """A passing of the point with this number.

    `contents` are those of the new handles there, None if not inspected. The inspection took from `entered` to `left`,
    in seconds of the run's clock; None if not measured.
    """

    point: int
    contents: tuple[Contents | None, ...] = ()
    entered: float | None = None
    left: float | None = None


class Liveness(Enum):
    """The validity of a handle."""

    LIVE = "live"
    STALE = "stale"
    UNKNOWN = "unknown"
    """An operation may have consumed it, or its payload."""


class HandleRecord(NamedTuple):
    """A handle in a state: `number` of those that are new at `point`, defined at the passing `defined`.

    `since` is the passing before the operation that invalidated it, or may have. `contents` are those of live handles,
    None if not recorded. `is_current` is false if they date from the handle's definition.
    """

    point: int
    number: int
    defined: int
    liveness: Liveness
    since: int | None
    contents: Contents | None
    is_current: bool = True


class PackedHandles(Protocol):
    """Handles in a compact form."""

    @property
    def size(self) -> int:
        """Size in bytes."""
        ...

    def unpacked(self) -> tuple[HandleRecord, ...]:
        """Return the handles."""
        ...


class StateRecord(Struct, frozen=True):
    """The state of one passing. The text is kept compressed; it is None if it exceeded the size limit."""

    compressed: bytes | None
    kept_handles: tuple[HandleRecord, ...] | PackedHandles

    @property
    def handles(self) -> tuple[HandleRecord, ...]:
        """The handles in scope, innermost region first, in the order of their definitions."""
        kept = self.kept_handles
        return kept if isinstance(kept, tuple) else kept.unpacked()

    @property
    def text(self) -> str | None:
        """The payload, without scripts."""
        return None if self.compressed is None else zlib.decompress(self.compressed).decode("utf-8", "replace")


class Urgency(Enum):
    """The urgency of a request for states."""

    NOW = "now"
    SOON = "soon"
    """Possibly requested next; urgent requests come first."""
    SOMETIME = "sometime"
    """May use only processor time that no other process needs."""


class StateSource(Protocol):
    """A source of further states of a finished run. Thread-safe."""

    @property
    def count(self) -> int:
        """Number of passings at which it can begin; 0 if it has no more states."""
        ...

    def states(
        self, numbers: Collection[int], texts: Collection[int], *, urgency: Urgency = Urgency.NOW
    ) -> Iterator[tuple[int, int, StateRecord]]:
        """Yield passing, point and state for `numbers`, in order; those in `texts` with their payload.

        Unavailable states are left out. A request that is not urgent ends when an urgent one is made.
        """
        ...

    def close(self) -> None:
        """Release all resources."""
        ...


class RunRecord(Struct, frozen=True):
    """The record of one run. `result` is that of the run without instrumentation."""

    result: RunResult
    points: tuple[Point, ...]
    followings: tuple[Following | None, ...]
    """The operation behind each point."""
    passings: tuple[Passing, ...]
    """Empty if the run could not be observed; see `RunResult.unobserved`."""
    states: Mapping[int, StateRecord]
    is_complete: bool = True
    """False if there were more passings than recorded."""
    checkpoints: StateSource | None = None
    """The source of further states, if any; the owner of the record closes it."""


def unrecorded(result: RunResult) -> RunRecord:
    """Return the record of a run of which only the `result` is known."""
    return RunRecord(result, (), (), (), {})


_T = TypeVar("_T")


class RegionExecution(Struct, Generic[_T], eq=False):
    """One execution of a region, with the data that the caller attaches to it."""

    region: int
    is_called: bool
    """True if the region belongs to a called sequence, from which no outer handles are in scope."""
    content: _T
    is_done: bool = False
    """True once its last point was passed."""


class RegionExecutions(Generic[_T]):
    """The stack of region executions, outermost first."""

    def __init__(self, bends: Sequence[Bend], make: Callable[[int], _T]) -> None:
        """`bends` are the control-flow data of all points; `make` returns the data of a region that begins to execute.

        During that call the stack has the outer executions.
        """
        self._bends = bends
        self._make = make
        self._executing: list[RegionExecution[_T]] = []

    def pass_point(self, point: int) -> RegionExecution[_T]:
        """Record that `point` is passed, and return the execution that contains it."""
        while self._executing and self._executing[-1].is_done:
            self._executing.pop()
        bend = self._bends[point]
        if not bend.is_first:
            self._come_back(bend.region)
        elif bend.outside is not None:
            self._come_back(self._bends[bend.outside].region)
        if bend.is_first or not self._executing:
            execution = RegionExecution(bend.region, bend.outside is None, self._make(bend.region))
            self._executing.append(execution)
        self._executing[-1].is_done = bend.is_last
        return self._executing[-1]

    def __iter__(self) -> Iterator[RegionExecution[_T]]:
        return iter(self._executing)

    def innermost(self) -> Iterator[RegionExecution[_T]]:
        """Yield the executions whose handles are in scope, innermost first."""
        for execution in reversed(self._executing):
            yield execution
            if execution.is_called:
                return

    def _come_back(self, region: int) -> None:
        """Leave the regions inside `region`: after a silenced failure, their last points are not passed."""
        while self._executing and self._executing[-1].region != region:
            self._executing.pop()


SAME: Final = "same"
"""Stands for the previous text."""
_COMPRESSION = 1
_STATE = "a state"


class _StoredHandle(NamedTuple):
    """The stored form of a handle; see `HandleRecord`."""

    point: int
    number: int
    defined: int
    liveness: Liveness
    since: int | None
    contents: tuple[int, dict[str, int], list[tuple[str, str]]] | None


class StoredState(Struct, frozen=True):
    """The stored form of a state; see `state_line`."""

    passing: int
    point: int
    text: str | None
    handles: str


def compressed(text: str) -> bytes:
    """Return `text` in the compressed form of `StateRecord`."""
    return zlib.compress(text.encode("utf-8", "replace"), _COMPRESSION)


def state_line(passing: int, point: int, text: bytes | str | None, handles: list[list[Any]]) -> bytes:
    """Return the line for a state; `text` is compressed, or `SAME`, or None."""
    spelled = base64.b64encode(text).decode() if isinstance(text, bytes) else text
    packed = base64.b64encode(zlib.compress(json.dumps(handles).encode(), _COMPRESSION)).decode()
    state = {"passing": passing, "point": point, "text": spelled, "handles": packed}
    return json.dumps(state).encode() + b"\n"


def state_of_line(
    line: StoredState, before: bytes | None, source_map: SourceMap, sizes: Sequence[int]
) -> tuple[StateRecord, bytes | None]:
    """Return the state in a line, and its compressed text, or else `before`, the previous one.

    `source_map` maps its positions, and `sizes` are the numbers of handles of all points. The whole line is validated
    now, so that it can be unpacked at any time. Raises ReportError.
    """
    handles = _Packed(_bytes(line.handles), source_map)
    for handle in handles.stored():
        expect(is_handle(handle.point, handle.number, sizes), _STATE, "there is no such handle")
    if line.text is None:
        return StateRecord(None, handles), before
    if line.text == SAME:
        expect(before is not None, _STATE, "there was no text before")
        return StateRecord(before, handles), before
    text = _bytes(line.text)
    decompressed(text, RUN_OUTPUT.most, _STATE)
    return StateRecord(text, handles), text


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise ReportError(_STATE, str(error)) from error


class _Packed(Struct, frozen=True):
    """Handles in their stored form."""

    data: bytes
    source_map: SourceMap

    @property
    def size(self) -> int:
        return len(self.data)

    def stored(self) -> list[_StoredHandle]:
        return decoded(decompressed(self.data, RUN_OUTPUT.most, _STATE), list[_StoredHandle], _STATE)

    def unpacked(self) -> tuple[HandleRecord, ...]:
        return tuple(
            HandleRecord(
                *(handle.point, handle.number, handle.defined, handle.liveness, handle.since),
                _contents(handle.contents, self.source_map) if handle.contents is not None else None,
            )
            for handle in self.stored()
        )


def _contents(stored: tuple[int, dict[str, int], list[tuple[str, str]]], source_map: SourceMap) -> Contents:
    size, names, items = stored
    return Contents(size, names, tuple(PayloadItem(name, source_map.first_place(location)) for name, location in items))
