"""The page of a recorded run that a language server shows in a browser: live, and closed to others."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psutil
import pytest

from lsp.requests.test_state_at import SCRIPT, StateBench
from rpc.answers import eventually
from tdls.pages import local
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rpc.client import Json

COMMAND = "tdls.showStatePage"
HOSTILE = "</script><img src=x onerror=alert(1)>"
TOLD = SCRIPT.replace("    transform.yield", f'    transform.print {{name = "{HOSTILE}"}}\n    transform.yield')


class PageBench(StateBench):
    """A server with a script, whose page was asked for at `address`."""

    def __init__(self, folder: Path) -> None:
        require_bindings()
        super().__init__(folder, TOLD)
        self.before = self.listening()
        place = self.script.at(self.script.text.index("tile_using_for"))
        params = {"command": COMMAND, "arguments": [place]}
        self.address: str = self.client.call("workspace/executeCommand", params, timeout=60)["address"]

    def listening(self) -> list[str]:
        connections = psutil.Process(self.client.process.pid).net_connections("inet")
        return [each.laddr.ip for each in connections if each.status == psutil.CONN_LISTEN]

    def get(self, path: str = "", method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, str]:
        """Return the response for a path below the secret one, or for an absolute one, and its text."""
        parts = urlsplit(self.address)
        connection = http.client.HTTPConnection(parts.netloc, timeout=30)
        connection.request(method, path if path.startswith("/") else parts.path + path, headers=headers)
        response = connection.getresponse()
        return response, response.read().decode()

    def news(self) -> Json:
        return json.loads(self.get("now?after=0")[1])

    def hover(self, word: str) -> None:
        self.client.call("textDocument/hover", self.script.at(self.script.text.index(word)))


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageBench]:
    with PageBench(tmp_path_factory.mktemp("page")) as bench:
        yield bench


def test_the_page_is_that_of_a_trace_without_paths_of_the_machine(bench: PageBench) -> None:
    assert (bench.before, bench.listening()) == ([], ["127.0.0.1"])  # nothing listens before it is asked for
    response, page = bench.get()
    policy = response.headers["Content-Security-Policy"]
    assert re.fullmatch(r"default-src 'none'; (\w+-src 'sha256-[\w+/=]+'; ){2}connect-src 'self'; .*", policy)
    assert "'unsafe" not in policy
    assert "Access-Control-Allow-Origin" not in response.headers
    assert (response.headers["Cache-Control"], response.headers["Referrer-Policy"]) == ("no-store", "no-referrer")
    assert HOSTILE.partition(">")[2] not in page
    (run,) = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert HOSTILE in run["source"]
    assert (run["script"]["path"], run["steps"][1]["operation"]) == (
        "script.mlir",
        "transform.structured.tile_using_for",
    )
    assert str(Path(bench.script.uri.removeprefix("file://")).parent) not in page


def test_the_page_follows_the_cursor_and_the_script(bench: PageBench) -> None:
    bench.hover("transform.foreach")
    assert eventually(lambda: bench.news()["step"] == 4)
    bench.hover("structured.match")
    assert eventually(lambda: bench.news()["step"] == 1)
    version, size = bench.news()["version"], bench.script.text.index("[4]") + 1
    bench.script.replace(size, size + 1, "2")
    bench.hover("transform.foreach")
    assert eventually(lambda: bench.news()["message"].startswith("Outdated: the script was edited since"))
    bench.client.notify("textDocument/didSave", {"textDocument": {"uri": bench.script.uri}})
    assert eventually(lambda: bench.news()["version"] != version and not bench.news()["message"])
    assert "step %c2" in bench.get()[1]


@pytest.mark.parametrize(
    ("status", "path", "method", "headers"),
    [
        (403, "", "GET", {"Host": "attacker.example"}),  # another name that leads here
        (403, "now", "GET", {"Origin": "https://attacker.example"}),
        (405, "", "POST", {}),
        *((404, path, "GET", {}) for path in ("/", "/now?after=0", "/guessed/", "../../etc/passwd", "page.html")),
    ],
)
def test_others_get_nothing(bench: PageBench, path: str, method: str, headers: dict[str, str], status: int) -> None:
    response, text = bench.get(path, method, **headers)
    assert (response.status, "transform" in text) == (status, False)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell whose a connection is")
@pytest.mark.parametrize(("user", "is_answered"), [(os.getuid(), True), (0, True), (4711, False)])
def test_other_users_are_not_answered(user: int, is_answered: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    connections = local._connections

    async def ask() -> bytes:
        address = urlsplit(await local.LocalPages(answer).serve())
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        writer.write(f"GET {address.path}x HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
        with suppress(ConnectionResetError):
            return await reader.read()
        return b""

    async def answer(name: str, query: str) -> tuple[str, str] | None:
        return "text/plain", f"{name}{query}"

    of_user = (r"(?m)^((?:\s*\S+){7}\s+)\d+", rf"\g<1>{user}")
    monkeypatch.setattr(local, "_connections", lambda: re.sub(*of_user, connections()))
    assert (b"200 OK" in asyncio.run(ask())) == is_answered


def test_the_page_is_opened_in_a_browser_and_ends_with_the_server(tmp_path: Path) -> None:
    with PageBench(tmp_path) as bench:
        said = next(note for note in bench.inbox.messages if bench.address in note["message"])
        assert "the run is shown in http://127.0.0.1:" in said["message"]
    with pytest.raises(ConnectionRefusedError):
        bench.get()
