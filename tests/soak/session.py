"""A server under random work: edits, requests, and the comparison with a fresh server."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from command_line import STARTED
from rpc.answers import comparable, document_questions, insisted, position_questions, published_alike
from rpc.client import LanguageClient, ResponseError
from rpc.document import Document, Inbox
from rpc.memory import resident_bytes
from soak.edits import Editor

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from rpc.client import Json, PendingResponse

SERVER = (*STARTED, "server")
CAPABILITIES = {
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "completion": {"completionItem": {"snippetSupport": True}},
        "hover": {"contentFormat": ["markdown"]},
    },
    "workspace": {"configuration": True},
}
REQUEST_FAILED = -32803
REQUEST_CANCELLED = -32800
CONTENT_MODIFIED = -32801
SERVER_CANCELLED = -32802
COMPARED_PLACES = 12
"""In how many places of each document the answers of both servers are compared."""


@dataclass
class Outcome:
    """Results: counts, problems in words, and (seconds, bytes) of memory over time."""

    edits: int = 0
    requests: Counter[str] = field(default_factory=Counter)
    comparisons: int = 0
    problems: list[str] = field(default_factory=list)
    memory: list[tuple[float, int]] = field(default_factory=list)


WITHOUT_PROJECT: Json = {"project": {"enabled": False}}
"""Answers before and after a scan of installed packages are not the same."""


class SoakSession:
    """One server with several documents that are edited without rest; a context manager."""

    def __init__(self, texts: Mapping[str, str], random: Random):
        self.outcome = Outcome()
        self._random = random
        self._client = LanguageClient(SERVER)
        self._inbox = Inbox(self._client)
        self._pending: list[PendingResponse] = []
        self._began = time.monotonic()
        self._client.settings = WITHOUT_PROJECT
        self._client.initialize(CAPABILITIES)
        self._documents = [
            Document(self._client, uri, text, language="python" if uri.endswith(".py") else "mlir")
            for uri, text in texts.items()
        ]
        self._editors = {document.uri: Editor(random, list(texts.values())) for document in self._documents}
        self._original = dict(texts)
        for document in self._documents:
            document.open()

    def __enter__(self) -> SoakSession:
        return self

    def __exit__(self, *_: object) -> None:
        with self._client:
            if self._client.process.poll() is None:
                self._client.shut_down()
        complaints = self._client.stderr.decode()
        if "Traceback" in complaints or "ERROR" in complaints:
            self.outcome.problems.append(f"standard error: {complaints[-4000:]}")

    def work(self) -> None:
        """Send one notification with one or more edits of a document, and some requests."""
        document = self._random.choice(self._documents)
        if self._random.random() < 0.01:
            self._start_afresh(document)
        editor = self._editors[document.uri]
        for _ in range(self._random.choice((1, 1, 1, 1, 2, 5))):
            edit = editor.next_edit(document.text)
            document.change([edit])
            self.outcome.edits += 1
        for _ in range(self._random.choice((0, 0, 1, 3))):
            self._ask(self._random.choice(self._documents))
        if len(self._pending) > 100:
            self._collect()

    def checkpoint(self) -> None:
        """Wait for all answers, measure memory, and compare with a fresh server that opens the final texts."""
        self._collect()
        places = {
            document.uri: [self._random.randint(0, len(document.text)) for _ in range(COMPARED_PLACES)]
            for document in self._documents
        }
        ours = {document.uri: self._answers(self._client, document, places) for document in self._documents}
        self.outcome.memory.append((time.monotonic() - self._began, resident_bytes(self._client.process.pid)))
        with LanguageClient(SERVER) as fresh:
            inbox = Inbox(fresh)
            fresh.settings = WITHOUT_PROJECT
            fresh.initialize(CAPABILITIES)
            copies = [
                Document(fresh, document.uri, document.text, language=document.language) for document in self._documents
            ]
            for copy in copies:
                copy.open()
            for document, copy in zip(self._documents, copies, strict=True):
                self._compare(copy, ours[copy.uri], self._answers(fresh, copy, places))
                if not published_alike((self._inbox, document), (inbox, copy)):
                    self._differ(copy, "published", self._inbox.newest(document), inbox.newest(copy))
            fresh.shut_down()

    def _start_afresh(self, document: Document) -> None:
        """Close a document and open it with its first text, under a new version."""
        document.close()
        document.text = self._original[document.uri]
        document.version += 1
        self._editors[document.uri] = Editor(self._random, list(self._original.values()))
        document.open()

    def _ask(self, document: Document) -> None:
        place = self._random.randint(0, len(document.text))
        about_place = questions_at(self._client, document, place)
        method, params = self._random.choice([*document_questions(self._client, document), *about_place])
        pending = self._client.request(method, params)
        self._pending.append(pending)
        self.outcome.requests[method] += 1
        if self._random.random() < 0.1:
            self._client.notify("$/cancelRequest", {"id": pending.id})

    def _collect(self) -> None:
        for pending in self._pending:
            self._result(pending, REQUEST_FAILED, REQUEST_CANCELLED, CONTENT_MODIFIED, SERVER_CANCELLED)
        self._pending.clear()

    def _result(self, pending: PendingResponse, *expected_errors: int) -> Json:
        """Wait for an answer and return it, or the code of an expected error; other errors are problems."""
        try:
            return pending.result()
        except ResponseError as error:
            if error.code in expected_errors:
                return error.code
            self.outcome.problems.append(str(error))
        except TimeoutError as error:
            self.outcome.problems.append(str(error))
        return None

    def _answers(self, client: LanguageClient, document: Document, places: Mapping[str, list[int]]) -> dict[str, Json]:
        """The server's answers to all requests about a document, by method."""
        answers: dict[str, Json] = {}
        questions = [(method, method, params) for method, params in document_questions(client, document)]
        for place in places[document.uri]:
            about_place = questions_at(client, document, place)
            questions += [(f"{method} at {place}", method, params) for method, params in about_place]
        for name, method, params in questions:
            answers[name] = comparable(self._insisted(client, method, params), document.uri)
        return answers

    def _insisted(self, client: LanguageClient, method: str, params: Json) -> Json:
        """Ask until the answer, or that there is none, is not that it takes too long."""
        try:
            return insisted(client, method, params)
        except ResponseError as error:
            if error.code != REQUEST_FAILED:
                self.outcome.problems.append(str(error))
            return error.code
        except TimeoutError as error:
            self.outcome.problems.append(str(error))
            return None

    def _compare(self, document: Document, ours: dict[str, Json], fresh: dict[str, Json]) -> None:
        for question, expected in fresh.items():
            self.outcome.comparisons += 1
            if ours.get(question) != expected:
                self._differ(document, question, ours.get(question), expected)

    def _differ(self, document: Document, question: str, ours: Json, fresh: Json) -> None:
        answers = f"{str(ours)[:600]} instead of {str(fresh)[:600]}"
        self.outcome.problems.append(f"after {self.outcome.edits} edits: {document.uri}: {question}: {answers}")


def questions_at(client: LanguageClient, document: Document, place: int) -> list[tuple[str, Json]]:
    """Every request about a place, and the renaming of the name there, which the server may refuse."""
    rename = ("textDocument/rename", {**document.at(place), "newName": "%renamed"})
    return [*position_questions(client, document, place), rename]
