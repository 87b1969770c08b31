"""Errors in operations as their verifiers report them, before a rule turns them into findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Concatenate, ParamSpec

from tdls.analysis.file.finding import Finding
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.finding import SectionFix, SectionNote
    from tdls.semantic.model import Operation
    from tdls.text.level import Level
    from tdls.text.span import Span

_P = ParamSpec("_P")


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


def check_of_operation(check: Callable[Concatenate[Operation, _P], Iterator[Complaint]]) -> Callable[_P, Check]:
    """Make a check of a function with parameters: called with these only, it returns the check for them."""
    return lambda *args, **kwargs: lambda _context, operation: check(operation, *args, **kwargs)


def check_in_context(check: Callable[Concatenate[Context, Operation, _P], Iterator[Complaint]]) -> Callable[_P, Check]:
    """Do as `check_of_operation` for a function that asks the context, too."""
    return lambda *args, **kwargs: lambda context, operation: check(context, operation, *args, **kwargs)
