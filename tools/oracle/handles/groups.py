"""Divides the operands or results of an operation into the groups of its definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def sizes_of_groups(are_single: Sequence[bool], sizes: Sequence[int]) -> Sequence[int]:
    """Return the sizes of groups: `sizes` where these are given, else those that add up to the one number given.

    `are_single` says which groups always have one member; one other group at most has the rest.
    """
    if len(sizes) == len(are_single):
        return sizes
    rest = sum(sizes) - sum(are_single)
    return [1 if is_single else rest for is_single in are_single]
