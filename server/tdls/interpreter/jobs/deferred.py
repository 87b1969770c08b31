"""Sequences that are made when somebody looks at them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeVar, overload

_T = TypeVar("_T")


class Deferred(Sequence[_T]):
    """What `make` returns, which is called once, when it is needed; equal to all sequences with the same items."""

    def __init__(self, make: Callable[[], Sequence[_T]]) -> None:
        self._make = make

    @cached_property
    def _items(self) -> tuple[_T, ...]:
        return tuple(self._make())

    @overload
    def __getitem__(self, index: int) -> _T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[_T]: ...

    def __getitem__(self, index: int | slice) -> _T | Sequence[_T]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._items == tuple(other)

    def __hash__(self) -> int:
        return hash(self._items)
