"""How adapters register the methods and commands that they answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from tdls.lsp.connection.dispatch import Encoded

    _Answer = Callable[[Any], Awaitable[Any]]

_F = TypeVar("_F", bound="Callable[..., Any]")


class Methods(Protocol):
    """Takes functions that answer methods; the server advertises those that are registered.

    Plain functions are called in the lane of the document that their parameters name, coroutines on the event loop.
    """

    def feature(self, method: str, options: Any = None, /) -> Callable[[_F], _F]:
        """Register the decorated function for a method; `options` are sent to the editor."""
        ...


class Features(Methods, Protocol):
    """Takes functions that answer methods, and commands."""

    def command(self, name: str, /) -> Callable[[_F], _F]:
        """Register the decorated coroutine for a command."""
        ...

    def encoded(self, result: Any, /) -> Encoded:
        """Return the result of a request as JSON, for coroutines that have it made in another thread."""
        ...


def defer(features: Methods, methods: Sequence[str], register: Callable[[DeferredMethods], None]) -> None:
    """Answer `methods` with the coroutines that `register` registers, which is called at the first such request.

    So the server starts without importing their adapters. Such methods have no options and are not advertised.
    """
    deferred = DeferredMethods(register)
    for method in methods:
        features.feature(method)(deferred.answering(method))


class DeferredMethods:
    """`Methods` for adapters that are imported late."""

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

        async def answer(params: Any) -> Any:
            async with self._turn:
                if method not in self._answers:
                    await asyncio.to_thread(self._register, self)
            return await self._answers[method](params)

        return answer
