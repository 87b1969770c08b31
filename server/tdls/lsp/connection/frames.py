"""Messages as they come over a connection: headers, a blank line, and as many bytes of JSON as the headers say."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any, Protocol

from pygls.exceptions import JsonRpcInvalidRequest, JsonRpcParseError

from tdls.bounds.limits import MESSAGE_SIZE
from tdls.text.printable import printable

LONGEST_HEADER = 4_096
"""Bytes of a line of headers."""
_MOST_HEADERS = 16
_SHOWN = 60
_LENGTH, _TYPE = "content-length", "content-type"
_DIGITS = re.compile(r"[0-9]{1,12}")
_CHARSET = re.compile(r"charset\s*=\s*\"?([^\s;\"]+)", re.IGNORECASE)
_UTF8 = {"utf-8", "utf8"}


class BrokenFramingError(Exception):
    """Where messages begin and end cannot be told any more; the message is one line for people."""


class Reader(Protocol):
    """What messages are read from; see `asyncio.StreamReader`."""

    async def readline(self) -> bytes:
        """Return a line, less at the end."""
        ...

    async def readexactly(self, count: int, /) -> bytes:
        """Return so many bytes."""
        ...


class Receiver(Protocol):
    """What handles messages."""

    def receive(self, body: bytes, /) -> None:
        """Take the body of one message."""
        ...


async def read_messages(receiver: Receiver, reader: Reader) -> None:
    """Handle the messages that `reader` has. Raises BrokenFramingError."""
    while (body := await read_frame(reader)) is not None:
        receiver.receive(body)


async def read_frame(reader: Reader) -> bytes | None:
    """Return the body of the next message, None at the end of the input. Raises BrokenFramingError."""
    headers = await _headers(reader)
    if headers is None:
        return None
    charset = _CHARSET.search(headers.get(_TYPE, ""))
    if charset is not None and charset[1].lower() not in _UTF8:
        raise BrokenFramingError(f"messages are to be in UTF-8, not in {charset[1]}")
    length = headers.get(_LENGTH)
    if length is None:
        raise BrokenFramingError("a message has no Content-Length")
    if _DIGITS.fullmatch(length) is None:
        raise BrokenFramingError(f"Content-Length is no number: {length[:_SHOWN]!r}")
    if int(length) > MESSAGE_SIZE.most:
        raise BrokenFramingError(f"a message of {length} bytes is too long: {MESSAGE_SIZE}")
    try:
        return await reader.readexactly(int(length))
    except asyncio.IncompleteReadError as error:
        raise BrokenFramingError(f"the input ends after {len(error.partial)} of {length} bytes of a message") from error


def decoded(body: bytes) -> dict[str, Any]:
    """Return the object that is a message's body. Raises JsonRpcParseError and JsonRpcInvalidRequest."""
    try:
        message = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise JsonRpcParseError("the message is no JSON in UTF-8") from error
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise JsonRpcInvalidRequest('a message is one object with "jsonrpc": "2.0"')
    return message


async def _headers(reader: Reader) -> dict[str, str] | None:
    """Return the headers of the next message by their names in lower case, None at the end of the input."""
    headers: dict[str, str] = {}
    while True:
        line = await _line(reader)
        if not line.endswith(b"\n"):
            if not line and not headers:
                return None
            raise BrokenFramingError("the input ends in the headers of a message")
        text = line.decode("ascii", "backslashreplace").strip()
        if not text:
            return headers
        name, colon, value = text.partition(":")
        if not colon or name.strip().lower() not in {_LENGTH, _TYPE} or len(headers) >= _MOST_HEADERS:
            raise BrokenFramingError(f"this is no header of the protocol: '{printable(text[:_SHOWN])}'")
        headers[name.strip().lower()] = value.strip()


async def _line(reader: Reader) -> bytes:
    try:
        return await reader.readline()
    except ValueError as error:
        raise BrokenFramingError("a header of a message is too long") from error
