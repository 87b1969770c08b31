"""Find named sequences in all scripts of a repository, for uses that no library resolves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.meaning.sequences import DECLARE, declaration_of
from tdls.files.reading import text_of
from tdls.files.selection import SUFFIX, files_below
from tdls.limits import WORKSPACE_SCRIPT_SIZE
from tdls.semantic.transform_dialect import NAMED_SEQUENCE
from tdls.settings.paths import is_excluded
from tdls.structs import NamedTuple, replace
from tdls.system import cached_property
from tdls.text.diagnostic import Note
from tdls.text.level import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tdls.catalogue.catalogue import Catalogue
    from tdls.settings.model import Exclusion
    from tdls.text.diagnostic import Diagnostic
    from tdls.text.span import FileSpan

SIGN = NAMED_SEQUENCE.rpartition(".")[2]
"""Text that every script with a named sequence contains."""
LIBRARY_NOT_NAMED = "library-not-named"
OF_SEQUENCES = frozenset({"unknown-symbol", LIBRARY_NOT_NAMED})
"""Rules whose findings may name the file that defines a sequence."""


class NamedSequence(NamedTuple):
    """A named sequence with a body, and the file that contains it."""

    name: str
    path: Path
    span: FileSpan
    declaration: str | None
    """See `declaration_of`."""


class RepositorySequences:
    """The named sequences of the scripts below a folder; the scripts are read at the first lookup."""

    def __init__(self, root: Path, catalogue: Catalogue, exclusion: Exclusion | None = None) -> None:
        """Scripts that match the `exclusion` are not read."""
        self._root = root
        self._catalogue = catalogue
        self._exclusion = exclusion
        self._files: dict[Path, SourceFile] = {}

    def find(self, name: str) -> NamedSequence | None:
        """Return the first definition of ``@name`` in the order of paths, or None."""
        candidates = ((path, text) for path, text in self._texts.items() if name in text)
        sequences = (defined_in(self._file(path, text), path, name) for path, text in candidates)
        return next((sequence for sequence in sequences if sequence is not None), None)

    @cached_property
    def _texts(self) -> dict[Path, str]:
        """The texts of scripts that may define named sequences, sorted by path."""
        paths = sorted(files_below(self._root, lambda entry: entry.name.endswith(SUFFIX), []))
        wanted = (path for path in paths if not is_excluded(path, self._exclusion))
        texts = ((path, text_of(path, WORKSPACE_SCRIPT_SIZE)) for path in wanted)
        return {path: text for path, text in texts if text is not None and SIGN in text}

    def _file(self, path: Path, text: str) -> SourceFile:
        if path not in self._files:
            self._files[path] = SourceFile.of(text, self._catalogue)
        return self._files[path]


def defined_in(file: SourceFile, path: Path, name: str) -> NamedSequence | None:
    """Return the named sequence ``@name`` of `file`, which is at `path`, or None with a body."""
    definition = file.exported(name)
    if definition is None or definition.operation.name != NAMED_SEQUENCE:
        return None
    if not any(block.operations for block in definition.operation.blocks()):
        return None
    place = definition.context.to_file(definition.operation.location)
    return NamedSequence(name, path, place, declaration_of(definition))


def called_name(reference: str) -> str:
    """Return the symbol name in a reference such as ``@name`` or ``@"name"``."""
    return reference.removeprefix("@").strip('"')


def with_file_that_defines(
    finding: Diagnostic, name: str, find: Callable[[str], NamedSequence | None], root: Path | None
) -> Diagnostic | None:
    """Return a `finding` about the sequence ``@name``, naming the other file below `root` that defines it.

    `find` returns the definition of a symbol below `root`. A declared sequence that nothing defines may be in a library
    that is named when the script is run: None for a hint about it.
    """
    sequence = find(name) if finding.rule in OF_SEQUENCES and root is not None else None
    if sequence is None or sequence.declaration is None or root is None:
        return None if finding.rule == LIBRARY_NOT_NAMED and finding.level is Level.HINT else finding
    shown = shown_from(root, sequence.path)
    notes = (Note(f"`@{name}` is defined here", sequence.span, sequence.path),)
    library = f'name `{shown}` as a library in `tdls.toml`: `libraries = ["{shown}"]`'
    if finding.rule == LIBRARY_NOT_NAMED:
        message = f"`@{name}` is only declared here, and `{shown}`, which defines it, is not a library of this file"
        return replace(finding, level=Level.WARNING, message=message, help=library, notes=notes)
    message = f"`@{name}` of `{shown}`, which is not a library of this file, is not declared here"
    advice = f"{DECLARE}: `{sequence.declaration}`, and {library}"
    return replace(finding, message=message, help=advice, notes=notes, fixes=())


def libraries_for(sequences: Iterable[NamedSequence], root: Path) -> list[str]:
    """Return the entries of the setting ``libraries`` in the folder `root` that make `sequences` known."""
    return sorted({shown_from(root, sequence.path) for sequence in sequences})


def shown_from(root: Path, path: Path) -> str:
    """Return `path` as settings in the folder `root` write it: relative to `root` if it lies below."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
