"""Scripts that programs built: maps operations of a script to the calls that created them, and results of runs back.

Spans of calls are those at build time; `BuiltScript.now` moves them to the edited program.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING

from tdls.ide.run_marks import HandleMark, MatcherMark, RunMarks
from tdls.ide.snapshot import Location
from tdls.python_builders.findings import CALLED, ProgramNames, stack_at
from tdls.structs import NamedTuple, Struct, field, replace
from tdls.text.diagnostic import Note
from tdls.text.difference import ChangedRange
from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.runs.model import HandleContents, Place
    from tdls.python_builders.locations import Workspace
    from tdls.python_builders.model import BuiltModule
    from tdls.text.diagnostic import Diagnostic

    _Handles = list[HandleContents]


class BuiltOperation(NamedTuple):
    """An operation of a built script: the offset of its text in code points, and the calls that created it.

    `calls` are those in programs of the workspace, innermost first; there is at least one.
    """

    offset: int
    calls: tuple[Location, ...]


class BuiltScript(Struct, frozen=True, eq=False, has_dict=True):
    """The text of a module that a program built; spans in programs are those at build time."""

    uri: str
    file: SourceFile
    module: BuiltModule
    workspace: Workspace
    programs: Mapping[str, SourceFile]
    """The programs that took part in building it, by URI, with their text at build time."""
    payload: Path | None = None
    """The default payload file."""

    @cached_property
    def names(self) -> ProgramNames:
        """The names of handles in the program."""
        return ProgramNames(self.workspace, self.file, self.module)

    @cached_property
    def operations(self) -> tuple[BuiltOperation, ...]:
        """All operations created by one of the programs, in the order of the script."""
        return tuple(self._operations())

    def calls_of(self, offset: int) -> tuple[Location, ...]:
        """Return the calls that created the operation at an offset of the script, innermost first."""
        places = self.workspace.places(stack_at(self.file, self.module, offset))
        return tuple(Location(place.path.as_uri(), place.span) for place in places)

    def path_of(self, call: Location) -> Path:
        """Return the path of the program that contains a call."""
        return self._paths[call.uri]

    def call_at(self, uri: str, offset: int) -> Location | None:
        """Return the innermost call around an offset of a program that created operations.

        If there is none, return the first such call that begins in the line of the offset.
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
        """Return the operations that a call created, directly and through nested calls."""
        return tuple(self._made.get(call, ()))

    def line_of(self, operation: BuiltOperation) -> FileSpan:
        """Return the span of the line in which an operation begins, without surrounding blanks."""
        line = self.file.position(operation.offset).line
        text, start = self.file.line_text(line), self.file.offset(Position(line, 0))
        return FileSpan(start + len(text) - len(text.lstrip()), start + len(text.rstrip()))

    def now(self, call: Location, present: SourceFile) -> Location | None:
        """Return the location of a call in the program's `present` text, or None if the call was edited."""
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
        made: dict[Location, list[BuiltOperation]] = defaultdict(list)
        for operation in self.operations:
            for call in dict.fromkeys(operation.calls):
                made[call].append(operation)
        return made

    def _operations(self) -> Iterator[BuiltOperation]:
        for context in self.file.contexts:
            for operation in context.model.walk():
                offset = context.to_file(operation.span).start
                calls = self.calls_of(offset)
                if calls:
                    yield BuiltOperation(offset, calls)


class Made(NamedTuple):
    """The operations of a script that a call of a program created; `call` is its location at build time."""

    script: BuiltScript
    call: Location
    operations: tuple[BuiltOperation, ...]


class BuiltScripts(Struct, frozen=True):
    """All built scripts that are known, by URI, the newest last. Immutable."""

    by_uri: Mapping[str, BuiltScript] = field(default_factory=dict)

    def replaced(self, former: Iterable[str], scripts: Iterable[BuiltScript]) -> BuiltScripts:
        """Return a copy without the scripts at the URIs `former` and with `scripts`."""
        removed = set(former)
        kept = {uri: script for uri, script in self.by_uri.items() if uri not in removed}
        return BuiltScripts({**kept, **{script.uri: script for script in scripts}})

    def script_of(self, uri: str) -> str | None:
        """Return the URI of the newest script that a program helped to build, or None."""
        return next((script.uri for script in reversed(list(self.by_uri.values())) if uri in script.programs), None)

    def shown_place(self, place: Place) -> str:
        """Return file and line of a place for a message: in a built script those of the call behind it."""
        script = self.by_uri.get(place.file)
        start = script.file.offset(Position(place.line - 1, max(place.column - 1, 0))) if script is not None else 0
        calls = script.calls_of(start) if script is not None else ()
        if script is None or not calls:
            return str(place)
        program, call = script.programs[calls[0].uri], calls[0]
        return f"{script.path_of(call).name}:{program.position(call.span.start).line + 1}"

    def made_at(self, uri: str, present: SourceFile, offset: int) -> Made | None:
        """Return the operations created at an offset of a program's present text, in the newest script that has any.

        The call is the innermost one at the offset, or else the first one in its line.
        """
        for script in reversed(list(self.by_uri.values())):
            program = script.programs.get(uri)
            if program is None:
                continue
            call = script.call_at(uri, ChangedRange.between(program.text, present.text).offset_before(offset))
            if call is not None:
                return Made(script, call, script.made_by(call))
        return None

    def calls_of(self, uri: str, offset: int, present: Callable[[str], SourceFile | None]) -> Iterator[Location]:
        """Yield the calls that created the operation at an offset of a script, with present spans, innermost first.

        `present` returns a program with its present text. Yields nothing for files that are not built scripts, and
        leaves out edited calls.
        """
        script = self.by_uri.get(uri)
        if script is None:
            return
        for call in script.calls_of(offset):
            program = present(call.uri)
            moved = script.now(call, program) if program is not None else None
            if moved is not None:
                yield moved


def program_marks(script: BuiltScript, marks: RunMarks) -> dict[str, RunMarks]:
    """Map the marks of a run from a script to the programs that built it, keyed by URI of the program.

    Spans are those of calls at build time; marks without a call in a known program are left out.
    """
    findings: dict[str, dict[object, Diagnostic]] = defaultdict(dict)
    matchers: dict[str, dict[FileSpan, MatcherMark]] = defaultdict(dict)
    handles = _handle_marks(script, marks)
    for finding in marks.all_findings:
        if calls := script.calls_of(finding.span.start):
            told = replace(finding, message=script.names.told(finding.message, finding.span.start))
            placed = _placed(script, told, calls)
            findings[calls[0].uri].setdefault((placed.rule, placed.span, placed.message), placed)
    for mark in marks.matchers:
        if calls := script.calls_of(mark.span.start):
            matchers[calls[0].uri][calls[0].span] = replace(mark, span=calls[0].span)
    return {
        uri: RunMarks(
            tuple(findings[uri].values()), tuple(handles.get(uri, ())), matchers=tuple(matchers[uri].values())
        )
        for uri in dict.fromkeys((*handles, *matchers, *findings))
    }


def _placed(script: BuiltScript, finding: Diagnostic, calls: Sequence[Location]) -> Diagnostic:
    """Return the finding moved to the innermost of `calls`, with the others as notes."""
    own, *callers = calls
    notes = [_placed_note(script, note, own) for note in finding.notes]
    around = (Note(CALLED, call.span, _path(script, call, own)) for call in callers)
    return replace(finding, span=own.span, notes=(*notes, *around), fixes=())


def _placed_note(script: BuiltScript, note: Note, own: Location) -> Note:
    if note.path is not None:
        return note
    call = next(iter(script.calls_of(note.span.start)), own)
    return replace(note, span=call.span, path=_path(script, call, own))


def _path(script: BuiltScript, call: Location, own: Location) -> Path | None:
    """Return the file of a call, None if it is the file of the finding."""
    return script.path_of(call) if call.uri != own.uri else None


def _handle_marks(script: BuiltScript, marks: RunMarks) -> dict[str, list[HandleMark]]:
    """Return the marks of handles, at the innermost call that created each of them.

    Several operations created by one call are merged, like one operation that was executed several times.
    """
    calls: dict[Location, dict[int, list[HandleMark]]] = defaultdict(lambda: defaultdict(list))
    for mark in sorted(marks.handles, key=lambda mark: mark.span):
        made_by = script.calls_of(mark.span.start)
        if made_by:
            calls[made_by[0]][script.file.position(mark.span.start).line].append(mark)
    by_program: dict[str, list[HandleMark]] = defaultdict(list)
    for call, operations in calls.items():
        by_program[call.uri].append(_at_call(call, list(operations.values())))
    return by_program


def _at_call(call: Location, operations: Sequence[Sequence[HandleMark]]) -> HandleMark:
    """Return one mark for the handles of all operations that a call created; a single handle keeps its reasons."""
    first, *others = [mark for marks in operations for mark in marks]
    if not others:
        return replace(first, span=call.span)
    handles = [[handle for mark in marks for handle in mark.handles] for marks in operations]
    return HandleMark(call.span, tuple(_together(handles)))


def _together(operations: Sequence[_Handles]) -> Iterable[HandleContents]:
    """Merge the contents of several operations result by result: all first results, all second ones, and so on."""
    for number, results in enumerate(zip_longest(*operations)):
        same = [handle for handle in results if handle is not None]
        yield replace(
            same[0],
            executions=sum(handle.executions for handle in same),
            snapshots=tuple(snapshot for handle in same for snapshot in handle.snapshots),
            number=number if len(operations[0]) > 1 else None,
        )
