"""Atomic writes: readers see the old or the new content, also if the process ends while it writes."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.files.boundary import real_path
from tdls.files.reading import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

_WAITS = (0.01, 0.05, 0.2, 0.5)
"""Seconds between attempts: scanners for viruses and indexers look at a new file for a moment."""
_PRIVATE, _USUAL = 0o600, 0o666
"""File modes: for private files and for replacements, whose mode is copied later; and for new files, less the umask."""


class NotWrittenError(Exception):
    """A file was not changed; the message is the reason, for people."""


def replace_content(path: Path, before: bytes, after: bytes) -> None:
    """Replace `before`, the content that was read from `path`, by `after`.

    Permissions, owner, extended attributes and symbolic links stay; another name of the same file (a hard link) keeps
    the old content. Raises NotWrittenError if the file has changed since, is read-only, or cannot be written.
    """
    try:
        real = Path(os.path.realpath(path, strict=True))  # `resolve` raises RuntimeError for a loop of links
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
    """Create `path`, or replace its content. Raises NotWrittenError."""
    try:
        real = real_path(path)
        _put(real, content, real.stat() if os.path.exists(real) else None)
    except OSError as error:
        raise NotWrittenError(error.strerror or str(error)) from error


@contextlib.contextmanager
def alone_with(path: Path) -> Iterator[None]:
    """Let other processes of tdls wait that change `path`, which need not exist yet.

    On POSIX its folder is locked, if the file system supports that; elsewhere nobody waits.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            folder = os.open(real_path(path).parent, os.O_RDONLY)
            stack.callback(os.close, folder)
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield


def write_private(path: Path, content: bytes, permissions: int = _PRIVATE, *, is_lasting: bool = True) -> None:
    """Create or replace a file that only the user may read; a link at `path` is replaced. Raises NotWrittenError.

    A file that is not `is_lasting` may be empty after a loss of power, and takes a tenth of the time.
    """
    try:
        _put(path, content, None, permissions, is_lasting=is_lasting)
    except OSError as error:
        raise NotWrittenError(error.strerror or str(error)) from error


def _put(
    path: Path, content: bytes, status: os.stat_result | None, permissions: int = _USUAL, *, is_lasting: bool = True
) -> None:
    """Write a temporary file in the folder of `path` and rename it: a failure leaves at most a hidden file behind.

    `status` is that of the existing file; a new file gets the `permissions`.
    """
    temporary = path.with_name(f".tdls-{os.urandom(8).hex()}.tmp")
    mode = _PRIVATE if status is not None else permissions
    try:
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as stream:
            stream.write(content)
            if is_lasting:
                stream.flush()
                os.fsync(stream.fileno())
        if status is not None:
            _keep_access(temporary, path, status)
        _rename(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    if is_lasting:
        _flush_folder(path.parent)


def _rename(temporary: Path, path: Path) -> None:
    """Rename a file. Windows refuses it for as long as another program has the old file open, so that is waited for."""
    for seconds in _WAITS:
        try:
            temporary.replace(path)
        except PermissionError:  # noqa: PERF203 - one attempt after the other
            if sys.platform != "win32":
                raise
            time.sleep(seconds)
        else:
            return
    temporary.replace(path)


def _keep_access(path: Path, original: Path, status: os.stat_result) -> None:
    """Copy the owner (where that is allowed), permissions and extended attributes of `original` to `path`."""
    own = path.stat()
    if hasattr(os, "chown") and (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
        with contextlib.suppress(PermissionError):
            os.chown(path, status.st_uid, status.st_gid)
    import shutil

    shutil.copystat(original, path)
    os.utime(path)


def _flush_folder(folder: Path) -> None:
    """Sync the folder, so that the rename survives a loss of power, on systems that support it."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
