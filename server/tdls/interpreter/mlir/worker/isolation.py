"""Runs a function in a forked process, within limits; POSIX only."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
import time
import traceback
from typing import IO, TYPE_CHECKING, NoReturn

from tdls.interpreter.confinement.watch import (
    ending_with_thread,
    limit_memory,
    limit_processor_time,
    limit_written_files,
)
from tdls.structs import Struct
from tdls.system import readable, write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_CHUNK = 1 << 20
_LAST_WORDS = 20_000
_USAGE_UNIT = 1 if sys.platform == "darwin" else 1024


class WorkEnd(Struct, frozen=True):
    """The end of a forked process: its `answer`, possibly incomplete, and its output streams.

    `code` is its return code as in `subprocess`, `peak` its maximum memory in bytes. `timed_out` and `abandoned` are
    the reasons for killing it.
    """

    answer: bytes
    code: int
    peak: int
    printed: str
    console: str
    timed_out: bool
    abandoned: bool


def is_available() -> bool:
    """Whether the operating system can fork."""
    return sys.platform != "win32" and hasattr(os, "fork")


def carry_out(
    work: Callable[[], bytes], seconds: float, memory: int, output: int, *, abandon: int, closed: Iterable[int]
) -> WorkEnd:
    """Run `work` in a forked child, and return how that ended.

    `seconds` are wall time, `memory` and `output` bytes. The child is killed when its time is up, or when the file
    descriptor `abandon` becomes readable. It closes `abandon` and the descriptors `closed`.
    """
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as console:
        reader, writer = _channel()
        end_with_parent = ending_with_thread()
        child = os.fork()
        if child == 0:
            if end_with_parent is not None:
                end_with_parent()
            for descriptor in (reader, abandon, *closed):
                os.close(descriptor)
            limit_memory(memory)
            limit_written_files(output)
            limit_processor_time(seconds)
            _be_the_child(work, writer, printed, console)
        os.close(writer)
        answer, timed_out, abandoned = _read(reader, time.monotonic() + seconds, abandon)
        os.close(reader)
        if timed_out or abandoned:
            os.kill(child, signal.SIGKILL)
        _, status, usage = os.wait4(child, 0)
        return WorkEnd(
            answer=answer,
            code=os.waitstatus_to_exitcode(status),
            peak=usage.ru_maxrss * _USAGE_UNIT,
            printed=_text(printed, output),
            console=_text(console, _LAST_WORDS),
            timed_out=timed_out,
            abandoned=abandoned,
        )


def _channel() -> tuple[int, int]:
    """Return the ends of an anonymous channel: ``/proc/self/fd`` of Linux can reopen pipes, but not sockets."""
    if sys.platform != "linux":
        return os.pipe()
    import socket

    reader, writer = socket.socketpair()
    return reader.detach(), writer.detach()


def bury_children() -> None:
    """Reap the children that have ended: those that ended jobs left behind."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _be_the_child(work: Callable[[], bytes], writer: int, printed: IO[bytes], console: IO[bytes]) -> NoReturn:
    """Do the work and exit without Python's shutdown handlers, which belong to the parent."""
    status = 1
    # The end of the answer does not wait for processes that the work leaves behind.
    os.register_at_fork(after_in_child=lambda: os.close(writer))
    try:
        os.dup2(printed.fileno(), 1)
        os.dup2(console.fileno(), 2)
        write_all(writer, work())
        status = 0
    except BaseException:
        os.write(2, traceback.format_exc().encode("utf-8", "replace"))
    finally:
        os._exit(status)


def _read(reader: int, deadline: float, abandon: int) -> tuple[bytes, bool, bool]:
    """Return the data up to the end, whether the deadline passed first, and whether `abandon` became readable."""
    pieces: list[bytes] = []
    while True:
        ready = readable((reader, abandon), deadline - time.monotonic())
        if not ready or abandon in ready:
            return b"".join(pieces), not ready, bool(ready)
        piece = os.read(reader, _CHUNK)
        if not piece:
            return b"".join(pieces), False, False
        pieces.append(piece)


def _text(stream: IO[bytes], limit: int) -> str:
    """Return the last bytes of `stream`, at most `limit`."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - limit))
    return stream.read().decode("utf-8", "replace")
