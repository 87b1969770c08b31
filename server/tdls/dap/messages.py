"""Messages of the Debug Adapter Protocol over streams.

https://microsoft.github.io/debug-adapter-protocol/specification: headers, a blank line, and JSON.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import Any, BinaryIO

from tdls.bounds.limits import MESSAGE_SIZE
from tdls.text.numbers import integer

Body = dict[str, Any]
_LENGTH = b"content-length:"
_LONGEST_LINE = 4096


class BrokenStreamError(Exception):
    """Where messages begin and end cannot be told any more; the message is one line for people."""


class RequestRefusedError(Exception):
    """A request cannot be carried out; the message is one line for people."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the client."""

    number: int
    command: str
    arguments: Body


class Channel:
    """The two streams between adapter and client."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        self._source = source
        self._target = target
        self._numbers = itertools.count(1)

    def read(self) -> Request | None:
        """Return the next request; None at the end of the input. Raises BrokenStreamError."""
        while (message := self._message()) is not None:
            number, command, arguments = (message.get(key) for key in ("seq", "command", "arguments"))
            if message.get("type") == "request" and isinstance(number, int) and isinstance(command, str):
                return Request(number, command, arguments if isinstance(arguments, dict) else {})
        return None

    def respond(self, request: Request, body: Body | None = None) -> None:
        """Say that `request` was carried out."""
        self._respond(request, {"success": True, "body": body or {}})

    def refuse(self, request: Request, problem: str) -> None:
        """Say that `request` was not carried out."""
        error = {"id": 1, "format": "{problem}", "variables": {"problem": problem}, "showUser": True}
        self._respond(request, {"success": False, "message": problem, "body": {"error": error}})

    def tell(self, event: str, body: Body | None = None) -> None:
        """Send an event."""
        self._send({"type": "event", "event": event, "body": body or {}})

    def _respond(self, request: Request, outcome: Body) -> None:
        self._send({"type": "response", "request_seq": request.number, "command": request.command, **outcome})

    def _send(self, message: Body) -> None:
        data = json.dumps({"seq": next(self._numbers), **message}).encode()
        self._target.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._target.flush()

    def _message(self) -> Body | None:
        length = self._length()
        if length is None:
            return None
        data = self._source.read(length)
        if len(data) < length:
            raise BrokenStreamError("the input ends in a message")
        try:
            message = json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise BrokenStreamError("a message is no JSON in UTF-8") from error
        return message if isinstance(message, dict) else {}

    def _length(self) -> int | None:
        length: int | None = None
        while line := self._source.readline(_LONGEST_LINE):
            if not line.endswith(b"\n"):
                raise BrokenStreamError("a header is too long, or the input ends in it")
            if not line.strip():
                if length is None:
                    raise BrokenStreamError("a message has no Content-Length")
                return length
            if line.lower().startswith(_LENGTH):
                length = integer(line[len(_LENGTH) :].decode("ascii", "replace").strip())
                if length is None or not 0 <= length <= MESSAGE_SIZE.most:
                    raise BrokenStreamError("the Content-Length is no number, or the message is too long")
        if length is not None:
            raise BrokenStreamError("the input ends in the headers of a message")
        return None
