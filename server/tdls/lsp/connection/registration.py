"""Interfaces for adapters to register the methods and commands that they answer, some of them lazily imported."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from tdls.lsp.connection.dispatch import Encoded

    _Answer = Callable[[Any], Awaitable[Any]]

_F = TypeVar("_F", bound="Callable[..., Any]")


class Methods(Protocol):
    """Registers functions that answer methods; the server advertises all registered methods.

    Plain functions are called in the queue of the document that their parameters name, coroutines on the event loop.
    """

    def feature(self, method: str, options: Any = None, /) -> Callable[[_F], _F]:
        """Register the decorated function for a method; `options` are sent to the editor."""
        ...


class Features(Methods, Protocol):
    """Registers functions that answer methods and commands."""

    def command(self, name: str, /) -> Callable[[_F], _F]:
        """Register the decorated coroutine for a command."""
        ...

    def follow(self, method: str, handler: Callable[[Any], None], /) -> None:
        """Register `handler` for a notification in place of pygls."""
        ...

    def encoded(self, result: Any, /) -> Encoded:
        """Return the result of a request as JSON, for coroutines that make it in another thread."""
        ...


def defer(features: Methods, methods: Sequence[str], register: Callable[[DeferredMethods], None]) -> None:
    """Answer `methods` with coroutines that `register` registers; it is called at the first request for one of them.

    So the server starts without importing their adapters. These methods have no options and are not advertised.
    """
    deferred = DeferredMethods(register)
    for method in methods:
        features.feature(method)(deferred.answering(method))


class DeferredMethods:
    """`Methods` for adapters that are imported at the first request."""

    def __init__(self, register: Callable[[DeferredMethods], None]) -> None:
        self._register = register
        self._answers: dict[str, _Answer] = {}
        self._turn = asyncio.Lock()

    def feature(self, method: str, options: Any = None, /) -> Callable[[_F], _F]:
        """Register the decorated coroutine for a method."""
        del options

        def keep(answer: _F) -> _F:
            self._answers[method] = answer
            return answer

        return keep

    def answering(self, method: str) -> _Answer:
        """Return a coroutine that registers all adapters at its first call, and answers `method`."""

        async def answer(params: Any = None) -> Any:
            async with self._turn:
                if method not in self._answers:
                    await asyncio.to_thread(self._register, self)
            return await self._answers[method](params)

        return answer
