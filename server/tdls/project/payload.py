"""The payload of a script that lies in another file: named by a comment of the script, or by settings."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tdls.analysis.file.file_instructions import file_instructions
from tdls.analysis.file.prefilter import mentions_transform
from tdls.analysis.file.run_commands import may_change_other_payload, may_change_payload
from tdls.files.boundary import real_path
from tdls.project.libraries import places_of
from tdls.semantic.transform_dialect import is_transform_name
from tdls.settings.paths import named_payload
from tdls.structs import NamedTuple
from tdls.syntax.sections.facts import Fact
from tdls.syntax.sections.sections import SectionKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tdls.analysis.file.source_file import SourceFile
    from tdls.settings.model import Settings
    from tdls.syntax.sections.sections import Section


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
    pieces = file.sections.pieces if settings_name_one and not inputs else ()
    has_none = bool(pieces) and not any(piece.begins_section and _has_payload(piece.section) for piece in pieces)
    return WrittenPaths([], inputs, libraries, has_none)


def looks_for_payload(file: SourceFile) -> bool:
    """Return whether `file` has matchers and is one part that is run on an unchanged payload.

    This is a heuristic: it looks for sections with transform operations and the word ``match``.
    """
    if not file.sections_with(_searches) or file.sections_with(may_change_other_payload):
        return False
    return file.sections.pieces[0].part == file.sections.pieces[-1].part


@Fact
def _searches(section: Section) -> bool:
    return mentions_transform(section) and _SEARCH in section.text


@Fact
def _has_payload(section: Section) -> bool:
    """Return whether a section may contain anything but scripts."""
    if section.kind is not SectionKind.PLAIN:
        return section.kind is SectionKind.IRREGULAR
    return not all(is_transform_name(operation.name) for operation in section.tree.top_level())


def placed_payload(path: Path | None, written: WrittenPaths, settings: Settings) -> Path | None:
    """Return the payload of the script at `path` with the paths `written` in it, or None if it is not exactly one file.

    Paths in a script that lead out of its repository do not count.
    """
    if path is None or not any(written):
        return None
    own = real_path(path)
    if written.has_none:
        common = named_payload(settings.payload)
        return real_path(common) if common is not None and real_path(common) != own else None
    named = dict.fromkeys(_payload_paths(path, written.payloads))
    if not named and own in _payload_paths(path, written.libraries):
        named = dict.fromkeys(_payload_paths(path, written.inputs))
    named.pop(own, None)
    return next(iter(named)) if len(named) == 1 else None


def usable_payload(file: SourceFile) -> SourceFile | None:
    """Return `file` as a payload, or None if the text of the file may differ from the payload that a run reads.

    The two differ for a file with several parts, and may differ for one with scripts, where the run may begin.
    """
    pieces = file.sections.pieces
    is_one = bool(pieces) and pieces[0].part == pieces[-1].part
    return file if is_one and not any(map(file.sections_with, (may_change_payload, mentions_transform))) else None


def _payload_paths(path: Path, written: Iterable[str]) -> Iterator[Path]:
    return (real_path(file) for _, file in places_of(path, written) if os.path.isfile(file))
