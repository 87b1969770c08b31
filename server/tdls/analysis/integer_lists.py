"""Lists of integers as attributes spell them."""

from __future__ import annotations

import re

_LIST = re.compile(r"\s*(?:\[|array<\s*\w+\s*:?)(.*)[\]>]\s*", re.DOTALL)
_ELEMENT = re.compile(r"\[?\s*(?:(-?\d+)(?:\s*:\s*\w+)?|%[\w$.#-]+)\s*\]?")


def integers_in(text: str) -> tuple[int | None, ...] | None:
    """Return the elements of ``[4, [8], %size]`` or ``array<i64: 4, 8>``; None for an element that is an SSA value.

    Scalable elements, which have brackets of their own, count as what they are multiplied with. The answer is None for
    anything else than a list of integers.
    """
    spelled = _LIST.fullmatch(text)
    if spelled is None:
        return None
    if not spelled[1].strip():
        return ()
    elements = [_ELEMENT.fullmatch(element.strip()) for element in spelled[1].split(",")]
    return tuple(int(one[1]) if one[1] else None for one in elements if one) if all(elements) else None
