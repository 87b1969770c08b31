"""``tdls/overview``, ``tdls/status`` and ``tdls/versions``.

The overview has the entry points, named sequences and libraries of the workspace, and the handles at the cursor. The
status has versions, the backend, and the progress of reading the project. The versions are those that a script fits.
"""

from __future__ import annotations

import asyncio
import platform
from typing import TYPE_CHECKING, Any

import tdls
from tdls.analysis.file.prefilter import mentions_transform
from tdls.ide.document.symbols import OutlineKind, flat, outline_of
from tdls.ide.snapshot import Location
from tdls.interpreter.errors import BackendError, NoMlirError
from tdls.interpreter.runs.entry_points import entry_points, read_entry_points
from tdls.lsp.protocol.conversions import optional_uri, text_document_position
from tdls.lsp.session.document_queue import in_steps
from tdls.settings.llvm_versions import llvm_versions, version_name, version_of_tool

if TYPE_CHECKING:
    from collections.abc import Generator

    from tdls.lsp.connection.registration import Features
    from tdls.lsp.session.session import Cursor, Session
    from tdls.lsp.state import State

OVERVIEW = "tdls/overview"


def register(features: Features, state: State) -> None:
    """Answer with the contents of views and of a status bar, without running anything."""
    _register_overview(features, state)
    _register_status(features, state)
    _register_versions(features, state)


def _register_overview(features: Features, state: State) -> None:
    @features.feature(OVERVIEW)
    def overview(params: Any) -> dict[str, Any]:
        """Return the contents of all files, and the handles at the position in `params`, if there is one."""
        cursor = state.cursor(text_document_position(params)) if params else None
        answer = in_steps(_of_files(state))
        answer["handles"] = _handles(state, cursor) if cursor is not None else []
        return answer


def _of_files(session: Session) -> Generator[None, None, dict[str, Any]]:
    """Return entry points, sequences and libraries of all files; yields where the work can be interrupted."""
    libraries: dict[str, None] = {}
    points, sequences = [], []
    for uri, file in list(session.snapshot().files.items()):
        yield from read_entry_points(file)
        for point in entry_points(file):
            place = session.location(Location(uri, point.span))
            points.append({"name": point.shown, "entryPoint": point.name, "part": point.part, "location": place})
        for context in file.contexts:
            entries = flat(outline_of(context)) if mentions_transform(context.section) else ()
            for entry in entries:
                if entry.kind is OutlineKind.SEQUENCE:
                    location = session.location(Location(uri, context.to_file(entry.selection)))
                    sequences.append({"name": f"@{entry.name}", "location": location})
                    yield
        if uri in session.documents:
            uris = map(session.snapshot().uri_of, file.libraries)
            libraries.update(dict.fromkeys(uri for uri in uris if uri is not None))
    return {"entryPoints": points, "sequences": sequences, "libraries": list(libraries)}


def _handles(session: Session, cursor: Cursor) -> list[dict[str, Any]]:
    from tdls.ide.completion.values import handles_in_reach

    line, column = cursor.file.position(cursor.offset)
    line_end = cursor.offset + len(cursor.file.line_text(line)[column:])
    return [
        {
            "name": handle.name,
            "type": handle.type,
            "location": session.location(handle.location),
            "state": "live" if handle.consumer is None else "consumed",
            "consumedBy": session.location(handle.consumer) if handle.consumer is not None else None,
            "contents": handle.contents,
        }
        for handle in handles_in_reach(cursor.snapshot, cursor.uri, line_end)
    ]


STATUS = "tdls/status"
VERSIONS = "tdls/versions"


def _register_status(features: Features, state: State) -> None:
    @features.feature(STATUS)
    def status(params: Any) -> dict[str, Any]:
        """Return the versions, and the backend for the file in `params`, or the problem with it."""
        uri = optional_uri(params)
        reading = state.projects.reading(uri)
        answer: dict[str, Any] = {
            "version": tdls.__version__,
            "python": platform.python_version(),
            "reading": reading.shown if reading is not None else None,
            "readBy": state.readings.mlir(uri),
        }
        try:
            backend, mlir = state.runs.backend(uri)
        except BackendError as error:
            problem = error.for_editors if isinstance(error, NoMlirError) else str(error)
            return {**answer, "backend": None, "mlir": None, "problem": problem}
        return {**answer, "backend": backend, "mlir": mlir or None, "problem": None}


def _register_versions(features: Features, state: State) -> None:
    @features.feature(VERSIONS)
    async def versions(params: Any) -> dict[str, Any]:
        """Return the versions of LLVM that a script fits, and that of the MLIR at hand, with its backend."""
        from tdls.ide.changes.migration import fitting_versions

        uri = optional_uri(params)
        await state.open_documents.edited()
        file = state.file(uri)
        fitting = await asyncio.to_thread(fitting_versions, file) if file is not None else []
        try:
            backend, mlir = state.runs.backend(uri)
        except BackendError:
            backend, mlir = "", ""
        at_hand = version_of_tool(state.readings.mlir(uri) or mlir)
        named = version_name(at_hand) if at_hand in llvm_versions() else None
        return {"fits": [version_name(version) for version in fitting], "atHand": named, "backend": backend}
