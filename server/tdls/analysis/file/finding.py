"""What rules find in a section, as long as it is kept with the section: with places that count from its start.

`placement` makes a `Diagnostic` of a finding, which has its places in the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tdls.text.diagnostic import Concern

if TYPE_CHECKING:
    from tdls.syntax.sections.sections import Section
    from tdls.text.diagnostic import Level, Tag
    from tdls.text.span import Span


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
    concern: Concern = Concern.SCRIPT
