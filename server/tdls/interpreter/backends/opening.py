"""Makes the backend that is asked for, and imports what only that one needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.interpreter.backends.choice import choose

if TYPE_CHECKING:
    from tdls.interpreter.backends.wrapping import WrappingBackend
    from tdls.settings.model import BackendChoice


def open_backend(choice: BackendChoice) -> WrappingBackend:
    """Return the backend that `choose` takes for `choice`. Raises BackendError if there is none, or if it must not."""
    from tdls.interpreter.backends.bindings_backend import BindingsBackend
    from tdls.interpreter.backends.command_backend import CommandBackend
    from tdls.interpreter.backends.wrapping import WrappingBackend

    chosen = choose(choice)
    if chosen.command:
        return WrappingBackend(CommandBackend(chosen.command))
    setup = [(str(step.base), step.name) for step in choice.setup]
    return WrappingBackend(BindingsBackend(chosen.package, chosen.python, setup))
