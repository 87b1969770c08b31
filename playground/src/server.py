"""The language server and the command line in a browser's worker, which passes messages of the page on to them."""

import contextlib
import io
import json
import sys
from pathlib import Path

import js

from tdls.cli.main import main
from tdls.lsp.server import TdlsServer

SCRIPT = Path("/play/script.mlir")
"""The document of the page for commands; the server has it from the editor."""


class Port:
    """A pygls writer: each message goes to the page without its header."""

    def write(self, data: bytes) -> None:
        js.postMessage(bytes(data).partition(b"\r\n\r\n")[2].decode())

    def close(self) -> None:
        pass


def receive(message: str) -> None:
    """Pass a message of the editor to the server."""
    server.protocol.receive(message.encode())


def execute(arguments: str, text: str) -> str:
    """Return as JSON what a command prints for the document, and the text that it leaves."""
    SCRIPT.parent.mkdir(exist_ok=True)
    SCRIPT.write_text(text, encoding="utf-8")
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sys.argv = ["tdls", *json.loads(arguments), str(SCRIPT)]
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        main()
        output.flush()
    printed = output.buffer.getvalue().decode().replace(f"{SCRIPT}", SCRIPT.name)
    return json.dumps({"printed": printed, "text": SCRIPT.read_text(encoding="utf-8")})


server = TdlsServer()
server.protocol.set_writer(Port())
