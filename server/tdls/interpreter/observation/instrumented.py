"""Requests with scripts that tell what their handles stand for, and how what they tell is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tdls.interpreter.jobs.deferred import Deferred
from tdls.interpreter.model import Contents, HandleContents, PayloadItem, Place
from tdls.interpreter.observation.operation import DIALECT, INSERTED
from tdls.interpreter.observation.points import steps_of
from tdls.interpreter.output.locations import first_place
from tdls.interpreter.placed_edits import Insertion, PlacedEdits
from tdls.interpreter.script import Script

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tdls.interpreter.model import RunDiagnostic, RunRequest, RunResult
    from tdls.interpreter.observation.journal import JournalRecord, Moment
    from tdls.interpreter.observation.points import Handle, Point

_MARK = "transform."
_INSERTED = tuple(f'"{name}"' for name in INSERTED)


Points = Sequence[tuple[Script, "Point"]]
"""The points of all scripts of a request, each with the text that it is in; they are numbered in this order."""


class Scripts(NamedTuple):
    """What is known of the scripts of a request: the script itself, and its libraries."""

    points: Points
    meets_itself: bool
    """True if operations of the script may be tried on sequences that cannot be observed."""

    @classmethod
    def of(cls, request: RunRequest) -> Scripts:
        """Read the scripts of `request`."""
        scripts = [file for file in (request.script, *request.libraries) if _MARK in file.text]
        steps = [(file, steps_of(file)) for file in scripts]
        return cls(
            points=[(file, point) for file, known in steps for point in known.points],
            meets_itself=request.payload is None and any(known.has_matchers for _, known in steps),
        )


class Instrumented:
    """`request` with `spelled(number, handles)` at each of its `points`; `number` counts them.

    `beside` are further insertions in the script itself.
    """

    def __init__(
        self,
        request: RunRequest,
        points: Points,
        spelled: Callable[[int, tuple[Handle, ...]], str],
        beside: Iterable[Insertion] = (),
    ) -> None:
        self._points = points
        insertions: dict[str, list[Insertion]] = {file.name: [] for file in (request.script, *request.libraries)}
        insertions[request.script.name].extend(beside)
        for number, (file, point) in enumerate(points):
            insertions[file.name].append(Insertion(point.offset, spelled(number, point.handles)))
        self._texts = {
            file.name: PlacedEdits(file.text, insertions[file.name]) for file in (request.script, *request.libraries)
        }
        self.request = replace(
            request, script=self._extended(request.script), libraries=tuple(map(self._extended, request.libraries))
        )

    def _extended(self, script: Script) -> Script:
        return Script(script.name, self._texts[script.name].text, script.catalogue)

    def restored(self, result: RunResult) -> RunResult:
        """Return a result of `request` with the places of the texts as they were, and prints without insertions."""
        return replace(
            result,
            diagnostics=tuple(map(self.original, result.diagnostics)),
            origins=self.original_places(result.origins),
            printed=_without_insertions(result.printed),
        )

    def handles(self, record: JournalRecord, files: dict[str, str]) -> tuple[HandleContents, ...]:
        """Return what `record` says of each handle; `files` has the names of texts by what MLIR calls them."""
        moments: dict[tuple[int, int], list[Contents]] = {}
        for moment in record.moments:
            moments.setdefault((moment.point, moment.handle), []).append(self._contents(moment, files))
        return tuple(
            HandleContents(
                file=file.name,
                start=handle.span.start,
                end=handle.span.end,
                number=handle.number,
                kind=handle.kind,
                executions=record.passed[number],
                moments=tuple(moments.get((number, index), ())),
            )
            for number, index, file, handle in self._handles()
        )

    def _handles(self) -> Iterator[tuple[int, int, Script, Handle]]:
        for number, (file, point) in enumerate(self._points):
            for index, handle in enumerate(point.handles):
                yield number, index, file, handle

    def _contents(self, moment: Moment, files: dict[str, str]) -> Contents:
        items = (PayloadItem(name, self._place(location, files)) for name, location in moment.items)
        return Contents(moment.size, moment.names, tuple(items))

    def _place(self, location: str, files: dict[str, str]) -> Place | None:
        """Return the place in the texts of the request that a printed `location` speaks of first."""
        found = first_place(location)
        return self._original(Place(files.get(found.file, found.file), *found[1:])) if found is not None else None

    def original_places(self, places: Sequence[Place | None]) -> Sequence[Place | None]:
        """Return where places of the instrumented texts are in the texts as they were."""
        return Deferred(lambda: [place and self._original(place) for place in places])

    def _original(self, place: Place) -> Place:
        text = self._texts.get(place.file)
        column = text.original_column(place.line, place.column) if text is not None else place.column
        return place if column == place.column else replace(place, column=column)

    def original(self, diagnostic: RunDiagnostic) -> RunDiagnostic:
        """Return `diagnostic` with places in the texts as they were."""
        notes = tuple(map(self.original, diagnostic.notes))
        text = self._texts.get(diagnostic.file or "")
        column = text.original_column(diagnostic.line, diagnostic.column) if text is not None else diagnostic.column
        return replace(diagnostic, message=_without_insertions(diagnostic.message), column=column, notes=notes)


def _without_insertions(printed: str) -> str:
    """Return what MLIR `printed` without the lines that show inserted operations."""
    if DIALECT not in printed:
        return printed
    lines = printed.splitlines(keepends=True)
    return "".join(line for line in lines if not line.lstrip().startswith(_INSERTED))


def place_at(file: Script, offset: int) -> Place:
    """Return the place of the code point at `offset` of a text."""
    line_start = file.text.rfind("\n", 0, offset) + 1
    column = len(file.text[line_start:offset].encode("utf-8", "replace")) + 1
    return Place(file.name, file.text.count("\n", 0, offset) + 1, column)
