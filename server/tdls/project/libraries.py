"""Resolve the libraries and the payload of a script, from settings, RUN lines and ``// tdls:`` comments.

Libraries are the files whose named sequences the script may call.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.file_instructions import file_instructions, libraries_together
from tdls.analysis.file.prefilter import mentions_transform
from tdls.analysis.file.source_file import LibraryFile, NamedLibraries
from tdls.analysis.handles.evaluation.inline_payload import may_change_other_payload, may_change_payload
from tdls.files.boundary import leads_out
from tdls.files.selection import SUFFIX, library_files
from tdls.semantic.run_lines import expand_path
from tdls.semantic.transform_dialect import is_transform_name
from tdls.settings.paths import named_libraries, named_payload
from tdls.syntax.sections.section_facts import SectionFact
from tdls.syntax.sections.sections import SectionKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from tdls.analysis.file.source_file import SourceFile
    from tdls.settings.model import Settings
    from tdls.syntax.sections.sections import Section


def library_paths(path: Path | None, file: SourceFile, settings: Settings) -> list[Path]:
    """Return the libraries of the script `file` at `path` in lookup order, without the script itself."""
    return placed_libraries(path, written_libraries(file), libraries_of_settings(settings))


def written_libraries(file: SourceFile) -> list[str]:
    """Return the library paths in the comments of `file`, as written."""
    return [written.text for written in file_instructions(file).libraries]


def libraries_of_settings(settings: Settings) -> list[Path]:
    """Return the libraries that settings give to all scripts, resolved."""
    return [path.resolve() for path in named_libraries(settings.libraries)[0]]


def placed_libraries(path: Path | None, written: Iterable[str], common: Iterable[Path]) -> list[Path]:
    """Return `library_paths` for a script at `path` with the library paths `written` in it and the `common` ones.

    Paths in a script that lead out of its repository are left out.
    """
    found = dict.fromkeys((*common, *_paths(path, written)))
    if not found:
        return []
    own = path.resolve() if path is not None else None
    return [library for library in found if library != own]


def files_of_names(path: Path | None, written: Iterable[str]) -> dict[str, list[Path]]:
    """Return the files that names of libraries in the script at `path` lead to, by the names as they are written.

    A name of no file has none. Names that cannot be looked up, and those that lead out of a repository, are left out.
    """
    found: dict[str, list[Path]] = {}
    if path is None:
        return found
    for text in written:
        expanded = expand_path(text, source=path.name, folder=".")
        if expanded is None or leads_out(path, path.parent / expanded):
            continue
        files = _files_at(path.parent / expanded)
        if files or text.endswith(SUFFIX):
            found[text] = files
    return found


def libraries_by_name(
    file: SourceFile,
    path: Path | None,
    names: Mapping[str, Iterable[Path]],
    read: Mapping[Path | None, SourceFile | None],
) -> NamedLibraries:
    """Return the libraries that the script `file` at `path` names, from the files that were `read`.

    `names` are those of `files_of_names`. One whose files are not all libraries that could be read is left out.
    """
    known = {library: other for library, other in read.items() if other is not None}
    files = {
        text: tuple(LibraryFile(_shown(library, path), known[library]) for library in paths)
        for text, paths in names.items()
        if all(library in known for library in paths)
    }
    return NamedLibraries(files, libraries_together(file) if files else frozenset())


def _shown(library: Path, path: Path | None) -> str:
    """Return how a script at `path` calls a library, from its folder on if it is below that."""
    folder = path.resolve().parent if path is not None else None
    return library.relative_to(folder).as_posix() if folder and library.is_relative_to(folder) else library.name


def _paths(path: Path | None, written: Iterable[str]) -> Iterator[Path]:
    if path is None:
        return
    for text in written:
        expanded = expand_path(text, source=path.name, folder=".")
        if expanded is not None and not leads_out(path, path.parent / expanded):
            yield from _files_at(path.parent / expanded)


def _files_at(path: Path) -> list[Path]:
    try:
        return [file.resolve() for file in library_files(path) if os.path.isfile(file)]
    except OSError:
        return []


_DIRECTIVE = "tdls:"
_SEARCH = "match"


class WrittenPaths(NamedTuple):
    """Paths in the comments of a text that may lead to the payload of its scripts, as written."""

    payloads: list[str]
    """Files that comments name as payload."""
    inputs: list[str]
    """Input files of commands that may load the text as a library: the payload, if `payloads` is empty."""
    libraries: list[str]
    """The libraries of these commands."""
    has_none: bool
    """True if its scripts match payload operations, but it neither names nor contains a payload."""


_NOTHING_WRITTEN = WrittenPaths([], [], [], False)


def written_payload(file: SourceFile, *, settings_name_one: bool = True) -> WrittenPaths:
    """Return the payload paths in the comments of `file`; none if its scripts match no payload operations.

    `has_none` is computed only if settings name a payload for all scripts, since it requires reading the whole file.
    """
    if not looks_for_payload(file):
        return _NOTHING_WRITTEN
    instructions = file_instructions(file)
    directives = [
        payload
        for payload in instructions.payloads
        if (_DIRECTIVE in file.line_text(file.position(payload.span.start).line))
    ]
    payloads = [payload.text for payload in directives or instructions.payloads]
    if payloads:
        return WrittenPaths(payloads, [], [], False)
    inputs = [other.text for other in instructions.files]
    libraries = [library.text for library in instructions.libraries] if inputs else []
    return WrittenPaths([], inputs, libraries, settings_name_one and not inputs and not _contains_payload(file))


def looks_for_payload(file: SourceFile) -> bool:
    """Return whether `file` has matchers and is one part that is run on an unchanged payload.

    This is a heuristic: it looks for sections with transform operations and the word ``match``.
    """
    if not file.sections_with(_searches) or file.sections_with(may_change_other_payload):
        return False
    return file.sections.pieces[0].part == file.sections.pieces[-1].part


@SectionFact
def _searches(section: Section) -> bool:
    return mentions_transform(section) and _SEARCH in section.text


def _contains_payload(file: SourceFile) -> bool:
    """Return whether `file` contains payload; reads the file up to the first payload operation."""
    return any(piece.begins_section and _has_payload(piece.section) for piece in file.sections.pieces)


@SectionFact
def _has_payload(section: Section) -> bool:
    """Return whether a section may contain anything but scripts."""
    if section.kind is not SectionKind.PLAIN:
        return section.kind is SectionKind.IRREGULAR
    return not all(is_transform_name(operation.name) for operation in section.tree.top_level())


def placed_payload(path: Path | None, written: WrittenPaths, settings: Settings) -> Path | None:
    """Return the payload of the script at `path` with the paths `written` in it; None if it is not exactly one file.

    Paths in a script that lead out of its repository do not count.
    """
    if path is None or not any(written):
        return None
    own = path.resolve()
    if written.has_none:
        common = named_payload(settings.payload)
        return common.resolve() if common is not None and common.resolve() != own else None
    named = dict.fromkeys(_payload_paths(path, written.payloads))
    if not named and own in _payload_paths(path, written.libraries):
        named = dict.fromkeys(_payload_paths(path, written.inputs))
    named.pop(own, None)
    return next(iter(named)) if len(named) == 1 else None


def usable_payload(file: SourceFile) -> SourceFile | None:
    """Return `file` as a payload; None if the text of the file may differ from the payload that a run reads.

    The two differ for a file with several parts, and may differ for one with scripts, where the run may begin.
    """
    pieces = file.sections.pieces
    is_one = bool(pieces) and pieces[0].part == pieces[-1].part
    return file if is_one and not any(map(file.sections_with, (may_change_payload, _mentions_scripts))) else None


@SectionFact
def _mentions_scripts(section: Section) -> bool:
    return mentions_transform(section)


def _payload_paths(path: Path, written: Iterable[str]) -> Iterator[Path]:
    for text in written:
        expanded = expand_path(text, source=path.name, folder=".")
        if (
            expanded is not None
            and not leads_out(path, path.parent / expanded)
            and os.path.isfile(path.parent / expanded)
        ):
            yield (path.parent / expanded).resolve()
