"""Dispatch client messages to adapters, on the event loop or in document queues, and send their answers.

pygls keeps the features, their capabilities, the folders, and the requests to the client. Only its public names are
used (`tests/lsp/connection/test_pygls.py`).
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import re
from abc import ABC, abstractmethod
from concurrent.futures import Future, InvalidStateError
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from lsprotocol import types
from lsprotocol.converters import get_converter
from lsprotocol.types import INITIALIZE, METHOD_TO_TYPES
from pygls.exceptions import (
    FeatureRequestError,
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import JsonRPCNotification, JsonRPCRequestMessage, LanguageServerProtocol, lsp_method

from tdls.processes import end_with_process
from tdls.structs import Struct
from tdls.system import shortage_in
from tdls.text.jsonrpc import framed, parsed
from tdls.text.printable import printable_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator

    from cattrs import Converter

    _F = TypeVar("_F", bound="Callable[..., Any]")


_LOGGER = logging.getLogger(__name__)
_ENCODED_AT_ONCE = 200
"""Number of elements of a long answer that are made JSON in one step."""


class Encoded(bytes):
    """A value as JSON."""


class Host(LanguageServer, ABC):
    """Interface of the server for the dispatch of messages, and for adapters to register what they answer.

    All registered methods are advertised. Plain functions are called in the queue of the document that their
    parameters name, coroutines on the event loop.
    """

    protocol: TdlsProtocol
    answered: Callable[[str, Any, Callable[[], Generator[None, None, bytes]]], asyncio.Future[bytes]]
    """Returns the answer to a request, which is computed in steps in the queue of the document in its parameters."""

    @abstractmethod
    def take_options(self, options: object) -> None:
        """Take the initialization options of the editor."""

    @abstractmethod
    def complete(self, capabilities: types.ServerCapabilities) -> None:
        """Add server capabilities that pygls does not know; called once the editor's capabilities are known."""

    @abstractmethod
    def close(self) -> None:
        """Stop the work in other processes and threads."""

    def feature(self, feature_name: str, options: Any | None = None) -> Callable[[_F], _F]:
        """Register the decorated function for a method; a notification handler is isolated, see `isolated`."""
        register: Callable[[Any], Any] = super().feature(feature_name, options)

        def isolate(handler: _F) -> _F:
            is_notification = types.METHOD_TO_TYPES.get(feature_name, (None, True))[1] is None
            register(self.protocol.isolated(feature_name, handler) if is_notification else handler)
            return handler

        return isolate

    def follow(self, method: str, handler: Callable[[Any], None]) -> None:
        """Register `handler` for a notification in place of pygls, which copies a document for each edit."""
        self.protocol.fm.add_builtin_feature(method, self.protocol.isolated(method, handler))

    def encoded(self, result: Any) -> Encoded:
        """Return the result of a request as JSON, for coroutines that make it in another thread."""
        return self.protocol.encoded(result)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Report a failure of pygls itself; failed requests are answered and logged already."""
        if source is not FeatureRequestError:
            self.protocol.report("a message", error)


class TdlsProtocol(LanguageServerProtocol):
    """Dispatches messages. The failure of a handler is logged and shown once, and does not affect other messages."""

    def __init__(self, server: Host, converter: Any) -> None:
        super().__init__(server, converter)
        self.is_shut_down = False
        self._is_initialized = False
        self._host = server
        self._messages = MessageConverter(converter)
        self._answers: dict[int | str, asyncio.Future[Any]] = {}
        """Pending answers by request id."""
        self._following: set[asyncio.Future[Any]] = set()
        """Coroutines of notifications: the event loop holds weak references only."""
        self._failed: set[str] = set()
        """Methods and commands whose failure was shown."""

    # Incoming messages

    def receive(self, body: bytes) -> None:
        """Handle the body of one message; an invalid message is answered with an error."""
        identity: int | str | None = None
        try:
            message = _message(body)
            if "method" not in message:
                self._take_answer(message)
                return
            identity = identity_of(message)
            typed = self._messages.structured(message)
            if identity is not None:
                self._request(identity, typed)
            else:
                method, params = typed.method, getattr(typed, "params", None)
                if isinstance(params, Unreadable):
                    _LOGGER.warning("ignored: %s", params.reason)
                elif not self._is_initialized and method != types.EXIT:
                    _LOGGER.warning("ignored before `initialize`: %s", method)
                elif isinstance(params, types.CancelParams):
                    if (answer := self._answers.get(params.id)) is not None:
                        answer.cancel()
                else:
                    self.handle_message(typed)
        except JsonRpcException as error:
            self._refuse(identity, error)
        except Exception as error:
            problem = self.report("a message", error)
            if identity is not None:
                self._refuse(identity, JsonRpcInternalError(problem))

    def _request(self, identity: int | str, request: Any) -> None:
        """Start a request. Raises JsonRpcException if it is refused before its handler is called."""
        method, params = request.method, getattr(request, "params", None)
        if self.is_shut_down:
            raise JsonRpcInvalidRequest("the server is shutting down")
        if method == types.INITIALIZE and self._is_initialized:
            raise JsonRpcInvalidRequest("the server is initialized already")
        if method != types.INITIALIZE and not self._is_initialized:
            raise JsonRpcServerNotInitialized("send `initialize` first")
        if method not in self.fm.features and method not in self.fm.builtin_features:
            raise JsonRpcMethodNotFound.of(method)
        if isinstance(params, Unreadable):
            raise JsonRpcInvalidParams(params.reason)
        if method == types.SHUTDOWN:
            self._give_up()
        if method in (types.INITIALIZE, types.SHUTDOWN):
            self.handle_message(request)
            return
        answer = self._begun(method, params)
        self._answers[identity] = answer
        name = params.command if isinstance(params, types.ExecuteCommandParams) else method
        answer.add_done_callback(partial(self._respond, identity, name))

    def _begun(self, method: str, params: Any) -> asyncio.Future[Any]:
        """Start the handler of a request: coroutines on the event loop, functions in the queue of the document."""
        if method == types.WORKSPACE_EXECUTE_COMMAND:
            return asyncio.ensure_future(self._executed(params))
        handler = self.fm.features[method]
        if inspect.iscoroutinefunction(handler):
            coroutine: Coroutine[Any, Any, Any] = handler(params)
            return asyncio.ensure_future(coroutine)
        return self._host.answered(method, params, lambda: self._made(handler(params)))

    def _made(self, answer: Any) -> Generator[None, None, bytes]:
        """Return an answer as JSON; yields between parts of a list, which may be long."""
        if not isinstance(answer, list):
            return self.encoded(answer)
        parts: list[bytes] = []
        for begin in range(0, len(answer), _ENCODED_AT_ONCE):
            parts.append(self.encoded(answer[begin : begin + _ENCODED_AT_ONCE])[1:-1])
            yield
        return Encoded(b"[%b]" % b", ".join(parts))

    async def _executed(self, params: types.ExecuteCommandParams) -> Any:
        command = self.fm.commands.get(params.command)
        if command is None:
            raise JsonRpcInvalidParams(f"there is no command {params.command!r}")
        return await command(*params.arguments or ())

    def _take_answer(self, message: dict[str, Any]) -> None:
        """Handle the client's answer to a request; an invalid answer counts as a refusal."""
        identity, error = identity_of(message), message.get("error")
        if identity is None:
            _LOGGER.warning("the client cannot handle a message: %s", error)
            return
        try:
            if error is None:
                answer = self.structure_message({key: it for key, it in message.items() if key != "error"})
            else:
                code, text = (error.get("code"), error.get("message")) if isinstance(error, dict) else (0, error)
                refusal = types.ResponseError(code if type(code) is int else 0, str(text))
                answer = types.ResponseErrorMessage(id=identity, error=refusal)
        except JsonRpcException:
            refusal = types.ResponseError(JsonRpcInvalidRequest.CODE, "the answer cannot be understood")
            answer = types.ResponseErrorMessage(id=identity, error=refusal)
        try:
            self.handle_message(answer)
        except InvalidStateError:
            _LOGGER.info("an answer comes too late: %s", identity)

    # Outgoing messages

    def encoded(self, value: Any) -> Encoded:
        """Return a result, or a message, as JSON. Thread-safe."""
        return Encoded(inert(json.dumps(value, default=self._messages.lenient.unstructure)).encode("ascii"))

    def encoded_notification(self, method: str, params: Any) -> Encoded:
        """Return a notification as JSON. Thread-safe."""
        notification = self.get_message_type(method)
        assert notification is not None
        return self.encoded(notification(method=method, params=params, jsonrpc=self.VERSION))

    def send(self, body: bytes) -> None:
        if self.writer is not None:
            self.writer.write(framed(body))

    def notify(self, method: str, params: Any | None = None) -> None:
        """Send a notification, unless the server is shutting down: the protocol forbids it then."""
        make_inert(params)
        if not self.is_shut_down:
            super().notify(method, params)

    def send_request(
        self,
        method: str,
        params: Any | None = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: int | str | None = None,
    ) -> Future[Any]:
        """Send a request; return a cancelled future instead if the server is shutting down."""
        make_inert(params)
        if not self.is_shut_down:
            return super().send_request(method, params, callback, msg_id)
        cancelled: Future[Any] = Future()
        cancelled.cancel()
        return cancelled

    def _respond(self, identity: int | str, name: str, answer: asyncio.Future[Any]) -> None:
        """Send the answer to a request. A JsonRpcException of the adapter is an answer, not a failure."""
        if self._answers.get(identity) is answer:
            del self._answers[identity]
        try:
            result = answer.result()
            body = result if isinstance(result, Encoded) else self.encoded(result)
        except asyncio.CancelledError:
            self._refuse(identity, JsonRpcRequestCancelled("the request was cancelled"))
        except JsonRpcException as error:
            self._refuse(identity, error)
        except Exception as error:
            self._refuse(identity, JsonRpcInternalError(self.report(name, error)))
        else:
            self.send(b'{"jsonrpc": "2.0", "id": %b, "result": %b}' % (self.encoded(identity), body))

    def _refuse(self, identity: int | str | None, error: JsonRpcException) -> None:
        self.send(self.encoded(types.ResponseErrorMessage(id=identity, error=error.to_response_error())))

    # Failures

    def isolated(self, method: str, handler: Callable[[Any], Any]) -> Callable[[Any], None]:
        """Return a notification handler that reports errors instead of raising; coroutines become tasks."""

        def follow(params: Any = None) -> None:
            try:
                outcome = handler(params)
            except Exception as error:
                self.report(method, error)
                return
            if inspect.isawaitable(outcome):
                task = asyncio.ensure_future(outcome)
                self._following.add(task)
                task.add_done_callback(partial(self._followed, method))

        return follow

    def _followed(self, method: str, task: asyncio.Future[Any]) -> None:
        self._following.discard(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            self.report(method, error)

    def report(self, name: str, error: Exception) -> str:
        """Log a failed method or command, show its first failure to the user, and return the message."""
        _LOGGER.error("%s failed", name, exc_info=error)
        reason = f"{type(error).__name__}: {error}"
        problem = f"tdls failed to handle {name}: {reason}"
        if name not in self._failed:
            self._failed.add(name)
            mistake = "This is a mistake in tdls: please report it, with the log of the server"
            advice = f"{shortage_in(reason) or mistake}. Everything else goes on."
            self._host.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"{problem}. {advice}"))
        return problem

    # Lifecycle

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Answer with the capabilities of the registered features, as completed by `Host.complete`."""
        self._host.take_options(params.initialization_options)
        if params.process_id is not None and params.process_id > 0:
            end_with_process(params.process_id)
        result: types.InitializeResult = yield from super().lsp_initialize(params)
        self._host.complete(result.capabilities)
        self._is_initialized = True
        return result

    def _give_up(self) -> None:
        """Cancel all work; the process ends with ``exit``."""
        self._host.close()
        self.is_shut_down = True
        for work in (*self._answers.values(), *self._following):
            work.cancel()


def make_inert(params: object) -> None:
    """Escape control characters in the text of a message to the user, or to the log."""
    if isinstance(params, (types.ShowMessageParams, types.ShowMessageRequestParams, types.LogMessageParams)):
        params.message = printable_lines(params.message)


def _message(body: bytes) -> dict[str, Any]:
    """Parse the JSON object of a message. Raises JsonRpcParseError and JsonRpcInvalidRequest."""
    try:
        message = parsed(body)
    except ValueError as error:
        raise JsonRpcParseError(str(error)) from error
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise JsonRpcInvalidRequest('a message is one object with "jsonrpc": "2.0"')
    return message


_VERSION = "2.0"
_SHOWN = 60
_KINDS = {int: "whole number", str: "string", bool: "truth value", float: "number"}


_CONTROL = re.compile(r"\\(?:[bfr]|u00[0189]|u20[26]|ufeff)")
"""Signs, in JSON, of text with characters that `printable` escapes."""
_FOR_PEOPLE = frozenset(("message", "name", "detail", "containerName", "title"))
_FOR_PROGRAMS = frozenset(("data", "arguments"))
"""Members that come back as they were sent."""


def inert(text: str) -> str:
    """Return a message, as JSON, in which texts that editors show in one line or a log have no control characters."""
    return json.dumps(_without_controls(json.loads(text))) if _CONTROL.search(text) else text


def _without_controls(value: Any) -> Any:
    """Return a value of JSON with the texts for people escaped."""
    if isinstance(value, dict):
        return {
            key: inner
            if key in _FOR_PROGRAMS
            else printable_lines(inner)
            if key in _FOR_PEOPLE and isinstance(inner, str)
            else _without_controls(inner)
            for key, inner in value.items()
        }
    return list(map(_without_controls, value)) if isinstance(value, (list, tuple)) else value


class Unreadable(Struct, frozen=True):
    """Placeholder for parameters of the wrong type; `reason` is a one-line message."""

    reason: str


def identity_of(message: dict[str, Any]) -> int | str | None:
    """Return the ``id`` of a request or response, None if it is missing or has the wrong type."""
    identity = message.get("id")
    return identity if isinstance(identity, (int, str)) and not isinstance(identity, bool) else None


class MessageConverter:
    """Converts JSON strictly, except for ``initialize``: editors send values there that lsprotocol does not know."""

    def __init__(self, lenient: Converter) -> None:
        """`lenient` is lsprotocol's own converter; it is shared, since making one takes 10 ms."""
        self.lenient = lenient
        self._strict = get_converter()
        for kind in (int, str, bool, float):
            self._strict.register_structure_hook(kind, _exactly)

    def structured(self, message: dict[str, Any]) -> Any:
        """Return a request or notification with typed parameters, or with `Unreadable` ones.

        Parameters of methods outside the protocol stay unconverted. Raises JsonRpcInvalidRequest for a message that is
        neither a request nor a notification, and JsonRpcMethodNotFound for a request with the name of a notification.
        """
        method, identity = message.get("method"), identity_of(message)
        if not isinstance(method, str) or ("id" in message and identity is None):
            raise JsonRpcInvalidRequest("`method` is a string, and `id` a number or a string")
        known = METHOD_TO_TYPES.get(method)
        if identity is not None and known is not None and known[1] is None:
            raise JsonRpcMethodNotFound.of(method)
        if known is not None:
            try:
                return (self.lenient if method == INITIALIZE else self._strict).structure(message, known[0])
            except Exception as error:
                _LOGGER.info("the parameters of %s cannot be understood", method, exc_info=True)
                parameters: Any = Unreadable(_reason(method, error))
        else:
            parameters = message.get("params")
        if identity is None:
            return JsonRPCNotification(method, _VERSION, parameters)
        return JsonRPCRequestMessage(identity, method, _VERSION, parameters)


def _exactly(value: Any, kind: type) -> Any:
    """Return `value` if it has the type `kind`; ``1.0`` is a valid integer.

    cattrs calls this for enumerations of numbers and strings, too. Raises TypeError, or ValueError for a value that is
    no case of an enumeration.
    """
    if issubclass(kind, Enum):
        return kind(value)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise TypeError(f"{str(value)[:_SHOWN]} is no {_KINDS[kind]}")
    return value


def _reason(method: str, error: BaseException) -> str:
    """Return a message for invalid parameters from the innermost error, which names the value."""
    while getattr(error, "exceptions", None):
        error = error.exceptions[0]  # type: ignore[attr-defined]
    words = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) and error.args else str(error)
    words = (words.splitlines() or ["wrong type"])[0]
    return f"the parameters of {method} are not as the protocol has them: {words}"
