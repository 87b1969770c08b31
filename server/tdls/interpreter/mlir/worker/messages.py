"""The message format between tdls and its worker: JSON, preceded by its length as eight bytes, big-endian."""

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
    job: dict[str, Any] | None = None if body is None else json.loads(body.decode("utf-8", "surrogatepass"))
    return job


def frame(message: dict[str, Any]) -> bytes:
    """Return `message` as bytes with a length prefix."""
    body = _body(message)
    return _LENGTH.pack(len(body)) + body


def extended(data: bytes, more: dict[str, Any]) -> bytes | None:
    """Return the message `data` with `more` entries, without parsing it, or None if it is incomplete.

    The message must be a non-empty JSON object.
    """
    if len(data) < _LENGTH.size or len(data) - _LENGTH.size != _LENGTH.unpack_from(data)[0]:
        return None
    body = data[_LENGTH.size : -1] + b"," + _body(more)[1:]
    return _LENGTH.pack(len(body)) + body


def _body(message: dict[str, Any]) -> bytes:
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
