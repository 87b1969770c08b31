"""DocumentQueues by themselves: order, waiting, and cancelled work."""

from __future__ import annotations

import asyncio
import threading
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tdls.lsp.session.document_queue import DocumentQueue, DocumentQueues, GivenUpError, Turn, in_steps

if TYPE_CHECKING:
    from collections.abc import Generator

PATIENCE = 30.0
"""Seconds after which a test gives up."""


async def soon(work: asyncio.Future[object]) -> object:
    return await asyncio.wait_for(work, PATIENCE)


def test_long_work_keeps_no_other_queue_waiting() -> None:
    async def run() -> None:
        queues, slow, quick = DocumentQueues(), DocumentQueue(), DocumentQueue()
        go_on, done = threading.Event(), list[str]()

        def long() -> None:
            assert go_on.wait(PATIENCE)
            done.append("first")

        first = queues.start(slow, long)
        second = queues.start(slow, lambda: done.append("second"))
        await soon(queues.start(quick, lambda: done.append("quick")))
        assert done == ["quick"]
        assert slow.worker is not None
        assert quick.worker is None
        go_on.set()
        await soon(first)
        await soon(second)
        assert done == ["quick", "first", "second"]

    asyncio.run(run())


def test_quick_queues_take_turns_in_the_order_of_arrival(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tdls.lsp.session.document_queue._QUICK", PATIENCE)

    async def run() -> None:
        queues, done = DocumentQueues(), list[int]()
        documents = [DocumentQueue() for _ in range(3)]
        works = [queues.start(documents[number % 3], partial(done.append, number)) for number in range(60)]
        for work in works:
            await soon(work)
        assert done == list(range(60))

    asyncio.run(run())


def test_cancelled_work_is_not_begun_or_ends_at_its_next_step() -> None:
    async def run() -> None:
        queues, queue = DocumentQueues(), DocumentQueue(apart=True)
        begun, ended = threading.Event(), threading.Event()
        done: list[str] = []

        def endless() -> Generator[None, None, None]:
            while True:
                begun.set()
                yield

        def long() -> None:
            try:
                in_steps(endless())
            except GivenUpError:
                ended.set()
                raise

        first = queues.submit(queue, long)
        second = queues.submit(queue, lambda: done.append("second"))
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        second.cancel()
        first.cancel()
        assert await asyncio.to_thread(ended.wait, PATIENCE)
        await soon(queues.start(queue, lambda: done.append("third")))
        assert done == ["third"]

    asyncio.run(run())


def test_short_answers_go_before_long_ones_but_not_before_changes() -> None:
    async def run() -> None:
        queues, queue = DocumentQueues(), DocumentQueue(apart=True)
        begun, go_on, done = threading.Event(), threading.Event(), list[str]()

        def steps() -> Generator[None, None, None]:
            begun.set()
            assert go_on.wait(PATIENCE)
            while not done:
                yield

        def long() -> None:
            in_steps(steps())
            done.append("long")

        works: list[asyncio.Future[object]] = [queues.start(queue, long)]
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        works.append(queues.submit(queue, lambda: done.append("short"), Turn.SOON))
        works.append(queues.start(queue, lambda: done.append("edit")))
        works.append(queues.submit(queue, lambda: done.append("after the edit"), Turn.SOON))
        go_on.set()
        for work in works:
            await soon(work)
        assert done == ["short", "long", "edit", "after the edit"]

    asyncio.run(run())


def test_answers_about_a_place_do_not_wait_for_those_about_all() -> None:
    async def run() -> None:
        queues, queue = DocumentQueues(), DocumentQueue(apart=True)
        begun, go_on, done = threading.Event(), threading.Event(), list[str]()

        def steps() -> Generator[None, None, None]:
            begun.set()
            assert go_on.wait(PATIENCE)
            deadline = time.monotonic() + 0.02
            while time.monotonic() < deadline:
                yield

        def answer() -> None:
            in_steps(steps())
            done.append("place")

        works: list[asyncio.Future[object]] = [queues.submit(queue, answer, Turn.SOON)]
        assert await asyncio.to_thread(begun.wait, PATIENCE)
        works.append(queues.submit(queue, lambda: done.append("all"), Turn.LATER))
        works.append(queues.submit(queue, lambda: done.append("other place"), Turn.SOON))
        go_on.set()
        for work in works:
            await soon(work)
        assert done == ["other place", "place", "all"]

    asyncio.run(run())


def test_waiting_jobs_begin_by_their_turn_but_not_before_a_change() -> None:
    async def run() -> None:
        queues, queue, done = DocumentQueues(), DocumentQueue(apart=True), list[str]()
        go_on = threading.Event()
        works: list[asyncio.Future[object]] = [queues.start(queue, lambda: go_on.wait(PATIENCE))]
        for name, turn in (
            ("all", Turn.LATER),
            ("place", Turn.SOON),
            ("edit", Turn.CHANGE),
            ("all of the new text", Turn.LATER),
            ("finding", Turn.SOON),
        ):
            works.append(queues.submit(queue, partial(done.append, name), turn))
        go_on.set()
        for work in works:
            await soon(work)
        assert done == ["place", "all", "edit", "finding", "all of the new text"]

    asyncio.run(run())


def test_exceptions_are_raised_to_the_waiting_caller() -> None:
    async def run() -> None:
        queues = DocumentQueues()
        with pytest.raises(ZeroDivisionError):
            await queues.submit(DocumentQueue(), lambda: 1 // 0)
        assert await queues.submit(DocumentQueue(), lambda: 1) == 1

    asyncio.run(run())
