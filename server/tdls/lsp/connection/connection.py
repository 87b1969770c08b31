"""Serving one client over a TCP connection or a Unix socket, instead of over standard streams."""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
import sys
from functools import partial
from typing import TYPE_CHECKING

from tdls.lsp.connection.frames import BrokenFramingError, read_messages
from tdls.lsp.connection.framing import CheckedReader, RefusedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from tdls.lsp.connection.dispatch import Host

    _Take = Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]
    _Listen = Callable[[_Take], Awaitable[asyncio.Server]]

_PRIVATE_FOLDER = 0o700
_OF_OTHERS = 0o077
_OWN_UMASK = 0o177


class NotServedError(Exception):
    """The client is not served (any longer), or nobody can be; the message says why, for people."""


def serve_tcp(server: Host, host: str, port: int, token: str, tell: Callable[[str], None]) -> None:
    """Wait for one client at an address, and serve it if it knows the `token`.

    `tell` gets the address, once there is somebody to connect to. Raises OSError if nobody can listen there, and
    NotServedError.
    """
    _serve(server, lambda take: asyncio.start_server(take, host, port, backlog=1), token, tell)


def serve_socket(server: Host, path: Path, tell: Callable[[str], None]) -> None:
    """Wait for one client at a Unix socket in a folder that only the user can enter, and serve it.

    `tell` is as for `serve_tcp`. Raises OSError and NotServedError.
    """
    _refuse_open_folder(path.parent)
    try:
        _serve(server, partial(_listen_at, path), None, tell)
    finally:
        path.unlink(missing_ok=True)


def _serve(server: Host, listen: _Listen, token: str | None, tell: Callable[[str], None]) -> None:
    try:
        asyncio.run(_serve_one(server, listen, token, tell))
    finally:
        server.shutdown()


async def _serve_one(server: Host, listen: _Listen, token: str | None, tell: Callable[[str], None]) -> None:
    arrived: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
    arrived = asyncio.get_running_loop().create_future()

    def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if arrived.done():
            writer.transport.abort()
        else:
            listener.close()
            arrived.set_result((reader, writer))

    listener = await listen(take)
    for socket in listener.sockets:
        tell(_address(socket.getsockname()))
    reader, writer = await arrived
    server.protocol.set_writer(writer)
    checked = CheckedReader(reader, token)
    try:
        await read_messages(server.protocol, checked)
    except BrokenFramingError as error:
        raise NotServedError(str(error)) from error
    except RefusedError as error:
        if error.answer is not None:
            writer.write(error.answer)
        raise NotServedError(str(error)) from error
    finally:
        with contextlib.suppress(OSError):
            writer.close()
            await writer.wait_closed()


async def _listen_at(path: Path, take: _Take) -> asyncio.Server:
    """Listen at a socket that has the access of the user alone from the first moment on."""
    before = os.umask(_OWN_UMASK)
    try:
        return await asyncio.start_unix_server(take, path, backlog=1)
    finally:
        os.umask(before)


def _refuse_open_folder(folder: Path) -> None:
    if sys.platform == "win32":
        raise NotServedError("there are no Unix sockets here; use --tcp")
    folder.mkdir(_PRIVATE_FOLDER, parents=True, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & _OF_OTHERS:
        advice = "use one of your own with the mode 0700, or one that is not there yet"
        raise NotServedError(f"others can enter the folder {folder} of the socket; {advice}")


def _address(name: object) -> str:
    if isinstance(name, tuple):
        host, port = name[:2]
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return str(name)
