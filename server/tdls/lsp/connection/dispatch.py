"""Which message goes where: to adapters, to documents, to whoever waits for an answer; and how answers are sent."""

from __future__ import annotations

import asyncio
import json
import logging
from abc import ABC, abstractmethod
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import JsonRPCResponseMessage, RPCRequest

from tdls.lsp.connection.answering import answered
from tdls.lsp.connection.frames import decoded
from tdls.lsp.connection.incoming import Converters, Unreadable, identity_of, response, structured

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from concurrent.futures import Future

    from tdls.lsp.session.document import OpenDocuments
    from tdls.lsp.session.lanes import Lanes


_LOGGER = logging.getLogger(__name__)


class Encoded(bytes):
    """A message as it goes over the connection."""


class DocumentEvents(Protocol):
    """Follows what the editor does to documents."""

    def open(self, item: types.TextDocumentItem) -> None:
        """Take over a document from the file system."""
        ...

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Apply edits."""
        ...

    def close(self, uri: str) -> None:
        """Give a document back to the file system."""
        ...


class Host(LanguageServer, ABC):
    """The server, as far as messages know it."""

    protocol: TdlsProtocol
    lanes: Lanes
    open_documents: OpenDocuments
    documents: DocumentEvents

    @abstractmethod
    def take_options(self, options: object) -> None:
        """Take the initialization options of the editor."""

    @abstractmethod
    def complete(self, capabilities: types.ServerCapabilities) -> None:
        """Add to what the server says of itself what pygls does not know; the editor's capabilities are known now."""

    @abstractmethod
    def close(self) -> None:
        """Stop what runs in other processes and threads."""


class TdlsProtocol(LanguageServerProtocol):
    """Keeps documents in the session, in sections, instead of in pygls' workspace, which copies them for each edit."""

    _server: Host
    _is_over = False

    def __init__(self, server: Host, converter: Any) -> None:
        super().__init__(server, converter)
        self._converters = Converters(converter)

    def receive(self, body: bytes) -> None:
        """Take the body of one message; one that cannot be understood is answered with why."""
        try:
            message = decoded(body)
            if "method" in message:
                self.handle_message(structured(message, self._converters))
            else:
                self._receive_answer(message)
        except JsonRpcException as error:
            self._refuse(None, error)
        except Exception:
            _LOGGER.exception("a message is not handled")

    def _receive_answer(self, message: dict[str, Any]) -> None:
        """Take the editor's answer to a request."""
        identity = identity_of(message)
        result_type = self._result_types.pop(identity, None) if identity is not None else None
        asked = self._request_futures.get(identity) if identity is not None else None
        if identity is not None and asked is not None and asked.done():  # it was given up
            self._request_futures.pop(identity, None)
            return
        error = message.get("error")
        if identity is None or error is not None:
            code, text = (error.get("code"), error.get("message")) if isinstance(error, dict) else (0, "")
            reason = types.ResponseError(code if type(code) is int else 0, str(text))
            self._handle_response(identity, None, reason)  # type: ignore[arg-type]
            return
        try:
            self._handle_response(identity, response(message, result_type, self._converters.lenient).result)
        except ValueError as problem:
            self._handle_response(identity, None, types.ResponseError(JsonRpcInvalidRequest.CODE, str(problem)))

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
        elif isinstance(params, Unreadable) and self._knows(method_name):
            self._refuse(msg_id, JsonRpcInvalidParams(params.reason))
        elif (handler := self.fm.features.get(method_name)) is not None and not asyncio.iscoroutinefunction(handler):
            self._answer_in_lane(msg_id, method_name, handler, params)
        else:
            super()._handle_request(msg_id, method_name, params)

    def _answer_in_lane(self, msg_id: Any, method: str, handler: Callable[[Any], Any], params: Any) -> None:
        """Have a request answered in the lane of its document: an adapter that is no coroutine reads documents."""
        make = partial(self._made, msg_id, handler, params)
        done = partial(self._send_handler_result, msg_id=msg_id)
        answer = answered(self._server.lanes, self._server.open_documents, method, params, make, done)
        self._request_futures[msg_id] = answer  # type: ignore[assignment]

    def _made(self, msg_id: Any, handler: Callable[[Any], Any], params: Any) -> Encoded:
        return self.encoded(msg_id, handler(params))

    def _handle_notification(self, method_name: str, params: Any) -> None:
        """Ignore what cannot be understood, and what comes before ``initialize``: nobody waits for an answer."""
        if isinstance(params, Unreadable):
            _LOGGER.warning("ignored: %s", params.reason)
        elif self._workspace is None and method_name != types.EXIT:
            _LOGGER.warning("ignored before `initialize`: %s", method_name)
        else:
            super()._handle_notification(method_name, params)

    def _knows(self, method: str) -> bool:
        return method in self.fm.features or method in self.fm.builtin_features

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        """Answer with errors that adapters mean to answer with; only others are logged and shown to people."""
        error = future.exception() if not future.cancelled() else None
        if isinstance(error, JsonRpcException):
            self._request_futures.pop(msg_id, None)
            self._refuse(msg_id, error)
        elif error is None and not future.cancelled() and isinstance(future.result(), Encoded):
            self._request_futures.pop(msg_id, None)
            self.send(future.result())
        else:
            super()._send_handler_result(future, msg_id=msg_id)

    def encoded(self, msg_id: Any, result: Any) -> Encoded:
        """Return the answer to a request as it is sent; for any thread."""
        return self._encoded(JsonRPCResponseMessage(msg_id, self.VERSION, result))

    def encoded_notification(self, method: str, params: Any) -> Encoded:
        """Return a notification as it is sent; for any thread."""
        notification = self.get_message_type(method)
        assert notification is not None
        return self._encoded(notification(method=method, params=params, jsonrpc=self.VERSION))

    def _encoded(self, message: Any) -> Encoded:
        body = json.dumps(message, default=self._serialize_message).encode(self.CHARSET)
        header = f"Content-Length: {len(body)}\r\nContent-Type: {self.CONTENT_TYPE}; charset={self.CHARSET}\r\n\r\n"
        return Encoded(header.encode("ascii") + body)

    def send(self, message: bytes) -> None:
        """Send a message that is encoded already."""
        if self._is_over or self.writer is None:
            return
        try:
            self.writer.write(message)
        except BrokenPipeError:
            self._is_over = True  # whoever reads messages learns of it, too

    def _send_data(self, data: Any) -> None:
        """Send nothing but answers once the server is shutting down, and nothing at all when it has ended.

        What another thread than the event loop's has to say is sent there.
        """
        self._server.lanes.on_loop(self._send_on_loop, data)

    def _send_on_loop(self, data: Any) -> None:
        if not self._is_over and not (self._shutdown and hasattr(data, "method")):
            try:
                super()._send_data(data)
            except BrokenPipeError:
                self._is_over = True  # whoever reads messages learns of it, too

    def _refuse(self, msg_id: Any, error: JsonRpcException) -> None:
        self._send_response(msg_id, None, error.to_response_error())

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Answer with exactly what is delivered."""
        self._server.take_options(params.initialization_options)
        result: types.InitializeResult = yield from super().lsp_initialize(params)
        self._server.complete(result.capabilities)
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
