"""Asking the editor to ask again for what it shows, when other files or settings have changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdls.lsp.server import TdlsServer

_WAIT = 0.1
"""Seconds for which changes are collected: files often change together."""


class Refresher:
    """Sends the refresh requests that the editor understands."""

    def __init__(self, server: TdlsServer) -> None:
        self._server = server
        self._timer: asyncio.TimerHandle | None = None

    def refresh_soon(self) -> None:
        """Let the editor ask again for colours, hints and lenses of what it shows."""
        if self._timer is None and self._server.session.documents:
            self._timer = asyncio.get_running_loop().call_later(_WAIT, self._refresh)

    def _refresh(self) -> None:
        self._timer = None
        workspace = self._server.client_capabilities.workspace
        if workspace is None:
            return
        for claimed, send in (
            (workspace.semantic_tokens, self._server.workspace_semantic_tokens_refresh),
            (workspace.inlay_hint, self._server.workspace_inlay_hint_refresh),
            (workspace.code_lens, self._server.workspace_code_lens_refresh),
        ):
            if claimed is not None and claimed.refresh_support:
                send(None)
