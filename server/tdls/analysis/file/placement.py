"""From places in sections, where rules work, to places in the file, which everybody else sees."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tdls.text.diagnostic import Fix, TextEdit

if TYPE_CHECKING:
    from collections.abc import Hashable

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.text.diagnostic import Diagnostic, Note
    from tdls.text.span import Span


def placed(file: SourceFile, context: Context, finding: Diagnostic) -> Diagnostic:
    """Return `finding`, whose places count from the section of `context`, with places in `file`.

    A note or an edit with an `origin`, which is another section of `file`, counts from there.
    """
    notes = tuple(_placed_note(file, context, note) for note in finding.notes)
    fixes = tuple(_placed_fix(file, context, fix) for fix in finding.fixes)
    return replace(finding, span=file.to_file(context, finding.span), notes=notes, fixes=fixes)


def placed_edit(file: SourceFile, context: Context, edit: TextEdit) -> TextEdit:
    """Return `edit` with its place in `file`."""
    return TextEdit(_place(file, context, edit.span, edit.origin), edit.new_text)


def _placed_fix(file: SourceFile, context: Context, fix: Fix) -> Fix:
    return Fix(fix.title, tuple(placed_edit(file, context, edit) for edit in fix.edits), fix.safe)


def _placed_note(file: SourceFile, context: Context, note: Note) -> Note:
    if note.path is not None:
        return note
    return replace(note, span=_place(file, context, note.span, note.origin), origin=None)


def _place(file: SourceFile, context: Context, span: Span, origin: Hashable | None) -> Span:
    home = context if origin is None else file.context_of(origin)  # type: ignore[arg-type]
    return file.to_file(home, span)
