"""Language server, checker and interactive runner for MLIR's Transform dialect.

Programs use `Session` and the classes beside it (docs/python-api.md); everything else may change without notice.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as that of `typing`, whose import takes a tenth of the time of `tdls --version`
if TYPE_CHECKING:
    from tdls.interpreter.session import (
        Attempt,
        Diagnostic,
        LiveHandle,
        Outcome,
        PayloadError,
        ReplayError,
        Session,
        State,
    )

__version__ = "0.1.0"
__all__ = ["Attempt", "Diagnostic", "LiveHandle", "Outcome", "PayloadError", "ReplayError", "Session", "State"]


def __getattr__(name: str) -> object:
    """Import a public class at its first use: the commands do not need them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    public: object = getattr(import_module("tdls.interpreter.session"), name)
    return public
