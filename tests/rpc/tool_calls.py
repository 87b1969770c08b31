"""Messages to ``tdls mcp`` that tests write themselves."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tools_at_hand import require_module

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def served(folder: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start a server whose messages tests write themselves."""
    require_module("mcp")
    start = "import sys; from tdls.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-I", "-c", start, "mcp", *options]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        send(server, id=1, method="initialize", params=client)
        answer(server, 1)
        send(server, method="notifications/initialized")
        try:
            yield server
        finally:
            server.kill()


def send(server: subprocess.Popen[bytes], **message: Any) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    server.stdin.flush()


def ask(server: subprocess.Popen[bytes], number: int, tool: str, **arguments: Any) -> None:
    send(server, id=number, method="tools/call", params={"name": tool, "arguments": arguments})


def answer(server: subprocess.Popen[bytes], number: int) -> dict[str, Any]:
    assert server.stdout is not None
    for line in server.stdout:
        message: dict[str, Any] = json.loads(line)
        if message.get("id") == number:
            return message
    raise AssertionError("the server ended")


def told(server: subprocess.Popen[bytes], number: int) -> Any:
    return json.loads(answer(server, number)["result"]["content"][0]["text"])
