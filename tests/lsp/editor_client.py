"""The client of pytest-lsp, which also remembers what the server said of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pygls.protocol import default_converter
from pytest_lsp import LanguageClient
from pytest_lsp.client import register_lsp_features

if TYPE_CHECKING:
    from lsprotocol import types


class EditorClient(LanguageClient):
    """A client that claims the capabilities of an editor."""

    server: types.InitializeResult

    async def initialize_session(self, params: types.InitializeParams) -> types.InitializeResult:
        """Shake hands with the server and keep its answer in `server`."""
        self.server = await super().initialize_session(params)
        return self.server

    @property
    def encoding(self) -> str:
        """The position encoding that was negotiated."""
        return str(getattr(self.server.capabilities.position_encoding, "value", "utf-16"))

    @property
    def pulls_diagnostics(self) -> bool:
        """Whether the editor asks for diagnostics instead of waiting for them."""
        claimed = self.capabilities.text_document if self.capabilities else None
        return claimed is not None and claimed.diagnostic is not None


def make_editor_client() -> EditorClient:
    """Return a client that is not connected yet."""
    client = EditorClient(converter_factory=default_converter)
    register_lsp_features(client)
    return client
