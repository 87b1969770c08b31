"""The other files of documents, their libraries and payloads, and the documents that use such a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.source_file import SourceFile
from tdls.files.reading import text_of
from tdls.limits import EDITED_OPERATION
from tdls.lsp.protocol.conversions import path_of
from tdls.project.libraries import library_paths, looks_for_payload, placed_payload, usable_payload, written_payload

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.lsp.workspace.projects import Projects


class OtherFiles(NamedTuple):
    """The files that a document rests on."""

    libraries: tuple[SourceFile, ...]
    """In the order in which they are asked."""
    payload: SourceFile | None
    """What its scripts are run on, if that is another file and known."""

    def beside(self, file: SourceFile) -> SourceFile:
        """Return `file`, which rests on no other one, resting on these files."""
        if not self.libraries and self.payload is None:
            return file
        return file.with_libraries(self.libraries).with_payload(self.payload)


class _Names(NamedTuple):
    """URIs of the files that a document rests on."""

    libraries: tuple[str, ...]
    payload: str | None


class Libraries:
    """Finds and reads the files that documents rest on. One that is open is taken as it is in the editor."""

    def __init__(self, session: Session, configuration: Configuration, projects: Projects) -> None:
        self._session = session
        self._configuration = configuration
        self._projects = projects
        self._users: dict[str, _Names] = {}
        """What each document rests on, by its URI."""
        self._chosen: dict[str, Path] = {}
        """The payloads that documents were run on last because the editor said so, by their URIs."""

    def of(self, uri: str, file: SourceFile) -> OtherFiles:
        """Return what `file`, a document, rests on; that is remembered."""
        self._users[uri] = self._names(uri, file)
        return self._files(uri, self._users[uri])

    def of_closed(self, uri: str, file: SourceFile) -> OtherFiles:
        """Return what `file`, which is not open, rests on."""
        return self._files(uri, self._names(uri, file))

    def users_of(self, other: str) -> list[str]:
        """Return the URIs of the documents that rest on the file with this URI."""
        users = dict(self._users).items()
        return [uri for uri, names in users if other in (*names.libraries, names.payload) and uri != other]

    def choose_payload(self, uri: str, payload: Path | None) -> bool:
        """Take note of what the editor has the scripts of a document run on; None leaves that to the document.

        Returns True if it is something else than before.
        """
        before = self._chosen.pop(uri, None)
        if payload is not None:
            self._chosen[uri] = payload
        return payload != before

    def forget(self, uri: str) -> None:
        """Forget what a document rests on, when it is closed."""
        self._users.pop(uri, None)
        self._chosen.pop(uri, None)

    def _names(self, uri: str, file: SourceFile) -> _Names:
        own = path_of(uri)
        settings = self._configuration.settings(uri)
        paths = library_paths(own, file, settings)
        chosen = self._chosen.get(uri)
        if chosen is None:
            written = written_payload(file, settings_name_one=bool(settings.payload))
            payload = placed_payload(own, written, settings)
        else:
            payload = chosen.resolve() if looks_for_payload(file) else None
        return _Names(tuple(path.as_uri() for path in paths), payload.as_uri() if payload is not None else None)

    def _files(self, uri: str, names: _Names) -> OtherFiles:
        libraries = (self._file(name) for name in names.libraries if name != uri)
        payload = self._file(names.payload) if names.payload not in (None, uri) else None
        return OtherFiles(
            tuple(library for library in libraries if library is not None),
            usable_payload(payload) if payload is not None else None,
        )

    def _file(self, uri: str) -> SourceFile | None:
        known = self._session.file(uri)
        if known is not None:
            return known
        path = path_of(uri)
        text = text_of(path) if path is not None else None
        if text is None:
            return None
        catalogue = self._projects.catalogue(uri)
        file = self._session.files[uri] = SourceFile.of(text, catalogue, most=EDITED_OPERATION)
        return file
