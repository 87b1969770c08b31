"""Resolve the libraries and the payload of a script, from settings, RUN lines and ``// tdls:`` comments.

Libraries are the files whose named sequences the script may call.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tdls.analysis.file.file_instructions import file_instructions, libraries_together
from tdls.analysis.file.source_file import LibraryFile, NamedLibraries
from tdls.files.boundary import leads_out, real_path
from tdls.files.selection import SUFFIX, library_files
from tdls.semantic.run_lines import expand_path
from tdls.settings.paths import named_libraries
from tdls.structs import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from tdls.analysis.file.source_file import SourceFile
    from tdls.settings.model import Settings


class SettingsLibraries(NamedTuple):
    """The libraries that settings give to all scripts."""

    paths: list[Path]
    """Resolved."""
    missing: tuple[str, ...]
    """See `NamedLibraries`."""


def written_libraries(file: SourceFile) -> list[str]:
    """Return the library paths in the comments of `file`, as written."""
    return [written.text for written in file_instructions(file).libraries]


def libraries_of_settings(settings: Settings) -> SettingsLibraries:
    """Return the libraries that settings give to all scripts."""
    paths, problems = named_libraries(settings.libraries)
    missing = tuple(f"{problem.message}, as a library in settings: {problem.help}" for problem in problems)
    return SettingsLibraries([real_path(path) for path in paths], missing)


def placed_libraries(path: Path | None, written: Iterable[str], common: Iterable[Path]) -> list[Path]:
    """Return the libraries of a script at `path`, in lookup order: the `common` ones, and those `written` in it.

    A file is not its own library. Paths in a script that lead out of its repository are left out.
    """
    libraries = dict.fromkeys((*common, *(file for _, place in places_of(path, written) for file in _files_at(place))))
    if not libraries:
        return []
    own = real_path(path) if path is not None else None
    return [library for library in libraries if library != own]


def files_of_names(path: Path | None, written: Iterable[str]) -> dict[str, list[Path]]:
    """Return the files that names of libraries in the script at `path` lead to, by the names as they are written.

    Names that match no file have none. Names that cannot be looked up, or lead out of a repository, are left out.
    """
    by_name = {text: _files_at(place) for text, place in places_of(path, written)}
    return {text: files for text, files in by_name.items() if files or text.endswith(SUFFIX)}


def libraries_by_name(
    file: SourceFile,
    path: Path | None,
    names: Mapping[str, Iterable[Path]],
    read: Mapping[Path | None, SourceFile | None],
    missing: tuple[str, ...],
) -> NamedLibraries:
    """Return who names the libraries of the script `file` at `path`, which are the files that were `read`.

    `names` are those of `files_of_names`. One whose files are not all libraries that could be read is left out.
    """
    own = real_path(path) if path is not None else None
    known = {library: other for library, other in read.items() if other is not None}
    names = {text: [each for each in paths if each != own] or paths for text, paths in names.items()}
    files = {
        text: tuple(LibraryFile(shown_library(library, path), known[library]) for library in paths)
        for text, paths in names.items()
        if all(library in known for library in paths)
    }
    written = {library for paths in names.values() for library in paths}
    others = tuple(
        LibraryFile(shown_library(library, path), other)
        for library, other in known.items()
        if library is not None and library not in written
    )
    commands = libraries_together(file) if files or others or missing else frozenset()
    return NamedLibraries(files, commands, others, missing)


def shown_library(library: Path, path: Path | None) -> str:
    """Return how a script at `path` calls a library, from its folder on if it is below that."""
    folder = real_path(path).parent if path is not None else None
    return library.relative_to(folder).as_posix() if folder and library.is_relative_to(folder) else library.name


def places_of(path: Path | None, written: Iterable[str]) -> Iterator[tuple[str, Path]]:
    """Yield names in the script at `path`, each with its path, unless it cannot be looked up or leads out."""
    if path is None:
        return
    for text in written:
        expanded = expand_path(text, source=path.name, folder=".")
        if expanded is not None and not leads_out(path, expanded):
            yield text, path.parent / expanded


def _files_at(path: Path) -> list[Path]:
    try:
        return [real_path(file) for file in library_files(path) if os.path.isfile(file)]
    except OSError:
        return []
