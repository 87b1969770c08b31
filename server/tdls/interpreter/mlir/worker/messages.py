"""The message format between tdls and its worker: its length as eight bytes, big-endian, and a line of JSON.

Long texts follow it as they are, as JSON of a large payload takes longer than MLIR; its member "" has their bytes.
"""

from __future__ import annotations

import json
import os
import struct
from typing import Any

from tdls.limits import SCRIPT_SIZE
from tdls.system import write_all

_INPUT, _OUTPUT = 0, 1


def taken_streams(printed: int) -> tuple[int, int]:
    """Return copies of standard input and output for messages; later output goes to the file descriptor `printed`.

    Standard input is empty from now on.
    """
    requests, answers = os.dup(_INPUT), os.dup(_OUTPUT)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, _INPUT)
    os.close(nothing)
    os.dup2(printed, _OUTPUT)
    return requests, answers


_LENGTH = struct.Struct(">Q")
_CHUNK = 1 << 20
_LONG = 1 << 16
"""Characters of a text that is not part of the JSON."""
_LARGEST = 8 * SCRIPT_SIZE.most
"""Bytes; a run returns several texts."""


def send(descriptor: int, message: dict[str, Any]) -> None:
    """Write `message` to a file descriptor. Raises OSError if the reader is gone."""
    write_all(descriptor, frame(message))


def receive(descriptor: int) -> bytes | None:
    """Return the body of the next message; None at the end of input, for a truncated message, and for one that is too
    large.
    """
    header = _read(descriptor, _LENGTH.size)
    if header is None:
        return None
    length = _LENGTH.unpack(header)[0]
    return _read(descriptor, length) if length <= _LARGEST else None


def receive_job(descriptor: int) -> dict[str, Any] | None:
    """Return the next job from tdls; None at the end. For the worker."""
    body = receive(descriptor)
    return None if body is None else parsed(body)


def parsed(body: bytes) -> dict[str, Any]:
    """Return the message with this body. Raises ValueError, and RecursionError, if it is no message."""
    end = body.find(b"\n")
    message: dict[str, Any] = json.loads(body[:end].decode("utf-8", "surrogatepass"))
    try:
        for name, length in message.pop("", {}).items():
            begin, end = end + 1, end + length
            message[name] = str(memoryview(body)[begin : end + 1], "utf-8", "surrogatepass")
    except (AttributeError, TypeError) as error:
        raise ValueError(str(error)) from error
    return message


def frame(message: dict[str, Any]) -> bytes:
    """Return `message` as bytes with a length prefix."""
    long = {
        name: value.encode("utf-8", "surrogatepass")
        for name, value in message.items()
        if isinstance(value, str) and len(value) >= _LONG
    }
    short = {name: value for name, value in message.items() if name not in long}
    line = _json(short | {"": {name: len(text) for name, text in long.items()}})
    return b"".join((_LENGTH.pack(len(line) + 1 + sum(map(len, long.values()))), line, b"\n", *long.values()))


def extended(data: bytes, more: dict[str, Any]) -> bytes | None:
    """Return the message `data` with `more` entries, without parsing it, or None if it is incomplete."""
    if len(data) < _LENGTH.size or len(data) - _LENGTH.size != _LENGTH.unpack_from(data)[0]:
        return None
    end, entries = data.find(b"}\n"), b"," + _json(more)[1:]
    length = len(data) - _LENGTH.size + len(entries) - 1
    return b"".join((_LENGTH.pack(length), data[_LENGTH.size : end], entries, memoryview(data)[end + 1 :]))


def _json(message: dict[str, Any]) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _read(descriptor: int, length: int) -> bytes | None:
    pieces: list[bytes] = []
    while length > 0:
        piece = os.read(descriptor, min(length, _CHUNK))
        if not piece:
            return None
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)
