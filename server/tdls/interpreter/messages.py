"""The messages between tdls and its worker: JSON, each behind its length as eight bytes, big-endian."""

from __future__ import annotations

import json
import os
import struct
from typing import Any

_LENGTH = struct.Struct(">Q")
_CHUNK = 1 << 20


def send(descriptor: int, message: dict[str, Any]) -> None:
    """Write `message` to a file descriptor. Raises OSError if nobody reads it."""
    write_all(descriptor, frame(message))


def receive(descriptor: int) -> dict[str, Any] | None:
    """Return the next message of a file descriptor; None at its end, also where that cuts a message off."""
    header = _read(descriptor, _LENGTH.size)
    if header is None:
        return None
    body = _read(descriptor, _LENGTH.unpack(header)[0])
    return None if body is None else unframed_body(body)


def frame(message: dict[str, Any]) -> bytes:
    """Return the bytes of `message`."""
    body = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return _LENGTH.pack(len(body)) + body


def unframed(data: bytes) -> dict[str, Any] | None:
    """Return the message that `data` consists of, None if it is not complete."""
    if len(data) < _LENGTH.size or len(data) - _LENGTH.size != _LENGTH.unpack_from(data)[0]:
        return None
    return unframed_body(data[_LENGTH.size :])


def unframed_body(body: bytes) -> dict[str, Any]:
    """Return the message with this `body`."""
    message: dict[str, Any] = json.loads(body.decode("utf-8", "surrogatepass"))
    return message


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`. Raises OSError if nobody reads it."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view[:_CHUNK]) :]


def _read(descriptor: int, length: int) -> bytes | None:
    pieces: list[bytes] = []
    while length > 0:
        piece = os.read(descriptor, min(length, _CHUNK))
        if not piece:
            return None
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)
