"""Message framing of the Language Server Protocol: headers, a blank line, and JSON.

https://microsoft.github.io/language-server-protocol/specifications/base/0.9/specification/
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

from tdls.limits import MESSAGE_SIZE
from tdls.text.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHUNK = 1 << 16
_LONGEST_HEADER = 4_096
"""Maximum length of a header line, in bytes."""
_MOST_HEADERS = 16
_SHOWN = 60
_LENGTH, _TYPE = "content-length", "content-type"
_DIGITS = re.compile(r"[0-9]{1,12}")
_CHARSET = re.compile(r"charset\s*=\s*\"?([^\s;\"]+)", re.IGNORECASE)
_UTF8 = {"utf-8", "utf8"}


class BrokenFramingError(Exception):
    """The message boundaries of a stream are lost; the error's text is one line for users."""


class FrameDecoder:
    """Splits a byte stream into message bodies."""

    def __init__(self) -> None:
        self._received = bytearray()
        self._headers: dict[str, str] = {}
        self._length: int | None = None
        """Length of the next body in bytes, once its headers are complete."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the bodies of the messages that `data` completes. Raises BrokenFramingError."""
        self._received += data
        while True:
            if self._length is None:
                self._length = self._read_headers()
            if self._length is None or len(self._received) < self._length:
                return
            body = bytes(self._received[: self._length])
            del self._received[: self._length]
            self._length = None
            yield body

    def end(self) -> None:
        """Accept the end of the input. Raises BrokenFramingError if the end is inside a message."""
        if self._length is not None:
            count = len(self._received)
            raise BrokenFramingError(f"the input ends after {count} of {self._length} bytes of a message")
        if self._received or self._headers:
            raise BrokenFramingError("the input ends in the headers of a message")

    def _read_headers(self) -> int | None:
        """Return the length of the next body in bytes, or None until all its headers are received."""
        while (end := self._received.find(b"\n", 0, _LONGEST_HEADER)) >= 0:
            line = self._received[:end].decode("ascii", "backslashreplace").strip()
            del self._received[: end + 1]
            if not line:
                headers, self._headers = self._headers, {}
                return _body_length(headers)
            name, colon, value = line.partition(":")
            name = name.strip().lower()
            if not colon or name not in {_LENGTH, _TYPE} or len(self._headers) >= _MOST_HEADERS:
                raise BrokenFramingError(f"this is not a header of the protocol: '{printable(line[:_SHOWN])}'")
            self._headers[name] = value.strip()
        if len(self._received) >= _LONGEST_HEADER:
            raise BrokenFramingError("a header of a message is too long")
        return None


def received(source: int) -> bytes:
    """Wait for bytes on a file descriptor and return them; return no bytes at its end or if it cannot be read."""
    try:
        return os.read(source, _CHUNK)
    except OSError:
        return b""


def framed(body: bytes) -> bytes:
    """Return `body` behind its Content-Length header."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def parsed(body: bytes) -> Any:
    """Decode the JSON body of a message. Raises ValueError with a one-line text for users."""
    try:
        return json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError("the message is no JSON in UTF-8") from error


def _body_length(headers: dict[str, str]) -> int:
    charset = _CHARSET.search(headers.get(_TYPE, ""))
    if charset is not None and charset[1].lower() not in _UTF8:
        raise BrokenFramingError(f"messages are to be in UTF-8, not in {printable(charset[1][:_SHOWN])}")
    length = headers.get(_LENGTH)
    if length is None:
        raise BrokenFramingError("a message has no Content-Length")
    if _DIGITS.fullmatch(length) is None:
        raise BrokenFramingError(f"Content-Length is not a number: {length[:_SHOWN]!r}")
    if int(length) > MESSAGE_SIZE.most:
        raise BrokenFramingError(f"a message of {length} bytes is too long: {MESSAGE_SIZE}")
    return int(length)
