"""What follows from a context, for as long as the context is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.analysis.file.context import Context

_T = TypeVar("_T")
_NOT_KNOWN = object()


class ContextFact(Generic[_T]):
    """A function of a context that is computed once for each; decorate the function with it.

    What it asks of the rest of the file is asked by that context, so whatever is found out with the fact rests on it.
    It may return what belongs to the context: operations, and the definitions and effects that were found with it.
    """

    def __init__(self, compute: Callable[[Context], _T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __call__(self, context: Context) -> _T:
        """Return the fact about `context`."""
        known = context.facts.get(self, _NOT_KNOWN)
        if known is _NOT_KNOWN:
            known = context.facts.setdefault(self, self._compute(context))
        return cast("_T", known)
