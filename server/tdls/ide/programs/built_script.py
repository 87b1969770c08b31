"""A script that a program built, and which places of programs and of the script belong together."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from tdls.building.findings import stack_at
from tdls.ide.snapshot import Location
from tdls.text.difference import ChangedRange
from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tdls.analysis.file.source_file import SourceFile
    from tdls.building.model import BuiltModule
    from tdls.building.places import Workspace


class BuiltOperation(NamedTuple):
    """An operation of a built script: where its text begins (offset in code points), and which calls made it.

    `calls` are those in programs that people of the workspace write, the innermost first; there is at least one.
    """

    offset: int
    calls: tuple[Location, ...]


@dataclass(frozen=True, eq=False)
class BuiltScript:
    """The text of a module that a program built; places of programs are those that they had when it was built."""

    uri: str
    file: SourceFile
    module: BuiltModule
    workspace: Workspace
    programs: Mapping[str, SourceFile]
    """The programs that had a part in it, by URI, as they were then."""
    payload: Path | None = None
    """A file with what it is run on where nobody says otherwise."""

    @cached_property
    def operations(self) -> tuple[BuiltOperation, ...]:
        """All operations that were made in one of the programs, in the order of the script."""
        return tuple(self._operations())

    def calls_of(self, offset: int) -> tuple[Location, ...]:
        """Return the calls that made the operation at an offset of the script, the innermost first."""
        places = self.workspace.places(stack_at(self.file, self.module, offset))
        return tuple(Location(place.path.as_uri(), place.span) for place in places)

    def path_of(self, call: Location) -> Path:
        """Return the file that a call is in."""
        return self._paths[call.uri]

    def call_at(self, uri: str, offset: int) -> Location | None:
        """Return the innermost call around an offset of a program that made operations.

        Where there is none, that is the first one that begins in its line.
        """
        program = self.programs.get(uri)
        if program is None:
            return None
        calls = [call for call in self._made if call.uri == uri]
        around = [call for call in calls if call.span.start <= offset <= call.span.end]
        if around:
            return min(around, key=lambda call: call.span.end - call.span.start)
        line = program.position(offset).line
        return min((call for call in calls if program.position(call.span.start).line == line), default=None)

    def made_by(self, call: Location) -> tuple[BuiltOperation, ...]:
        """Return the operations that a call made, by itself and by what it called."""
        return tuple(self._made.get(call, ()))

    def line_of(self, operation: BuiltOperation) -> FileSpan:
        """Return what stands in the line in which an operation begins, without the blanks around it."""
        line = self.file.position(operation.offset).line
        text, start = self.file.line_text(line), self.file.offset(Position(line, 0))
        return FileSpan(start + len(text) - len(text.lstrip()), start + len(text.rstrip()))

    def now(self, call: Location, present: SourceFile) -> Location | None:
        """Return where a call is in its program as it is at `present`; None where that was edited."""
        before = self.programs[call.uri].text
        if before == present.text:
            return call
        moved = ChangedRange.between(before, present.text).moved(*call.span)
        return Location(call.uri, FileSpan(*moved)) if moved is not None else None

    @cached_property
    def _paths(self) -> dict[str, Path]:
        stacks = self.module.stacks
        return {place.path.as_uri(): place.path for stack in stacks for place in self.workspace.places(stack)}

    @cached_property
    def _made(self) -> dict[Location, list[BuiltOperation]]:
        found: dict[Location, list[BuiltOperation]] = defaultdict(list)
        for operation in self.operations:
            for call in dict.fromkeys(operation.calls):
                found[call].append(operation)
        return found

    def _operations(self) -> Iterator[BuiltOperation]:
        for context in self.file.contexts:
            for operation in context.model.walk():
                offset = context.to_file(operation.span).start
                calls = self.calls_of(offset)
                if calls:
                    yield BuiltOperation(offset, calls)
