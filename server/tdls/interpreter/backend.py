"""The interface of backends that run scripts (MLIR's Python bindings, tools like ``mlir-opt``), and their errors."""

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
    """A sequence that calls `make` on first use, once; equal to any sequence with the same items."""

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
    """The chosen backend is missing or cannot be started; the message is one line for users."""


class NoMlirError(BackendError):
    """No backend is available; `tool` is the name of a tool that was found and could be chosen."""

    def __init__(self, message: str, tool: str | None) -> None:
        super().__init__(message)
        self.tool = tool

    @property
    def for_editors(self) -> str:
        """The message without command-line advice."""
        return f"running scripts takes MLIR{f'; {self.tool} was found' if self.tool else ', and none was found'}"


class ConsentError(BackendError):
    """A backend that a project's settings choose is not started, since the user has not allowed it."""

    def __init__(self, questions: Sequence[ConsentRequest]) -> None:
        super().__init__(refusal(questions))
        self.consent_requests = tuple(questions)


class Backend(Protocol):
    """Runs scripts one by one."""

    @property
    def name(self) -> str:
        """The name shown to users."""
        ...

    def run(self, request: RunRequest) -> RunResult:
        """Carry out `request`. Raises BackendError if the backend itself does not start."""
        ...

    def cancel(self) -> None:
        """End the run that another thread waits for, at once, with status `CANCELLED`."""
        ...

    def close(self) -> None:
        """End all processes."""
        ...
