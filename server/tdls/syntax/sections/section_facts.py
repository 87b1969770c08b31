"""Results of analyses that depend on a section alone: computed on first access and cached with the section."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.syntax.sections.sections import Section


class HasFacts(Protocol):
    """An object that caches facts about itself."""

    facts: dict[object, object]
    """The cached results, by the `KeptFact` that computed them."""


_S = TypeVar("_S", bound=HasFacts)
_T = TypeVar("_T")
_NOT_KNOWN = object()


class KeptFact(Generic[_S, _T]):
    """A function of one subject, cached with the subject: the base of all facts that depend on their subject alone."""

    def __init__(self, compute: Callable[[_S], _T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __call__(self, subject: _S) -> _T:
        """Return the fact about `subject`."""
        known = subject.facts.get(self, _NOT_KNOWN)
        if known is _NOT_KNOWN:
            known = subject.facts.setdefault(self, self._compute(subject))
        return cast("_T", known)


class SectionFact(KeptFact["Section", _T]):
    """A decorator that caches a function of a section with the section.

    The section is the function's only input, so its result cannot depend on the rest of the file: it holds in every
    version of the file that contains the section.
    """

    def is_known(self, section: Section) -> bool:
        """Tell whether the fact about `section` is already computed."""
        return self in section.facts


class SectionMemory(SectionFact[_T]):
    """A mutable store that lives with a section, created empty; its content tracks its own dependencies."""

    def __init__(self, make: Callable[[], _T]) -> None:
        super().__init__(lambda _: make())
