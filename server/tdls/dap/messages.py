"""Messages of the Debug Adapter Protocol over streams: https://microsoft.github.io/debug-adapter-protocol/specification."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any, BinaryIO

from tdls.structs import Struct
from tdls.text.jsonrpc import BrokenFramingError, FrameDecoder, framed, parsed, received

if TYPE_CHECKING:
    from collections.abc import Iterator

Body = dict[str, Any]


class RequestRefusedError(Exception):
    """A request cannot be handled; the message is one line for the user."""


class Request(Struct, frozen=True):
    """A request of the client; `number` is its `seq`."""

    number: int
    command: str
    arguments: Body


class Channel:
    """The two streams between adapter and client."""

    def __init__(self, source: int, target: BinaryIO) -> None:
        """`source` is a file descriptor."""
        self._source = source
        self._decoder = FrameDecoder()
        self._bodies: Iterator[bytes] = iter(())
        self._target = target
        self._numbers = itertools.count(1)

    def read(self) -> Request | None:
        """Return the next request; None at the end of the input. Raises BrokenFramingError."""
        while (message := self._message()) is not None:
            number, command, arguments = (message.get(key) for key in ("seq", "command", "arguments"))
            if message.get("type") == "request" and isinstance(number, int) and isinstance(command, str):
                return Request(number, command, arguments if isinstance(arguments, dict) else {})
        return None

    def respond(self, request: Request, body: Body | None = None) -> None:
        """Send the response that `request` succeeded."""
        self._respond(request, {"success": True, "body": body or {}})

    def refuse(self, request: Request, problem: str) -> None:
        """Send the response that `request` failed, with `problem` as the message for the user."""
        error = {"id": 1, "format": "{problem}", "variables": {"problem": problem}, "showUser": True}
        self._respond(request, {"success": False, "message": problem, "body": {"error": error}})

    def tell(self, event: str, body: Body | None = None) -> None:
        self._send({"type": "event", "event": event, "body": body or {}})

    def _respond(self, request: Request, outcome: Body) -> None:
        self._send({"type": "response", "request_seq": request.number, "command": request.command, **outcome})

    def _send(self, message: Body) -> None:
        data = json.dumps({"seq": next(self._numbers), **message}).encode()
        self._target.write(framed(data))
        self._target.flush()

    def _message(self) -> Body | None:
        while (body := next(self._bodies, None)) is None:
            data = received(self._source)
            if not data:
                self._decoder.end()
                return None
            self._bodies = self._decoder.feed(data)
        try:
            message = parsed(body)
        except ValueError as error:
            raise BrokenFramingError(str(error)) from error
        return message if isinstance(message, dict) else {}
