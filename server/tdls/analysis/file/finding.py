"""Findings with offsets in their section, as they are kept with the section.

`placed` turns a finding into a `Diagnostic`, which has offsets in the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.structs import Struct
from tdls.text.diagnostic import Diagnostic, Fix, Note, Subject, TextEdit

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.syntax.sections.sections import Section
    from tdls.text.diagnostic import Tag
    from tdls.text.level import Level
    from tdls.text.span import FileSpan, Span


class SectionEdit(Struct, frozen=True):
    """A replacement of the text of `span`, in the section of the finding or in another one of the same file."""

    span: Span
    new_text: str
    section: Section | None = None


class SectionFix(Struct, frozen=True):
    """A change that resolves a finding; `safe` if it cannot change the behaviour of the script."""

    title: str
    edits: tuple[SectionEdit, ...]
    safe: bool = False


class SectionNote(Struct, frozen=True):
    """A place related to a finding, in the section of the finding or in another one of the same file."""

    message: str
    span: Span
    section: Section | None = None


class Finding(Struct, frozen=True):
    """A finding of the rule with the kebab-case name `rule`, at a span in a section."""

    rule: str
    level: Level
    message: str
    span: Span
    notes: tuple[SectionNote, ...] = ()
    help: str | None = None
    fixes: tuple[SectionFix, ...] = ()
    tag: Tag | None = None
    subject: Subject = Subject.SCRIPT


def placed(context: Context, finding: Finding) -> Diagnostic:
    """Return `finding`, which belongs to the section of `context`, with spans in the file."""
    return Diagnostic(
        finding.rule,
        finding.level,
        finding.message,
        context.to_file(finding.span),
        tuple(Note(note.message, _place(context, note.section, note.span)) for note in finding.notes),
        finding.help,
        tuple(
            Fix(fix.title, tuple(placed_edit(context, edit) for edit in fix.edits), fix.safe) for fix in finding.fixes
        ),
        finding.tag,
        finding.subject,
    )


def placed_edit(context: Context, edit: SectionEdit) -> TextEdit:
    """Return `edit` with its span in the file of `context`."""
    return TextEdit(_place(context, edit.section, edit.span), edit.new_text)


def _place(context: Context, section: Section | None, span: Span) -> FileSpan:
    home = context if section is None else context.file.context_of(section)
    return home.to_file(span)
