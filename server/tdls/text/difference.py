"""What has changed between two versions of a text, as one edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Callable


def difference(before: str, after: str) -> tuple[FileSpan, str]:
    """Return the shortest single replacement that makes `after` of `before`: what is replaced, and by what."""
    shorter = min(len(before), len(after))
    start = _longest(shorter, lambda size: before[:size] == after[:size])
    end = _longest(shorter - start, lambda size: before[len(before) - size :] == after[len(after) - size :])
    return FileSpan(start, len(before) - end), after[start : len(after) - end]


def _longest(limit: int, is_common: Callable[[int], bool]) -> int:
    """Return the largest size up to `limit` that is common; smaller ones are, too."""
    known, bound = 0, limit
    while known < bound:
        middle = (known + bound + 1) // 2
        if is_common(middle):
            known = middle
        else:
            bound = middle - 1
    return known
