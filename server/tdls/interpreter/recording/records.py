"""What a recorded run tells, as plain records: which points it passed, and the states that were asked for.

A *passing* is one moment at which the interpreter passes a point of a script. Passings count from 0 in their order, and
a state is that of a passing.
"""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Protocol, TypeVar

from tdls.interpreter.confinement.reports import ReportError, decoded, decompressed, expect
from tdls.interpreter.instrumentation.journal import is_handle
from tdls.interpreter.model import Contents, PayloadItem
from tdls.limits import RUN_OUTPUT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from tdls.interpreter.instrumentation.execution_trace import Bend
    from tdls.interpreter.instrumentation.points import Point
    from tdls.interpreter.model import RunResult
    from tdls.interpreter.recording.following import Following
    from tdls.interpreter.source_map import SourceMap


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which states a run has to tell: those of the passings `numbers`, or of all of them.

    `points` are the points that are passed at those. Nothing is told of what comes behind passing `last`, and a backend
    may end the run there.
    """

    numbers: frozenset[int] = frozenset()
    points: frozenset[int] = frozenset()
    all: bool = False
    last: int | None = None
    checkpoints: int = 0
    """So many checkpoints may be kept, for who is going to ask for more states one by one."""

    @classmethod
    def every(cls) -> Wanted:
        """Return the wish for all states of a whole run."""
        return cls(all=True)

    @classmethod
    def only(cls, points: Mapping[int, int]) -> Wanted:
        """Return the wish for a few states: those of some passings, of which `points` has what each passes."""
        return cls(frozenset(points), frozenset(points.values()), last=max(points))

    def __contains__(self, number: int) -> bool:
        return self.all or number in self.numbers


class Passing(NamedTuple):
    """A passing of the point with this number.

    `contents` are those of the handles that are new there, None where they were not looked at. Looking took from
    `entered` to `left`, seconds of a clock of that run; None where nobody looked at a clock.
    """

    point: int
    contents: tuple[Contents | None, ...] = ()
    entered: float | None = None
    left: float | None = None


class Liveness(Enum):
    """Whether a handle can be used."""

    LIVE = "live"
    STALE = "stale"
    UNKNOWN = "unknown"
    """Something may have consumed it, or what it stands for."""


class HandleRecord(NamedTuple):
    """A handle in a state: `number` of those that are new at `point`, defined at the passing `defined`.

    `since` is the passing in front of the operation that ended its life, or may have. `contents` are those of live
    handles, None where they were not told. `is_current` is false if they are those that it had when it was defined.
    """

    point: int
    number: int
    defined: int
    liveness: Liveness
    since: int | None
    contents: Contents | None
    is_current: bool = True


class PackedHandles(Protocol):
    """Handles that are kept in little room."""

    @property
    def size(self) -> int:
        """How many bytes they take."""
        ...

    def unpacked(self) -> tuple[HandleRecord, ...]:
        """Return them."""
        ...


@dataclass(frozen=True, slots=True)
class StateRecord:
    """The state of one passing. The text is kept compressed; it is None where there was no room for it."""

    compressed: bytes | None
    kept_handles: tuple[HandleRecord, ...] | PackedHandles

    @property
    def handles(self) -> tuple[HandleRecord, ...]:
        """Those that can be named there, innermost region first, in the order in which they were defined."""
        kept = self.kept_handles
        return kept if isinstance(kept, tuple) else kept.unpacked()

    @property
    def text(self) -> str | None:
        """The payload, without scripts."""
        return None if self.compressed is None else zlib.decompress(self.compressed).decode("utf-8", "replace")


class Urgency(Enum):
    """How soon somebody needs states."""

    NOW = "now"
    SOON = "soon"
    """Somebody may ask for them next; who needs some now comes first."""
    SOMETIME = "sometime"
    """They may take what nobody else on this computer needs."""


class StateTeller(Protocol):
    """Knows how to tell more states of a run that is over; for any thread."""

    @property
    def count(self) -> int:
        """At how many passings it can begin; 0 if it tells nothing any more."""
        ...

    def tell(
        self, numbers: Collection[int], texts: Collection[int], *, urgency: Urgency = Urgency.NOW
    ) -> Iterator[tuple[int, int, StateRecord]]:
        """Yield passing, point and state for `numbers`, in their order; those in `texts` with their payload.

        What it cannot tell does not come. What is not needed now ends when somebody asks for what is.
        """
        ...

    def close(self) -> None:
        """Leave nothing behind."""
        ...


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What one recorded run told. `result` is that of the run without anything inserted."""

    result: RunResult
    points: tuple[Point, ...]
    followings: tuple[Following | None, ...]
    """What is executed behind each point."""
    passings: tuple[Passing, ...]
    """Empty where what was observed may not be what the script does as it is."""
    states: Mapping[int, StateRecord]
    is_faithful: bool
    """False if what was observed was something else than what the script does as it is."""
    is_complete: bool = True
    """False if there were more passings than are told."""
    checkpoints: StateTeller | None = None
    """What can be asked for more states, if there is such a thing; who has the record closes it."""


def unrecorded(result: RunResult) -> RunRecord:
    """Return the record of a run of which nothing is known but its `result`."""
    return RunRecord(result, (), (), (), {}, is_faithful=False)


_T = TypeVar("_T")


@dataclass(eq=False, slots=True)
class RegionExecution(Generic[_T]):
    """One execution of a region, with whatever somebody keeps for it."""

    region: int
    is_called: bool
    """True if the region is that of a sequence, from which nothing outside can be named."""
    content: _T
    is_done: bool = False
    """True once its last point was passed."""


class RegionExecutions(Generic[_T]):
    """The executions, outermost first."""

    def __init__(self, bends: Sequence[Bend], make: Callable[[int], _T]) -> None:
        """`bends` are those of all points, by number; `make` is called with a region that begins to be executed.

        Meanwhile the executions are those that it is executed in.
        """
        self._bends = bends
        self._make = make
        self._executing: list[RegionExecution[_T]] = []

    def pass_point(self, point: int) -> RegionExecution[_T]:
        """Note that `point` is passed, and return the execution that it is in."""
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
        """Yield the executions whose handles can be named in the innermost one, which comes first."""
        for execution in reversed(self._executing):
            yield execution
            if execution.is_called:
                return

    def _come_back(self, region: int) -> None:
        """Leave the regions inside of `region`: where something fails and is silenced, their last points are not
        passed.
        """
        while self._executing and self._executing[-1].region != region:
            self._executing.pop()


SAME: Final = "same"
"""Stands for the text that was told last."""
_COMPRESSION = 1
_STATE = "a state"


class _StoredHandle(NamedTuple):
    """A handle as it is told; see `HandleRecord`."""

    point: int
    number: int
    defined: int
    liveness: Liveness
    since: int | None
    contents: tuple[int, dict[str, int], list[tuple[str, str]]] | None


@dataclass(frozen=True, slots=True)
class StoredState:
    """A state as `state_line` tells it."""

    passing: int
    point: int
    text: str | None
    handles: str


def compressed(text: str) -> bytes:
    """Return `text` as `StateRecord` keeps it."""
    return zlib.compress(text.encode("utf-8", "replace"), _COMPRESSION)


def state_line(passing: int, point: int, text: bytes | str | None, handles: list[list[Any]]) -> bytes:
    """Return the line for a state; `text` is compressed, or `SAME`, or None."""
    spelled = base64.b64encode(text).decode() if isinstance(text, bytes) else text
    packed = base64.b64encode(zlib.compress(json.dumps(handles).encode(), _COMPRESSION)).decode()
    told = {"passing": passing, "point": point, "text": spelled, "handles": packed}
    return json.dumps(told).encode() + b"\n"


def state_of_line(
    line: StoredState, before: bytes | None, source_map: SourceMap, sizes: Sequence[int]
) -> tuple[StateRecord, bytes | None]:
    """Return the state that a line tells, and the text that was told last, compressed; `before` it was that one.

    `source_map` is for the places that it names, and `sizes` are the numbers of handles of all points. All of the
    line is checked now, so that it can be read at any time. Raises ReportError.
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


@dataclass(frozen=True, slots=True)
class _Packed:
    """Handles as they were told."""

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
                *(told.point, told.number, told.defined, told.liveness, told.since),
                _contents(told.contents, self.source_map) if told.contents is not None else None,
            )
            for told in self.stored()
        )


def _contents(stored: tuple[int, dict[str, int], list[tuple[str, str]]], source_map: SourceMap) -> Contents:
    size, names, items = stored
    return Contents(size, names, tuple(PayloadItem(name, source_map.first_place(location)) for name, location in items))
