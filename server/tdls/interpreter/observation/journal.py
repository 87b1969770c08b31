"""What an observed run writes down while it runs: files, so that a run that ends badly leaves what it had.

The marks are 64-bit numbers: whether the script came upon what was inserted, whether it was stopped, which operations
are being executed, innermost first, in which iteration each is, and how often each point was passed. An operation is
one more than the number of the point behind which it stands. The moments are lines of JSON.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import tempfile
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tdls.interpreter.jobs.way_back import WayBack
from tdls.interpreter.observation.trail import Bend, Trail

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

_NUMBER = struct.Struct("<q")
_DISTURBED = 0
_STOPPED = 1
_EXECUTED = 2
_DEPTH = 16
"""So many operations are noted that are executed inside of each other; the outer ones are left out."""
_ITERATIONS = _EXECUTED + _DEPTH
_HEADER = _ITERATIONS + _DEPTH


class Moment(NamedTuple):
    """What handle number `handle` of a point stood for once: `size` items, the first with their locations."""

    point: int
    handle: int
    size: int
    names: dict[str, int]
    items: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class JournalRecord:
    """What was written down: how often each point was passed, and the moments in their order.

    `executing` are the points behind which the operations stand that were being executed, innermost first.
    """

    executing: tuple[int, ...]
    passed: list[int]
    moments: list[Moment]
    is_disturbed: bool
    """True if the script came upon what was inserted into it, so that it may have done something else."""
    is_stopped: bool
    """True if it was stopped where it was to be stopped."""
    iterations: tuple[int, ...] = ()
    """Of each of `executing`, which time the region that it is in is executed by its operation; 0 if it was called."""


class Journal:
    """The files of one run, in a folder of their own while the object is used as a context."""

    def __init__(self, bends: list[Bend], place: str | None = None) -> None:
        """`bends` are those of all points. `way_back` is for the places that MLIR names in the run.

        The folder is made in `place`, None for where temporary files are kept.
        """
        self.bends = bends
        self.way_back = WayBack()
        self._folder = tempfile.TemporaryDirectory(prefix="tdls-", dir=place, ignore_cleanup_errors=True)
        self.folder = self._folder.name
        self.marks = str(Path(self._folder.name) / "marks")
        self.moments = str(Path(self._folder.name) / "moments")
        Path(self.marks).write_bytes(bytes(_NUMBER.size * (_HEADER + len(bends))))
        Path(self.moments).write_bytes(b"")

    def message(self) -> dict[str, Any]:
        """Return what the process that runs the script has to know of it; see `Writer.of`."""
        return {"marks": self.marks, "moments": self.moments, "bends": self.bends}

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def record(self) -> JournalRecord:
        """Read what was written down so far; a last line that is not complete does not count."""
        marks = Path(self.marks).read_bytes()
        numbers = [number for (number,) in _NUMBER.iter_unpack(marks)]
        lines = Path(self.moments).read_bytes().split(b"\n")[:-1]
        executing = tuple(number - 1 for number in takewhile(bool, numbers[_EXECUTED:_ITERATIONS]))
        return JournalRecord(
            executing=executing,
            iterations=tuple(numbers[_ITERATIONS : _ITERATIONS + len(executing)]),
            passed=numbers[_HEADER:],
            moments=[_moment(json.loads(line)) for line in lines],
            is_disturbed=bool(numbers[_DISTURBED]),
            is_stopped=bool(numbers[_STOPPED]),
        )


class Writer:
    """Writes the files of a journal, in the process that runs the script."""

    def __init__(self, marks: str, moments: str, bends: Iterable[Bend]) -> None:
        """`marks` and `moments` are the paths of the files. Raises OSError."""
        self._trail = Trail(bends)
        self._executed: int | None = None
        self._around: list[int] = []
        descriptor = os.open(marks, os.O_RDWR | getattr(os, "O_BINARY", 0))
        self._marks: mmap.mmap | bytearray = mmap.mmap(descriptor, 0)
        os.close(descriptor)
        self._moments = os.open(moments, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))

    @classmethod
    def of(cls, message: dict[str, Any]) -> Writer:
        """Return the writer for the journal that gave `message`. Raises OSError."""
        return cls(message["marks"], message["moments"], (Bend(*bend) for bend in message["bends"]))

    def pass_point(self, point: int) -> int:
        """Note that `point` is passed; return how often it was passed before."""
        before = self.passed(point)
        self._set(_HEADER + point, before + 1)
        self._executed = self._trail.passed(point, self._executed)
        executing = [] if self._executed is None else [self._executed, *self._trail.around]
        self._note_executing(executing[:_DEPTH])
        return before

    def passed(self, point: int) -> int:
        """Return how often `point` was passed."""
        number: int = _NUMBER.unpack_from(self._marks, (_HEADER + point) * _NUMBER.size)[0]
        return number

    def disturb(self) -> None:
        """Note that the script came upon what was inserted into it."""
        self._set(_DISTURBED, 1)

    def stop(self) -> None:
        """Note that the script was stopped."""
        self._set(_STOPPED, 1)

    def finish(self) -> None:
        """Note that the script runs no more."""
        self._note_executing([])

    def note(self, moment: Moment) -> None:
        """Write `moment` down at once."""
        os.write(self._moments, json.dumps(moment).encode() + b"\n")

    def leave_files(self) -> None:
        """Write to no file any more, though it is still called: the files belong to another process."""
        self._marks = bytearray(self._marks)
        self._moments = -1

    def _note_executing(self, points: list[int]) -> None:
        """Write the innermost one at last: until then there is none, whenever the process ends."""
        around = points[1:]
        if around != self._around:
            self._set(_EXECUTED, 0)
            for index in range(_DEPTH - 1):
                self._set(_EXECUTED + 1 + index, around[index] + 1 if index < len(around) else 0)
            self._around = around
        for index, point in enumerate(points):
            self._set(_ITERATIONS + index, self._trail.iteration(point))
        self._set(_EXECUTED, points[0] + 1 if points else 0)

    def _set(self, index: int, number: int) -> None:
        _NUMBER.pack_into(self._marks, index * _NUMBER.size, number)


def _moment(stored: list[Any]) -> Moment:
    point, handle, size, names, items = stored
    return Moment(point, handle, size, names, [(name, location) for name, location in items])
