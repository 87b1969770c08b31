"""What follows from a section alone: found out when it is first asked for, and kept with the section."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.syntax.sections.sections import Section


class HasFacts(Protocol):
    """What facts are kept with."""

    facts: dict[object, object]
    """What was found out about it, by what was asked for."""


_S = TypeVar("_S", bound=HasFacts)
_T = TypeVar("_T")
_NOT_KNOWN = object()


class KeptFact(Generic[_S, _T]):
    """A function of one subject that is computed once for each: what all kinds of facts are that hold by themselves."""

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
    """A function of a section that is computed once for each; decorate the function with it.

    It is handed the section and nothing else, so what it returns cannot rest on the rest of the file: it holds in every
    version that the section belongs to.
    """

    def is_known(self, section: Section) -> bool:
        """Tell whether the fact about `section` is there already."""
        return self in section.facts


class SectionMemory(SectionFact[_T]):
    """A place to keep something with a section that says itself what it rests on; it is made empty."""

    def __init__(self, make: Callable[[], _T]) -> None:
        super().__init__(lambda _: make())
