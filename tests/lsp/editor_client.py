"""The client of pytest-lsp, which also remembers the server's capabilities."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features
from pytest_lsp.protocol import LanguageClientProtocol

from rpc.client import Mode

IN_EDITORS = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.filterwarnings("error::pytest_lsp.LspSpecificationWarning"),
]
"""Marks of modules whose tests take a `client`: they share the event loop of all servers, and break no rules."""
_REFRESHING = (
    types.WORKSPACE_CODE_LENS_REFRESH,
    types.WORKSPACE_INLAY_HINT_REFRESH,
    types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
)


class PatientProtocol(LanguageClientProtocol):
    """Sends a request again that the server refused since the machine is busy, as users of an editor do."""

    async def send_request_async(self, method: str, params: Any = None, msg_id: Any = None) -> Any:
        """Return the result. Raises JsonRpcException for any other refusal."""
        try:
            return await super().send_request_async(method, params, msg_id)  # type: ignore[no-untyped-call]
        except JsonRpcException as refused:
            if not str(refused.message).endswith("seconds: ask again"):
                raise
        return await self.send_request_async(method, params)


class EditorClient(LanguageClient):
    """A client that claims the capabilities of an editor."""

    mode = Mode.FRIENDLY
    server: types.InitializeResult
    opened: list[str]
    """URIs of the documents that the running test opened."""

    async def initialize_session(self, params: types.InitializeParams) -> types.InitializeResult:
        """Shake hands with the server and keep its answer in `server`."""
        self.server = await super().initialize_session(params)
        return self.server

    def report_server_error(self, error: Exception, source: type[Any]) -> None:
        """Let the running test fail, unless the client is to refuse requests."""
        if self.mode is not Mode.REFUSING or not isinstance(error, JsonRpcMethodNotFound):
            super().report_server_error(error, source)

    @property
    def encoding(self) -> str:
        """The position encoding that was negotiated."""
        chosen = self.server.capabilities.position_encoding or types.PositionEncodingKind.Utf16
        return types.PositionEncodingKind(chosen).value

    @property
    def pulls_diagnostics(self) -> bool:
        """Whether the editor asks for diagnostics instead of waiting for them."""
        claimed = self.capabilities.text_document if self.capabilities else None
        return claimed is not None and claimed.diagnostic is not None


def make_editor_client() -> EditorClient:
    """Return a client that is not connected yet."""
    client = EditorClient(converter_factory=default_converter, protocol_cls=PatientProtocol)
    client.opened = []
    if client.mode is Mode.FRIENDLY:
        register_lsp_features(client)
        client.feature(types.CLIENT_REGISTER_CAPABILITY)(_accept)
        client.feature(types.CLIENT_UNREGISTER_CAPABILITY)(_accept)
        for method in _REFRESHING:
            client.feature(method)(_ignore)
        return client
    requests = {name for name in types.METHOD_TO_TYPES if types.message_direction(name) == "serverToClient"}
    requests -= {name for name in requests if types.METHOD_TO_TYPES[name][1] is None}
    register_lsp_features(
        client, {name: take for name, take in DEFAULT_CLIENT_FEATURES.items() if name not in requests}
    )
    for method in requests if client.mode is Mode.SILENT else ():
        client.feature(method)(_never_answer)
    return client  # which refuses requests whose methods it does not have


def _accept(params: types.RegistrationParams | types.UnregistrationParams) -> None:
    """Accept all registrations of the server."""
    del params


async def _never_answer(_: object) -> None:
    """Leave a request without an answer."""
    await asyncio.get_running_loop().create_future()


def _ignore(_: None) -> None:
    """Let the server say that answers may be out of date; tests ask when they want to know."""
