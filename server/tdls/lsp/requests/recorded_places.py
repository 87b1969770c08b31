"""Parameters and parts of answers shared by requests on recorded runs: recordings, steps, locations and diagnostics."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from tdls.ide.runs.run_report import offset_of, summary, uri_of_name
from tdls.interpreter.output.diagnostics import attributed
from tdls.interpreter.plan import has_payload
from tdls.lsp.protocol.conversions import path_of, text_document_position, to_range
from tdls.lsp.protocol.run_target import RunTarget, TargetOptions
from tdls.lsp.runs.planning import place_of_entry
from tdls.lsp.runs.recordings import Lack, NoRecordingError, target_at
from tdls.text.difference import ChangedRange
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.model import Place, RunDiagnostic
    from tdls.interpreter.recording.steps import Step
    from tdls.lsp.runs.recordings import FoundRecording, Recordings
    from tdls.lsp.session.session import Cursor, Session


class RecordingChoice(NamedTuple):
    """Parameters of a request that select a recording: a position, and options of the run.

    Without `records`, no script is run for the answer. Without `entry_point`, the position selects it.
    """

    place: types.TextDocumentPositionParams
    records: bool
    payload: Path | None
    entry_point: str | None
    part: int | None

    @classmethod
    def of(cls, params: Any) -> RecordingChoice:
        """Parse the parameters. Raises JsonRpcInvalidParams."""
        place = text_document_position(params)
        records, part = params.get("record", True), params.get("part")
        if not isinstance(records, bool) or not (part is None or type(part) is int):
            raise JsonRpcInvalidParams("`record` is a boolean, and `part` is a number")
        payload, entry_point = params.get("payload"), params.get("entryPoint")
        if not all(text is None or isinstance(text, str) for text in (payload, entry_point)):
            raise JsonRpcInvalidParams("`payload` and `entryPoint` are texts")
        path = path_of(payload) or Path(payload) if payload is not None else None
        return cls(place, records, path, entry_point, part)

    @property
    def options(self) -> TargetOptions | None:
        """Options of the run; None if the request has none."""
        return TargetOptions(self.payload) if self.payload is not None else None


class ScriptPlace(NamedTuple):
    """The cursor of a request, and the run target there, None if there is none."""

    cursor: Cursor
    target: RunTarget | None


def placed(session: Session, choice: RecordingChoice) -> ScriptPlace | None:
    """Return the place of a request, in a program that of the operation built there; None if there is none."""
    cursor = session.cursor(choice.place) or session.built_cursor(choice.place)
    if cursor is None:
        return None
    if choice.entry_point is None:
        return ScriptPlace(cursor, target_at(cursor.file, cursor.uri, cursor.offset))
    name = choice.entry_point.removeprefix("@")
    entry = place_of_entry(cursor.file, name, choice.part)
    return ScriptPlace(cursor, RunTarget(cursor.uri, name, entry.part) if entry is not None else None)


async def found_recording(recordings: Recordings, place: ScriptPlace, choice: RecordingChoice) -> FoundRecording | None:
    """Return the recording of `place`; None if there is no run target for it. Raises NoRecordingError.

    If nothing may be run, or the place has no entry point, it is the last recording with this input file.
    """
    if choice.records and place.target is not None:
        return await recordings.of(place.target, choice.options)
    known = recordings.known(place.target) if place.target is not None else None
    known = known or recordings.known_with(name_of(place.cursor.uri))
    if known is None and place.target is not None:
        raise NoRecordingError("the script was not recorded yet", Lack.RECORDING)
    return known


def name_of(uri: str) -> str:
    """Return the name of a document in run requests."""
    path = path_of(uri)
    return str(path) if path is not None else uri


_MOST_DIAGNOSTICS = 20


def problem(error: NoRecordingError) -> dict[str, Any]:
    """Return the answer for a missing recording."""
    return {"problem": str(error), "lack": error.lack.value}


class RecordedPlaces:
    """Converts steps and places of a recording to JSON, with locations in the present texts."""

    def __init__(self, session: Session, found: FoundRecording) -> None:
        self._session = session
        self._found = found
        self._kept = found.kept
        self._lines: dict[str, list[str]] = {}
        self._changed: dict[str, ChangedRange] = {}

    @cached_property
    def common(self) -> dict[str, Any]:
        """Fields of a recording that all answers have."""
        recording = self._kept.recording
        failing = recording.failing
        return {
            "recording": self._kept.generation,
            "isCurrent": self._found.is_current,
            "outdated": self._found.outdated,
            "status": recording.result.status.value,
            "detail": summary(recording.result),
            "hasPayload": has_payload(recording.request),
            "steps": len(recording.steps),
            "failing": failing.number if failing is not None else None,
            "dropped": recording.dropped,
        }

    def mention(self, step: Step) -> dict[str, Any]:
        """Return a step as JSON."""
        return {
            "number": step.number,
            "operation": step.operation,
            "location": self.location(step.file, step.start, step.end),
            "region": step.region,
            "iteration": step.iteration,
        }

    def location(self, name: str, start: int, end: int) -> types.Location | None:
        """Return a location in an input file of the run; None if its text has changed."""
        file = self._session.file(uri_of_name(name))
        if file is None or self._kept.text(name) != file.text:
            return None
        return self._location(name, file, start, end)

    def moved_location(self, name: str, start: int, end: int) -> types.Location | None:
        """Return the present location of a place in an input file; None if its text was edited, or is unknown."""
        file = self._session.file(uri_of_name(name))
        if file is None:
            return None
        changed = self._changed.get(name)
        if changed is None:
            changed = self._changed[name] = ChangedRange.between(self._kept.text(name), file.text)
        moved = changed.moved(start, end)
        return self._location(name, file, *moved) if moved is not None else None

    def payload_location(self, place: Place | None) -> types.Location | None:
        """Return the location of an MLIR place in an input file; None if its text has changed, or is unknown."""
        if place is None:
            return None
        uri, text = uri_of_name(place.file), self._kept.planned.texts.get(place.file)
        file = self._session.file(uri)
        if text is None or (file is not None and file.text != text):
            return None
        lines = self._lines.setdefault(place.file, text.split("\n"))
        if not 0 < place.line <= len(lines):
            return None
        line = lines[place.line - 1]
        before = line.encode("utf-8", "replace")[: max(0, place.column - 1)].decode("utf-8", "ignore")
        position = types.Position(place.line - 1, self._session.encoding.units(line, len(before)))
        return types.Location(uri, types.Range(position, position))

    def diagnostics(self) -> list[dict[str, Any]]:
        """Return the diagnostics of MLIR in the run."""
        return [
            self._diagnostic(diagnostic) for diagnostic in attributed(self._kept.recording.result)[:_MOST_DIAGNOSTICS]
        ]

    def _diagnostic(self, diagnostic: RunDiagnostic) -> dict[str, Any]:
        return {
            "level": diagnostic.level.value,
            "message": diagnostic.message,
            "location": self._diagnostic_location(diagnostic),
            "notes": [self._diagnostic(note) for note in diagnostic.notes[:_MOST_DIAGNOSTICS]],
        }

    def _diagnostic_location(self, diagnostic: RunDiagnostic) -> types.Location | None:
        if diagnostic.file is None:
            return None
        file = self._session.file(uri_of_name(diagnostic.file))
        if file is None or self._kept.text(diagnostic.file) != file.text:
            return None
        offset = offset_of(file, diagnostic.line, diagnostic.column)
        return self._location(diagnostic.file, file, offset, offset)

    def _location(self, name: str, file: SourceFile, start: int, end: int) -> types.Location:
        """Return a location in a file; for a built script, the call in its program that built the operation there."""
        uri = uri_of_name(name)
        call = next(self._session.built.calls_of(uri, start, self._session.file), None)
        if call is not None:
            return self._session.location(call)
        return types.Location(uri, to_range(file, FileSpan(start, end), self._session.encoding))
