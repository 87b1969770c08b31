"""Instruments requests at the points of their scripts, and converts recorded observations to results."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from tdls.interpreter.observing.points import steps_of
from tdls.interpreter.observing.probe import with_probes
from tdls.interpreter.runs.model import Contents, HandleContents, PayloadItem, Place
from tdls.interpreter.runs.placed_edits import Insertion
from tdls.structs import Struct, field

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.interpreter.observing.points import Handle, Point
    from tdls.interpreter.observing.records import Passing
    from tdls.interpreter.runs.model import RunRequest
    from tdls.interpreter.runs.script import Script
    from tdls.interpreter.runs.source_map import SourceMap


class Snapshot(Struct, eq=False):
    """The contents of handle number `handle` of a point at one time: `size` items, the first ones with locations."""

    point: int
    handle: int
    size: int
    names: dict[str, int] = field(default_factory=dict)
    items: list[tuple[str, str]] = field(default_factory=list)

    def contents(self, source_map: SourceMap) -> Contents:
        """Return the contents with positions in the user's text."""
        items = (PayloadItem(name, source_map.first_place(location)) for name, location in self.items)
        return Contents(self.size, self.names, tuple(items))


class RunTrace(Struct, frozen=True):
    """The observations of a run: the passings, and the snapshots, both in their order."""

    passings: list[Passing]
    snapshots: list[Snapshot]

    @property
    def passed(self) -> Counter[int]:
        """How often each point was passed."""
        return Counter(passing.point for passing in self.passings)

    def contents(self, source_map: SourceMap) -> dict[tuple[int, int], list[Contents]]:
        """Return the contents of each handle, by its point and number, with positions in the user's text."""
        contents: defaultdict[tuple[int, int], list[Contents]] = defaultdict(list)
        for snapshot in self.snapshots:
            contents[snapshot.point, snapshot.handle].append(snapshot.contents(source_map))
        return contents


_MARK = "transform."


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
    passed, snapshots = record.passed, record.contents(source_map)
    return tuple(
        HandleContents(
            file=point.script.name,
            start=span.start,
            end=span.end,
            number=handle.number,
            kind=handle.kind,
            executions=passed[number],
            snapshots=tuple(snapshots.get((number, index), ())),
        )
        for number, point in enumerate(points)
        for index, handle in enumerate(point.handles)
        if (span := point.script.original_span(handle.span)).start < span.end
    )


def place_at(script: Script, offset: int) -> Place:
    """Return the position of the code point at `offset` of the user's text."""
    text = script.original
    line_start = text.rfind("\n", 0, offset) + 1
    column = len(text[line_start:offset].encode("utf-8", "replace")) + 1
    return Place(script.name, text.count("\n", 0, offset) + 1, column)
