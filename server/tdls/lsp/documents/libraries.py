"""The libraries of documents, and the documents that use a library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.bounds.limits import EDITED_OPERATION
from tdls.files.reading import text_of
from tdls.lsp.protocol.paths import path_of
from tdls.project.libraries import library_paths

if TYPE_CHECKING:
    from tdls.lsp.session.session import Session
    from tdls.lsp.workspace.configuration import Configuration
    from tdls.lsp.workspace.projects import Projects


class Libraries:
    """Finds and reads the libraries of documents. A library that is open is taken as it is in the editor."""

    def __init__(self, session: Session, configuration: Configuration, projects: Projects) -> None:
        self._session = session
        self._configuration = configuration
        self._projects = projects
        self._users: dict[str, tuple[str, ...]] = {}
        """The libraries that each document uses, both by URI."""

    def of(self, uri: str, file: SourceFile) -> tuple[SourceFile, ...]:
        """Return the libraries of `file`, a document, in the order in which they are asked; its use is remembered."""
        self._users[uri] = self._names(uri, file)
        return self._files(uri, self._users[uri])

    def of_closed(self, uri: str, file: SourceFile) -> tuple[SourceFile, ...]:
        """Return the libraries of `file`, which is not open, in the order in which they are asked."""
        return self._files(uri, self._names(uri, file))

    def users_of(self, library: str) -> list[str]:
        """Return the URIs of the documents that use the library with this URI."""
        return [uri for uri, names in dict(self._users).items() if library in names and uri != library]

    def forget(self, uri: str) -> None:
        """Forget what a document uses, when it is closed."""
        self._users.pop(uri, None)

    def _names(self, uri: str, file: SourceFile) -> tuple[str, ...]:
        paths = library_paths(path_of(uri), file, self._configuration.settings(uri))
        return tuple(path.as_uri() for path in paths)

    def _files(self, uri: str, names: tuple[str, ...]) -> tuple[SourceFile, ...]:
        found = (self._file(name) for name in names if name != uri)
        return tuple(library for library in found if library is not None)

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
