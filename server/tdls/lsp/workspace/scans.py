"""Scan projects: short scans run in a thread, others in a separate process."""

from __future__ import annotations

import asyncio
import logging
from concurrent import futures
from typing import TYPE_CHECKING

from tdls.processes import spawn_context
from tdls.project.scanning.scanner import Scanner, prepare, scan

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import SynchronizedArray
    from pathlib import Path

    from tdls.lsp.connection.editor import Editor
    from tdls.project.definitions import ProjectDefinitions
    from tdls.project.inputs import ScannedProject

_LOGGER = logging.getLogger(__name__)
_IDLE = 300.0
"""Seconds after which an idle process ends; its readings are in the cache on disk."""


class Scans:
    """Scans one project after the other."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._turn = asyncio.Lock()
        self._running: asyncio.Future[ProjectDefinitions] | None = None
        self._context = spawn_context()
        self._counters: SynchronizedArray[int] | None = None
        self._pool: futures.ProcessPoolExecutor | None = None
        self._in_process: set[ScannedProject] = set()
        """Projects whose readings the process keeps in memory."""
        self._idle: asyncio.TimerHandle | None = None
        self._is_scanning = False
        """True while the process reads a project."""
        self._root: Path | None = None
        """The folder of that project."""

    async def scan(self, project: ScannedProject) -> ProjectDefinitions:
        async with self._turn:
            is_kept = self._pool is not None and project in self._in_process
            known = await asyncio.to_thread(_quick_scan, project) if not is_kept else None
            return known if known is not None else await self._scan(project)

    def percentage(self, root: Path | None) -> int | None:
        """Return the progress of the scan at `root` in percent, None if none is running. Thread-safe."""
        counters = self._counters
        if counters is None or not self._is_scanning or self._root != root:
            return None
        done, count, _ = counters[:]
        return min(100 * done // count, 99) if count > 0 else None

    def close(self) -> None:
        """Cancel the running scan, and end the process."""
        if self._running is not None:
            self._running.cancel()
        self._end_process()

    def _end_process(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        if self._pool is None:
            return
        processes = list((self._pool._processes or {}).values())
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self._counters is not None:
            done, count, _ = self._counters[:]
            self._counters[2] = 1
            for process in processes if done >= count > 0 else ():  # others see the flag, and end their children
                process.terminate()
        self._pool = None
        self._in_process.clear()

    async def _scan(self, project: ScannedProject) -> ProjectDefinitions:
        if self._idle is not None:
            self._idle.cancel()
        self._is_scanning, self._root = True, project.root
        try:
            running = self._running = asyncio.wrap_future(self._started().submit(scan, project))
            self._in_process.add(project)
            if project.root is None:
                return await running
            with self._editor.progress(f"Reading the definitions of {project.root.name}", self._how_far):
                return await running
        except (futures.BrokenExecutor, OSError) as error:
            _LOGGER.warning("the project is read in the server's own process: %s", error)
            self._end_process()
            return await asyncio.to_thread(Scanner(project).scan)
        finally:
            self._is_scanning = False
            self._idle = asyncio.get_running_loop().call_later(_IDLE, self._end_process)

    def _started(self) -> futures.ProcessPoolExecutor:
        if self._pool is None:
            self._counters = self._context.Array("l", [0, 0, 0])
            self._pool = futures.ProcessPoolExecutor(1, self._context, prepare, (self._counters,))
        return self._pool

    def _how_far(self) -> tuple[str, int]:
        done, count, _ = self._counters[:] if self._counters is not None else (0, 0, 0)
        message = f"{done} of {count} files" if done < count else "putting the definitions together"
        return message, 100 * done // max(count, 1)


def _quick_scan(project: ScannedProject) -> ProjectDefinitions | None:
    """Return the definitions of `project` if a scan is short, None if it needs the separate process."""
    scanner = Scanner(project)
    known = scanner.known()
    return scanner.scan() if known is None and scanner.is_quick() else known
