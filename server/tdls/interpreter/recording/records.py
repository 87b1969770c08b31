"""What a recorded run tells, as plain records: which points it passed, and the states that were asked for.

A *passing* is one moment at which the interpreter passes a point of a script. Passings count from 0 in their order, and
a state is that of a passing.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from tdls.interpreter.model import Contents, RunResult
    from tdls.interpreter.observation.points import Point
    from tdls.interpreter.recording.following import Following


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
