"""The language server: a session, and one adapter per method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import converters, types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest, JsonRpcServerNotInitialized
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import RPCRequest

import tdls
from tdls.lsp import text_document_content
from tdls.lsp.configuration import Configuration
from tdls.lsp.document_sync import DocumentSync
from tdls.lsp.features import register_features
from tdls.lsp.libraries import Libraries
from tdls.lsp.projects import Projects
from tdls.lsp.runs.runner import Runs
from tdls.lsp.runs.views import RunViews
from tdls.lsp.session import Session
from tdls.lsp.workspace import WorkspaceFiles
from tdls.text.position_encoding import PositionEncoding

if TYPE_CHECKING:
    from collections.abc import Generator
    from concurrent.futures import Future


class TdlsProtocol(LanguageServerProtocol):
    """Keeps documents in the session, in sections, instead of in pygls' workspace, which copies them for each edit."""

    _server: TdlsServer
    _is_over = False

    def handle_message(self, message: Any) -> None:
        """Answer requests after ``shutdown`` with an error, as the specification asks, instead of dropping them."""
        if self._shutdown and isinstance(message, RPCRequest):
            self._refuse(message.id, JsonRpcInvalidRequest("the server is shutting down"))
        else:
            super().handle_message(message)

    def _handle_request(self, msg_id: Any, method_name: str, params: Any) -> None:
        """Refuse requests before ``initialize``, and a second one of these, as the specification asks."""
        if method_name == types.INITIALIZE and self._workspace is not None:
            self._refuse(msg_id, JsonRpcInvalidRequest("the server is initialized already"))
        elif method_name != types.INITIALIZE and self._workspace is None:
            self._refuse(msg_id, JsonRpcServerNotInitialized("send `initialize` first"))
        else:
            super()._handle_request(msg_id, method_name, params)

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        """Answer with errors that adapters mean to answer with; only others are logged and shown to people."""
        error = future.exception() if not future.cancelled() else None
        if isinstance(error, JsonRpcException):
            self._request_futures.pop(msg_id, None)
            self._refuse(msg_id, error)
        else:
            super()._send_handler_result(future, msg_id=msg_id)

    def _send_data(self, data: Any) -> None:
        """Send nothing but answers once the server is shutting down, and nothing at all when it has ended."""
        if not self._is_over and not (self._shutdown and hasattr(data, "method")):
            super()._send_data(data)

    def _refuse(self, msg_id: Any, error: JsonRpcException) -> None:
        self._send_response(msg_id, None, error.to_response_error())

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Answer with exactly what is delivered."""
        result: types.InitializeResult = yield from super().lsp_initialize(params)
        if result.capabilities.workspace is not None and self._server.run_views.are_virtual:
            result.capabilities.workspace.text_document_content = text_document_content.OPTIONS
        encoding = result.capabilities.position_encoding or types.PositionEncodingKind.Utf16
        self._server.session.encoding = PositionEncoding(getattr(encoding, "value", encoding))
        return result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Give up what is going on; the process ends with ``exit``."""
        self._server.close()
        self._give_up_requests()
        yield from super().lsp_shutdown(*args)

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Generator[Any, Any, None]:
        """End the process."""
        self._is_over = True
        yield from super().lsp_exit(*args)

    def _give_up_requests(self) -> None:
        """Cancel what is not answered yet; what is cancelled goes from the table, which pygls does not expect."""
        for identity, future in list(self._request_futures.items()):
            if identity != self.msg_id and not future.done():
                future.cancel()

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Take over a document from the file system."""
        self._server.documents.open(params.text_document)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Apply edits."""
        self._server.documents.change(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Give a document back to the file system."""
        self._server.documents.close(params.text_document.uri)


class TdlsServer(LanguageServer):
    """``tdls server``."""

    protocol: TdlsProtocol

    def __init__(self) -> None:
        super().__init__(
            "tdls", tdls.__version__, protocol_cls=TdlsProtocol, converter_factory=converters.get_converter
        )
        self.session = Session.empty()
        self.configuration = Configuration(self)
        self.projects = Projects(self)
        self.libraries = Libraries(self)
        self.documents = DocumentSync(self)
        self.runs = Runs(self)
        self.run_views = RunViews(self)
        self.workspace_files = WorkspaceFiles(self)
        register_features(self)

    @property
    def was_shut_down(self) -> bool:
        """True if the editor said that it would end the server."""
        return self.protocol._shutdown

    def close(self) -> None:
        """Stop what runs in other processes."""
        self.documents.diagnostics.close()
        self.projects.close()
        self.runs.close()

    def shutdown(self) -> None:
        """Stop serving, and what runs in other processes."""
        self.close()
        super().shutdown()  # type: ignore[no-untyped-call]
