"""A request with a script that tells what its handles stand for, and how what it tells is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tdls.catalogue.catalogue import Catalogue
from tdls.interpreter.locations import first_place
from tdls.interpreter.model import Contents, HandleContents, PayloadItem, Place, TextFile
from tdls.interpreter.observation.points import points_of
from tdls.interpreter.placed_edits import Insertion, PlacedEdits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.interpreter.model import RunDiagnostic, RunRequest
    from tdls.interpreter.observation.journal import Moment, Record
    from tdls.interpreter.observation.points import Handle, Point

_MARK = "transform."


@dataclass(frozen=True, slots=True)
class Instrumented:
    """`request` is the one to carry out. `points` are those of all its scripts, each with the text that it is in."""

    request: RunRequest
    points: list[tuple[TextFile, Point]]
    texts: dict[str, PlacedEdits]
    """The texts with what was inserted, by their names."""

    @classmethod
    def of(cls, request: RunRequest, spelled: Callable[[int, tuple[Handle, ...]], str]) -> Instrumented:
        """Insert at each point of the scripts of `request` what `spelled` returns for its number and new handles."""
        catalogue = Catalogue.shipped()
        points: list[tuple[TextFile, Point]] = []
        texts: dict[str, PlacedEdits] = {}

        def extended(file: TextFile) -> TextFile:
            own = points_of(file.text, catalogue) if _MARK in file.text else []
            numbered = enumerate(own, len(points))
            texts[file.name] = PlacedEdits(
                file.text, [Insertion(point.offset, spelled(number, point.handles)) for number, point in numbered]
            )
            points.extend((file, point) for point in own)
            return TextFile(file.name, texts[file.name].text)

        script = extended(request.script)
        libraries = tuple(map(extended, request.libraries))
        return cls(replace(request, script=script, libraries=libraries), points, texts)

    def handles(self, record: Record, files: dict[str, str]) -> tuple[HandleContents, ...]:
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

    def _handles(self) -> Iterator[tuple[int, int, TextFile, Handle]]:
        for number, (file, point) in enumerate(self.points):
            for index, handle in enumerate(point.handles):
                yield number, index, file, handle

    def _contents(self, moment: Moment, files: dict[str, str]) -> Contents:
        items = (PayloadItem(name, self.place(location, files)) for name, location in moment.items)
        return Contents(moment.size, moment.names, tuple(items))

    def place(self, location: str, files: dict[str, str]) -> Place | None:
        """Return the place in the texts of the request that a printed `location` speaks of first."""
        found = first_place(location)
        return self.original_place(Place(files.get(found.file, found.file), *found[1:])) if found is not None else None

    def original_place(self, place: Place) -> Place:
        """Return a place of the instrumented texts in the texts as they were."""
        text = self.texts.get(place.file)
        column = text.original_column(place.line, place.column) if text is not None else place.column
        return place if column == place.column else replace(place, column=column)

    def original(self, diagnostic: RunDiagnostic) -> RunDiagnostic:
        """Return `diagnostic` with places in the texts as they were."""
        notes = tuple(map(self.original, diagnostic.notes))
        text = self.texts.get(diagnostic.file or "")
        column = text.original_column(diagnostic.line, diagnostic.column) if text is not None else diagnostic.column
        return replace(diagnostic, column=column, notes=notes)

    def running(self, record: Record) -> Place | None:
        """Return the place of the operation that came behind the last point."""
        if record.last is None:
            return None
        file, point = self.points[record.last]
        return place_at(file, point.following)


def place_at(file: TextFile, offset: int) -> Place:
    """Return the place of the code point at `offset` of a text."""
    line_start = file.text.rfind("\n", 0, offset) + 1
    column = len(file.text[line_start:offset].encode("utf-8", "replace")) + 1
    return Place(file.name, file.text.count("\n", 0, offset) + 1, column)
