"""Findings as text and back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tdls.cli.rendering.checked import IdentifiedFinding
from tdls.text.diagnostic import Concern, Diagnostic, Fix, Level, Note, Tag, TextEdit
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


class NotKeptError(Exception):
    """A finding has something that does not hold elsewhere."""


def encode(findings: Iterable[IdentifiedFinding], libraries: Sequence[Path]) -> str:
    """Return `findings` as text. Files in notes are numbers of `libraries`. Raises NotKeptError for other files."""
    return json.dumps([_encoded(finding, libraries) for finding in findings], separators=(",", ":"))


def decode(text: str, libraries: Sequence[Path]) -> list[IdentifiedFinding]:
    """Return the findings of a text that `encode` made. Raises ValueError, LookupError or TypeError for other texts."""
    items = json.loads(text)
    if not isinstance(items, list):
        raise TypeError(type(items))
    return [_decoded(item, libraries) for item in items]


def _encoded(finding: IdentifiedFinding, libraries: Sequence[Path]) -> list[Any]:
    diagnostic, identity = finding
    return [
        diagnostic.rule,
        diagnostic.level.value,
        diagnostic.message,
        *diagnostic.span,
        [[note.message, *note.span, _number(note, libraries)] for note in diagnostic.notes],
        diagnostic.help,
        [[fix.title, fix.safe, [[*edit.span, edit.new_text] for edit in fix.edits]] for fix in diagnostic.fixes],
        diagnostic.tag.value if diagnostic.tag is not None else None,
        diagnostic.concern.value,
        list(identity),
    ]


def _decoded(item: list[Any], libraries: Sequence[Path]) -> IdentifiedFinding:
    from tdls.analysis.checking.fingerprint import Identity

    rule, level, message, start, end, notes, advice, fixes, tag, concern, identity = item
    diagnostic = Diagnostic(
        rule=rule,
        level=Level(level),
        message=message,
        span=FileSpan(start, end),
        notes=tuple(
            Note(said, FileSpan(begin, stop), libraries[number] if number is not None else None)
            for said, begin, stop, number in notes
        ),
        help=advice,
        fixes=tuple(
            Fix(title, tuple(TextEdit(FileSpan(begin, stop), new) for begin, stop, new in edits), safe)
            for title, safe, edits in fixes
        ),
        tag=Tag(tag) if tag is not None else None,
        concern=Concern(concern),
    )
    return IdentifiedFinding(diagnostic, Identity(*identity))


def _number(note: Note, libraries: Sequence[Path]) -> int | None:
    if note.path is None:
        return None
    if note.path not in libraries:
        raise NotKeptError(str(note.path))
    return libraries.index(note.path)
