"""Reading messages from standard input until it ends, and noticing when nobody is there any more."""

from __future__ import annotations

import asyncio
import logging
import os
import select
import threading
from typing import TYPE_CHECKING, BinaryIO

from tdls.lsp.connection.frames import LONGEST_HEADER, read_messages
from tdls.system.ending import end_this_process_soon

if TYPE_CHECKING:
    from collections.abc import Callable

    from tdls.lsp.connection.frames import Receiver

_LOGGER = logging.getLogger(__name__)
_CHUNK = 1 << 16


def serve_streams(receiver: Receiver, source: int, output: BinaryIO) -> None:
    """Handle the messages that come from the file descriptor `source`; returns when it, or `output`, is closed.

    Raises BrokenFramingError, and SystemExit when the editor ends the server. What still runs in threads then is left
    to itself: the process is expected to end.
    """
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    loop.run_until_complete(_serve(receiver, source, output.fileno()))


async def _serve(receiver: Receiver, source: int, output: int) -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=max(LONGEST_HEADER, _CHUNK))
    reading = loop.create_task(read_messages(receiver, reader))

    def leave() -> None:
        """Nobody is there: what the event loop is busy with is given up when it takes too long."""
        end_this_process_soon()
        loop.call_soon_threadsafe(reading.cancel)

    def feed() -> None:
        while chunk := _read(source):
            loop.call_soon_threadsafe(reader.feed_data, chunk)
        end_this_process_soon()
        loop.call_soon_threadsafe(reader.feed_eof)

    threading.Thread(target=feed, name="tdls-input", daemon=True).start()
    threading.Thread(target=_watch, args=(output, leave), name="tdls-output", daemon=True).start()
    try:
        await reading
    except asyncio.CancelledError:
        _LOGGER.info("nobody reads what the server says")


def _read(source: int) -> bytes:
    """Return what there is, nothing at the end."""
    try:
        return os.read(source, _CHUNK)
    except OSError:
        return b""


def _watch(output: int, gone: Callable[[], None]) -> None:
    """Call `gone` when nobody can read `output` any more; where the system does not tell, the next answer shows it."""
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(output, 0)
    if any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll()):
        gone()
