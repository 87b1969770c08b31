"""What runs said of a built script, as marks at the calls of programs that made what it is about."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from tdls.building.findings import CALLED
from tdls.ide.run_marks import HandleMark, MatcherMark, RunMarks
from tdls.text.diagnostic import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tdls.ide.programs.built_script import BuiltScript
    from tdls.ide.snapshot import Location
    from tdls.interpreter.model import HandleContents
    from tdls.text.diagnostic import Diagnostic

    _Handles = list[HandleContents]


def program_marks(script: BuiltScript, marks: RunMarks) -> dict[str, RunMarks]:
    """Return what a run said of a script, by the URIs of the programs that made what it is about.

    Places are those that calls had when the script was built; what no call of a known program made is left out.
    """
    found = _handle_marks(script, marks)
    for uri, told in _matcher_marks(script, marks).items():
        found[uri] = found.get(uri, RunMarks()).with_those_of(told)
    for finding in marks.all_findings:
        calls = script.calls_of(finding.span.start)
        if calls:
            placed = RunMarks((_placed(script, finding, calls),))
            found[calls[0].uri] = found.get(calls[0].uri, RunMarks()).with_those_of(placed)
    return found


def _placed(script: BuiltScript, finding: Diagnostic, calls: Sequence[Location]) -> Diagnostic:
    """Return a finding at the innermost of the `calls` that made what it is about, with the others as notes."""
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
    """Return the file of a call, None if that is the one that the finding is in."""
    return script.path_of(call) if call.uri != own.uri else None


def _handle_marks(script: BuiltScript, marks: RunMarks) -> dict[str, RunMarks]:
    """Return what handles stood for, at the innermost call that made each of them.

    What a call made several times is told as one operation is that was executed several times.
    """
    calls: dict[Location, dict[int, list[HandleMark]]] = defaultdict(lambda: defaultdict(list))
    for mark in sorted(marks.handles, key=lambda mark: mark.span):
        made_by = script.calls_of(mark.span.start)
        if made_by:
            calls[made_by[0]][script.file.position(mark.span.start).line].append(mark)
    told: dict[str, list[HandleMark]] = defaultdict(list)
    for call, operations in calls.items():
        told[call.uri].append(_at_call(call, list(operations.values())))
    return {uri: RunMarks(handles=tuple(found)) for uri, found in told.items()}


def _at_call(call: Location, operations: Sequence[Sequence[HandleMark]]) -> HandleMark:
    """Return what the handles of the operations that a call made stood for, with the reasons if it made one handle."""
    first, *others = [mark for marks in operations for mark in marks]
    if not others:
        return replace(first, span=call.span)
    handles = [[handle for mark in marks for handle in mark.handles] for marks in operations]
    return HandleMark(call.span, tuple(_together(handles)))


def _matcher_marks(script: BuiltScript, marks: RunMarks) -> dict[str, RunMarks]:
    """Return what matchers did, at the calls that made them."""
    told: dict[str, list[MatcherMark]] = defaultdict(list)
    for mark in marks.matchers:
        calls = script.calls_of(mark.span.start)
        if calls:
            told[calls[0].uri].append(replace(mark, span=calls[0].span))
    return {uri: RunMarks(matchers=tuple(found)) for uri, found in told.items()}


def _together(operations: Sequence[_Handles]) -> Iterable[HandleContents]:
    """Yield what the first results of operations stood for, as those of one, then their second ones, and so on."""
    for number, results in enumerate(zip_longest(*operations)):
        same = [handle for handle in results if handle is not None]
        yield replace(
            same[0],
            executions=sum(handle.executions for handle in same),
            moments=tuple(moment for handle in same for moment in handle.moments),
            number=number if len(operations[0]) > 1 else None,
        )
