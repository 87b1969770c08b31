"""A server in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tdls.lsp.connection.editor import Editor
from tdls.lsp.server import TdlsServer

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[TdlsServer]:
    """A server without a client."""
    monkeypatch.setattr(Editor, "folders", [])
    monkeypatch.setattr(Editor, "root_uri", None)
    monkeypatch.setattr(Editor, "refresh", lambda *_: None)
    server = TdlsServer()
    yield server
    server.close()
