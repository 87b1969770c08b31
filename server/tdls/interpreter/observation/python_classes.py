"""Keeps MLIR's bindings from importing Python classes for operations that are only looked at in general."""

from __future__ import annotations

import contextlib
import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


class PythonClasses:
    """What the bindings import by themselves: for each operation they give to Python, the module of its dialect.

    Some take a tenth of a second, and a forked process imports them for itself alone.
    """

    def __init__(self, package: str) -> None:
        """`package` holds the bindings."""
        try:
            self._globals: Any = importlib.import_module(f"{package}._mlir_libs._mlir").globals
        except (ImportError, AttributeError):
            self._globals = None

    @contextlib.contextmanager
    def not_imported(self) -> Iterator[None]:
        """Import none while the context lasts; operations whose module is not there are plain ones."""
        before = getattr(self._globals, "dialect_search_modules", None)
        if before is None:
            yield
            return
        self._globals.dialect_search_modules = []
        try:
            yield
        finally:
            self._globals.dialect_search_modules = before
