"""``initialize`` is answered before the server is imported, with what the server itself would say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tdls.lsp.connection.greeting import Greeting

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere nothing tells whether a pipe has something")

NOTHING: dict[str, Any] = {"capabilities": {}, "processId": None}
MUCH: dict[str, Any] = {
    "capabilities": {
        "general": {"positionEncodings": ["utf-8", "utf-16"]},
        "textDocument": {"semanticTokens": {"requests": {}, "tokenTypes": [], "tokenModifiers": [], "formats": []}},
        "workspace": {"workspaceFolders": True, "textDocumentContent": {"dynamicRegistration": True}},
    },
    "processId": None,
    "clientInfo": {"name": "test"},
}
TOLD = """
import sys
from tdls.cli.main import main
import tdls.lsp.connection.greeting as greeting
greet = greeting.greet
def told(*arguments):
    found = greet(*arguments)
    heavy = {"lsprotocol", "pygls", "attrs", "lark", "torch_mlir", "tdls.analysis", "tdls.project", "tdls.ide"}
    print(found.answer is not None, sorted(heavy & set(sys.modules)), file=sys.stderr)
    return found
greeting.greet = told
sys.argv = ["tdls", "server"]
sys.exit(main())
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def framed(**message: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def session(params: object, identity: object = 1) -> bytes:
    return b"".join(
        (
            framed(id=identity, method="initialize", params=params),
            framed(method="initialized", params={}),
            framed(id="last", method="shutdown"),
            framed(method="exit"),
        )
    )


def answers(output: bytes) -> dict[object, Any]:
    """Return the answers among the messages of a server, by what they answer."""
    found: dict[object, Any] = {}
    while output:
        headers, _, rest = output.partition(b"\r\n\r\n")
        length = int(headers.split(b"\r\n")[0].partition(b":")[2])
        message = json.loads(rest[:length])
        output = rest[length:]
        if "method" not in message:
            assert message["id"] not in found
            found[message["id"]] = message.get("result", message.get("error"))
    return found


def served(params: object, identity: object = 1) -> tuple[dict[object, Any], str]:
    """Return what a server answers, and whether it did before it was imported, with what was imported then."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", TOLD], stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(session(params, identity))
        process.stdin.flush()  # and is not closed: an editor that goes away is not waited for
        output, messages = process.stdout.read(), process.stderr.read()
    assert process.returncode == 0, messages
    return answers(output), messages.decode()


@pytest.mark.parametrize("params", [NOTHING, MUCH], ids=["nothing", "much"])
def test_the_answer_is_the_same_and_needs_no_server(params: dict[str, Any], folder: Path) -> None:
    first, how = served(params)
    assert how == "False []\n"
    assert set(first) == {1, "last"}
    again, how = served({**params, "rootUri": folder.as_uri(), "processId": os.getpid()}, identity="other")
    assert how == "True []\n"
    assert again == {"other": first[1], "last": None}


def test_who_says_something_else_gets_another_answer() -> None:
    first, _ = served(NOTHING)
    second, how = served(MUCH)
    assert how == "False []\n"
    assert second[1] != first[1]


@pytest.mark.parametrize(
    "params",
    [None, [], {**NOTHING, "processId": "x"}, {**NOTHING, "rootUri": 1}, {**NOTHING, "workspaceFolders": [{}]}],
    ids=str,
)
def test_what_may_be_refused_is_left_to_the_server(params: object) -> None:
    greeting = Greeting(framed(id=1, method="initialize", params=params))
    assert greeting.answer is None
    assert not greeting.has_answered(1, b"{}")
    assert Greeting(framed(id=1, method="initialize", params=params)).answer is None


@pytest.mark.parametrize(
    "received",
    [
        b"",
        b"Content-Length: 5\r\n\r\n",
        b"Content-Length: 5\r\n\r\n{not}",
        b"Content-Length: x\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        framed(id=1, method="shutdown"),
        framed(method="initialize", params=NOTHING),
        framed(id=True, method="initialize", params=NOTHING),
    ],
    ids=repr,
)
def test_all_else_is_handed_on(received: bytes) -> None:
    greeting = Greeting(received)
    assert greeting.answer is None
    assert greeting.received == received
    assert not greeting.has_answered(1, b"{}")


def test_another_answer_is_kept_and_said_to_be_one(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(0o700)
    message = framed(id=1, method="initialize", params=NOTHING)
    assert not Greeting(message).has_answered(1, b'{"old": 1}')
    greeting = Greeting(message)
    assert greeting.answer is not None
    assert greeting.answer.endswith(b'{"jsonrpc": "2.0", "id": 1, "result": {"old": 1}}')
    assert greeting.has_answered(1, b'{"new": 1}')
    assert "another time" in caplog.text
    later = Greeting(message).answer
    assert later is not None
    assert b'"new"' in later
