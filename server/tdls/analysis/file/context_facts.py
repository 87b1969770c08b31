"""What follows from a context, for as long as the context is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tdls.syntax.sections.kept_facts import KeptFact

if TYPE_CHECKING:
    from tdls.analysis.file.context import Context

_C = TypeVar("_C", bound="Context")
_T = TypeVar("_T")


class ContextFact(KeptFact[_C, _T]):
    """A function of a context that is computed once for each; decorate the function with it.

    What it asks of the rest of the file is asked by that context, so whatever is found out with the fact rests on it.
    It may return what belongs to the context: operations, and the definitions and effects that were found with it.
    """
