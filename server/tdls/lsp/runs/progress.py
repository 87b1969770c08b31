"""Telling people that a run takes a while, and letting them end it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import TypeVar

    from tdls.lsp.connection.editor import Editor

    _T = TypeVar("_T")

_PATIENCE = 0.5
"""Seconds after which work counts as long."""


async def with_progress(editor: Editor, title: str, work: Coroutine[None, None, _T]) -> _T | None:
    """Return the result of `work`, None if people ended it. Cancelling this cancels it, too."""
    task = asyncio.ensure_future(work)
    token: str | None = None
    try:
        done, _ = await asyncio.wait([task], timeout=_PATIENCE)
        if not done:
            token = await editor.begin_progress(title, cancel=task.cancel)
            await asyncio.wait([task])
    except asyncio.CancelledError:
        task.cancel()
        raise
    finally:
        if token is not None:
            editor.end_progress(token)
    return None if task.cancelled() else task.result()
