"""Spells the instrumentation of runs, and reads the answers: passed points, and contents of handles."""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum
from typing import TYPE_CHECKING, Final

from tdls.interpreter.observing.instrumented import RunTrace, Snapshot, contents_in
from tdls.interpreter.observing.probe import (
    HANDLE,
    NAME,
    NOWHERE,
    NUMBER,
    PRINTER,
    SIZE,
    STATE,
    Probe,
    print_of,
    prints_in,
    remark_at,
    remark_of,
    remark_with,
    remarks_in,
    size,
)
from tdls.interpreter.observing.records import Passing
from tdls.interpreter.output.origins import origins
from tdls.interpreter.output.stripping import without_scripts
from tdls.interpreter.runs.locations import first_place, unescaped
from tdls.interpreter.runs.model import INTERRUPTED, RunDiagnostic, RunLevel, Status
from tdls.semantic.handle_types import HandleKind
from tdls.structs import NamedTuple, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tdls.interpreter.mlir.mlir_opt import Output
    from tdls.interpreter.observing.points import Handle, Point
    from tdls.interpreter.runs.model import HandleContents, Place, RunResult

POINT: Final = Probe("tdls.point")
"""A passed point."""
DONE: Final = Probe("tdls.done")
"""The end of all that is observed at a point, for its time."""
ITEM: Final = Probe("tdls.item", 2)
"""An item of such a handle, or all of its parameters."""
STOP: Final = Probe("tdls.stop", 0)
"""The payload at the end of a run that stops."""


class ObservedRun:
    """A run with instrumentation at `points`: its observations, and its own output with positions in the original
    texts.
    """

    def __init__(self, points: Sequence[Point], raw: Output) -> None:
        self.raw = raw
        reader = AnswerReader(points)
        self._own = tuple(diagnostic for diagnostic in raw.diagnostics if not reader.takes(diagnostic))
        self.record = reader.record
        self._points = points

    def difference(self, plain: RunResult) -> str:
        """Return how the run differs from the `plain` one, "" if it does the same; its payload is not compared.

        Messages may differ, as they may show operations. Runs that are ended from outside end at an arbitrary snapshot.
        """
        own, status = self.raw.source_map.diagnostics(self._own), self.raw.status
        if status is not plain.status:
            errors = (each.message for each in own if each.level is RunLevel.ERROR)
            first = next(errors, "").partition("\n")[0]
            return f"the observed run ended otherwise ({status.value}{f': {first}' if first else ''})"
        levels_and_places = [[(each.level, each.place) for each in said] for said in (own, plain.diagnostics)]
        is_same = status in (*INTERRUPTED, Status.TOO_MUCH_OUTPUT) or levels_and_places[0] == levels_and_places[1]
        return "" if is_same else "the observed run reported other diagnostics"

    def handles(self, record: RunTrace) -> tuple[HandleContents, ...]:
        return contents_in(self._points, record, self.raw.source_map)

    def origins(self, payload: str | None) -> Sequence[Place | None]:
        """Return the origins of the lines of `payload`; () if the run printed other lines, none, or no locations."""
        stopped = printed_at_stop(self.raw.printed)
        modules = (stopped[1] if stopped is not None else "", without_stop(self.raw.module))
        if payload is None:
            return ()
        places = next(filter(any, (origins(payload, without_scripts(module)) for module in modules if module)), ())
        return self.raw.source_map.places(places)


_FEW_LINES = 200
_MANY_LINES = 2000


class Show(Enum):
    """The level of detail of an observation; each has that of those before it.

    MLIR numbers all values of a function to print one of its operations, so that names of many operations take long.
    """

    POINTS = "passed points alone"
    SIZES = "sizes"
    PLACES = "places"
    NAMES = "names and places"

    @classmethod
    def of(cls, lines: int, *, shows_operations: bool) -> Show:
        """Return the detail that is cheap for a payload of so many lines.

        `shows_operations`: each remark at an operation prints it with all that is in it.
        """
        if lines <= _FEW_LINES:
            return cls.NAMES
        return cls.SIZES if shows_operations and lines > _MANY_LINES else cls.PLACES


def mark(number: int) -> str:
    """Return operations that report passing point `number`."""
    value = f"{NAME}{number}"
    return f" {value} = transform.param.constant 0 : i64 -> {NUMBER}{remark_with(value, POINT.label(number))}"


def contents_of(number: int, handles: tuple[Handle, ...], show: Show) -> str:
    """Return operations that report the contents of each handle."""
    return "".join(
        size(number, index, handle)
        + (_items(number, index, handle) if show is not Show.SIZES else "")
        + (names(number, index, handle) if show is Show.NAMES else "")
        for index, handle in enumerate(handles)
    )


def printed_mark(number: int) -> str:
    """Return an operation that reports passing point `number`, for tools whose MLIR cannot issue remarks."""
    return print_of(POINT.label(number), flags="skip_regions")


def _items(number: int, index: int, handle: Handle) -> str:
    label = ITEM.label(number, index)
    if handle.kind is HandleKind.PARAMETERS:
        return remark_with(handle.shown, label, handle.type)
    return remark_at(handle.shown, label, handle.type, NOWHERE)


def names(number: int, index: int, handle: Handle) -> str:
    """Return an operation that prints the operations of a handle, "" for other kinds of handles."""
    if handle.kind is not HandleKind.OPERATIONS:
        return ""
    return print_of(ITEM.label(number, index), handle.shown, handle.type, "skip_regions, use_local_scope")


MOST_SNAPSHOTS = 16
ITEMS = 200
_OPERATION = re.compile(r'(?:%[^=]*= )?(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<name>[\w$.]+))')
_OPENERS, _CLOSERS = "<[({", ">])}"
_ARROW = "\0"
"""Stands for ``->``, which closes no bracket."""
_CONTINUED = (" ", *_CLOSERS)
_ALIASES = ("#", "!")
_LOCATION = " loc("
_BUILTIN = "builtin."


def observed_run(
    points: Sequence[Point],
    show: Show,
    run: Callable[[Callable[[int, tuple[Handle, ...]], str]], Output],
    state: Callable[[int], str] = lambda _number: "",
) -> ObservedRun:
    """Return an instrumented run; `state` spells what is printed at a point besides its handles.

    `run` gets the function that spells the instrumentation at a point with its handles. It is called again, with a
    function for prints alone, if the tool does not have the operations that issue remarks.
    """

    def with_remarks(number: int, handles: tuple[Handle, ...]) -> str:
        contents = contents_of(number, handles, show) if show is not Show.POINTS else ""
        printed = state(number)
        printed += remark_with(f"{NAME}{number}", STATE.label(number)) if printed else ""
        return mark(number) + contents + printed + remark_with(f"{NAME}{number}", DONE.label(number))

    def with_prints(number: int, handles: tuple[Handle, ...]) -> str:
        shown = enumerate(handles) if show is Show.NAMES else ()
        printed = "".join(names(number, index, handle) for index, handle in shown)
        return printed_mark(number) + printed + state(number)

    raw = run(with_remarks)
    if raw.status is Status.INVALID and any(_REMARKING in diagnostic.message for diagnostic in raw.diagnostics):
        raw = run(with_prints)
        raw = replace(raw, diagnostics=(*_remarks_in(raw.printed), *raw.diagnostics))
    return ObservedRun(points, raw)


_REMARKING = "transform.debug."


def _remarks_in(printed: str) -> Iterator[RunDiagnostic]:
    """Yield the remarks that a tool would have issued in place of its prints."""
    for answer in prints_in(printed, POINT, ITEM):
        if answer.probe is POINT:
            yield RunDiagnostic(RunLevel.REMARK, f"{POINT.label(*answer.numbers)} 0")
            continue
        operations = _operations_in(answer.value)
        yield RunDiagnostic(RunLevel.REMARK, f"{SIZE.label(*answer.numbers)} {len(operations)}")
        for operation in operations:
            place = first_place(operation[max(0, operation.rfind(_LOCATION)) :])
            yield RunDiagnostic(RunLevel.REMARK, ITEM.label(*answer.numbers), *(place or ()))


def used_at_end(handles: list[Handle], run: Callable[[Sequence[Handle]], Output]) -> Output:
    """Return a run that passes point 0 and then reports the sizes of `handles`, of which stale ones are removed.

    MLIR ends a run at the use of a stale handle; `run` is called again without it.
    """
    while True:
        output = run(handles)
        sizes = sum(1 for _ in remarks_in(output.diagnostics, SIZE))
        is_at_end = any(remarks_in(output.diagnostics, POINT))
        if output.status is not Status.FAILURE or not is_at_end or sizes >= len(handles):
            return output
        del handles[sizes]


class AnswerReader:
    """Reads the remarks of the instrumentation at `points`, with MLIR's positions, into `record`."""

    def __init__(self, points: Sequence[Point]) -> None:
        self.record = RunTrace([], [])
        self._points = points
        self._passed = [0] * len(points)
        self._open: dict[tuple[int, int], Snapshot] = {}

    def takes(self, diagnostic: RunDiagnostic) -> bool:
        """Read one diagnostic; tell whether the instrumentation issued it."""
        answer = remark_of(diagnostic.message, POINT, SIZE, ITEM, DONE, STATE)
        if answer is None or answer.numbers[0] >= len(self._points):
            return False
        point, *handles = answer.numbers
        passings = self.record.passings
        if handles and handles[0] >= len(self._points[point].handles):
            return False
        if answer.probe is POINT:
            self._passed[point] += 1
            passings.append(Passing(point, (), diagnostic.at, diagnostic.at))
        elif answer.probe is DONE and passings and passings[-1].point == point:
            passings[-1] = passings[-1]._replace(left=diagnostic.at)
        elif answer.probe is SIZE:
            self._open.pop((point, handles[0]), None)
            if self._passed[point] <= MOST_SNAPSHOTS:
                snapshot = Snapshot(point, handles[0], answer.number)
                self._open[point, handles[0]] = snapshot
                self.record.snapshots.append(snapshot)
        elif answer.probe is ITEM:
            self._item(point, handles[0], answer.value, diagnostic)
        return True

    def _item(self, point: int, handle: int, value: str, diagnostic: RunDiagnostic) -> None:
        snapshot = self._open.get((point, handle))
        if snapshot is None:
            return
        if self._points[point].handles[handle].kind is HandleKind.PARAMETERS:
            snapshot.items = [(text, "") for text in separated(value, snapshot.size)]
            snapshot.names = dict(Counter(text for text, _ in snapshot.items))
        elif len(snapshot.items) < ITEMS:
            snapshot.items.append(("", location_of(diagnostic)))


def location_of(diagnostic: RunDiagnostic) -> str:
    """Return the position of a diagnostic as a printed location, "" without one."""
    if diagnostic.file is None:
        return ""
    file = diagnostic.file.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{file}":{diagnostic.line}:{diagnostic.column}'


def separated(text: str, count: int) -> list[str]:
    """Split `text` into `count` parameters; [] if their number differs."""
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
    """The names of the operations in one print of a handle."""

    point: int
    handle: int
    names: list[str]


def read_prints(printed: str) -> list[PrintedNames]:
    """Return the prints of handles in a tool's output. Lines that are indented or close brackets are continuations."""
    return [
        PrintedNames(answer.numbers[0], answer.numbers[1], list(map(operation_name, _operations_in(answer.value))))
        for answer in prints_in(printed, ITEM)
    ]


def _operations_in(printed: str) -> list[str]:
    """Return the first line of each operation in a print of a handle."""
    return [line for line in printed.splitlines() if line and not line.startswith((*_CONTINUED, *_ALIASES))]


def operation_name(line: str) -> str:
    """Return the full name of the operation that a printed line begins, "" without one."""
    match = _OPERATION.match(line.lstrip())
    if match is None:
        return ""
    name = match["name"]
    if name is None:
        return unescaped(match["quoted"])
    return name if "." in name else _BUILTIN + name


_STOPPING = "__tdls_stop"
_SEQUENCE = f"named_sequence @{_STOPPING}("
_CALL = f"include @{_STOPPING} "


def stop() -> str:
    """Return an operation that calls `stopping_sequence`.

    An operation without operands that may be at the top level is applied to the payload's root at any depth, and a pass
    that does not exist fails definitely. It must not be nested in an operation of its kind, so it has its own sequence.
    """
    return f" transform.include @{_STOPPING} failures(propagate) () : () -> () "


def stopping_sequence() -> str:
    """Return the sequence that prints the payload and ends the run, to be inserted next to another named sequence."""
    root, result = f"{NAME}_root", f"{NAME}_none"
    return (
        f"transform.named_sequence @{_STOPPING}() {{ transform.sequence failures(propagate) {{ ^bb0({root}: {HANDLE}):"
        f"{print_of(STOP.label(), root, HANDLE)}"
        f' {result} = transform.apply_registered_pass "tdls-stop" to {root} : ({HANDLE}) -> {HANDLE} }}'
        " transform.yield } "
    )


def without_stop(printed: str) -> str:
    """Return the module `printed` without the text of `stop` and `stopping_sequence`, which MLIR prints on lines of
    their own.
    """
    kept: list[str] = []
    indentation: str | None = None
    for line in printed.splitlines(keepends=True):
        if indentation is not None:
            indentation = None if line.startswith(f"{indentation}}}") else indentation
        elif _SEQUENCE in line:
            indentation = line[: len(line) - len(line.lstrip(" "))]
        elif _CALL not in line:
            kept.append(line)
    return "".join(kept)


def printed_at_stop(printed: str) -> tuple[str, str] | None:
    """Return the output before the stop of a run, and the payload at the stop, or None without one."""
    payload = next((answer.value for answer in prints_in(printed, STOP)), None)
    if payload is None:
        return None
    before, _, _ = printed.partition(f"{PRINTER}{STOP.label()}")
    return before, payload.rstrip("\n") + "\n"


_VISITS = 1_000_000
"""Maximum number of operations that MLIR may number to print names: for each operation it numbers the whole function,
at about 0.1 us per operation.
"""


def affordable(record: RunTrace, points: Sequence[Point], payload_lines: int) -> frozenset[tuple[int, int]]:
    """Return the handles to operations, as point and number, whose contents can be printed in little time."""
    sizes: Counter[tuple[int, int]] = Counter()
    passed = record.passed
    for snapshot in record.snapshots:
        if snapshot.size and points[snapshot.point].handles[snapshot.handle].kind is HandleKind.OPERATIONS:
            times = max(1, passed[snapshot.point] // MOST_SNAPSHOTS)
            sizes[snapshot.point, snapshot.handle] += snapshot.size * times
    visits = 0
    recorded: set[tuple[int, int]] = set()
    for key, operations in sorted(sizes.items(), key=lambda item: item[1]):
        visits += operations * payload_lines
        if visits > _VISITS:
            break
        recorded.add(key)
    return frozenset(recorded)


def with_names(record: RunTrace, printed: str) -> RunTrace:
    """Return `record` with the names in `printed`, for snapshots with as many operations as were counted."""
    prints: dict[tuple[int, int], list[list[str]]] = {}
    for point, handle, names in read_prints(printed):
        prints.setdefault((point, handle), []).append(names)
    snapshots = []
    for snapshot in record.snapshots:
        mine = prints.get((snapshot.point, snapshot.handle), [])
        snapshots.append(_named(snapshot, mine.pop(0)) if mine else snapshot)
    return replace(record, snapshots=snapshots)


def _named(snapshot: Snapshot, names: list[str]) -> Snapshot:
    if len(names) != snapshot.size:
        return snapshot
    locations = [location for _, location in snapshot.items]
    items = list(zip(names, locations, strict=False))
    return replace(snapshot, names=dict(Counter(names)), items=items)
