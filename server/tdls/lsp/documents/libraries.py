"""Find and read the libraries and payloads of documents, and look up the documents that use such a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.files.boundary import real_path
from tdls.files.reading import text_of
from tdls.limits import EDITED_OPERATION
from tdls.lsp.protocol.conversions import path_of
from tdls.lsp.session.session import Kind
from tdls.project.libraries import (
    files_of_names,
    libraries_by_name,
    libraries_of_settings,
    placed_libraries,
    written_libraries,
)
from tdls.project.payload import looks_for_payload, placed_payload, usable_payload, written_payload
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.analysis.file.source_file import NamedLibraries
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.lsp.workspace.projects import Projects


class OtherFiles(NamedTuple):
    """The libraries and the payload of a document."""

    libraries: tuple[SourceFile, ...]
    """In lookup order."""
    payload: SourceFile | None
    """The payload of its scripts, if that is another known file."""
    named: NamedLibraries
    """Who names the libraries."""

    def added_to(self, file: SourceFile) -> SourceFile:
        """Return `file` with these libraries and this payload; `file` has none yet."""
        if not (self.libraries or any(self.named)) and self.payload is None:
            return file
        return file.with_libraries(self.libraries, self.named).with_payload(self.payload)


class _Names(NamedTuple):
    """URIs of the libraries and the payload of a document."""

    libraries: tuple[str, ...]
    payload: str | None
    written: dict[str, list[Path]]
    """The libraries that its comments name, as they are written, with their files."""
    missing: tuple[str, ...]
    """See `NamedLibraries`."""


class Libraries:
    """Finds and reads the libraries and payloads of documents; open ones have their text in the editor."""

    def __init__(self, session: Session, configuration: Configuration, projects: Projects) -> None:
        self._session = session
        self._configuration = configuration
        self._projects = projects
        self._users: dict[str, _Names] = {}
        """Libraries and payload of each document, by its URI."""
        self._chosen: dict[str, Path] = {}
        """Payloads chosen in the editor, by the URIs of documents."""
        session.follow(Kind.CLOSED, self._forget)

    def of(self, uri: str, file: SourceFile) -> OtherFiles:
        """Return the libraries and payload of `file`, an open document, and record them for `users_of`."""
        self._users[uri] = self._names(uri, file)
        return self._files(uri, file, self._users[uri])

    def of_closed(self, uri: str, file: SourceFile) -> OtherFiles:
        """Return the libraries and payload of `file`, which is not open."""
        return self._files(uri, file, self._names(uri, file))

    def users_of(self, other: str) -> list[str]:
        """Return the URIs of the documents with the file `other` (a URI) as library or payload."""
        users = dict(self._users).items()
        return [uri for uri, names in users if other in (*names.libraries, names.payload) and uri != other]

    def choose_payload(self, uri: str, payload: Path | None) -> None:
        """Use the payload that the editor chose for a document; None means the default of the document."""
        before = self._chosen.pop(uri, None)
        if payload is not None:
            self._chosen[uri] = payload
        if payload != before:
            self._session.changed(uri, Kind.INPUTS)

    def _forget(self, uri: str) -> None:
        self._users.pop(uri, None)
        self._chosen.pop(uri, None)

    def _names(self, uri: str, file: SourceFile) -> _Names:
        own = path_of(uri)
        settings = self._configuration.settings(uri)
        common = libraries_of_settings(settings)
        written_names = written_libraries(file)
        paths = placed_libraries(own, written_names, common.paths)
        chosen = self._chosen.get(uri)
        if chosen is None:
            written = written_payload(file, settings_name_one=bool(settings.payload))
            payload = placed_payload(own, written, settings)
        else:
            payload = real_path(chosen) if looks_for_payload(file) else None
        named = files_of_names(own, written_names)
        uris = tuple(path.as_uri() for path in paths)
        return _Names(uris, payload.as_uri() if payload is not None else None, named, common.missing)

    def _files(self, uri: str, file: SourceFile, names: _Names) -> OtherFiles:
        read = {name: self._file(name) for name in names.libraries if name != uri}
        known = {path_of(name): library for name, library in read.items()}
        payload = self._file(names.payload) if names.payload not in (None, uri) else None
        return OtherFiles(
            tuple(library for library in read.values() if library is not None),
            usable_payload(payload) if payload is not None else None,
            libraries_by_name(file, path_of(uri), names.written, known, names.missing),
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
