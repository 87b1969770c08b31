"""Budgets for reading a project's sources: steps are counted per definition, file and project.

So no definition or file exhausts the budget of all. The readers are functions that call each other; their steps are
counted in one global object, for the definition that is being read, and only one thread reads at a time. Outside of a
definition there is no limit.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
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
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from pathlib import Path


class SourceProblem(Struct, frozen=True):
    """A part of a source file that was not understood and is left out. `line` is 0-based."""

    path: Path
    line: int
    message: str


_CHARACTERS_PER_STEP: Final = 8
_ELEMENTS_PER_STEP: Final = 4
"""The size of a value that counts as one step, since steps limit memory, too."""
_CALLS_PER_LEVEL: Final = 12
"""Maximum number of nested calls of Python functions for one level of nesting."""
_UNLIMITED: Final = sys.maxsize
_ONE_AT_A_TIME: Final = RLock()


class Work:
    """The remaining budget of the definition that is being read."""

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
        """Count a text of `length` characters before it is made. Raises OverBudget."""
        if length > LENGTH_OF_TEXT.most:
            raise OverBudget(LENGTH_OF_TEXT)
        self.spend(length // _CHARACTERS_PER_STEP)

    def elements(self, count: int) -> None:
        """Count a list of `count` elements before it is made. Raises OverBudget."""
        if count > ELEMENTS_OF_LIST.most:
            raise OverBudget(ELEMENTS_OF_LIST)
        self.spend(count // _ELEMENTS_PER_STEP)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Count one more level of nesting for the duration of the block. Raises OverBudget."""
        if self.depth >= NESTED_VALUES.most:
            raise OverBudget(NESTED_VALUES)
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1


WORK: Final = Work()
"""The budget of this process."""


class ProjectWork:
    """The remaining budgets of a project and of each of its files."""

    def __init__(self) -> None:
        self._left: dict[Hashable, int] = {}
        self._left_in_all = PROJECT_STEPS.most

    @contextmanager
    def definition(self, file: Hashable) -> Iterator[None]:
        """Count the steps of the block for one definition of `file`. Raises OverBudget, also if nothing is left."""
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
    """Let one thread read sources, with a recursion limit that suffices for the nesting limit."""
    with _ONE_AT_A_TIME:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(before, NESTED_VALUES.most * _CALLS_PER_LEVEL + before))
        try:
            yield
        finally:
            sys.setrecursionlimit(before)
