"""What comes over a connection, as far as it is what the protocol says, and from somebody who knows the token."""

from __future__ import annotations

import asyncio
import hmac
import json
import re
from typing import Any

from lsprotocol import types

from tdls.bounds.limits import FIRST_MESSAGE_SIZE, MESSAGE_SIZE

_HEADER = re.compile(rb"content-length: *(?P<length>[0-9]{1,12})\r\n|content-type:[^\r\n]*\r\n|\r\n", re.IGNORECASE)
_BEGINNINGS = (b"content-length:", b"content-type:", b"\r\n")
_LONGEST_HEADER = 256
"""Bytes."""
_CHUNK = 1 << 16


class RefusedError(Exception):
    """The connection is not to be served any longer; the message says why, for people.

    `answer` is what the other side is told, None for those that do not speak the protocol.
    """

    def __init__(self, message: str, answer: bytes | None = None) -> None:
        super().__init__(message)
        self.answer = answer


class CheckedReader:
    """Reads messages for pygls, each header and body for itself; raises RefusedError for all else.

    With a `token`, nothing is handed on before an ``initialize`` that has it.
    """

    def __init__(self, stream: asyncio.StreamReader, token: str | None) -> None:
        self._stream = stream
        self._token = token
        self._buffer = b""
        self._length: int | None = None

    async def readline(self) -> bytes:
        """Return a header, or the empty line behind them; nothing at the end."""
        while b"\n" not in self._buffer:
            _refuse_what_begins_no_header(self._buffer)
            piece = await self._read()
            if not piece and not self._buffer:
                return b""
            if not piece:
                raise RefusedError("the connection ended within a message")
            self._buffer += piece
        line, _, self._buffer = self._buffer.partition(b"\n")
        return self._checked(line + b"\n")

    async def readexactly(self, count: int) -> bytes:
        """Return the body of a message, `count` bytes."""
        pieces, missing = [self._buffer[:count]], count - len(self._buffer)
        self._buffer = self._buffer[count:]
        if missing > 0:
            try:
                pieces.append(await self._stream.readexactly(missing))
            except (asyncio.IncompleteReadError, OSError) as error:
                raise RefusedError("the connection ended within a message") from error
        body = b"".join(pieces)
        if self._token is not None:
            _refuse_without(self._token, body)
            self._token = None
        return body

    async def _read(self) -> bytes:
        try:
            return await self._stream.read(_CHUNK)
        except OSError as error:
            raise RefusedError(f"the connection broke: {error.strerror or error}") from error

    def _checked(self, line: bytes) -> bytes:
        """Return a header as pygls spells it."""
        header = _HEADER.fullmatch(line)
        if header is None or len(line) > _LONGEST_HEADER:
            raise _foreign(line)
        if header["length"] is None:
            return self._end_of_header(line) if line == b"\r\n" else line
        if self._length is not None:
            raise RefusedError("a message says twice how long it is")
        self._length = int(header["length"])
        limit = MESSAGE_SIZE if self._token is None else FIRST_MESSAGE_SIZE
        if not 0 < self._length <= limit.most:
            raise RefusedError(f"a message has {self._length} bytes; it may have 1 to {limit.most}")
        return b"Content-Length: %d\r\n" % self._length

    def _end_of_header(self, line: bytes) -> bytes:
        if self._length is None:
            raise RefusedError("a message does not say how long it is")
        self._length = None
        return line


def _refuse_what_begins_no_header(line: bytes) -> None:
    begun = line[:_LONGEST_HEADER].lower()
    is_possible = any(begun.startswith(name[: len(begun)]) for name in _BEGINNINGS)
    if not is_possible or len(line) > _LONGEST_HEADER:
        raise _foreign(line)


def _foreign(line: bytes) -> RefusedError:
    begin = ascii(line[:40].decode("latin-1"))
    return RefusedError(f"what came is not the Language Server Protocol; it begins with {begin}")


def _refuse_without(token: str, body: bytes) -> None:
    """Raise RefusedError unless `body` is the request ``initialize`` with `token` in its options."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        message = None
    given = message
    for name in ("params", "initializationOptions", "tdls", "token"):
        given = given.get(name) if isinstance(given, dict) else None
    is_right = isinstance(given, str) and hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())
    if is_right and message.get("method") == types.INITIALIZE:
        return
    why = "the client does not know the token: its first message is to be `initialize`, with the token that the server"
    raise RefusedError(f"{why} printed as `initializationOptions.tdls.token`", _error_for(message))


def _error_for(message: Any) -> bytes | None:
    """Return the answer to a request that is refused."""
    identity = message.get("id") if isinstance(message, dict) else None
    if not isinstance(identity, int | str):
        return None
    error = {"code": types.ErrorCodes.InvalidRequest.value, "message": "the token is missing or wrong"}
    body = json.dumps({"jsonrpc": "2.0", "id": identity, "error": error}).encode("ascii")
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
