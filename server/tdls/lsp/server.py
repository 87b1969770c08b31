"""The language server: the host of its state for pygls, and the streams that it serves."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from lsprotocol import converters, types

import tdls
from tdls.lsp.connection.dispatch import Host, TdlsProtocol
from tdls.lsp.connection.standard_streams import OutputWriter, serve_streams
from tdls.lsp.features import register_features
from tdls.lsp.requests import text_document_content
from tdls.lsp.session.requests import answered
from tdls.lsp.state import State
from tdls.text.positions import PositionEncoding

if TYPE_CHECKING:
    from tdls.lsp.connection.dispatch import Encoded


class TdlsServer(Host):
    """``tdls server``."""

    def __init__(self, *, trusts_workspace: bool = False) -> None:
        """`trusts_workspace` allows all settings files to start the programs that they name."""
        super().__init__(
            "tdls", tdls.__version__, protocol_cls=TdlsProtocol, converter_factory=converters.get_converter
        )
        self.state = State(self, trusts_workspace=trusts_workspace)
        self.answered = partial(answered, self.state)
        register_features(self, self.state)

    def take_options(self, options: object) -> None:
        self.state.consents.take(options)
        self.state.run_views.take(options)

    def complete(self, capabilities: types.ServerCapabilities) -> None:
        """Add the capability for virtual documents if they are used, and set the negotiated position encoding."""
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
