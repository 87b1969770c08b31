"""What follows from one version of a file, for as long as the version is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable


class HasFacts(Protocol):
    """A version of a file, as far as facts are concerned."""

    facts: dict[object, object]
    """What was found out about it, by what was asked for."""


_F = TypeVar("_F", bound=HasFacts)
_T = TypeVar("_T")
_NOT_KNOWN = object()


class FileFact(Generic[_F, _T]):
    """A function of a version of a file that is computed once for each; decorate the function with it."""

    def __init__(self, compute: Callable[[_F], _T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __call__(self, file: _F) -> _T:
        """Return the fact about `file`."""
        known = file.facts.get(self, _NOT_KNOWN)
        if known is _NOT_KNOWN:
            known = file.facts.setdefault(self, self._compute(file))
        return cast("_T", known)
