"""The answer to ``initialize``, given before the server itself is imported: editors wait for it, and for nothing more.

What the server answers rests on what the editor says of itself and on tdls. So it is kept, and given again when an
editor says the same. The server gets the request all the same, as everything that came; what it would answer is
compared with what was said.
"""

from __future__ import annotations

import json
import logging
import os
import re
import select
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from tdls.files.looks import Looks
from tdls.files.remembered import key_of, recalled, remember

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LOGGER = logging.getLogger(__name__)
_PATIENCE = 0.25
"""Seconds to wait for a message until the server is imported first."""
_CHUNK = 1 << 16
_LARGEST = 1 << 18
_HEADERS = re.compile(rb"\A(?:content-type:[^\r\n]*\r\n)?content-length: *([0-9]{1,7})\r\n\r\n", re.IGNORECASE)
_OF_THIS_SESSION: Final[Mapping[str, Callable[[Any], bool]]] = {
    "processId": lambda value: type(value) is int,
    "rootUri": lambda value: isinstance(value, str),
    "rootPath": lambda value: isinstance(value, str),
    "workspaceFolders": lambda value: isinstance(value, list) and all(map(_is_folder, value)),
    "workDoneToken": lambda value: isinstance(value, str),
}
"""Parameters that the answer does not depend on, and what they are if they are not null."""


class Greeting:
    """What came from an editor before the server was there, and what was answered."""

    def __init__(self, received: bytes = b"") -> None:
        self.received = received
        """All that was read, for the server to take."""
        self._began = time.time_ns()
        request = _initialize(received)
        self._identity = request["id"] if request is not None else None
        self._key = _key(request["params"]) if request is not None else None
        kept = recalled(self._key) if self._key is not None else None
        self._result = kept[0] if kept else None

    @property
    def answer(self) -> bytes | None:
        """The message to be sent, None if the server has to answer."""
        if self._result is None:
            return None
        body = b'{"jsonrpc": "2.0", "id": %b, "result": %b}' % (json.dumps(self._identity).encode(), self._result)
        return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)

    def has_answered(self, identity: object, result: bytes) -> bool:
        """Tell whether the request `identity` was answered; `result` is what the server answers, which is kept."""
        if self._key is None or identity != self._identity:
            return False
        if self._result != result:
            remember(self._key, [result], Looks(), self._began)
        if self._result not in (None, result):
            _LOGGER.error("`initialize` was answered with what the server said at another time")
        return self._result is not None


def greet(source: int, output: BinaryIO) -> Greeting:
    """Wait a moment for ``initialize`` to come from the file descriptor `source`, and answer if that is known."""
    greeting = Greeting(_first_message(source))
    if greeting.answer is not None:
        with suppress(OSError):  # the server finds out that nobody is there
            output.write(greeting.answer)
            output.flush()
    return greeting


def _first_message(source: int) -> bytes:
    """Return what comes until a message is complete, or it takes too long; maybe more than that."""
    received = b""
    end = time.monotonic() + _PATIENCE
    while not _is_complete(received) and len(received) < _LARGEST and _is_ready(source, end - time.monotonic()):
        chunk = os.read(source, _CHUNK)
        if not chunk:
            break
        received += chunk
    return received


def _is_ready(source: int, seconds: float) -> bool:
    if os.name != "posix" or seconds <= 0:  # elsewhere nothing tells whether a pipe has something
        return False
    poll = select.poll()
    poll.register(source, select.POLLIN)
    return any(event & select.POLLIN for _, event in poll.poll(seconds * 1000))


def _is_complete(received: bytes) -> bool:
    headers = _HEADERS.match(received)
    return headers is not None and len(received) >= headers.end() + int(headers[1])


def _initialize(received: bytes) -> dict[str, Any] | None:
    """Return the first message if it is complete and asks to initialize, in a way that nobody would refuse."""
    headers = _HEADERS.match(received)
    if headers is None or not _is_complete(received):
        return None
    try:
        message = json.loads(received[headers.end() : headers.end() + int(headers[1])])
    except (ValueError, RecursionError):
        return None
    is_known = (
        isinstance(message, dict)
        and message.get("jsonrpc") == "2.0"
        and message.get("method") == "initialize"
        and type(message.get("id")) in (int, str)
        and isinstance(message.get("params"), dict)
        and _is_plain(message["params"])
    )
    return message if is_known else None


def _is_plain(params: Mapping[str, Any]) -> bool:
    """Tell whether the parameters that do not count are as they should be."""
    return all(params.get(name) is None or is_right(params[name]) for name, is_right in _OF_THIS_SESSION.items())


def _is_folder(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(name), str) for name in ("uri", "name"))


def _key(params: Mapping[str, Any]) -> str:
    counting = {name: value for name, value in params.items() if name not in _OF_THIS_SESSION}
    return key_of("initialize", json.dumps(counting, sort_keys=True))
