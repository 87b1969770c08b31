"""Asking the editor to ask again for what it shows, when other files or settings have changed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from tdls.lsp.connection.editor import Editor
    from tdls.lsp.session.session import Session

_WAIT = 0.1
"""Seconds for which changes are collected: files often change together."""


class Refresher:
    """Sends the refresh requests that the editor understands."""

    def __init__(self, session: Session, editor: Editor) -> None:
        self._session = session
        self._editor = editor
        self._timer: asyncio.TimerHandle | None = None

    def refresh_soon(self) -> None:
        """Let the editor ask again for colours, hints and lenses of what it shows."""
        if self._timer is None and self._session.documents:
            self._timer = asyncio.get_running_loop().call_later(_WAIT, self._refresh)

    def _refresh(self) -> None:
        self._timer = None
        workspace = self._editor.capabilities.workspace
        if workspace is None:
            return
        for claimed, method in (
            (workspace.semantic_tokens, types.WORKSPACE_SEMANTIC_TOKENS_REFRESH),
            (workspace.inlay_hint, types.WORKSPACE_INLAY_HINT_REFRESH),
            (workspace.code_lens, types.WORKSPACE_CODE_LENS_REFRESH),
        ):
            if claimed is not None and claimed.refresh_support:
                self._editor.refresh(method)
