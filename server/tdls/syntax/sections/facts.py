"""Results of analyses that depend on one subject alone: computed on first access and cached with the subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable


class HasFacts(Protocol):
    """An object that caches facts about itself."""

    facts: dict[object, object]
    """The cached results, by the `Fact` that computed them."""


_S = TypeVar("_S", bound=HasFacts)
_T = TypeVar("_T")
_NOT_KNOWN = object()


class Fact(Generic[_S, _T]):
    """A decorator that caches a function of one subject, its only input, with the subject.

    A fact about a section cannot depend on the rest of the file: it holds in every version of the file that contains
    the section. One about a context or a file holds for that version. The questions of a context's fact about the rest
    of the file are recorded by the context, so that all results that use the fact depend on them.
    """

    def __init__(self, compute: Callable[[_S], _T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __call__(self, subject: _S) -> _T:
        known = subject.facts.get(self, _NOT_KNOWN)
        if known is _NOT_KNOWN:
            known = subject.facts.setdefault(self, self._compute(subject))
        return cast("_T", known)

    def is_known(self, subject: _S) -> bool:
        """Whether the fact about `subject` is already computed."""
        return self in subject.facts
