"""What is found out about something when it is first asked for, and kept with it for as long as it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable


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
