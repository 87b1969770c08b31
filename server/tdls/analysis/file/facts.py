"""What follows from a section and from what it asks about the file around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, cast

from tdls.syntax.sections.section_facts import HasFacts, KeptFact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.queries import Asked
    from tdls.syntax.sections.sections import Section

_C = TypeVar("_C", bound="Context")
_T = TypeVar("_T")


class ContextFact(KeptFact[_C, _T]):
    """A function of a context that is computed once for each; decorate the function with it.

    What it asks of the rest of the file is asked by that context, so whatever is found out with the fact rests on it.
    It may return what belongs to the context: operations, and the definitions and effects that were found with it.
    """


_F = TypeVar("_F", bound=HasFacts)


class FileFact(KeptFact[_F, _T]):
    """A function of a version of a file that is computed once for each; decorate the function with it."""


class Kept(NamedTuple, Generic[_T]):
    """A fact with all that was asked for it, and the answers."""

    value: _T
    asked: Mapping[Asked, object]


class TrackedFact(Generic[_T]):
    """A function of a section's context that is kept with the section while what it asked has the same answers.

    Decorate the function with it. Facts that ask for other facts rest on what these asked, too.
    """

    def __init__(self, compute: Callable[[Context], _T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __call__(self, context: Context) -> _T:
        """Return the fact about the section of `context`."""
        return self.with_questions(context).value

    def with_questions(self, context: Context) -> Kept[_T]:
        """Return the fact with what it rests on."""
        kept = self.known(context.section)
        if kept is None or not context.still_holds(kept.asked):
            fresh = context.fresh()
            try:
                kept = Kept(self._compute(fresh), dict(fresh.asked))
            finally:
                context.note(fresh.asked)  # what is found out without a fact that fails rests on that, too
            context.section.keep(self, kept, fresh.catalogue)
        context.note(kept.asked)
        return kept

    def keep(self, section: Section, value: _T, asked: Mapping[Asked, object]) -> Kept[_T]:
        """Keep what somebody else found out about a section."""
        kept = Kept(value, asked)
        section.keep(self, kept, section.catalogue)
        return kept

    def known(self, section: Section) -> Kept[_T] | None:
        """Return what was found out last about a section, in any version of its file; None if nothing was."""
        return cast("Kept[_T] | None", section.facts.get(self))

    def holds(self, context: Context) -> bool:
        """Tell whether the fact is known and holds in the version of the file that `context` belongs to."""
        kept = self.known(context.section)
        return kept is not None and context.still_holds(kept.asked)
