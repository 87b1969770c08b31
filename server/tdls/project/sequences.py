"""Find named sequences in all scripts of a repository, for calls that no library resolves.

A hint to name the defining file as a library takes the place of ``unknown symbol`` findings for such calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.meaning.sequences import declaration_of
from tdls.analysis.rules.language import library_not_named, unknown_symbol
from tdls.files.reading import text_of
from tdls.files.selection import SUFFIX, files_below
from tdls.limits import WORKSPACE_SCRIPT_SIZE
from tdls.semantic.transform_dialect import NAMED_SEQUENCE
from tdls.settings.paths import is_excluded
from tdls.structs import NamedTuple, replace
from tdls.system import cached_property
from tdls.text.diagnostic import Diagnostic, Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from tdls.catalogue.catalogue import Catalogue
    from tdls.settings.model import Exclusion
    from tdls.text.span import FileSpan

SIGN = NAMED_SEQUENCE.rpartition(".")[2]
"""Text that every script with a named sequence contains."""
_MOST_NOTES = 5


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
        found = (defined_in(self._file(path, text), path, name) for path, text in candidates)
        return next((sequence for sequence in found if sequence is not None), None)

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


def with_sequences_of_other_files(
    findings: Iterable[Diagnostic],
    spelled: Callable[[FileSpan], str],
    find: Callable[[str], NamedSequence | None],
    root: Path,
) -> list[Diagnostic]:
    """Return `findings` of a file, with one hint in place of those for sequences that other files below `root` define.

    `spelled` returns the text of a span of the file, `find` the definition of a symbol below `root`.
    """
    kept: list[Diagnostic] = []
    elsewhere: list[tuple[Diagnostic, NamedSequence]] = []
    for finding in findings:
        is_unknown = finding.rule == unknown_symbol.RULE.name
        sequence = find(called_name(spelled(finding.span))) if is_unknown else None
        if sequence is None:
            kept.append(finding)
        else:
            elsewhere.append((finding, sequence))
    return sorted([*kept, *_hint(elsewhere, root)], key=lambda finding: finding.span) if elsewhere else kept


def called_name(reference: str) -> str:
    """Return the symbol name in a reference such as ``@name`` or ``@"name"``."""
    return reference.removeprefix("@").strip('"')


def _hint(elsewhere: Sequence[tuple[Diagnostic, NamedSequence]], root: Path) -> Iterator[Diagnostic]:
    first = elsewhere[0][0]
    sequences = list(dict.fromkeys(sequence for _, sequence in elsewhere))
    entries = ", ".join(f'"{entry}"' for entry in libraries_for(sequences, root))
    rule = library_not_named.RULE
    yield replace(
        first,
        rule=rule.name,
        level=rule.level,
        message=_message(sequences, root),
        help=f"name what defines it as a library in `tdls.toml`, libraries = [{entries}], and declare it here",
        notes=tuple(
            Note(f"`@{sequence.name}` is defined here", sequence.span, sequence.path)
            for sequence in sequences[:_MOST_NOTES]
        ),
        fixes=(),
    )


def _message(sequences: Sequence[NamedSequence], root: Path) -> str:
    first = sequences[0]
    if len(sequences) == 1:
        return (
            f"`@{first.name}` is a named sequence of `{shown_from(root, first.path)}`, which is no library of this file"
        )
    files = len({sequence.path for sequence in sequences})
    where = f"`{shown_from(root, first.path)}`, which is no library" if files == 1 else "files that are no libraries"
    return (
        f"{len(sequences)} named sequences that are called here, such as `@{first.name}`, are in {where} of this file"
    )


def libraries_for(sequences: Iterable[NamedSequence], root: Path) -> list[str]:
    """Return the entries of the setting ``libraries`` in the folder `root` that make `sequences` known."""
    return sorted({shown_from(root, sequence.path) for sequence in sequences})


def shown_from(root: Path, path: Path) -> str:
    """Return `path` as settings in the folder `root` write it: relative to `root` if it lies below."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
