"""Measures the answers of a server with an open attack, about the attack and about another document."""

from __future__ import annotations

import os
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from processes import leftovers
from rpc.answers import document_questions, eventually
from rpc.client import LanguageClient, ResponseError
from rpc.document import Document, Inbox
from rpc.memory import resident_bytes
from soak.attack.checking import write
from soak.attack.model import PLAIN, SCRIPT
from soak.session import CAPABILITIES, SERVER, questions_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rpc.client import Json
    from soak.attack.model import Files

_PATIENCE = 30.0
"""Seconds after which an answer does not come any more."""
_PLACES = 5
_PAUSE = 0.03
"""Seconds between two hovers over the other document."""


class Service(NamedTuple):
    """Times in seconds, and memory in bytes."""

    longest: float
    """The longest answer about the attack."""
    method: str
    """The method of that request."""
    answers: int
    usual: float
    """The median of hovers over another document before."""
    other: float
    """Of 100 hovers over another document meanwhile, 95 took at most this."""
    longest_other: float
    memory: int
    complaint: str
    """The server's errors on standard error."""
    left: tuple[str, ...] = ()
    """Temporary files and processes that the server left, in words."""


def serve(files: Files) -> Service:
    """Open an attack in a server, send all requests, type a letter in the middle, and send them again."""
    with tempfile.TemporaryDirectory(prefix="tdls-attack-", ignore_cleanup_errors=True) as name:
        folder, temporary = Path(name, "project"), Path(name, "temporary")
        temporary.mkdir()
        write(folder, files)
        (folder / "other.mlir").write_text(PLAIN, encoding="utf-8")
        environment = os.environ | {"TMPDIR": str(temporary)}
        with LanguageClient(SERVER, folder=folder, environment=environment) as client:
            service = _Session(client, folder, files[SCRIPT]).measure()
            if service.longest < _PATIENCE:
                client.shut_down()
            complaint = client.stderr.decode("utf-8", "replace")
        left = tuple(leftovers(temporary))
    failed = complaint if "Traceback" in complaint or "ERROR" in complaint else ""
    return service._replace(complaint=failed[-2000:], left=left)


class _Session:
    def __init__(self, client: LanguageClient, folder: Path, text: str) -> None:
        self._client = client
        self._inbox = Inbox(client)
        self._is_over = threading.Event()
        self._times: list[tuple[float, str]] = []
        client.initialize(CAPABILITIES, rootUri=folder.as_uri())
        self._other = Document(client, (folder / "other.mlir").as_uri(), PLAIN)
        self._attack = Document(client, (folder / SCRIPT).as_uri(), text)

    def measure(self) -> Service:
        self._other.open()
        eventually(lambda: self._inbox.newest(self._other) is not None)
        usual = statistics.median(self._hover() for _ in range(20))
        others: list[float] = []
        bystander = threading.Thread(target=self._hover_meanwhile, args=(others,), daemon=True)
        bystander.start()
        self._attack.open()
        if self._answers_everything():
            middle = len(self._attack.text) // 2
            self._attack.replace(middle, middle, "x")
            self._answers_everything()
        memory = resident_bytes(self._client.process.pid)
        self._is_over.set()
        bystander.join(_PATIENCE)
        longest, method = max(self._times)
        most = statistics.quantiles(others, n=20)[-1] if len(others) > 1 else 0.0
        return Service(longest, method, len(self._times), usual, most, max(others, default=0.0), memory, "")

    def _answers_everything(self) -> bool:
        """Send all requests, and return whether the server answered all; after a missing answer no more are sent."""
        return all(self._answers(method, params) for method, params in self._questions())

    def _questions(self) -> Iterator[tuple[str, Json]]:
        yield from document_questions(self._client, self._attack)
        for number in range(_PLACES):
            yield from questions_at(self._client, self._attack, len(self._attack.text) * number // _PLACES)
        yield "workspace/symbol", {"query": "s"}

    def _answers(self, method: str, params: Json) -> bool:
        seconds = self._seconds(method, params)
        self._times.append((seconds, method))
        return seconds < _PATIENCE

    def _seconds(self, method: str, params: Json) -> float:
        """Return how long an answer takes, which may be a refusal; `_PATIENCE` if there is none."""
        began = time.perf_counter()
        try:
            self._client.call(method, params, timeout=_PATIENCE)
        except ResponseError:
            return time.perf_counter() - began
        except TimeoutError:
            return _PATIENCE
        return time.perf_counter() - began

    def _hover(self) -> float:
        return self._seconds("textDocument/hover", self._other.at(PLAIN.index("structured")))

    def _hover_meanwhile(self, times: list[float]) -> None:
        while not self._is_over.wait(_PAUSE):
            times.append(self._hover())
