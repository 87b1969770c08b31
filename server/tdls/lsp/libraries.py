"""The files whose named sequences a document may call: from settings, RUN lines and ``// tdls: library=`` comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file_instructions import file_instructions
from tdls.analysis.source_file import SourceFile
from tdls.files.reading import text_of
from tdls.lsp.paths import path_of
from tdls.semantic.run_lines import expand_path
from tdls.settings.paths import is_file, named_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tdls.lsp.server import TdlsServer


class Libraries:
    """Finds and reads the libraries of documents. A library that is open is taken as it is in the editor."""

    def __init__(self, server: TdlsServer) -> None:
        self._server = server
        self._users: dict[str, tuple[str, ...]] = {}
        """The libraries that each document uses, both by URI."""

    def of(self, uri: str, file: SourceFile) -> tuple[SourceFile, ...]:
        """Return the libraries of `file`, a document, in the order in which they are asked."""
        names = tuple(dict.fromkeys(path.as_uri() for path in self._paths(uri, file)))
        self._users[uri] = names
        found = (self._file(name) for name in names if name != uri)
        return tuple(library for library in found if library is not None)

    def users_of(self, library: str) -> list[str]:
        """Return the URIs of the documents that use the library with this URI."""
        return [uri for uri, names in self._users.items() if library in names and uri != library]

    def forget(self, uri: str) -> None:
        """Forget what a document uses, when it is closed."""
        self._users.pop(uri, None)

    def _paths(self, uri: str, file: SourceFile) -> Iterator[Path]:
        yield from named_files(self._server.configuration.settings(uri).libraries)[0]
        path = path_of(uri)
        if path is None:
            return
        for written in file_instructions(file).libraries:
            expanded = expand_path(written.text, source=str(path), folder=str(path.parent))
            if expanded is not None:
                yield from _files_at(path.parent / expanded)

    def _file(self, uri: str) -> SourceFile | None:
        known = self._server.session.file(uri)
        if known is not None:
            return known
        path = path_of(uri)
        text = text_of(path) if path is not None else None
        if text is None:
            return None
        file = self._server.session.files[uri] = SourceFile.of(text, self._server.configuration.catalogue(uri))
        return file


def _files_at(path: Path) -> list[Path]:
    """A folder stands for the scripts in it, as `transform-library-paths` of transform-preload-library has it."""
    if is_file(path):
        return [path.resolve()]
    try:
        return sorted(entry.resolve() for entry in path.iterdir() if entry.suffix == ".mlir" and is_file(entry))
    except OSError:
        return []
