"""The language server: its adapters, the host of its state for pygls, and the streams that it serves."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from lsprotocol import converters, types

import tdls
from tdls.lsp.connection.dispatch import Host, TdlsProtocol
from tdls.lsp.connection.registration import defer
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
    from tdls.lsp.connection.dispatch import Encoded
    from tdls.lsp.connection.registration import DeferredMethods, Features


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

    def encoded(self, result: Any) -> Encoded:
        """Return the result of a request as JSON. Thread-safe."""
        return self.protocol.encoded(result)

    def close(self) -> None:
        self.state.close()

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Serve until the editor sends ``exit``, or closes a stream. Raises SystemExit and BrokenFramingError."""
        output = stdout or sys.stdout.buffer
        self.protocol.set_writer(OutputWriter(output, self.state.queues.on_loop))
        serve_streams(self.protocol.receive, (stdin or sys.stdin.buffer).fileno(), output.fileno())


RECORDING_METHODS = (
    "tdls/stateAt", "tdls/recording", "tdls/lineOrigin", "tdls/handleLines", "tdls/matches",
)  # fmt: skip
"""Methods about recordings and matches; their adapters are imported at the first such request."""
_ADAPTERS = (
    check_command, code_action, code_lens, completion, correspondence, editing, hover, inlay_hint, migration,
    navigation, notifications, pull_diagnostics, run_command, semantic_tokens, status, symbols,
    text_document_content,
)  # fmt: skip


def register_features(features: Features, state: State) -> None:
    """Register every adapter."""
    for adapter in _ADAPTERS:
        adapter.register(features, state)

    def register_states(methods: DeferredMethods) -> None:
        from tdls.lsp.requests import recording, state_at, state_documents

        for adapter in (recording, state_at, state_documents):
            adapter.register(methods, state)

    defer(features, RECORDING_METHODS, register_states)
