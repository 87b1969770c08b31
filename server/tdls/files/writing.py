"""Writing files so that nobody ever sees half of one, and nothing is lost if the process ends at any moment."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING

from tdls.files.reading import read_bytes

if TYPE_CHECKING:
    from pathlib import Path


_PRIVATE, _USUAL = 0o600, 0o666
"""Permissions of a file that gets those of another one later or is private, and of a new one, less the umask."""


class NotWrittenError(Exception):
    """A file is as it was; the message says why, for people."""


def replace_content(path: Path, before: bytes, after: bytes) -> None:
    """Put `after` in the place of `before`, which is what was read from `path`.

    Permissions, owner, extended attributes and symbolic links stay; another name of the same file (a hard link) keeps
    the old content. Raises NotWrittenError if the file has changed since, is read-only, or cannot be written.
    """
    try:
        real = path.resolve(strict=True)
        status = real.stat()
        if not stat.S_ISREG(status.st_mode):
            raise NotWrittenError("not a regular file")
        if not status.st_mode & 0o222 or not os.access(real, os.W_OK):
            raise NotWrittenError("read-only; make it writable first")
        if read_bytes(real) != before:
            raise NotWrittenError("changed by something else meanwhile; run tdls again")
        _put(real, after, status)
    except OSError as error:
        raise NotWrittenError(error.strerror or str(error)) from error


def write_content(path: Path, content: bytes) -> None:
    """Create `path`, or replace what it has. Raises NotWrittenError."""
    try:
        real = path.resolve()
        _put(real, content, real.stat() if real.exists() else None)
    except OSError as error:
        raise NotWrittenError(error.strerror or str(error)) from error


def write_private(path: Path, content: bytes) -> None:
    """Create or replace a file that is for the user alone. Raises NotWrittenError."""
    try:
        _put(path, content, None, _PRIVATE)
    except OSError as error:
        raise NotWrittenError(error.strerror or str(error)) from error


def _put(path: Path, content: bytes, status: os.stat_result | None, permissions: int = _USUAL) -> None:
    """Write beside `path` and rename: what cannot be finished leaves at most a hidden file behind.

    A file that was there has the `status`; a new one gets the `permissions`.
    """
    import secrets

    beside = path.with_name(f".tdls-{secrets.token_hex(8)}.tmp")
    try:
        beside.touch(_PRIVATE if status is not None else permissions, exist_ok=False)
        with beside.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if status is not None:
            _keep_access(beside, path, status)
        beside.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    _flush_folder(path.parent)


def _keep_access(path: Path, original: Path, status: os.stat_result) -> None:
    """Give `path` the owner, as far as that is allowed, the permissions and extended attributes of `original`."""
    own = path.stat()
    if hasattr(os, "chown") and (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
        with contextlib.suppress(PermissionError):
            os.chown(path, status.st_uid, status.st_gid)
    import shutil

    shutil.copystat(original, path)
    os.utime(path)


def _flush_folder(folder: Path) -> None:
    """Make the new name last through a loss of power, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
