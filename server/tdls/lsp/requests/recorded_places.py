"""Parameters and parts of answers shared by requests on recorded runs: recordings, steps, locations and diagnostics."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tdls.ide.runs.run_report import summary, uri_of_name
from tdls.interpreter.output.attribution import attributed
from tdls.interpreter.runs.plan import has_payload
from tdls.lsp.protocol.conversions import to_range
from tdls.text.difference import ChangedRange
from tdls.text.positions import LineIndex, Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from tdls.interpreter.observing.steps import Step
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
        self._lines: dict[str, LineIndex] = {}
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
        """Return the present location of a place in an input file, or None if its text was edited, or is unknown.

        In a built script, it is the call in its program that built the operation there.
        """
        uri = uri_of_name(name)
        file = self._session.file(uri)
        if file is None:
            return None
        changed = self._changed.get(name)
        if changed is None:
            changed = self._changed[name] = ChangedRange.between(self._kept.text(name), file.text)
        moved = changed.moved(start, end)
        if moved is None:
            return None
        call = next(self._session.built.calls_of(uri, moved[0], self._session.file), None)
        if call is not None:
            return self._session.location(call)
        return types.Location(uri, to_range(file, FileSpan(*moved), self._session.encoding))

    def mlir_location(self, place: Place | None) -> types.Location | None:
        """Return the present location of an MLIR place in an input file, or None as `location` does."""
        text = self._kept.planned.texts.get(place.file) if place is not None else None
        if place is None or text is None:
            return None
        lines = self._lines.setdefault(place.file, LineIndex(text))
        if not 0 < place.line <= lines.line_count:
            return None
        line = lines.line_text(place.line - 1)
        column = len(line.encode("utf-8", "replace")[: max(0, place.column - 1)].decode("utf-8", "ignore"))
        if self._session.file(uri_of_name(place.file)) is not None:
            offset = lines.offset(Position(place.line - 1, column))
            return self.location(place.file, offset, offset)
        position = types.Position(place.line - 1, self._session.encoding.units(line, column))
        return types.Location(uri_of_name(place.file), types.Range(position, position))

    def diagnostics(self) -> list[dict[str, Any]]:
        """Return the diagnostics of MLIR in the run."""
        return [
            self._diagnostic(diagnostic) for diagnostic in attributed(self._kept.recording.result)[:_MOST_DIAGNOSTICS]
        ]

    def _diagnostic(self, diagnostic: RunDiagnostic) -> dict[str, Any]:
        return {
            "level": diagnostic.level.value,
            "message": diagnostic.message,
            "location": self.mlir_location(diagnostic.place),
            "notes": [self._diagnostic(note) for note in diagnostic.notes[:_MOST_DIAGNOSTICS]],
        }
