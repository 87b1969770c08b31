"""How far the first check of a large document is, for people."""

from __future__ import annotations

import asyncio
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.session.document import OpenDocument

_PATIENCE = 0.5
"""Seconds after which the editor shows that a document is still being checked."""
_PAUSE = 0.3
"""Seconds between two reports."""


class CheckProgress:
    """Shows progress for the checks of documents that were opened and take long."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._tasks: dict[OpenDocument, asyncio.Task[None]] = {}

    def opened(self, document: OpenDocument, is_complete: asyncio.Event) -> None:
        """Show how far the check of a document is until it `is_complete`, if that takes long."""
        window = self._editor.capabilities.window
        if window is None or not window.work_done_progress or document in self._tasks:
            return
        task = self._tasks[document] = asyncio.get_running_loop().create_task(self._follow(document, is_complete))
        task.add_done_callback(lambda _: self._tasks.pop(document, None))

    def close(self) -> None:
        """Show nothing any more."""
        for task in list(self._tasks.values()):
            task.cancel()

    async def _follow(self, document: OpenDocument, is_complete: asyncio.Event) -> None:
        if await _is_set(is_complete, _PATIENCE):
            return
        token = await self._editor.begin_progress(f"Checking {_name(document.uri)}", percentage=0)
        if token is None:
            return
        most, shown = 1, 0
        while not await _is_set(is_complete, _PAUSE):
            left = document.document.findings.left if document.document is not None else 0
            most = max(most, left)
            shown = max(shown, 100 * (most - left) // most)
            self._editor.report_progress(token, f"{most - left} of {most} sections", shown)
        self._editor.end_progress(token)


async def _is_set(event: asyncio.Event, seconds: float) -> bool:
    """Tell whether an event is set within some seconds."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except asyncio.TimeoutError:
        return False
    return True


def _name(uri: str) -> str:
    return PurePosixPath(unquote(urlsplit(uri).path)).name
