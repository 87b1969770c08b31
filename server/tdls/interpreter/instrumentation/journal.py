"""The journal of an observed run: files written during the run, so that their content survives a crash.

The marks are 64-bit numbers: whether the script encountered instrumentation, whether it was stopped, the operations in
execution, innermost first, their iterations, and how often each point was passed. An operation is stored as the number
of the point before it plus 1. The moments are lines of JSON.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any, Final

from tdls.interpreter.confinement.reports import WritableFolder, decoded_lines, expect
from tdls.interpreter.instrumentation.execution_trace import Bend, ExecutionTrace
from tdls.interpreter.source_map import SourceMap
from tdls.limits import RUN_OUTPUT
from tdls.semantic.handle_types import HandleKind
from tdls.structs import NamedTuple, Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

    from tdls.interpreter.instrumentation.points import Handle

DIALECT: Final = "tdls"
OBSERVE: Final = "tdls.observe"
"""The operation that records the contents of its operands."""
STOP: Final = "tdls.stop"
"""The operation that ends the run."""
INSERTED: Final = (OBSERVE, STOP)
POINT: Final = "point"
"""Attribute: number of the operation's point."""
FIRST: Final = "first"
"""Attribute: index of its first operand among the handles of the point; the operation with 0 comes first."""
KIND: Final = "kind"
OPERATIONS, VALUES, PARAMETERS = range(3)
_KINDS = {HandleKind.OPERATIONS: OPERATIONS, HandleKind.VALUES: VALUES, HandleKind.PARAMETERS: PARAMETERS}
_INTEGER = "i64"


def definition() -> str:
    """Return the IRDL definition of the operations. An observing operation has any number of operands of one type."""
    observe, stop = (name.partition(".")[2] for name in INSERTED)
    return (
        f"irdl.dialect @{DIALECT} {{ irdl.operation @{stop} {{ }}\n irdl.operation @{observe} "
        "{ %0 = irdl.any\n irdl.operands(handles: variadic %0) } }"
    )


def stop() -> str:
    """Return the operation that ends the run."""
    return f'"{STOP}"() : () -> () '


def spelled(point: int, handles: tuple[Handle, ...]) -> str:
    """Return the operations that observe `handles` at the point with this number; without handles, one that only marks
    it.
    """
    return " ".join(["", *_spelled(point, handles), ""])


def _spelled(point: int, handles: tuple[Handle, ...]) -> Iterator[str]:
    first = 0
    for (type_, kind), group in groupby(handles, lambda handle: (handle.type, handle.kind)):
        names = [handle.shown for handle in group]
        yield _one(point, first, _KINDS[kind], names, type_)
        first += len(names)
    if not handles:
        yield _one(point, 0, OPERATIONS, [], "")


def _one(point: int, first: int, kind: int, names: list[str], type_: str) -> str:
    attributes = ", ".join(
        f"{name} = {value} : {_INTEGER}" for name, value in ((POINT, point), (FIRST, first), (KIND, kind))
    )
    types = ", ".join([type_] * len(names))
    return f'"{OBSERVE}"({", ".join(names)}) {{{attributes}}} : ({types}) -> ()'


_NUMBER = struct.Struct("<q")
_DISTURBED = 0
_STOPPED = 1
_EXECUTED = 2
_DEPTH = 16
"""Maximum number of nested operations in execution to record; outer ones are left out."""
_ITERATIONS = _EXECUTED + _DEPTH
_HEADER = _ITERATIONS + _DEPTH
_MARKS: Final = "marks"
_MOMENTS: Final = "moments"


class Moment(NamedTuple):
    """The contents of handle number `handle` of a point at one time: `size` items, the first ones with locations."""

    point: int
    handle: int
    size: int
    names: dict[str, int]
    items: list[tuple[str, str]]


class JournalRecord(Struct, frozen=True):
    """The content of a journal: how often each point was passed, and the moments in their order.

    `executing` are the points before the operations in execution, innermost first.
    """

    executing: tuple[int, ...]
    passed: list[int]
    moments: list[Moment]
    is_disturbed: bool
    """True if the script encountered instrumentation, so that its behaviour may differ."""
    is_stopped: bool
    """True if it was stopped at the requested place."""
    iterations: tuple[int, ...] = ()
    """For each of `executing`, the number of the present execution of its region by the region's owner; 0 if called."""


class Journal:
    """The files of one run, in a folder of their own while the object is used as a context.

    The process that runs the script creates the files; tdls reads them when that process has ended.
    """

    def __init__(self, bends: list[Bend], handles: Sequence[int], place: str | None = None) -> None:
        """`bends` and `handles` (numbers of handles) have one item per point. `source_map` maps MLIR's positions.

        The folder is created in `place`, None for the system's temporary folder.
        """
        self.bends = bends
        self.handles = handles
        self.source_map = SourceMap()
        self.folder = WritableFolder(place)

    def message(self) -> dict[str, Any]:
        """Return the journal's data for the process that runs the script; see `open_files` and `Writer.of`."""
        return {"folder": self.folder.path, "files": [_MARKS, _MOMENTS], "pipes": [], "bends": self.bends}

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.folder.close()

    def read(self, name: str) -> bytes:
        """Return the content of a file, as far as it was written. Raises ReportError."""
        return self.folder.read(name, RUN_OUTPUT.most) or b""

    def record(self) -> JournalRecord:
        """Parse the journal; an incomplete last line is ignored. Raises ReportError."""
        size = _HEADER + len(self.bends)
        marks = self.read(_MARKS) or bytes(_NUMBER.size * size)
        expect(len(marks) == _NUMBER.size * size, _MARKS, f"it has {len(marks)} bytes")
        numbers = [number for (number,) in _NUMBER.iter_unpack(marks)]
        expect(min(numbers) >= 0, _MARKS, "a number is negative")
        executing = tuple(number - 1 for number in takewhile(bool, numbers[_EXECUTED:_ITERATIONS]))
        expect(all(number < len(self.bends) for number in executing), _MARKS, "there is no such point")
        moments = list(decoded_lines(self.read(_MOMENTS), Moment, _MOMENTS))
        for moment in moments:
            expect(is_handle(moment.point, moment.handle, self.handles), _MOMENTS, "there is no such handle")
        return JournalRecord(
            executing=executing,
            iterations=tuple(numbers[_ITERATIONS : _ITERATIONS + len(executing)]),
            passed=numbers[_HEADER:],
            moments=moments,
            is_disturbed=bool(numbers[_DISTURBED]),
            is_stopped=bool(numbers[_STOPPED]),
        )


def is_handle(point: int, number: int, handles: Sequence[int]) -> bool:
    """Tell whether `point` has a handle with this `number`; `handles` are the numbers of handles of all points."""
    return 0 <= point < len(handles) and 0 <= number < handles[point]


def open_files(message: dict[str, Any] | None) -> None:
    """Create and open the files of the journal that gave `message`, if any, and add their descriptors to the message.

    The writing process does this before it is confined to another folder: then no code there can open them by name, not
    even through ``/proc/self/fd``. Raises OSError.
    """
    if message is None:
        return
    making = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_BINARY", 0)
    folder = message["folder"]
    message["opened"] = {name: os.open(os.path.join(folder, name), making, 0o600) for name in message["files"]}  # noqa: PTH118
    message["slots"] = [
        [
            os.open(os.path.join(folder, commands), os.O_RDONLY),  # noqa: PTH118
            os.open(os.path.join(folder, answers), os.O_WRONLY),  # noqa: PTH118
        ]
        for commands, answers in message["pipes"]
    ]


class Writer:
    """Writes the files of a journal, in the process that runs the script."""

    def __init__(self, marks: int, moments: int, bends: Sequence[Bend]) -> None:
        """`marks` and `moments` are the descriptors of the empty files. Raises OSError."""
        self._trail = ExecutionTrace(bends)
        self._executed: int | None = None
        self._around: list[int] = []
        os.write(marks, bytes(_NUMBER.size * (_HEADER + len(bends))))
        self._marks: mmap.mmap | bytearray = mmap.mmap(marks, 0)
        os.close(marks)
        self._moments = moments

    @classmethod
    def of(cls, message: dict[str, Any]) -> Writer:
        """Return the writer for the journal that gave `message`, whose files are open. Raises OSError."""
        opened = message["opened"]
        return cls(opened[_MARKS], opened[_MOMENTS], [Bend(*bend) for bend in message["bends"]])

    def pass_point(self, point: int) -> int:
        """Record that `point` is passed; return how often it was passed before."""
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
        """Record that the script encountered instrumentation."""
        self._set(_DISTURBED, 1)

    def stop(self) -> None:
        """Record that the script was stopped."""
        self._set(_STOPPED, 1)

    def finish(self) -> None:
        """Record that no operation is in execution any more."""
        self._note_executing([])

    def note(self, moment: Moment) -> None:
        """Write `moment` to the file at once."""
        os.write(self._moments, json.dumps(moment).encode() + b"\n")

    def leave_files(self) -> None:
        """Stop writing to the files, while further calls are allowed: the files belong to another process."""
        self._marks = bytearray(self._marks)
        self._moments = -1

    def _note_executing(self, points: list[int]) -> None:
        """Record the operations in execution, the innermost one last: until then there is none, whenever the process
        ends.
        """
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
