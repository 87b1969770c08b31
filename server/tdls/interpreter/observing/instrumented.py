"""Instruments requests at the points of their scripts, and converts recorded observations to results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.interpreter.observing.points import steps_of
from tdls.interpreter.observing.probe import with_probes
from tdls.interpreter.runs.model import (
    INTERRUPTED,
    Contents,
    HandleContents,
    PayloadItem,
    Place,
    RunLevel,
    Status,
    Times,
)
from tdls.interpreter.runs.placed_edits import Insertion
from tdls.structs import NamedTuple, Struct, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.interpreter.observing.points import Handle, Point
    from tdls.interpreter.runs.model import RunDiagnostic, RunRequest, RunResult
    from tdls.interpreter.runs.script import Script
    from tdls.interpreter.runs.source_map import SourceMap


class Snapshot(NamedTuple):
    """The contents of handle number `handle` of a point at one time: `size` items, the first ones with locations."""

    point: int
    handle: int
    size: int
    names: dict[str, int]
    items: list[tuple[str, str]]


class RunTrace(Struct, frozen=True):
    """The observations of a run: how often each point was passed, and the snapshots in their order.

    `executing` are the points before the operations in execution, innermost first, each with the number of the present
    execution of its region by the region's owner, 0 if it was called.
    """

    executing: list[tuple[int, int]]
    passed: list[int]
    snapshots: list[Snapshot]


def difference(observed: RunResult, plain: RunResult) -> str:
    """Return how a run with instrumentation differs from the `plain` one; "" if it does the same.

    Runs that are ended from outside end at an arbitrary snapshot.
    """
    if observed.status is not plain.status:
        errors = (each.message for each in observed.diagnostics if each.level is RunLevel.ERROR)
        first = next(errors, observed.detail).partition("\n")[0]
        return f"the observed run ended otherwise ({observed.status.value}{f': {first}' if first else ''})"
    if plain.status in (*INTERRUPTED, Status.TOO_MUCH_OUTPUT):
        return ""
    if not agree(observed.diagnostics, plain.diagnostics):
        return "the observed run reported other diagnostics"
    return "the observed run left another payload" if observed.texts != plain.texts else ""


def agree(some: Iterable[RunDiagnostic], others: Iterable[RunDiagnostic]) -> bool:
    """Whether diagnostics have the same levels and positions; messages may differ, as they may show operations."""
    return _levels_and_places(some) == _levels_and_places(others)


def _levels_and_places(diagnostics: Iterable[RunDiagnostic]) -> list[tuple[object, ...]]:
    return [(diagnostic.level, diagnostic.file, diagnostic.line, diagnostic.column) for diagnostic in diagnostics]


_MARK = "transform."
_LOOP = "transform.foreach"


def points_of_run(request: RunRequest) -> list[Point]:
    """Return the points of all scripts of a request, numbered in this order: the script itself, then its libraries."""
    return steps_of(*(part for part in (request.script, *request.libraries) if _MARK in part.text))


def instrumented(
    request: RunRequest,
    points: Sequence[Point],
    spelled: Callable[[int, tuple[Handle, ...]], str],
    others: Iterable[Insertion] = (),
) -> RunRequest:
    """Return `request` with `spelled(number, handles)` inserted at each of its `points`, which are numbered from 0.

    `others` are further insertions in the script itself.
    """
    probes = [(request.script, insertion) for insertion in others]
    for number, point in enumerate(points):
        probes.append((point.script, Insertion(point.offset, spelled(number, point.handles))))
    return with_probes(request, probes)


def contents_in(points: Sequence[Point], record: RunTrace, source_map: SourceMap) -> tuple[HandleContents, ...]:
    """Return the contents of each handle in the user's text; positions in `record` are MLIR's."""
    snapshots: dict[tuple[int, int], list[Contents]] = {}
    for snapshot in record.snapshots:
        snapshots.setdefault((snapshot.point, snapshot.handle), []).append(contents_of_snapshot(snapshot, source_map))
    return tuple(
        HandleContents(
            file=point.script.name,
            start=span.start,
            end=span.end,
            number=handle.number,
            kind=handle.kind,
            executions=record.passed[number],
            snapshots=tuple(snapshots.get((number, index), ())),
        )
        for number, point in enumerate(points)
        for index, handle in enumerate(point.handles)
        if (span := point.script.original_span(handle.span)).start < span.end
    )


def contents_of_snapshot(snapshot: Snapshot, source_map: SourceMap) -> Contents:
    """Return a handle's contents at `snapshot`, with positions in the user's text."""
    items = (PayloadItem(name, source_map.first_place(location)) for name, location in snapshot.items)
    return Contents(snapshot.size, snapshot.names, tuple(items))


def place_at(script: Script, offset: int) -> Place:
    """Return the position of the code point at `offset` of the user's text."""
    text = script.original
    line_start = text.rfind("\n", 0, offset) + 1
    column = len(text[line_start:offset].encode("utf-8", "replace")) + 1
    return Place(script.name, text.count("\n", 0, offset) + 1, column)


class Executing(NamedTuple):
    """The operations in execution when a run ended, as `RunResult` has them."""

    executing: tuple[Place, ...] = ()
    times: tuple[Times, ...] = ()

    def of(self, result: RunResult) -> RunResult:
        """Return `result` with these operations."""
        return replace(result, executing=self.executing, times=self.times)


def executing(points: Sequence[Point], record: RunTrace) -> Executing:
    """Return the operations in execution at the end of the run that wrote `record`."""
    is_in_loop = [point.script.text.startswith((_LOOP, f'"{_LOOP}"'), point.owner) for point in points]
    times = (
        Times(record.passed[number], iteration if is_in_loop[number] else 0) for number, iteration in record.executing
    )
    stopped = (points[number] for number, _ in record.executing)
    places = (place_at(point.script, point.script.original_offset(point.following)) for point in stopped)
    return Executing(tuple(places), tuple(times))
