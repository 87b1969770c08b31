"""Parameters and parts of answers shared by requests on recorded runs: recordings, steps, locations and diagnostics."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tdls.ide.runs.run_report import summary, uri_of_name
from tdls.interpreter.output.attribution import attributed
from tdls.interpreter.runs.locations import offset_of
from tdls.interpreter.runs.plan import has_payload
from tdls.lsp.protocol.conversions import to_range
from tdls.text.difference import ChangedRange
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile
    from tdls.interpreter.recording.steps import Step
    from tdls.interpreter.runs.model import Place, RunDiagnostic
    from tdls.lsp.runs.recordings import FoundRecording, NoRecordingError
    from tdls.lsp.session.session import Session


_MOST_DIAGNOSTICS = 20


def problem(error: NoRecordingError) -> dict[str, Any]:
    """Return the answer for a missing recording."""
    return {"problem": str(error), "lack": error.lack.value}


class RecordedPlaces:
    """Converts steps and places of a recording to JSON, with locations in the present texts."""

    def __init__(self, session: Session, recording: FoundRecording) -> None:
        self._session = session
        self._found = recording
        self._kept = recording.kept
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
            "detail": summary(recording.result, self._session.built.shown_place),
            "hasPayload": has_payload(recording.request),
            "steps": len(recording.steps),
            "failing": failing.number if failing is not None else None,
        }

    def mention(self, step: Step) -> dict[str, Any]:
        return {
            "number": step.number,
            "operation": step.operation,
            "location": self.location(step.file, step.start, step.end),
            "region": step.region,
            "iteration": step.iteration,
        }

    def location(self, name: str, start: int, end: int) -> types.Location | None:
        """Return a location in an input file of the run, or None if its text has changed."""
        file = self._session.file(uri_of_name(name))
        if file is None or self._kept.text(name) != file.text:
            return None
        return self._location(name, file, start, end)

    def moved_location(self, name: str, start: int, end: int) -> types.Location | None:
        """Return the present location of a place in an input file, or None if its text was edited, or is unknown."""
        file = self._session.file(uri_of_name(name))
        if file is None:
            return None
        changed = self._changed.get(name)
        if changed is None:
            changed = self._changed[name] = ChangedRange.between(self._kept.text(name), file.text)
        moved = changed.moved(start, end)
        return self._location(name, file, *moved) if moved is not None else None

    def payload_location(self, place: Place | None) -> types.Location | None:
        """Return the location of an MLIR place in an input file, or None if its text has changed, or is unknown."""
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
