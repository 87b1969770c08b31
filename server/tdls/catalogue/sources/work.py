"""What reading a project's sources takes: counted for each definition and each file, so that none takes all.

The readers are functions that call each other; what they do is counted here, for the definition that is read at the
moment, and only one thread reads at a time. Without a definition to count for there is no limit.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter
from threading import RLock
from typing import TYPE_CHECKING, Final

from tdls.limits import (
    DEFINITION_STEPS,
    ELEMENTS_OF_LIST,
    FILE_STEPS,
    LENGTH_OF_TEXT,
    NESTED_VALUES,
    PROJECT_STEPS,
    OverBudget,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """Something in a source file that was not understood, and was left out. `line` counts from 0."""

    path: Path
    line: int
    message: str


_CHARACTERS_PER_STEP: Final = 8
_ELEMENTS_PER_STEP: Final = 4
"""What of a value counts as one step: steps limit memory, too."""
_CALLS_PER_LEVEL: Final = 12
"""How many calls of Python functions one level of nesting takes, at most."""
_UNLIMITED: Final = sys.maxsize
_ONE_AT_A_TIME: Final = RLock()


class Work:
    """What is left for the definition that is read."""

    __slots__ = ("depth", "left", "limit")

    def __init__(self) -> None:
        self.left = _UNLIMITED
        self.limit = DEFINITION_STEPS
        self.depth = 0

    def spend(self, amount: int = 1) -> None:
        """Count `amount` steps. Raises OverBudget."""
        if amount > self.left:
            raise OverBudget(self.limit)
        self.left -= amount

    def text(self, length: int) -> None:
        """Count a text of `length` characters that is about to be made. Raises OverBudget."""
        if length > LENGTH_OF_TEXT.most:
            raise OverBudget(LENGTH_OF_TEXT)
        self.spend(length // _CHARACTERS_PER_STEP)

    def elements(self, count: int) -> None:
        """Count a list of `count` elements that is about to be made. Raises OverBudget."""
        if count > ELEMENTS_OF_LIST.most:
            raise OverBudget(ELEMENTS_OF_LIST)
        self.spend(count // _ELEMENTS_PER_STEP)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Count what is inside as one level deeper. Raises OverBudget."""
        if self.depth >= NESTED_VALUES.most:
            raise OverBudget(NESTED_VALUES)
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1


WORK: Final = Work()
"""Of this process."""


class ProjectWork:
    """What is left for a project, and for each file of it."""

    def __init__(self) -> None:
        self._left: dict[Hashable, int] = {}
        self._left_in_all = PROJECT_STEPS.most

    @contextmanager
    def definition(self, file: Hashable) -> Iterator[None]:
        """Count what is done inside for one definition of `file`. Raises OverBudget, also where nothing is left."""
        left = self._left.get(file, FILE_STEPS.most)
        budgets = ((DEFINITION_STEPS.most, DEFINITION_STEPS), (left, FILE_STEPS), (self._left_in_all, PROJECT_STEPS))
        before = WORK.left, WORK.limit
        WORK.left, WORK.limit = most, _ = min(budgets, key=itemgetter(0))
        try:
            WORK.spend()
            yield
        finally:
            spent = most - WORK.left
            self._left[file] = left - spent
            self._left_in_all -= spent
            WORK.left, WORK.limit = before


@contextmanager
def reading() -> Iterator[None]:
    """Let one thread read sources, as deep as their limit allows."""
    with _ONE_AT_A_TIME:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(before, NESTED_VALUES.most * _CALLS_PER_LEVEL + before))
        try:
            yield
        finally:
            sys.setrecursionlimit(before)
