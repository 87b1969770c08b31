"""Checks in other processes, and their end when their results are no longer needed."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.catalogue.model import OperationDefinition
from tdls.catalogue.source import MemorySource
from tdls.lsp.documents.helpers import Helpers
from tdls.lsp.session.document import Document
from tdls.lsp.session.document_queue import DocumentQueue, DocumentQueues

if TYPE_CHECKING:
    import pytest

TEXT = "".join(f"func.func @f{number}() {{\n  return\n}}\n" for number in range(6_000))
SHIPPED = Catalogue.shipped()


class BusyPool:
    """Processes that begin with one batch and never get further."""

    def __init__(self) -> None:
        self.submitted: list[Future[Any]] = []

    def submit(self, *_: object) -> Future[Any]:
        future: Future[Any] = Future()
        if not self.submitted:
            future.set_running_or_notify_cancel()
        self.submitted.append(future)
        return future

    def shutdown(self, **_: object) -> None:
        """There is nothing to end."""


def test_work_that_another_catalogue_makes_useless_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    helpers, pool = Helpers(SHIPPED, DocumentQueues(), returned=lambda _: None), BusyPool()
    monkeypatch.setattr(helpers, "_started", lambda: pool)
    document = Document.opened(types.TextDocumentItem("file:///a.mlir", "mlir", 0, TEXT), SourceFile.of(TEXT, SHIPPED))
    queue = DocumentQueue()
    helpers.send(helpers.take_over(document, queue))
    assert len(pool.submitted) > 2
    other = SHIPPED.with_source(MemorySource("my.json", [OperationDefinition("my.operation")]))
    document.use_file(document.file.with_catalogue(other))
    assert helpers.take_over(document, queue) == [], "one batch is checked still, by what knows the old catalogue"
    begun, *others = pool.submitted
    assert not begun.cancelled()
    assert all(future.cancelled() for future in others)
