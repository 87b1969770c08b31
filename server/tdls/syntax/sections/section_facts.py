"""What follows from a section alone: found out when it is first asked for, and kept with the section."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tdls.syntax.sections.kept_facts import KeptFact

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.syntax.sections.sections import Section

_T = TypeVar("_T")


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
