"""Read messages from standard input until the client closes it, and write messages from one thread."""

from __future__ import annotations

import asyncio
import logging
import select
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

from tdls.processes import end_this_process_soon
from tdls.text.jsonrpc import BrokenFramingError, FrameDecoder, received

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_LOGGER = logging.getLogger(__name__)


class OutputWriter:
    """A pygls writer for a stream. `write` may be called in any thread; it writes in the event loop's thread."""

    def __init__(self, output: BinaryIO, on_loop: Callable[..., None]) -> None:
        """`on_loop` calls a function with arguments in the event loop's thread."""
        self._output = output
        self._on_loop = on_loop
        self._is_closed = False

    def write(self, data: bytes) -> None:
        """Write one message; ignored once the writer is closed or the client has gone."""
        self._on_loop(self._write, data)

    def close(self) -> None:
        """Ignore all further messages."""
        self._is_closed = True

    def _write(self, data: bytes) -> None:
        if self._is_closed:
            return
        try:
            self._output.write(data)
            self._output.flush()
        except OSError as error:  # `serve_streams` detects that the client has gone
            _LOGGER.info("the client reads no more: %s", error)
            self._is_closed = True


def serve_streams(receive: Callable[[bytes], None], source: int, output: int) -> None:
    """Pass the body of each message from the file descriptor `source` to `receive`, in the event loop.

    Returns when `source` or `output` is closed. Raises BrokenFramingError, and exceptions of `receive` such as
    SystemExit. Threads that still run then are not joined: the process is expected to end.
    """
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(_serve(receive, source, output))


async def _serve(receive: Callable[[bytes], None], source: int, output: int) -> None:
    loop = asyncio.get_running_loop()
    end: asyncio.Future[None] = loop.create_future()

    def take(bodies: Iterable[bytes]) -> None:
        for body in bodies:
            receive(body)

    def finish(problem: BrokenFramingError | None) -> None:
        if not end.done():
            end.set_exception(problem) if problem is not None else end.set_result(None)

    def in_loop(function: Callable[..., None], argument: object) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(function, argument)

    def read() -> None:
        try:
            _read(source, lambda bodies: in_loop(take, bodies))
        except BrokenFramingError as problem:
            in_loop(finish, problem)
        else:
            in_loop(finish, None)

    def watch() -> None:
        poll = select.poll()
        poll.register(output, 0)
        if any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll()):
            end_this_process_soon()
            in_loop(finish, None)

    threading.Thread(target=read, name="tdls-input", daemon=True).start()
    if hasattr(select, "poll"):  # without poll, the next write fails
        threading.Thread(target=watch, name="tdls-output", daemon=True).start()
    await end


def _read(source: int, take: Callable[[list[bytes]], None]) -> None:
    """Pass on the messages of each chunk together: a request is not begun if an edit in the same chunk outdates it.

    Raises BrokenFramingError. At the end of the input the process ends soon, even if the event loop is busy.
    """
    decoder = FrameDecoder()
    while chunk := received(source):
        bodies: list[bytes] = []
        try:
            bodies.extend(decoder.feed(chunk))
        finally:
            if bodies:
                take(bodies)
    end_this_process_soon()
    decoder.end()
