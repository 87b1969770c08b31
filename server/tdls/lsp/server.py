"""The language server: its adapters, the host of its state for pygls, and the streams that it serves."""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO

from lsprotocol import converters, types

import tdls
from tdls.lsp.connection.dispatch import Host, TdlsProtocol
from tdls.lsp.connection.standard_streams import OutputWriter, serve_streams
from tdls.lsp.requests import (
    check_command,
    code_action,
    code_lens,
    completion,
    correspondence,
    editing,
    hover,
    inlay_hint,
    migration,
    navigation,
    notifications,
    pull_diagnostics,
    run_command,
    semantic_tokens,
    status,
    symbols,
    text_document_content,
)
from tdls.lsp.session.requests import answered
from tdls.lsp.state import State
from tdls.text.positions import PositionEncoding

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class TdlsServer(Host):
    """``tdls server``."""

    def __init__(self, *, trusts_workspace: bool = False) -> None:
        """`trusts_workspace` allows all settings files to start the programs that they name."""
        super().__init__(
            *("tdls", tdls.__version__, types.TextDocumentSyncKind.Incremental, notifications.NOTEBOOKS),
            protocol_cls=TdlsProtocol,
            converter_factory=converters.get_converter,
        )
        self.state = State(self, trusts_workspace=trusts_workspace)
        self.answered = partial(answered, self.state)
        register_features(self, self.state)

    def take_options(self, options: object) -> None:
        self.state.consents.take(options)
        self.state.run_views.take(options)

    def complete(self, capabilities: types.ServerCapabilities) -> None:
        """Leave only the capabilities that the editor has a use for, and set the negotiated position encoding."""
        if not self.state.diagnostics.is_pulled:
            capabilities.diagnostic_provider = None
        if capabilities.workspace is not None and self.state.run_views.are_virtual:
            capabilities.workspace.text_document_content = text_document_content.OPTIONS
        encoding = capabilities.position_encoding or types.PositionEncodingKind.Utf16
        self.state.encoding = PositionEncoding(getattr(encoding, "value", encoding))

    def close(self) -> None:
        self.state.close()

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Serve until the editor sends ``exit``, or closes a stream. Raises SystemExit and BrokenFramingError."""
        output = stdout or sys.stdout.buffer
        self.protocol.set_writer(OutputWriter(output, self.state.queues.on_loop))
        serve_streams(self.protocol.receive, (stdin or sys.stdin.buffer).fileno(), output.fileno())


RECORDING_METHODS = {
    "tdls/stateAt": "state_at",
    "tdls/recording": "recording",
    "tdls/matches": "recording",
    "tdls/lineOrigin": "state_documents",
    "tdls/handleLines": "state_documents",
}
"""Methods about recordings and matches, with the modules that have their `ANSWERS`: imported at the first request."""
_ADAPTERS = (
    check_command, code_action, code_lens, completion, correspondence, editing, hover, inlay_hint, migration,
    navigation, notifications, pull_diagnostics, run_command, semantic_tokens, status, symbols,
    text_document_content,
)  # fmt: skip


def register_features(host: Host, state: State) -> None:
    """Register every adapter."""
    for adapter in _ADAPTERS:
        adapter.register(host, state)
    for method, module in RECORDING_METHODS.items():
        host.feature(method)(_deferred(method, f"tdls.lsp.requests.{module}", state))


def _deferred(method: str, module: str, state: State) -> Callable[[Any], Awaitable[Any]]:
    """Return the coroutine that answers `method` with that of a module, which is imported at the first call."""

    async def answer(params: Any = None) -> Any:
        adapter: Any = await asyncio.to_thread(import_module, module)
        return await adapter.ANSWERS[method](state, params)

    return answer
