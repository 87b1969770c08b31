"""Adapters that are imported when somebody asks for one of them, so that the server starts without them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from tdls.lsp.connection.registration import Methods

    _Answer = Callable[[Any], Awaitable[Any]]

_F = TypeVar("_F", bound="Callable[..., Any]")


def defer(features: Methods, methods: Sequence[str], register: Callable[[DeferredMethods], None]) -> None:
    """Answer `methods` with the coroutines that `register`, which imports their adapters, registers for them.

    These are methods of tdls's own, which have no options and are not advertised.
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
        """Register the decorated coroutine for `method`."""
        del options

        def keep(answer: _F) -> _F:
            self._answers[method] = answer
            return answer

        return keep

    def answering(self, method: str) -> _Answer:
        """Return what answers `method`."""

        async def answer(params: Any) -> Any:
            async with self._turn:
                if not self._answers:
                    await asyncio.to_thread(self._register, self)
            return await self._answers[method](params)

        return answer
