"""Execute run requests one after the other in backend processes, without blocking the event loop."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import RunRequest, RunResult
    from tdls.settings.model import BackendChoice

_T = TypeVar("_T")
_PATIENCE = 0.05
"""Seconds between attempts to cancel a run."""


class Executor:
    """Keeps one backend, which stays warm between runs."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._choice: BackendChoice | None = None
        self._backend: Backend | None = None
        self.mlir = ""
        """The MLIR version of the last run, "" before the first one."""

    def name_of(self, choice: BackendChoice) -> str:
        """Return the display name of the backend that `choice` names. Raises BackendError if there is none."""
        from tdls.interpreter.backend import open_backend

        known = self._backend if self._choice == choice else None
        return (known or open_backend(choice, is_tried=False)).name

    async def run(self, request: RunRequest, choice: BackendChoice) -> RunResult:
        """Execute `request` with the backend that `choice` names; cancelling this ends the run at once.

        Raises BackendError if there is no such backend.
        """
        result = await self.do(lambda backend: backend.run(request), choice)
        self.mlir = result.mlir
        return result

    async def do(self, action: Callable[[Backend], _T], choice: BackendChoice) -> _T:
        """Call `action` in a thread with the backend that `choice` names, and return its result.

        Cancelling this ends the run. Raises the exceptions of `action`, and BackendError if there is no such backend.
        """
        async with self._turn:
            running = asyncio.get_running_loop().run_in_executor(None, lambda: action(self._opened(choice)))
            try:
                return await asyncio.shield(running)
            except asyncio.CancelledError:
                while not running.done():  # a backend is for one thread at a time, so the turn ends with the thread
                    if self._backend is not None:
                        self._backend.cancel()  # again and again: it has no effect before the backend has begun
                    with contextlib.suppress(asyncio.CancelledError):
                        await asyncio.wait([running], timeout=_PATIENCE)
                raise

    def close(self) -> None:
        """Cancel the present run, and end the backend's processes."""
        backend, self._backend = self._backend, None
        if backend is not None:
            backend.cancel()
            backend.close()

    def _opened(self, choice: BackendChoice) -> Backend:
        from tdls.interpreter.backend import open_backend

        if self._backend is None or self._choice != choice:
            self.close()
            self._backend, self._choice = open_backend(choice), choice
        return self._backend
