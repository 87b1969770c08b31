"""Which recording a request is about, and whether it may be made for that."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pygls.exceptions import JsonRpcInvalidParams

from tdls.lsp.protocol.custom_parameters import text_document_position
from tdls.lsp.protocol.paths import path_of
from tdls.lsp.protocol.run_target import RunTarget, StateDocument, TargetOptions
from tdls.lsp.runs.planning import place_of_entry
from tdls.lsp.runs.recordings import Lack, NoRecordingError, target_at

if TYPE_CHECKING:
    from lsprotocol import types

    from tdls.interpreter.recording.recording import HandleState, Recording
    from tdls.lsp.runs.recordings import FoundRecording, Recordings
    from tdls.lsp.session.session import Cursor, Session


class AskedRecording(NamedTuple):
    """What a request says of the recording that it is about: a place, and how the script is run.

    Without `records`, no script is run for the answer. Without `entry_point`, the place says which one it is.
    """

    place: types.TextDocumentPositionParams
    records: bool
    payload: Path | None
    entry_point: str | None
    part: int | None

    @classmethod
    def of(cls, params: Any) -> AskedRecording:
        """Raises JsonRpcInvalidParams."""
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
        """How the script is run; None where the request leaves that open."""
        return TargetOptions(self.payload) if self.payload is not None else None


class AskedPlace(NamedTuple):
    """The place of a request in a file, and what is run for it; None if nothing is."""

    cursor: Cursor
    target: RunTarget | None


def placed(session: Session, asked: AskedRecording) -> AskedPlace | None:
    """Return the place that is asked about, in a program that of what was built there; None where nothing is."""
    cursor = session.cursor(asked.place) or session.built_cursor(asked.place)
    if cursor is None:
        return None
    if asked.entry_point is None:
        return AskedPlace(cursor, target_at(cursor.file, cursor.uri, cursor.offset))
    name = asked.entry_point.removeprefix("@")
    entry = place_of_entry(cursor.file, name, asked.part)
    return AskedPlace(cursor, RunTarget(cursor.uri, name, entry.part) if entry is not None else None)


async def found_recording(recordings: Recordings, place: AskedPlace, asked: AskedRecording) -> FoundRecording | None:
    """Return the recording of `place`; None where nothing is run for it. Raises NoRecordingError.

    Where nothing may be run, or the place has no entry point, it is the last one that the file had a part in.
    """
    if asked.records and place.target is not None:
        return await recordings.of(place.target, asked.options)
    known = recordings.known(place.target) if place.target is not None else None
    known = known or recordings.known_with(name_of(place.cursor.uri))
    if known is None and place.target is not None:
        raise NoRecordingError("the script was not recorded yet", Lack.RECORDING)
    return known


def name_of(uri: str) -> str:
    """Return what runs call a document."""
    path = path_of(uri)
    return str(path) if path is not None else uri


def state_document(params: Any) -> StateDocument:
    """Return the document with a state that `uri` of a request names. Raises JsonRpcInvalidParams."""
    uri = params.get("uri") if isinstance(params, dict) else None
    document = StateDocument.from_uri(uri) if isinstance(uri, str) else None
    if document is None:
        raise JsonRpcInvalidParams("`uri` is that of a document with a state")
    return document


def handle_in(recording: Recording, passing: int, number: int) -> HandleState:
    """Return a handle of a state that is known. Raises JsonRpcInvalidParams."""
    state = recording.known_state(passing)
    if state is None or number >= len(state.handles):
        raise JsonRpcInvalidParams("there is no such handle")
    return state.handles[number]


def number_in(params: Any, name: str) -> int:
    """Return a number from 0 that a request has to have. Raises JsonRpcInvalidParams."""
    number = params.get(name)
    if type(number) is not int or number < 0:
        raise JsonRpcInvalidParams(f"`{name}` is a number from 0")
    return number
