"""One queue for each document: work in threads, while the event loop passes messages and keeps state.

A queue does one job after the other, in the order in which they came, so that no other job touches the document
meanwhile and a request sees all edits before it. Queues share a thread as long as their jobs are quick. A queue whose
job keeps the others waiting has that thread for itself from then on, and the others go on in a new one.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_T = TypeVar("_T")
_LOGGER = logging.getLogger(__name__)
_TURN = 0.0005
"""Seconds that a thread keeps the event loop waiting at a time; a message waits for its turn several times."""
_QUICK = 0.05
"""Seconds that a lane may keep others waiting."""
_STEP = 0.004
"""Seconds after which an answer that takes long lets others go first."""
_IDLE = 10.0
"""Seconds after which a thread ends that has nothing to do."""


class DocumentQueue:
    """The work about one document. A lane that is `apart` has a thread of its own from the beginning."""

    __slots__ = ("lock", "worker")

    def __init__(self, *, apart: bool = False) -> None:
        self.lock = threading.Lock()
        """Held by whoever works on the document."""
        self.worker = _Worker() if apart else None
        """The thread that it does not share."""


class _Job:
    """Something to be done in a lane; its outcome is known to the event loop, and nothing is begun that is given up."""

    __slots__ = ("_function", "_loop", "gives_answer", "is_long", "outcome", "queue")

    def __init__(
        self,
        queue: DocumentQueue,
        function: Callable[[], Any],
        loop: asyncio.AbstractEventLoop,
        *,
        gives_answer: bool,
        is_long: bool,
    ) -> None:
        self.queue = queue
        self.gives_answer = gives_answer
        """True if it changes nothing, so that what takes longer may let it go first."""
        self.is_long = is_long
        """True for an answer that may take longer than others, which it does not go before."""
        self.outcome: asyncio.Future[Any] = loop.create_future()
        self._function = function
        self._loop = loop

    def run(self) -> None:
        """Do it; called in the lane's thread."""
        with self.queue.lock:
            self.run_within()

    def run_within(self) -> None:
        """Do it within another job of the lane."""
        if self.outcome.done():
            return
        result, problem = None, None
        around, _PRESENT.job = _PRESENT.job, self
        try:
            result = self._function()
        except BaseException as error:  # whatever it is belongs to whoever waits for it
            problem = error
        finally:
            _PRESENT.job = around
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
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
    """A thread that does one job after the other; it is there while there are any."""

    def __init__(self) -> None:
        self._jobs: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._has_thread = False
        self._running: _Job | None = None
        self._since = 0.0

    @property
    def is_busy(self) -> bool:
        """True if there is anything to do."""
        return self._running is not None or bool(self._jobs)

    def put(self, job: _Job) -> None:
        """Do a job after those that there are."""
        with self._changed:
            self._jobs.append(job)
            if self._has_thread:
                self._changed.notify()
                return
            self._has_thread = True
        threading.Thread(target=self._work, name="tdls-lane", daemon=True).start()

    def leave_to_slow(self) -> tuple[DocumentQueue, list[_Job]] | None:
        """Keep only the lane that keeps others waiting, and return it with the jobs of these; None if there is none."""
        with self._changed:
            running = self._running
            if running is None or time.monotonic() - self._since < _QUICK:
                return None
            others = [job for job in self._jobs if job.queue is not running.queue]
            own = [job for job in self._jobs if job.queue is running.queue]
            self._jobs.clear()
            self._jobs.extend(own)
            return running.queue, others

    def answer_before(self, running: _Job) -> _Job | None:
        """Return the next answer that may be given before the job `running` of its lane is done, None if none."""
        may_be_long = running.is_long or not running.gives_answer
        with self._changed:
            waiting = (job for job in self._jobs if job.queue is running.queue)
            answers = takewhile(lambda job: job.gives_answer, waiting)
            first = next((job for job in answers if may_be_long or not job.is_long), None)
            if first is not None:
                self._jobs.remove(first)
            return first

    def clear(self) -> None:
        """Begin nothing more."""
        with self._changed:
            self._jobs.clear()

    def _work(self) -> None:
        _PRESENT.worker = self
        while (job := self._next()) is not None:
            job.run()

    def _next(self) -> _Job | None:
        with self._changed:
            self._running = None
            if not self._jobs:
                self._changed.wait(_IDLE)
            if not self._jobs:
                self._has_thread = False
                return None
            self._running, self._since = self._jobs.popleft(), time.monotonic()
            return self._running


class DocumentQueues:
    """Has things done in lanes, for the event loop's thread."""

    def __init__(self) -> None:
        sys.setswitchinterval(_TURN)
        self._shared = _Worker()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = 0
        """The event loop's thread, once there is one."""
        self._watching: asyncio.TimerHandle | None = None
        self._is_closed = False

    def submit(
        self, queue: DocumentQueue, function: Callable[[], _T], *, gives_answer: bool = False, is_long: bool = False
    ) -> asyncio.Future[_T]:
        """Have something done in `queue`, and return what comes of it; if that is cancelled before, it is not done.

        What only `gives_answer` changes nothing, and need not wait for longer answers before it. One that `is_long`
        itself waits for those that are not.
        """
        loop = self._loop
        if loop is None:
            loop = self._loop = asyncio.get_running_loop()
            self._thread = threading.get_ident()
        job = _Job(queue, function, loop, gives_answer=gives_answer, is_long=is_long)
        if self._is_closed:
            job.outcome.cancel()
        elif queue.worker is not None:
            queue.worker.put(job)
        else:
            self._shared.put(job)
            self._watch()
        return job.outcome

    def start(self, queue: DocumentQueue, function: Callable[[], object]) -> asyncio.Future[object]:
        """Have something done that nobody waits for; if it fails, that is logged."""
        outcome = self.submit(queue, function)
        outcome.add_done_callback(_log_failure)
        return outcome

    def within(self, queue: DocumentQueue, function: Callable[[], object]) -> None:
        """Do something in another `queue` than the one that this is called in: at once if nobody works there."""
        if not queue.lock.acquire(blocking=False):
            self.on_loop(self.start, queue, function)
            return
        try:
            function()
        finally:
            queue.lock.release()

    def on_loop(self, function: Callable[..., object], *arguments: object) -> None:
        """Call `function` in the event loop's thread: at once if this is it, and soon otherwise."""
        if self._loop is None or threading.get_ident() == self._thread:
            function(*arguments)
            return
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(function, *arguments)

    def close(self) -> None:
        """Begin nothing more. What is being done is not waited for."""
        self._is_closed = True
        self._shared.clear()

    def _watch(self) -> None:
        """See to it that no lane keeps the others waiting for long."""
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
    """Nobody waits any more for what is being done."""


def in_steps(work: Generator[None, None, _T]) -> _T:
    """Return the result of `work`, which yields wherever it may be interrupted; for functions in lanes.

    Other answers about the document are given meanwhile. Raises GivenUpError once nobody waits for the present job.
    What was found out about sections by then is kept with them, so that asking again is quicker.
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
        while worker is not None and (other := worker.answer_before(job)) is not None:
            other.run_within()
        if job.outcome.done():
            work.close()
            raise GivenUpError
        deadline = time.monotonic() + _STEP


def _log_failure(outcome: asyncio.Future[object]) -> None:
    error = outcome.exception() if not outcome.cancelled() else None
    if error is not None:
        _LOGGER.error("work about a document failed: %s", error, exc_info=error)
