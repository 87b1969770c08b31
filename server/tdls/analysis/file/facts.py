"""Caches of facts that depend on a section and on its questions about the file around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, cast

from tdls.structs import Struct
from tdls.syntax.sections.section_facts import HasFacts, KeptFact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.queries import RecordedQuery
    from tdls.syntax.sections.sections import Section

_C = TypeVar("_C", bound="Context")
_T = TypeVar("_T")


class ContextFact(KeptFact[_C, _T]):
    """Decorator for a function of a context that is computed once for each.

    Its questions about the rest of the file are recorded by that context, so all results that use the fact depend on
    them. It may return objects of the context: operations, and the definitions and effects found with it.
    """


_F = TypeVar("_F", bound=HasFacts)


class FileFact(KeptFact[_F, _T]):
    """Decorator for a function of a version of a file that is computed once for each."""


class Kept(Struct, Generic[_T], frozen=True):
    """A fact with the questions that it depends on, and the answers."""

    value: _T
    answers: Mapping[RecordedQuery, object]


class TrackedFact(Generic[_T]):
    """Decorator for a function of a section's context, kept with the section while its questions have the same answers.

    A fact that uses other facts depends on their questions, too.
    """

    def __init__(self, compute: Callable[[Context], _T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __call__(self, context: Context) -> _T:
        """Return the fact about the section of `context`."""
        return self.with_questions(context).value

    def with_questions(self, context: Context) -> Kept[_T]:
        """Return the fact with the questions that it depends on."""
        kept = self.known(context.section)
        if kept is None or not context.still_holds(kept.answers):
            fresh = context.fresh()
            try:
                kept = Kept(self._compute(fresh), dict(fresh.answers))
            finally:
                context.note(fresh.answers)  # results computed without a fact that failed depend on them, too
            context.section.keep(self, kept, fresh.catalogue)
        context.note(kept.answers)
        return kept

    def keep(self, section: Section, value: _T, answers: Mapping[RecordedQuery, object]) -> Kept[_T]:
        """Keep a fact about a section that another process computed."""
        kept = Kept(value, answers)
        section.keep(self, kept, section.catalogue)
        return kept

    def known(self, section: Section) -> Kept[_T] | None:
        """Return the fact last kept for a section, from any version of its file; None if there is none."""
        return cast("Kept[_T] | None", section.facts.get(self))

    def holds(self, context: Context) -> bool:
        """Tell whether the fact is kept and holds in the version of the file of `context`."""
        kept = self.known(context.section)
        return kept is not None and context.still_holds(kept.answers)
