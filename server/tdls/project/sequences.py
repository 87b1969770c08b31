"""Named sequences anywhere in a repository, for calls that find none where they look."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tdls.analysis.file.source_file import SourceFile
from tdls.analysis.rules.language import library_not_named, unknown_symbol
from tdls.files.reading import text_of
from tdls.files.selection import SUFFIX, files_below
from tdls.limits import WORKSPACE_SCRIPT_SIZE
from tdls.semantic.transform_dialect import NAMED_SEQUENCE
from tdls.settings.paths import is_excluded
from tdls.system import cached_property
from tdls.text.diagnostic import Diagnostic, Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from tdls.catalogue.catalogue import Catalogue
    from tdls.settings.model import Exclusion
    from tdls.text.span import FileSpan

SIGN = NAMED_SEQUENCE.rpartition(".")[2]
"""A script without this word defines no named sequence."""
_MOST_NOTES = 5


class NamedSequence(NamedTuple):
    """A named sequence with a body, and the file that it stands in."""

    name: str
    path: Path
    span: FileSpan


class RepositorySequences:
    """The named sequences of the scripts below a folder, which are read when somebody asks for the first one."""

    def __init__(self, root: Path, catalogue: Catalogue, exclusion: Exclusion | None = None) -> None:
        """Scripts of the `exclusion` are not read."""
        self._root = root
        self._catalogue = catalogue
        self._exclusion = exclusion
        self._files: dict[Path, SourceFile] = {}

    def find(self, name: str) -> NamedSequence | None:
        """Return the first definition of ``@name``, in the order of paths."""
        candidates = ((path, text) for path, text in self._texts.items() if name in text)
        found = (defined_in(self._file(path, text), path, name) for path, text in candidates)
        return next((sequence for sequence in found if sequence is not None), None)

    @cached_property
    def _texts(self) -> dict[Path, str]:
        """The texts of scripts that may define named sequences."""
        paths = sorted(files_below(self._root, lambda entry: entry.name.endswith(SUFFIX), []))
        wanted = (path for path in paths if not is_excluded(path, self._exclusion))
        texts = ((path, text_of(path, WORKSPACE_SCRIPT_SIZE)) for path in wanted)
        return {path: text for path, text in texts if text is not None and SIGN in text}

    def _file(self, path: Path, text: str) -> SourceFile:
        if path not in self._files:
            self._files[path] = SourceFile.of(text, self._catalogue)
        return self._files[path]


def defined_in(file: SourceFile, path: Path, name: str) -> NamedSequence | None:
    """Return the named sequence ``@name`` of `file`, which is at `path`; None for one without a body, too."""
    definition = file.exported(name)
    if definition is None or definition.operation.name != NAMED_SEQUENCE:
        return None
    if not any(block.operations for block in definition.operation.blocks()):
        return None
    return NamedSequence(name, path, definition.context.to_file(definition.operation.location))


def with_sequences_elsewhere(
    findings: Iterable[Diagnostic],
    spelled: Callable[[FileSpan], str],
    find: Callable[[str], NamedSequence | None],
    root: Path,
) -> list[Diagnostic]:
    """Return `findings` of a file, with one hint in place of calls of sequences that others of the repository define.

    `spelled` gives the text of a place in the file, `find` the definition of a symbol below `root`.
    """
    kept: list[Diagnostic] = []
    elsewhere: list[tuple[Diagnostic, NamedSequence]] = []
    for finding in findings:
        sequence = _elsewhere(finding, spelled, find)
        if sequence is None:
            kept.append(finding)
        else:
            elsewhere.append((finding, sequence))
    return sorted([*kept, *_hint(elsewhere, root)], key=lambda finding: finding.span) if elsewhere else kept


def _elsewhere(
    finding: Diagnostic, spelled: Callable[[FileSpan], str], find: Callable[[str], NamedSequence | None]
) -> NamedSequence | None:
    if finding.rule != unknown_symbol.RULE.name:
        return None
    return find(called_name(spelled(finding.span)))


def called_name(reference: str) -> str:
    """Return the name that a symbol reference such as ``@name`` or ``@"name"`` means."""
    return reference.removeprefix("@").strip('"')


def _hint(elsewhere: Sequence[tuple[Diagnostic, NamedSequence]], root: Path) -> Iterator[Diagnostic]:
    first = elsewhere[0][0]
    sequences = list(dict.fromkeys(sequence for _, sequence in elsewhere))
    rule = library_not_named.RULE
    yield replace(
        first,
        rule=rule.name,
        level=rule.level,
        message=_message(sequences, root),
        help=f"name what defines it as a library in `tdls.toml`: libraries = [{_entries(sequences, root)}]",
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


def _entries(sequences: Sequence[NamedSequence], root: Path) -> str:
    return ", ".join(f'"{entry}"' for entry in libraries_for(sequences, root))


def libraries_for(sequences: Iterable[NamedSequence], root: Path) -> list[str]:
    """Return what makes `sequences` known as ``libraries`` of settings in the folder `root`."""
    return sorted({shown_from(root, sequence.path) for sequence in sequences})


def shown_from(root: Path, path: Path) -> str:
    """Return how settings in the folder `root` spell `path`."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
