"""Telling people that a run takes a while, and letting them end it."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import TypeVar

    from tdls.lsp.server import TdlsServer

    _T = TypeVar("_T")

_PATIENCE = 0.5
"""Seconds after which work counts as long."""


async def with_progress(server: TdlsServer, title: str, work: Coroutine[None, None, _T]) -> _T | None:
    """Return the result of `work`, None if people ended it. Cancelling this cancels it, too."""
    task = asyncio.ensure_future(work)
    token: str | None = None
    try:
        done, _ = await asyncio.wait([task], timeout=_PATIENCE)
        if not done:
            token = await _begin(server, title, task)
            await asyncio.wait([task])
    except asyncio.CancelledError:
        task.cancel()
        raise
    finally:
        if token is not None:
            server.work_done_progress.end(token, types.WorkDoneProgressEnd())
    return None if task.cancelled() else task.result()


async def _begin(server: TdlsServer, title: str, task: asyncio.Future[_T]) -> str | None:
    window = server.client_capabilities.window
    if window is None or not window.work_done_progress:
        return None
    token = str(uuid.uuid4())
    await server.work_done_progress.create_async(token)
    server.work_done_progress.begin(token, types.WorkDoneProgressBegin(title=title, cancellable=True))
    server.work_done_progress.tokens[token].add_done_callback(
        lambda ended: task.cancel() if ended.cancelled() else None
    )
    return token
