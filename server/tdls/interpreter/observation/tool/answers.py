"""Reads what scripts with the insertions of `tool_spelling` make a tool print and remark."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.observation.journal import JournalRecord, Moment
from tdls.interpreter.observation.tool.spelling import COUNT, ITEM, POINT, STOP
from tdls.interpreter.observation.trail import Trail
from tdls.interpreter.output.locations import unescaped
from tdls.semantic.handle_types import HandleKind
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.interpreter.model import RunDiagnostic
    from tdls.interpreter.observation.points import Point
    from tdls.interpreter.observation.trail import Bend

MOMENTS = 16
ITEMS = 200
_PASSED = re.compile(rf"{POINT} (\d+) .*")
_TOLD = re.compile(rf"({COUNT}|{ITEM}) (\d+) (\d+)(?: (.*))?", re.DOTALL)
_PRINTER = "[[[ IR printer: "
_PRINTED_ITEM = re.compile(rf"{re.escape(_PRINTER)}{ITEM} (\d+) (\d+) ]]]\Z")
_PRINTED_STOP = f"{_PRINTER}{STOP} ]]]\n"
_OPERATION = re.compile(r'(?:%[^=]*= )?(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<name>[\w$.]+))')
_OPENERS, _CLOSERS = "<[({", ">])}"
_ARROW = "\0"
"""Stands for ``->``, which closes no bracket."""
_CONTINUED = (" ", *_CLOSERS)
_BUILTIN = "builtin."


class Answers(NamedTuple):
    """What a run told by remarks, and the diagnostics that are of the script itself."""

    record: JournalRecord
    diagnostics: tuple[RunDiagnostic, ...]


def read_remarks(diagnostics: Iterable[RunDiagnostic], points: Sequence[Point], bends: Sequence[Bend]) -> Answers:
    """Read `diagnostics`, with places as MLIR names them; `bends` are those of `points`."""
    reader = _AnswerReader(points, bends)
    own = tuple(diagnostic for diagnostic in diagnostics if not reader.takes(diagnostic))
    return Answers(reader.record(), own)


def passed_points(diagnostics: Iterable[RunDiagnostic], count: int) -> list[int]:
    """Return which of `count` points a run passed, in their order, each as often as it was passed."""
    passed = (_PASSED.fullmatch(diagnostic.message) for diagnostic in diagnostics)
    numbers = (_below(count, found[1]) for found in passed if found is not None)
    return [number for number in numbers if number is not None]


def _below(count: int, digits: str) -> int | None:
    """Return the number that `digits` spell, None if it is not below `count`: scripts may say such words, too."""
    number = integer(digits)
    return number if number is not None and number < count else None


class _AnswerReader:
    def __init__(self, points: Sequence[Point], bends: Sequence[Bend]) -> None:
        self._points = points
        self._trail = Trail(bends)
        self._executed: int | None = None
        self._passed = [0] * len(points)
        self._moments: list[_MomentDraft] = []
        self._open: dict[tuple[int, int], _MomentDraft] = {}

    def takes(self, diagnostic: RunDiagnostic) -> bool:
        """Read one diagnostic; tell whether it is of what was inserted."""
        passed = _PASSED.fullmatch(diagnostic.message)
        told = _TOLD.fullmatch(diagnostic.message)
        if passed is not None:
            return self._pass(_below(len(self._points), passed[1]))
        point = _below(len(self._points), told[2]) if told is not None else None
        if told is None or point is None:
            return False
        handle, value = _below(len(self._points[point].handles), told[3]), told[4] or ""
        if handle is not None and told[1] == COUNT:
            self._count(point, handle, integer(value.partition(" ")[0]) or 0)
        elif handle is not None:
            self._item(point, handle, value, diagnostic)
        return handle is not None

    def _pass(self, point: int | None) -> bool:
        if point is not None:
            self._passed[point] += 1
            self._executed = self._trail.passed(point, self._executed)
        return point is not None

    def _count(self, point: int, handle: int, size: int) -> None:
        self._open.pop((point, handle), None)
        if self._passed[point] <= MOMENTS:
            draft = self._open[point, handle] = _MomentDraft(point, handle, size)
            self._moments.append(draft)

    def _item(self, point: int, handle: int, value: str, diagnostic: RunDiagnostic) -> None:
        draft = self._open.get((point, handle))
        if draft is None:
            return
        if self._points[point].handles[handle].kind is HandleKind.PARAMETERS:
            draft.items = [(text, "") for text in separated(value, draft.size)]
            draft.names = dict(Counter(text for text, _ in draft.items))
        elif len(draft.items) < ITEMS:
            draft.items.append(("", location_of(diagnostic)))

    def record(self) -> JournalRecord:
        """Return what was read so far."""
        moments = [
            Moment(moment.point, moment.handle, moment.size, moment.names, moment.items) for moment in self._moments
        ]
        executing = () if self._executed is None else (self._executed, *self._trail.around)
        iterations = tuple(map(self._trail.iteration, executing))
        return JournalRecord(
            executing, self._passed, moments, is_disturbed=False, is_stopped=False, iterations=iterations
        )


class _MomentDraft:
    """A moment of which not all is read."""

    def __init__(self, point: int, handle: int, size: int) -> None:
        self.point, self.handle, self.size = point, handle, size
        self.names: dict[str, int] = {}
        self.items: list[tuple[str, str]] = []


def location_of(diagnostic: RunDiagnostic) -> str:
    """Return the place of a diagnostic as MLIR prints locations, "" without one."""
    if diagnostic.file is None:
        return ""
    file = diagnostic.file.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{file}":{diagnostic.line}:{diagnostic.column}'


def separated(text: str, count: int) -> list[str]:
    """Return the `count` parameters in `text`; none if their number is another one."""
    parts = [""]
    depth = 0
    for character in text.replace("->", _ARROW):
        depth += (character in _OPENERS) - (character in _CLOSERS)
        if character == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip().replace(_ARROW, "->") for part in parts] if count and len(parts) == count else []


class PrintedNames(NamedTuple):
    """The names of the operations that one print of a handle shows."""

    point: int
    handle: int
    names: list[str]


def read_prints(printed: str) -> list[PrintedNames]:
    """Return the prints of handles in what a tool printed. Lines that are indented or close brackets go on."""
    found: list[PrintedNames] = []
    current: list[str] | None = None
    for line in printed.splitlines():
        if line.startswith(_PRINTER):
            header = _PRINTED_ITEM.match(line)
            current = None
            if header is not None:
                current = []
                found.append(PrintedNames(integer(header[1]) or 0, integer(header[2]) or 0, current))
        elif current is not None and line and not line.startswith(_CONTINUED):
            current.append(operation_name(line))
    return found


def operation_name(line: str) -> str:
    """Return the full name of the operation that a printed line begins, "" if there is none."""
    found = _OPERATION.match(line.lstrip())
    if found is None:
        return ""
    name = found["name"]
    if name is None:
        return unescaped(found["quoted"])
    return name if "." in name else _BUILTIN + name


def printed_at_stop(printed: str) -> tuple[str, str] | None:
    """Return what was printed before the run was stopped, and the payload as it was then; None if it was not."""
    before, header, payload = printed.partition(_PRINTED_STOP)
    return (before, payload.rstrip("\n") + "\n") if header else None
