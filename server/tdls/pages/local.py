"""A server of pages for browsers of this machine: at a port of 127.0.0.1, for this user, below a secret path.

It answers requests that read, name the address itself, and know the path. So neither other users of the machine nor
pages of other sites read anything.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tdls.files.reading import text_of
from tdls.pages.page import policy

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_CONNECTIONS = ("/proc/net/tcp", "/proc/net/tcp6")
"""Tables of this machine's connections with their users, on Linux."""
_LONGEST_HEAD, _HEAD_PATIENCE = 16_384, 5.0
"""Bytes of a request, and seconds to receive them."""
_MOST_CONNECTIONS = 32
_HEADERS = """\
Cache-Control: no-store
Connection: close
Cross-Origin-Opener-Policy: same-origin
Cross-Origin-Resource-Policy: same-origin
Referrer-Policy: no-referrer
X-Content-Type-Options: nosniff
"""


class LocalPages:
    """Answers GET requests of this user's programs. Nothing listens before `serve`."""

    def __init__(self, answer: Callable[[str, str], Awaitable[tuple[str, str] | None]]) -> None:
        """`answer` returns the type and the text of a path below the secret one with its query, or None."""
        self._answer = answer
        self._secret = secrets.token_urlsafe(32)
        self._connections = 0
        self._host = ""

    async def serve(self) -> str:
        """Return the address of the pages, which are served from now on. Raises OSError."""
        if not self._host:
            server = await asyncio.start_server(self._connected, "127.0.0.1", 0, limit=_LONGEST_HEAD)
            self._host = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        return f"http://{self._host}/{self._secret}/"

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections += 1
        try:
            if self._connections <= _MOST_CONNECTIONS and _is_allowed(writer):
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _HEAD_PATIENCE)
                writer.write(await self._response(head.decode("latin-1")))
                await writer.drain()
        except (OSError, EOFError, asyncio.LimitOverrunError, asyncio.TimeoutError):
            pass  # nobody is left to answer
        finally:
            self._connections -= 1
            writer.close()

    async def _response(self, head: str) -> bytes:
        first, *lines = head.split("\r\n")
        fields = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        hosts = [value for name, value in fields if name == "host"]
        origins = {value for name, value in fields if name == "origin"}
        method, _, rest = first.partition(" ")
        path, _, query = rest.partition(" ")[0].partition("?")
        secret, _, name = path.removeprefix("/").partition("/")
        if hosts != [self._host] or not origins <= {f"http://{self._host}"}:
            return _message("403 Forbidden")  # a page of another site, whose name leads here
        if method != "GET":
            return _message("405 Method Not Allowed")
        if not secrets.compare_digest(secret.encode("latin-1"), self._secret.encode("latin-1")):
            return _message("404 Not Found")
        answer = await self._answer(name, query)
        return _message("200 OK", *answer) if answer is not None else _message("404 Not Found")


def users_are_known() -> bool:
    """Whether the system tells whose a connection is."""
    return os.path.exists(_CONNECTIONS[0])


def _is_allowed(writer: asyncio.StreamWriter) -> bool:
    """Whether this user, or root, made a connection from this machine, as far as the system tells."""
    if not users_are_known():
        return True
    ends = [writer.get_extra_info(end) for end in ("peername", "sockname")]
    if None in ends:
        return False  # it has ended already
    numbers = [int.from_bytes(socket.inet_aton(host), sys.byteorder) for host, _ in ends]
    peer, own = (f"{number:08X}:{port:04X}" for number, (_, port) in zip(numbers, ends, strict=True))
    rows = map(str.split, _connections().splitlines())
    users = {row[7] for row in rows if row[1].endswith(peer) and row[2].endswith(own)}
    return bool(users) and users <= {"0", str(os.getuid())}


def _connections() -> str:
    return "".join(text_of(Path(table)) or "" for table in _CONNECTIONS)


def _message(status: str, kind: str = "text/plain", text: str = "") -> bytes:
    body = (text or status).encode("utf-8", "replace")
    security = f"Content-Security-Policy: {policy()}; frame-ancestors 'none'\n"
    length = f"Content-Type: {kind}; charset=utf-8\nContent-Length: {len(body)}\n"
    return f"HTTP/1.1 {status}\n{_HEADERS}{security}{length}\n".replace("\n", "\r\n").encode("latin-1") + body
