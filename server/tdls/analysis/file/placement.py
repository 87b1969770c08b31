"""From places in sections, where rules work, to places in the file, which everybody else sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.text.diagnostic import Diagnostic, Fix, Note, TextEdit

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import Finding, SectionEdit, SectionFix, SectionNote
    from tdls.syntax.sections.sections import Section
    from tdls.text.span import FileSpan, Span


def placed(context: Context, finding: Finding) -> Diagnostic:
    """Return `finding`, which was found in the section of `context`, with places in its file."""
    return Diagnostic(
        finding.rule,
        finding.level,
        finding.message,
        context.to_file(finding.span),
        tuple(_placed_note(context, note) for note in finding.notes),
        finding.help,
        tuple(_placed_fix(context, fix) for fix in finding.fixes),
        finding.tag,
        finding.concern,
    )


def placed_edit(context: Context, edit: SectionEdit) -> TextEdit:
    """Return `edit` with its place in the file of `context`."""
    return TextEdit(_place(context, edit.section, edit.span), edit.new_text)


def _placed_fix(context: Context, fix: SectionFix) -> Fix:
    return Fix(fix.title, tuple(placed_edit(context, edit) for edit in fix.edits), fix.safe)


def _placed_note(context: Context, note: SectionNote) -> Note:
    return Note(note.message, _place(context, note.section, note.span))


def _place(context: Context, section: Section | None, span: Span) -> FileSpan:
    home = context if section is None else context.file.context_of(section)
    return home.to_file(span)
