"""Over a socket the server serves one client, who speaks the protocol and knows the token, and nobody else."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import stat
import subprocess
import sys
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

import pytest

from lsp.workbench import SERVER, server_command
from rpc.client import encode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.client import Json

TOKEN = "x" * 32
SECONDS = 60
UNIX = pytest.mark.skipif(sys.platform == "win32", reason="there are no Unix sockets")
POST = b"POST / HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nContent-Length: %d\r\n\r\n%b"


@dataclass
class Listening:
    """A server that waits for a client."""

    process: subprocess.Popen[bytes]
    address: str
    token: str

    def connect(self) -> socket.socket:
        host, _, port = self.address.rpartition(":")
        if not port.isdecimal():
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(SECONDS)
            connection.connect(self.address)
            return connection
        return socket.create_connection((host, int(port)), timeout=SECONDS)

    def ends(self) -> tuple[int, str]:
        """Wait for its end, and return the exit status and what it said last."""
        said = self.process.communicate(timeout=SECONDS)[1].decode()
        assert "Traceback" not in said
        return self.process.returncode, said


@contextlib.contextmanager
def listening(*arguments: str, **environment: str) -> Iterator[Listening]:
    command = [*server_command(), *arguments]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ, **environment})
    assert process.stderr is not None
    try:
        address = said_of(process.stderr, "listening on")
        token = said_of(process.stderr, "token") if "--tcp" in arguments else ""
        yield Listening(process, address, token)
    finally:
        process.kill()
        process.communicate()


def said_of(stream: IO[bytes], what: str) -> str:
    line = stream.readline().decode()
    prefix = f"tdls server: {what} "
    assert line.startswith(prefix), line
    return line.removeprefix(prefix).strip()


def initialize(token: str | None) -> bytes:
    options = {"tdls": {"token": token}} if token is not None else None
    params: Json = {"processId": None, "rootUri": None, "capabilities": {}, "initializationOptions": options}
    return encode({"id": 1, "method": "initialize", "params": params})


def received(connection: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    pieces = []
    with contextlib.suppress(ConnectionError):
        while piece := connection.recv(1 << 16):
            pieces.append(piece)
    return b"".join(pieces)


def read_message(stream: IO[bytes]) -> Json:
    length = int(stream.readline().split(b":")[1])
    while stream.readline().strip():
        pass
    return json.loads(stream.read(length))


def assert_served(server: Listening, token: str | None) -> None:
    with server.connect() as connection, connection.makefile("rb") as stream:
        connection.sendall(initialize(token))
        assert "capabilities" in read_message(stream)["result"]
        with pytest.raises(ConnectionError):
            server.connect()
        connection.sendall(encode({"id": 2, "method": "shutdown"}) + encode({"method": "exit"}))
        assert read_message(stream)["id"] == 2
    assert server.ends() == (0, "")


def test_one_client_with_the_token_is_served_until_it_ends_the_server() -> None:
    with listening("--tcp", "127.0.0.1:0") as server:
        assert len(server.token) >= 40
        assert_served(server, server.token)


def test_the_token_may_be_given() -> None:
    with listening("--tcp", "127.0.0.1:0", TDLS_SERVER_TOKEN=TOKEN) as server:
        assert server.token == TOKEN
        assert_served(server, TOKEN)


def test_a_short_token_is_none() -> None:
    done = subprocess.run(
        [*SERVER, "--tcp", ":0"], capture_output=True, check=False, env={**os.environ, "TDLS_SERVER_TOKEN": "short"}
    )
    assert (done.returncode, done.stderr) == (2, b"error: TDLS_SERVER_TOKEN has less than 32 characters\n")


RUN = encode({"id": 9, "method": "workspace/executeCommand", "params": {"command": "tdls.run", "arguments": [{}]}})
FOREIGN = {
    "a web page": POST % (len(initialize(TOKEN)), initialize(TOKEN)),
    "a GET": b"GET / HTTP/1.1\r\n\r\n",
    "another header": b"Content-Length: 2\r\nHost: evil.example\r\n\r\n{}",
    "no line at all": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "a long header": b"Content-Type: " + b"x" * 100_000,
    "no length": b"Content-Type: text/plain\r\n\r\n{}",
    "two lengths": b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a length of nothing": b"Content-Length: 0\r\n\r\n",
    "much before the token": b"Content-Length: 900000000\r\n\r\n",
}


@pytest.mark.parametrize("sent", FOREIGN.values(), ids=FOREIGN)
def test_what_is_not_the_protocol_is_refused_without_an_answer(sent: bytes) -> None:
    with listening("--tcp", "127.0.0.1:0", TDLS_SERVER_TOKEN=TOKEN) as server, server.connect() as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(sent)
        assert received(connection) == b""
        status, said = server.ends()
        assert status == 1
        assert said.startswith("error: 127.0.0.1:0: ")
        assert said.count("\n") == 1
        with pytest.raises(ConnectionError):
            server.connect()


UNKNOWN = {
    "no token": initialize(None),
    "another token": initialize("y" * 32),
    "a beginning": initialize(TOKEN[:-1]),
    "no text": initialize(TOKEN).replace(b'"' + TOKEN.encode() + b'"', b'["' + TOKEN[2:].encode() + b'"]'),
    "another request first": RUN,
    "a request with the token": initialize(TOKEN).replace(b'"initialize"', b'"shutdownxx"'),
    "no object": b"Content-Length: 2\r\n\r\n[]",
    "no JSON": b"Content-Length: 2\r\n\r\n{[",
    "nesting": b"Content-Length: 100000\r\n\r\n" + b"[" * 100_000,
}


@pytest.mark.parametrize("sent", UNKNOWN.values(), ids=UNKNOWN)
def test_nothing_is_done_for_those_who_do_not_know_the_token(sent: bytes) -> None:
    with listening("--tcp", "127.0.0.1:0", TDLS_SERVER_TOKEN=TOKEN) as server, server.connect() as connection:
        connection.sendall(sent + RUN)
        answer = received(connection)
        assert answer == b"" or b'"the token is missing or wrong"' in answer
        assert b"result" not in answer
        status, said = server.ends()
        assert status == 1
        assert "the client does not know the token" in said
        assert TOKEN not in said


def test_a_client_that_goes_away_ends_the_server() -> None:
    with listening("--tcp", "127.0.0.1:0", TDLS_SERVER_TOKEN=TOKEN) as server:
        with server.connect() as connection:
            connection.sendall(initialize(TOKEN)[:20])
        status, said = server.ends()
        assert status == 1
        assert "the connection ended within a message" in said


@UNIX
def test_a_socket_of_the_user_needs_no_token(tmp_path: Path) -> None:
    path = tmp_path / "own" / "socket"
    with listening("--socket", str(path)) as server:
        assert server.address == str(path)
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
        assert_served(server, None)
        assert not path.exists()


@UNIX
def test_a_folder_that_others_can_enter_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    done = subprocess.run([*SERVER, "--socket", str(tmp_path / "socket")], capture_output=True, check=False)
    assert done.returncode == 1
    assert b"others can enter the folder" in done.stderr
    assert not (tmp_path / "socket").exists()


@UNIX
def test_what_is_not_the_protocol_is_refused_at_a_socket(tmp_path: Path) -> None:
    with listening("--socket", str(tmp_path / "own" / "socket")) as server, server.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
        assert received(connection) == b""
        assert server.ends()[0] == 1
