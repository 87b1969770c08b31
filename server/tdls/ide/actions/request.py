"""What a code action is, and what it may look at."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from tdls.analysis.checking.file_findings import findings_about_comments, findings_in_section, look_at
from tdls.analysis.checking.selection import with_levels
from tdls.ide.tokens.semantic_tokens import pieces_in
from tdls.system import cached_property

if TYPE_CHECKING:
    from tdls.analysis.checking.selection import Levels
    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.text.diagnostic import Diagnostic, TextEdit
    from tdls.text.span import FileSpan


class ActionKind(Enum):
    """When an action is offered."""

    QUICK_FIX = "quick fix"
    """It gets rid of a finding."""
    REWRITE = "rewrite"
    """It says the same in another way."""
    FIX_ALL = "fix all"
    """It gets rid of all findings of the file that have safe fixes; offered only where asked for."""


@dataclass(frozen=True)
class CodeAction:
    """A change of the file it was asked for; `edits` do not overlap and have places in the file.

    `finding` is what it gets rid of. An action is preferred when nobody could want another one.
    """

    title: str
    kind: ActionKind
    edits: tuple[TextEdit, ...]
    finding: Diagnostic | None = None
    is_preferred: bool = False


@dataclass(frozen=True)
class ActionRequest:
    """A place in a file; `levels` are those that a user gave to rules."""

    file: SourceFile
    span: FileSpan
    levels: Levels

    @cached_property
    def contexts(self) -> list[Context]:
        """The sections that `span` touches."""
        sections = (self.file.sections.pieces[index].section for index in pieces_in(self.file, self.span))
        return [self.file.context_of(section) for section in dict.fromkeys(sections)]

    @cached_property
    def findings(self) -> list[Diagnostic]:
        """The findings that `span` touches."""
        found = [finding for context in self.contexts for finding in findings_in_section(context)]
        touched = [finding for finding in found if self.touches(finding.span)]
        return with_levels([*touched, *findings_about_comments(self.file, self.span)], self.levels)

    @cached_property
    def all_findings(self) -> list[Diagnostic]:
        """The findings of the whole file."""
        return with_levels(look_at(self.file).told, self.levels)

    def touches(self, span: FileSpan) -> bool:
        """Tell whether `span`, with both of its ends, and the place that was asked for have anything in common."""
        return span.start <= self.span.end and self.span.start <= span.end
