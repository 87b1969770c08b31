"""Plain records of a recorded run: the points that it passed, and the requested states.

A *passing* is one moment at which the interpreter passes a point of a script. Passings count from 0 in their order, and
a state is that of a passing.
"""

from __future__ import annotations

import zlib
from enum import Enum
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple, Struct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tdls.interpreter.observing.next_operations import NextOperation
    from tdls.interpreter.observing.points import Point
    from tdls.interpreter.runs.model import Contents, RunResult


_COMPRESSION = 1


class Wanted(Struct, frozen=True):
    """The states to record: those of the passings `numbers`, or all. `points` are the points of these passings."""

    numbers: frozenset[int] = frozenset()
    points: frozenset[int] = frozenset()
    all: bool = False

    @classmethod
    def every(cls) -> Wanted:
        """Return the options to record all states of a whole run."""
        return cls(all=True)

    @classmethod
    def only(cls, points: Mapping[int, int]) -> Wanted:
        """Return the options to record a few states; `points` maps their passings to points."""
        return cls(frozenset(points), frozenset(points.values()))

    def __contains__(self, number: int) -> bool:
        return self.all or number in self.numbers


class Passing(NamedTuple):
    """A passing of the point with this number.

    `contents` are those of the new handles there, None if not inspected. The inspection took from `entered` to `left`,
    in seconds of the run's clock, or None if not measured.
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


class StateRecord(Struct, frozen=True):
    """The state of one passing. `handles` are those in scope, innermost region first, in definition order."""

    compressed: bytes | None
    """The text, or None if it exceeded the size limit."""
    handles: tuple[HandleRecord, ...]

    @classmethod
    def of(cls, text: str | None, handles: tuple[HandleRecord, ...]) -> StateRecord:
        """Return the state with the payload `text`."""
        return cls(None if text is None else zlib.compress(text.encode("utf-8", "replace"), _COMPRESSION), handles)

    @property
    def text(self) -> str | None:
        """The payload, without scripts."""
        return None if self.compressed is None else zlib.decompress(self.compressed).decode("utf-8", "replace")


class RunRecord(Struct, frozen=True):
    """The record of one run. `result` is that of the run without instrumentation."""

    result: RunResult
    points: tuple[Point, ...]
    next_operations: tuple[NextOperation | None, ...]
    """The operation behind each point."""
    passings: tuple[Passing, ...]
    """Empty if the run could not be observed; see `RunResult.unobserved`."""
    states: Mapping[int, StateRecord]
