"""The passes that the user's tool has registered, as its ``--help`` lists them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tdls.catalogue.sources.tool_help import passes_in_help, tool_source
from tdls.interpreter.errors import BackendError
from tdls.interpreter.mlir.choice import choose
from tdls.interpreter.mlir.tool import Tool

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.sources.tool_help import ToolSource
    from tdls.settings.model import BackendChoice

    _Stamp = tuple[tuple[str, ...], int, int]


class RegisteredPasses:
    """The registered passes of tools, queried again only when the tool's file has changed. Thread-safe."""

    def __init__(self, upstream: Catalogue) -> None:
        """`upstream` has the LLVM versions of each pass."""
        self._upstream = upstream
        self._known: dict[_Stamp, ToolSource | None] = {}

    def of(self, choice: BackendChoice) -> ToolSource | None:
        """Return the passes of the tool that the user has chosen as backend, and allowed.

        None for bindings, which list no passes, for a tool that is only found on the search path, and for a missing
        tool.
        """
        if choice.backend is None:
            return None
        try:
            command = choose(choice).command
            status = Path(command[0]).stat() if command else None
        except (BackendError, OSError):
            return None
        if status is None:
            return None
        stamp = command, status.st_mtime_ns, status.st_size
        if stamp not in self._known:
            passes = passes_in_help(Tool(command).help)
            self._known[stamp] = tool_source(Path(command[0]).name, passes, self._upstream) if passes else None
        return self._known[stamp]
