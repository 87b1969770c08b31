"""The files whose named sequences a script may call: from settings, RUN lines and ``// tdls: library=`` comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.file_instructions import file_instructions
from tdls.files.boundary import leads_out
from tdls.files.selection import library_files
from tdls.semantic.run_lines import expand_path
from tdls.settings.paths import is_file, named_libraries

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tdls.analysis.file.source_file import SourceFile
    from tdls.settings.model import Settings


def library_paths(path: Path | None, file: SourceFile, settings: Settings) -> list[Path]:
    """Return the libraries of the script `file` at `path`, in the order in which they are asked, itself excluded."""
    return placed_libraries(path, written_libraries(file), libraries_of_settings(settings))


def written_libraries(file: SourceFile) -> list[str]:
    """Return the libraries that `file` names, as they are written."""
    return [written.text for written in file_instructions(file).libraries]


def libraries_of_settings(settings: Settings) -> list[Path]:
    """Return the libraries of all scripts."""
    return [path.resolve() for path in named_libraries(settings.libraries)[0]]


def placed_libraries(path: Path | None, written: Iterable[str], common: Iterable[Path]) -> list[Path]:
    """Return `library_paths` of a script at `path` that names the libraries `written`, with those of settings.

    What a script of a repository names outside of that is left out.
    """
    found = dict.fromkeys((*common, *_paths(path, written)))
    if not found:
        return []
    own = path.resolve() if path is not None else None
    return [library for library in found if library != own]


def _paths(path: Path | None, written: Iterable[str]) -> Iterator[Path]:
    if path is None:
        return
    for text in written:
        expanded = expand_path(text, source=path.name, folder=".")
        if expanded is not None and not leads_out(path, path.parent / expanded):
            yield from _files_at(path.parent / expanded)


def _files_at(path: Path) -> list[Path]:
    try:
        return [file.resolve() for file in library_files(path) if is_file(file)]
    except OSError:
        return []
