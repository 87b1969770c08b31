"""One job queue for each document: work runs in threads, while the event loop passes messages and keeps state.

A queue runs its jobs one after the other, so that no two jobs use a document at the same time. A request sees all edits
before it, and none after it; between two edits, what the user waits for goes before what may wait (`Turn`). Queues
share a thread as long as their jobs are quick. A queue with a slow job keeps that thread for itself from then on, and
the other queues move to a new one.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

_T = TypeVar("_T")
_LOGGER = logging.getLogger(__name__)
_TURN = 0.0005
"""Interpreter switch interval in seconds: time a thread holds the GIL; a message waits for it several times."""
_QUICK = 0.05
"""Seconds that a job may block the other queues of the shared thread."""
_STEP = 0.004
"""Seconds after which a long answer yields to others."""
_IDLE = 10.0
"""Seconds after which an idle thread ends."""
_HAS_THREADS = sys.platform not in ("emscripten", "wasi")
"""False in a browser, where jobs run between two messages."""


class Turn(Enum):
    """When a job runs; those of one turn run in the order of submission."""

    SOON = auto()
    """Before jobs that may wait, and between their steps: answers about a place, and the findings at an edit."""
    LATER = auto()
    """Answers about whole documents, and checks of the rest."""
    CHANGE = auto()
    """After all jobs before it in its queue, and before all that follow, since it changes the document."""


class DocumentQueue:
    """The queue of one document. A queue that is `apart` has a thread of its own from the beginning."""

    __slots__ = ("lock", "worker")

    def __init__(self, *, apart: bool = False) -> None:
        self.lock = threading.Lock()
        """Held during each job of the queue."""
        self.worker = _Worker() if apart else None
        """The queue's own thread, or None for a queue in the shared thread."""


class _Job:
    """A function to run in a queue; `outcome` is a future of the event loop. A cancelled job is not begun."""

    __slots__ = ("_function", "_loop", "outcome", "queue", "turn")

    def __init__(
        self, queue: DocumentQueue, function: Callable[[], Any], loop: asyncio.AbstractEventLoop, turn: Turn
    ) -> None:
        self.queue = queue
        self.turn = turn
        self.outcome: asyncio.Future[Any] = loop.create_future()
        self._function = function
        self._loop = loop

    def run(self) -> None:
        """Run the job; called in the queue's thread."""
        with self.queue.lock:
            self.run_within()

    def run_within(self) -> None:
        """Run the job inside another job of the same queue."""
        if self.outcome.done():
            return
        result, problem = None, None
        around, _PRESENT.job = _PRESENT.job, self
        try:
            result = self._function()
        except BaseException as error:  # any error is delivered to the awaiting task
            problem = error
        finally:
            _PRESENT.job = around
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._deliver, result, problem)

    def _deliver(self, result: Any, problem: BaseException | None) -> None:
        if self.outcome.done():
            return
        if problem is not None:
            self.outcome.set_exception(problem)
        else:
            self.outcome.set_result(result)


class _Present(threading.local):
    worker: _Worker | None = None
    job: _Job | None = None


_PRESENT = _Present()


class _Worker:
    """A thread that runs jobs one after the other; it is started for the first job, and ends when idle."""

    def __init__(self) -> None:
        self._jobs: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._has_thread = False
        self._running: _Job | None = None
        self._since = 0.0

    @property
    def is_busy(self) -> bool:
        """True if a job is running or waiting."""
        return self._running is not None or bool(self._jobs)

    def put(self, job: _Job) -> None:
        """Append a job, and start the thread if there is none."""
        with self._changed:
            self._jobs.append(job)
            if self._has_thread:
                self._changed.notify()
                return
            self._has_thread = True
        if _HAS_THREADS:
            threading.Thread(target=self._work, name="tdls-lane", daemon=True).start()
        else:
            asyncio.get_running_loop().call_soon(self._work)

    def leave_to_slow(self) -> tuple[DocumentQueue, list[_Job]] | None:
        """Keep only the queue of a slow running job, and return it with the jobs of the others, or None if not slow."""
        with self._changed:
            running = self._running
            if running is None or time.monotonic() - self._since < _QUICK:
                return None
            others = [job for job in self._jobs if job.queue is not running.queue]
            own = [job for job in self._jobs if job.queue is running.queue]
            self._jobs.clear()
            self._jobs.extend(own)
            return running.queue, others

    def soon_in(self, queue: DocumentQueue) -> _Job | None:
        """Remove and return the next job of `queue` to run between the steps of another, or None."""
        with self._changed:
            return self._soon(job for job in self._jobs if job.queue is queue)

    def _soon(self, jobs: Iterable[_Job]) -> _Job | None:
        """Remove and return the first of the waiting `jobs` that goes before those that may wait."""
        changing: set[DocumentQueue] = set()
        for job in jobs:
            if job.turn is Turn.CHANGE:
                changing.add(job.queue)
            elif job.turn is Turn.SOON and job.queue not in changing:
                self._jobs.remove(job)
                return job
        return None

    def clear(self) -> None:
        """Drop all waiting jobs."""
        with self._changed:
            self._jobs.clear()

    def _work(self) -> None:
        _PRESENT.worker = self
        while (job := self._next()) is not None:
            job.run()

    def _next(self) -> _Job | None:
        with self._changed:
            self._running = None
            if not self._jobs and _HAS_THREADS:
                self._changed.wait(_IDLE)
            if not self._jobs:
                self._has_thread = False
                return None
            self._running, self._since = self._soon(self._jobs) or self._jobs.popleft(), time.monotonic()
            return self._running


class DocumentQueues:
    """Runs functions in document queues; `submit` and `start` are called in the event loop's thread."""

    def __init__(self) -> None:
        sys.setswitchinterval(_TURN)
        self._shared = _Worker()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = 0
        """Identity of the event loop's thread, 0 before the first job."""
        self._watching: asyncio.TimerHandle | None = None
        self._is_closed = False

    def submit(self, queue: DocumentQueue, function: Callable[[], _T], turn: Turn = Turn.CHANGE) -> asyncio.Future[_T]:
        """Run `function` in `queue`, and return a future of its result; cancelling it drops a job that has not begun.

        A function that changes the document has the default `turn`.
        """
        loop = self._loop
        if loop is None:
            loop = self._loop = asyncio.get_running_loop()
            self._thread = threading.get_ident()
        job = _Job(queue, function, loop, turn)
        if self._is_closed:
            job.outcome.cancel()
        elif queue.worker is not None:
            queue.worker.put(job)
        else:
            self._shared.put(job)
            self._watch()
        return job.outcome

    def start(self, queue: DocumentQueue, function: Callable[[], object]) -> asyncio.Future[object]:
        """Run `function` in `queue` without awaiting it; a failure is logged."""
        outcome = self.submit(queue, function)
        outcome.add_done_callback(_log_failure)
        return outcome

    def within(self, queue: DocumentQueue, function: Callable[[], object]) -> None:
        """Run `function` in another `queue` than that of the calling job: at once if it is idle, later otherwise."""
        if not queue.lock.acquire(blocking=False):
            self.on_loop(self.start, queue, function)
            return
        try:
            function()
        finally:
            queue.lock.release()

    def on_loop(self, function: Callable[..., object], *arguments: object) -> None:
        """Call `function` in the event loop's thread: at once if called in this thread, soon otherwise."""
        if self._loop is None or threading.get_ident() == self._thread:
            function(*arguments)
            return
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(function, *arguments)

    def close(self) -> None:
        """Drop all waiting jobs, and cancel later ones. Running jobs are not waited for."""
        self._is_closed = True
        self._shared.clear()

    def _watch(self) -> None:
        """Check regularly whether a job blocks the shared thread."""
        if self._watching is None and self._loop is not None:
            self._watching = self._loop.call_later(_QUICK / 2, self._look)

    def _look(self) -> None:
        self._watching = None
        shared = self._shared
        slow = shared.leave_to_slow()
        if slow is not None:
            queue, others = slow
            queue.worker, self._shared = shared, _Worker()
            for job in others:
                self._shared.put(job)
        if self._shared.is_busy:
            self._watch()


class GivenUpError(Exception):
    """The outcome of the running job was cancelled or refused."""


def in_steps(work: Generator[None, None, _T]) -> _T:
    """Return the result of `work`, which yields where it may be interrupted; for functions in document queues.

    Jobs of the document that do not wait (`Turn.SOON`) run between the steps. Raises GivenUpError once the outcome of
    the running job is cancelled or refused. Facts about sections computed by then are kept, so that a second request is
    quicker.
    """
    job = _PRESENT.job
    deadline = time.monotonic() + _STEP
    while True:
        try:
            next(work)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        if job is None or time.monotonic() < deadline:
            continue
        worker = _PRESENT.worker
        while worker is not None and (other := worker.soon_in(job.queue)) is not None:
            other.run_within()
        if job.outcome.done():
            work.close()
            raise GivenUpError
        deadline = time.monotonic() + _STEP


def _log_failure(outcome: asyncio.Future[object]) -> None:
    error = outcome.exception() if not outcome.cancelled() else None
    if error is not None:
        _LOGGER.error("work about a document failed: %s", error, exc_info=error)
