"""Errors in operations as their verifiers report them, before a rule turns them into findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.analysis.file.finding import Finding
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import SectionFix, SectionNote
    from tdls.semantic.model import Operation
    from tdls.text.level import Level
    from tdls.text.span import Span


class Complaint(Struct, frozen=True):
    """A message about a span of a section."""

    message: str
    place: Span
    notes: tuple[SectionNote, ...] = ()
    help: str | None = None
    fixes: tuple[SectionFix, ...] = ()

    def finding(self, rule: str, level: Level) -> Finding:
        return Finding(rule, level, self.message, self.place, self.notes, self.help, self.fixes)


if TYPE_CHECKING:
    Check = Callable[[Context, Operation], Iterator[Complaint]]
    """Yields the errors in an operation that was read without a problem."""
