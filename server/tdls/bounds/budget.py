"""Counts what a computation takes, and ends it where that is more than its limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tdls.bounds.limits import Limit


class OverBudget(Exception):  # noqa: N818 - it says what is so; whoever owns the budget decides what that means
    """A computation asked for more than its limit; whoever made the budget catches it and gives the result up."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(str(limit))
        self.limit = limit


class Budget:
    """What is left of a limit for one computation; of a limit for each of something, for so many of these."""

    __slots__ = ("left", "limit")

    def __init__(self, limit: Limit, times: int = 1) -> None:
        self.limit = limit
        self.left = limit.most * times

    @property
    def is_spent(self) -> bool:
        """True once more was asked for than there was."""
        return self.left < 0

    def spend(self, amount: int = 1) -> None:
        """Take `amount` from what is left. Raises `OverBudget` if that is less."""
        self.left -= amount
        if self.left < 0:
            raise OverBudget(self.limit)
