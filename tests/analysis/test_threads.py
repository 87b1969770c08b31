"""Several threads may compute facts about a file: none waits for another, and all get the same."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.system import cached_property


class Slow:
    """An object whose property is computed once `may_go_on` is set."""

    def __init__(self, may_go_on: threading.Event, begun: threading.Event) -> None:
        self._may_go_on = may_go_on
        self._begun = begun

    @cached_property
    def value(self) -> object:
        """Return something new whenever it is made."""
        self._begun.set()
        assert self._may_go_on.wait(30)
        return object()


def test_a_property_computed_for_one_object_blocks_no_other() -> None:
    may_go_on, begun, go_on_at_once = threading.Event(), threading.Event(), threading.Event()
    go_on_at_once.set()
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(lambda: Slow(may_go_on, begun).value)
        assert begun.wait(30)
        assert Slow(go_on_at_once, threading.Event()).value is not None
        may_go_on.set()
        assert made.result(30) is not None


def test_threads_that_make_the_same_go_on_with_one() -> None:
    may_go_on = threading.Event()
    both_begun = threading.Barrier(3)

    class Shared:
        @cached_property
        def value(self) -> object:
            both_begun.wait(30)
            assert may_go_on.wait(30)
            return object()

    shared = Shared()
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.submit(lambda: shared.value), pool.submit(lambda: shared.value)
        both_begun.wait(30)
        may_go_on.set()
        assert first.result(30) is second.result(30) is shared.value


def test_sections_have_one_tree_and_one_model() -> None:
    text = "".join(f'"my.op{number}"() : () -> ()\n' for number in range(200))
    file = SourceFile.of(text, Catalogue.shipped())
    ready = threading.Barrier(4)

    def read() -> list[int]:
        ready.wait(30)
        return [
            identity for context in file.contexts for identity in (id(context.tree), id(context.model), id(context))
        ]

    with ThreadPoolExecutor(4) as pool:
        found = [reading.result(60) for reading in [pool.submit(read) for _ in range(4)]]
    assert all(answer == found[0] for answer in found)
