"""Looking at a repository opens no connection and asks for no address, and the server listens at none."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from rpc.answers import insisted
from rpc.client import LanguageClient

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.loop.unroll %root {factor = 2} : !transform.any_op
    transform.loop.unroll %root {factor = 2} : !transform.any_op
    transform.yield
  }
}
"""
LISTENING = """
import sys
def hear(event, arguments):
    sending = "socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname"
    if event in (*sending, "socket.bind"):
        print("heard", event, file=sys.__stderr__)
sys.addaudithook(hear)
from tdls.cli.main import main
sys.argv[0] = "tdls"
sys.exit(main())
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("--check", "."),
        ("--check", "--no-cache", "--jobs", "2", "."),
        ("explain", "use-after-free"),
        ("catalogue", "sources"),
        ("config", "show"),
        ("--version",),
    ],
)
def test_nothing_is_sent(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "main.mlir").write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, "-c", LISTENING, *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert "heard" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="asyncio wakes its own loop over a connection there")
def test_the_server_opens_no_connection_and_listens_at_no_address(tmp_path: Path) -> None:
    uri = (tmp_path / "main.mlir").as_uri()
    document = {"uri": uri, "languageId": "mlir", "version": 1, "text": SCRIPT}
    with LanguageClient([sys.executable, "-c", LISTENING, "server"], folder=tmp_path) as client:
        client.initialize({})
        client.notify("textDocument/didOpen", {"textDocument": document})
        insisted(client, "textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        assert client.shut_down() == 0
        client.wait_for_errors()
        assert b"heard" not in client.stderr
