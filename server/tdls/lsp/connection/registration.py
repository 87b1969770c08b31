"""How adapters say which methods and commands they answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.lsp.connection.dispatch import Encoded

_F = TypeVar("_F", bound="Callable[..., Any]")


class Methods(Protocol):
    """Takes functions that answer methods; what is registered here is what the server advertises.

    Plain functions are called in the lane of the document that they are asked about, coroutines on the event loop.
    """

    def feature(self, method: str, options: Any = None, /) -> Callable[[_F], _F]:
        """Register the decorated function for `method`; the editor is told `options`."""
        ...


class Features(Methods, Protocol):
    """Takes functions that answer methods, and commands."""

    def command(self, name: str, /) -> Callable[[_F], _F]:
        """Register the decorated coroutine for a command."""
        ...

    def encoder(self) -> Callable[[Any], Encoded]:
        """Return what makes the answer to the request under way as it is sent; that may be called in any thread."""
        ...
