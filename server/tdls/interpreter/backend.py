"""What can run scripts: MLIR's Python bindings, and tools like ``mlir-opt``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar, overload

from tdls.settings.consent import refusal

if TYPE_CHECKING:
    from tdls.interpreter.model import RunRequest, RunResult
    from tdls.settings.consent import ConsentRequest

_T = TypeVar("_T")


class LazySequence(Sequence[_T]):
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


class BackendError(Exception):
    """A backend that was asked for is not there or cannot be started; the message is one line for people."""


class NoMlirError(BackendError):
    """There is nothing that could run scripts; `tool` is the name of a tool that was found and could be chosen."""

    def __init__(self, message: str, tool: str | None) -> None:
        super().__init__(message)
        self.tool = tool

    @property
    def for_editors(self) -> str:
        """The message without what people type on a command line."""
        return f"running scripts takes MLIR{f'; {self.tool} was found' if self.tool else ', and none was found'}"


class ConsentError(BackendError):
    """What a project's settings choose is not started, since nobody has allowed it."""

    def __init__(self, questions: Sequence[ConsentRequest]) -> None:
        super().__init__(refusal(questions))
        self.consent_requests = tuple(questions)


class Backend(Protocol):
    """Runs scripts one by one."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    def run(self, request: RunRequest) -> RunResult:
        """Carry out `request`. Raises BackendError if the backend itself does not start."""
        ...

    def cancel(self) -> None:
        """End the run that another thread waits for, at once; its status is `CANCELLED`."""
        ...

    def close(self) -> None:
        """End all processes."""
        ...
