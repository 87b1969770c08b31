"""What rules find in a section, as long as it is kept with the section: with places that count from its start.

`placement` makes a `Diagnostic` of a finding, which has its places in the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.text.diagnostic import Diagnostic, Fix, Note, Subject, TextEdit

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context
    from tdls.syntax.sections.sections import Section
    from tdls.text.diagnostic import Level, Tag
    from tdls.text.span import FileSpan, Span


@dataclass(frozen=True, slots=True)
class SectionEdit:
    """Replace the text of `span` by `new_text`, in the section of the finding or in another one of the same file."""

    span: Span
    new_text: str
    section: Section | None = None


@dataclass(frozen=True, slots=True)
class SectionFix:
    """A change that resolves a finding; `safe` when it cannot change what the script does."""

    title: str
    edits: tuple[SectionEdit, ...]
    safe: bool = False


@dataclass(frozen=True, slots=True)
class SectionNote:
    """A place related to a finding, in the section of the finding or in another one of the same file."""

    message: str
    span: Span
    section: Section | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What the rule with the kebab-case name `rule` says of a place in a section."""

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
    """Return `finding`, which was found in the section of `context`, with places in its file."""
    return Diagnostic(
        finding.rule,
        finding.level,
        finding.message,
        context.to_file(finding.span),
        tuple(Note(note.message, _place(context, note.section, note.span)) for note in finding.notes),
        finding.help,
        tuple(_placed_fix(context, fix) for fix in finding.fixes),
        finding.tag,
        finding.subject,
    )


def placed_edit(context: Context, edit: SectionEdit) -> TextEdit:
    """Return `edit` with its place in the file of `context`."""
    return TextEdit(_place(context, edit.section, edit.span), edit.new_text)


def _placed_fix(context: Context, fix: SectionFix) -> Fix:
    return Fix(fix.title, tuple(placed_edit(context, edit) for edit in fix.edits), fix.safe)


def _place(context: Context, section: Section | None, span: Span) -> FileSpan:
    home = context if section is None else context.file.context_of(section)
    return home.to_file(span)
