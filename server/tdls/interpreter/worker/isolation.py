"""Carries out one piece of work in a forked process, within limits; POSIX only."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, NoReturn

from tdls.interpreter.confinement.ends import ending_with_thread
from tdls.interpreter.confinement.limits import limit_memory, limit_processor_time, limit_written_files
from tdls.system import readable, write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_CHUNK = 1 << 20
_LAST_WORDS = 20_000
_USAGE_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True, slots=True)
class WorkEnd:
    """How the work ended: `answer` is what it returned, as far as it got, and what it wrote to its streams.

    `code` is its return code as in `subprocess`, `peak` the bytes of memory that it had at most. `timed_out` and
    `abandoned` tell why it was killed.
    """

    answer: bytes
    code: int
    peak: int
    printed: str
    console: str
    timed_out: bool
    abandoned: bool


def is_available() -> bool:
    """Tell whether the operating system can fork."""
    return sys.platform != "win32" and hasattr(os, "fork")


def carry_out(
    work: Callable[[], bytes], seconds: float, memory: int, output: int, *, abandon: int, closed: Iterable[int]
) -> WorkEnd:
    """Fork, let the child `work`, and return how that ended.

    `seconds` are wall time, `memory` and `output` bytes. The child is killed when its time is up, or when the file
    descriptor `abandon` becomes readable. It does not have that, nor those that are `closed`.
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
    """Return the ends of a channel that has no name: ``/proc/self/fd`` of Linux opens pipes, and no sockets."""
    if sys.platform != "linux":
        return os.pipe()
    import socket

    reader, writer = socket.socketpair()
    return reader.detach(), writer.detach()


def bury_children() -> bool:
    """Take notice of the children that have ended, and tell whether there are any left."""
    with contextlib.suppress(ChildProcessError):
        while True:
            process, _ = os.waitpid(-1, os.WNOHANG)
            if process == 0:
                return True
    return False


def _be_the_child(work: Callable[[], bytes], writer: int, printed: IO[bytes], console: IO[bytes]) -> NoReturn:
    """Work and leave without Python's farewell, which belongs to the parent."""
    status = 1
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
    """Return what comes until the end, whether the deadline passed before, and whether `abandon` became readable."""
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
