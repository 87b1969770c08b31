"""What follows from a section alone: found out when it is first asked for, and kept with the section."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.syntax.sections.sections import Section

_T = TypeVar("_T")
_NOT_KNOWN = object()


class SectionFact(Generic[_T]):
    """A function of a section that is computed once for each; decorate the function with it.

    It is handed the section and nothing else, so what it returns cannot rest on the rest of the file: it holds in every
    version that the section belongs to.
    """

    def __init__(self, compute: Callable[[Section], _T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __call__(self, section: Section) -> _T:
        """Return the fact about `section`."""
        known = section.facts.get(self, _NOT_KNOWN)
        if known is _NOT_KNOWN:
            known = section.facts.setdefault(self, self._compute(section))
        return cast("_T", known)

    def is_known(self, section: Section) -> bool:
        """Tell whether the fact about `section` is there already."""
        return self in section.facts


class SectionMemory(SectionFact[_T]):
    """A place to keep something with a section that says itself what it rests on; it is made empty."""

    def __init__(self, make: Callable[[], _T]) -> None:
        super().__init__(lambda _: make())
