"""Searches a smaller input that fails in the same way: delta debugging over cuts, several runs at a time."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeAlias

from tdls.interpreter.reducing.cuts import Cut, Cuts, merged, tidy, with_edits
from tdls.interpreter.reducing.kept import within_time_of
from tdls.interpreter.runs.entry_points import entry_points
from tdls.interpreter.runs.model import TextFile
from tdls.interpreter.runs.script import Script
from tdls.structs import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.interpreter.runs.model import RunRequest

_LARGE_PARTS = 16
"""Cuts of at least this part of a text come first: a candidate of a large text may cost seconds."""
Texts: TypeAlias = tuple[str, ...]
"""The texts of a request: the script, its libraries, and the payload if it has a file of its own."""


def with_texts(request: RunRequest, texts: Sequence[str], names: Sequence[str] = ()) -> RunRequest:
    """Return a request with other texts of the script, its libraries and its payload, and with other names if given."""
    files = (request.script, *request.others)
    script, *others = (
        Script(name, text, file.catalogue) if isinstance(file, Script) else TextFile(name, text)
        for file, text, name in zip(files, texts, names or [file.name for file in files], strict=True)
    )
    assert isinstance(script, Script)
    libraries = tuple(each for each in others if isinstance(each, Script))
    payload = others[-1] if request.payload is not None else None
    assert not isinstance(payload, Script)
    return replace(request, script=script, libraries=libraries, payload=payload)


class SearchOver(Exception):  # noqa: N818 - no error: the time is up
    """The time for the whole search is up."""


class Search:
    """A search for the smallest request that still fails as `request` does."""

    def __init__(self, request: RunRequest, workers: Sequence[Callable[[RunRequest], bool]], deadline: float) -> None:
        """`workers` tell whether a request fails like that, one at a time each; `deadline` is on `time.monotonic`."""
        self.request = request
        self.tried = 0
        """Number of candidates that were run."""
        self._deadline = deadline
        self._refused: set[Texts] = set()
        self._idle: SimpleQueue[Callable[[RunRequest], bool]] = SimpleQueue()
        for worker in workers:
            self._idle.put(worker)
        self._jobs = len(workers)
        self._pool = ThreadPoolExecutor(self._jobs)
        self._texts: Texts = tuple(file.text for file in (request.script, *request.others))

    def close(self) -> None:
        """Wait for the threads."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def run(self, *, keeps_names: bool) -> None:
        """Make `request` smaller until nothing more can be cut. Raises SearchOver."""
        self._take([tuple(map(tidy, self._texts))])
        script, *libraries = self._texts[: 1 + len(self.request.libraries)]
        payload = self._texts[-1] if self.request.payload is not None else None
        if libraries or payload is not None:
            self._take([(merged(script, payload, libraries, self._catalogue),)])
        steps: list[Callable[[Cuts], Iterable[Cut]]] = [
            Cuts.operations,
            Cuts.aliases,
            Cuts.spliced,
            Cuts.forwarded,
            Cuts.results,
            Cuts.parts,
            Cuts.emptied,
            *(partial(Cuts.numbers, new=new) for new in (1, 2, 4)),
            Cuts.elements,
            *(() if keeps_names else (partial(Cuts.names, kept=self.request.entry_point),)),
        ]
        self._until_nothing_changes([Cuts.operations], parts=_LARGE_PARTS)
        self._until_nothing_changes(steps, parts=_LARGE_PARTS)
        self._until_nothing_changes(steps)
        self._until_nothing_changes([Cuts.lines, *steps])

    @property
    def _catalogue(self) -> Catalogue:
        return self.request.script.catalogue

    def _until_nothing_changes(
        self, steps: Sequence[Callable[[Cuts], Iterable[Cut]]], parts: int | None = None
    ) -> None:
        """Apply all kinds of cuts to all texts, the largest text first; with `parts` only that many cuts at once."""
        before: Texts = ()
        while self._texts != before:
            before = self._texts
            for step in steps:
                for number in sorted(range(len(self._texts)), key=lambda number: -len(self._texts[number])):
                    if number < len(self._texts):
                        self._sweep(number, step, parts)

    def _sweep(self, number: int, step: Callable[[Cuts], Iterable[Cut]], parts: int | None) -> None:
        """Apply the cuts of a kind to a text: first many at once, then fewer, down to 1 / `parts` of them."""
        cuts = self._cuts(number, step)
        size = len(cuts)
        while size and (parts is None or size * parts >= len(cuts)):
            start = 0
            while start < len(cuts):
                starts = range(start, min(len(cuts), start + self._jobs * size), size)
                edits = ([edit for cut in cuts[at : at + size] for edit in cut] for at in starts)
                shorter = (tidy(with_edits(self._texts[number], each)) for each in edits)
                texts = [(*self._texts[:number], each, *self._texts[number + 1 :]) for each in shorter]
                taken = self._take(texts)
                start = starts[taken] if taken is not None else starts[-1] + size
                if taken is not None:
                    cuts = self._cuts(number, step)
            size //= 2

    def _cuts(self, number: int, step: Callable[[Cuts], Iterable[Cut]]) -> list[Cut]:
        return [cut for cut in step(Cuts(self._texts[number], self._catalogue)) if cut]

    def _take(self, candidates: Sequence[Texts]) -> int | None:
        """Run candidates together, go on with the first that holds, and return its number. Raises SearchOver."""
        if time.monotonic() > self._deadline:
            raise SearchOver
        new = [texts for texts in candidates if texts not in self._refused and texts != self._texts]
        requests = [self._request(texts) for texts in new]
        self.tried += len(new)
        answers = list(self._pool.map(self._run, requests))
        for texts, request, (holds, seconds) in zip(new, requests, answers, strict=True):
            if holds and request is not None:
                self._texts, self.request = texts, within_time_of(request, seconds)
                return candidates.index(texts)
            self._refused.add(texts)
        return None

    def _run(self, request: RunRequest | None) -> tuple[bool, float]:
        """Return whether `request` still fails in the same way, and after how many seconds."""
        if request is None:
            return False, 0.0
        worker = self._idle.get()
        started = time.monotonic()
        try:
            return worker(request), time.monotonic() - started
        finally:
            self._idle.put(worker)

    def _request(self, texts: Texts) -> RunRequest | None:
        """Return the request with other texts, or None if its entry point, an operation, is no longer there."""
        old = self.request
        request = with_texts(old if len(texts) > 1 else replace(old, libraries=(), payload=None), texts)
        if old.operation is None:
            return request
        points = [point for point in entry_points(request.script.file) if point.name == old.entry_point]
        return replace(request, operation=points[0].span.start) if points else None
