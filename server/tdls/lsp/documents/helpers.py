"""Check the payload of large files in other processes, so that requests need not wait for it."""

from __future__ import annotations

import logging
import os
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tdls.analysis.checking.excerpts import Excerpt, check_excerpts, use_catalogue
from tdls.processes import spawn_context, work_for_parent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from tdls.analysis.checking.excerpts import ExcerptFindings
    from tdls.analysis.checking.findings import Findings
    from tdls.catalogue.catalogue import Catalogue
    from tdls.lsp.session.document import Document
    from tdls.lsp.session.document_queue import DocumentQueue, DocumentQueues
    from tdls.semantic.types import TypeTexts
    from tdls.syntax.sections.sections import Section

    Found: TypeAlias = list[ExcerptFindings | None]

_LOGGER = logging.getLogger(__name__)
_WORTH_IT = 150_000
"""Minimum size in code points of unread payload to send to other processes."""
_BATCH = 60_000
"""Size of a batch in code points."""
_PROCESSES = max(1, min(2, os.cpu_count() or 1))


class Batch(NamedTuple):
    """Sections of one part of a document to send together."""

    sections: Sequence[Section]
    document: Document
    queue: DocumentQueue
    """The queue of the document."""
    findings: Findings
    catalogue: Catalogue
    """The catalogue of the document when the sections were taken over."""
    types: TypeTexts

    def take(self, found: Found) -> None:
        """Accept the results, None for each section to check in this process; called in the document's queue."""
        for section, alone in zip(self.sections, found, strict=True):
            if alone is None:
                self.findings.refuse(section)
            elif section.catalogue.whole is self.catalogue:
                self.findings.accept(section, alone, self.types)
        self.findings.return_(self.sections)


class Helpers:
    """A process pool, started at first use. If it fails, its sections are returned and checked in this process."""

    def __init__(self, shipped: Catalogue, queues: DocumentQueues, returned: Callable[[str], None]) -> None:
        """`returned` is called with a document's URI when sections of it are returned.

        The processes use one catalogue, at first the `shipped` one. It is replaced only when they are idle; until then
        documents with another catalogue are checked in this process.
        """
        self._catalogue = shipped
        self._queues = queues
        self._returned = returned
        self._pool: ProcessPoolExecutor | None = None
        self._is_usable = True
        self._sent: dict[Future[Found], Batch] = {}
        self._sending = threading.Lock()

    def take_over(self, document: Document, queue: DocumentQueue) -> list[Batch]:
        """Remove the unread payload of a document from its pending work and return it, if it is worth sending.

        Called in the document's `queue`.
        """
        if not self._is_usable:
            return []
        self._forget_outdated(document)
        unread = document.findings.unread()
        is_known = document.file.catalogue is self._catalogue or not self._sent
        if sum(len(section.text) for section in unread) < _WORTH_IT or not is_known:
            return []
        document.findings.set_aside(unread)
        return [
            Batch(batch, document, queue, document.findings, document.file.catalogue, document.file.types(part))
            for part, sections in groupby(unread, key=lambda section: document.file.context_of(section).part)
            for batch in _batches(sections)
        ]

    def send(self, batches: Sequence[Batch]) -> None:
        """Submit batches from `take_over` to the processes. Thread-safe, since starting processes takes a while."""
        with self._sending:
            for batch in batches:
                if self._is_usable and self._know(batch.catalogue):
                    self._send(batch)
                else:
                    self._queues.on_loop(self._give_back, batch)

    def close(self) -> None:
        """Stop the processes without waiting for their present work."""
        self._is_usable = False
        self._end_pool()

    def _know(self, catalogue: Catalogue) -> bool:
        """Return whether the processes use `catalogue`; idle processes are replaced to make it so."""
        if catalogue is not self._catalogue and not self._sent:
            self._catalogue = catalogue
            self._end_pool()
        return catalogue is self._catalogue

    def _end_pool(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)  # cancels futures only while the pool is referenced
            self._pool = None

    def _send(self, batch: Batch) -> None:
        excerpts = [Excerpt(section.text, section.surroundings, section.kind) for section in batch.sections]

        def done(future: Future[Found]) -> None:
            if not future.cancelled():
                self._queues.on_loop(self._receive, future)

        try:
            future = self._started().submit(check_excerpts, excerpts, batch.types.made_of)
        except (BrokenProcessPool, OSError, RuntimeError) as error:
            self._give_up(error)
            self._queues.on_loop(self._give_back, batch)
            return
        self._sent[future] = batch
        future.add_done_callback(done)

    def _receive(self, future: Future[Found]) -> None:
        batch = self._sent.pop(future, None)
        if batch is None:
            return
        taken = self._queues.start(batch.queue, partial(batch.take, self._result(future, len(batch.sections))))
        taken.add_done_callback(lambda _: self._returned(batch.document.uri))

    def _give_back(self, batch: Batch) -> None:
        given = self._queues.start(batch.queue, partial(batch.findings.return_, batch.sections))
        given.add_done_callback(lambda _: self._returned(batch.document.uri))

    def _forget_outdated(self, document: Document) -> None:
        """Cancel batches of older versions, or with another catalogue, that have not begun yet."""
        for future, batch in list(dict(self._sent).items()):
            is_there = any(document.file.index_of(section) is not None for section in batch.sections)
            is_wanted = is_there and batch.catalogue is document.file.catalogue
            if batch.document is document and not is_wanted and future.cancel():
                self._sent.pop(future, None)
                batch.findings.return_(batch.sections)

    def _result(self, future: Future[Found], count: int) -> Found:
        error = future.exception()
        if error is None:
            return future.result()
        self._give_up(error)
        return [None] * count

    def _give_up(self, error: BaseException) -> None:
        _LOGGER.warning("payload is checked in the server's own process from now on: %s", error)
        self.close()

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = spawn_context()
            self._pool = ProcessPoolExecutor(
                _PROCESSES, mp_context=context, initializer=_prepare, initargs=(self._catalogue,)
            )
        return self._pool


def _batches(sections: Iterable[Section]) -> Iterator[list[Section]]:
    batch: list[Section] = []
    size = 0
    for section in sections:
        batch.append(section)
        size += len(section.text)
        if size >= _BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _prepare(catalogue: Catalogue) -> None:
    """Initialize a process with `catalogue`; the process ends with the server."""
    work_for_parent()
    use_catalogue(catalogue)
