"""Reads the files of a repository, which are not trusted; all texts of a repository, of any kind, are read here.

Only regular files are opened. Reading stops at the size limit for the kind of file, since the size that the system
reports may be wrong, and a file may grow while it is read.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, BinaryIO

from tdls.limits import SCRIPT_SIZE

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.limits import Limit

_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
BYTECODE = b"ML\xefR"
"""The first bytes of MLIR's bytecode."""


class NotReadError(OSError):
    """A file exists and is not read; `strerror` is the reason, for people."""

    def __init__(self, reason: str) -> None:
        super().__init__(None, reason)

    def __str__(self) -> str:
        return self.strerror or ""


def read_bytes(path: Path, limit: Limit = SCRIPT_SIZE, *, follows_links: bool = True) -> bytes:
    """Return the content of a file. Raises OSError; NotReadError if it is not a regular file or exceeds `limit`."""
    _refuse_special(path.stat(follow_symlinks=follows_links).st_mode)
    with os.fdopen(os.open(path, _FLAGS if follows_links else _FLAGS | _NO_LINKS), "rb") as stream:
        _refuse_special(os.fstat(stream.fileno()).st_mode)
        return read_stream(stream, limit, os.fstat(stream.fileno()).st_size)


def first_bytes(path: Path, count: int) -> bytes:
    """Return at most `count` bytes from the beginning of a file. Raises OSError as `read_bytes`."""
    _refuse_special(path.stat().st_mode)
    with os.fdopen(os.open(path, _FLAGS), "rb") as stream:
        return stream.read(count)


def read_text(path: Path, limit: Limit = SCRIPT_SIZE, encoding: str = "utf-8") -> str:
    """Return the text of a file with its line breaks as they are.

    Raises OSError as `read_bytes`, UnicodeDecodeError, and ValueError for an invalid path.
    """
    return read_bytes(path, limit).decode(encoding)


def text_of(path: Path, limit: Limit = SCRIPT_SIZE) -> str | None:
    """Return the text of a file, invalid UTF-8 replaced, or None for bytecode, and if it is unreadable or too large."""
    try:
        content = read_bytes(path, limit)
        return None if content.startswith(BYTECODE) else content.decode("utf-8", errors="replace")
    except (OSError, ValueError) as error:
        import logging

        logging.getLogger(__name__).info("%s cannot be read: %s", path, error)
        return None


def read_stream(stream: BinaryIO, limit: Limit, size: int = 1 << 20) -> bytes:
    """Read `stream`, of about `size` bytes, to its end. Raises NotReadError one byte past `limit`."""
    content = stream.read(min(size, limit.most) + 1)  # Python allocates all that it is asked to read
    if size < len(content) <= limit.most:
        content += stream.read(limit.most + 1 - len(content))
    if len(content) > limit.most:
        raise NotReadError(f"larger than {limit.most:,} {limit.unit}, the most that is read of {limit.subject}")
    return content


def why_no_text(error: UnicodeDecodeError) -> str:
    """Return for people why the bytes of a file are not text."""
    if error.object.startswith(BYTECODE):
        return "bytecode of MLIR, which `mlir-opt --allow-unregistered-dialect` prints as text"
    return f"not UTF-8 text (byte {error.start})"


def _refuse_special(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise NotReadError("is a directory")
    if not stat.S_ISREG(mode):
        raise NotReadError("is not a regular file; its content may be given on standard input, as `-`")
