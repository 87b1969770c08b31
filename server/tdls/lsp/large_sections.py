"""Sections that are so large that reading them would hold up every other request: read in another thread."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdls.analysis.context import Context
    from tdls.syntax.sections import Section


class LargeSections:
    """Requests about a large section are answered once it is read; until then there is no answer."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._wanted: Context | None = None
        self._reading: asyncio.Future[None] | None = None

    def is_ready(self, context: Context) -> bool:
        """Tell whether the section of `context` can be asked now; if not, it is read, the last one asked for first."""
        section = context.section
        if not section.is_large or _is_known(section):
            return True
        self._wanted = context
        if self._reading is None:
            self._read_next()
        return False

    def _read_next(self) -> None:
        context, self._wanted = self._wanted, None
        if context is None or _is_known(context.section):
            self._reading = None
            return
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "large sections")
        loop = asyncio.get_running_loop()
        self._reading = loop.run_in_executor(self._thread, _read, context)
        self._reading.add_done_callback(lambda _: self._read_next())


def _is_known(section: Section) -> bool:
    return section.is_read and "model" in section.derived


def _read(context: Context) -> None:
    """Parse and resolve the section; both are kept with it."""
    _ = context.model
