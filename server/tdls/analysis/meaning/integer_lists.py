"""Lists of integers as attributes spell them."""

from __future__ import annotations

import re

from tdls.text.numbers import integer

_TYPED = "array<"
_VALUE = re.compile(r"%[\w$.#-]+")
_WORD = re.compile(r"\w+")


def integers_in(text: str) -> tuple[int | None, ...] | None:
    """Return the elements of ``[4, [8], %size]`` or ``array<i64: 4, 8>``; None for an element that is an SSA value.

    Scalable elements, which have brackets of their own, count as what they are multiplied with. The answer is None for
    anything else than a list of integers, and where one is too long to be a number.
    """
    inside = _inside(text.strip())
    if inside is None:
        return None
    if not inside.strip():
        return ()
    elements: list[int | None] = []
    for spelled in inside.split(","):
        element = spelled.strip().removeprefix("[").removesuffix("]").strip()
        number = _number(element)
        if number is None and _VALUE.fullmatch(element) is None:
            return None
        elements.append(number)
    return tuple(elements)


def _inside(text: str) -> str | None:
    """What stands between the brackets, without the type of the elements."""
    if not text.endswith(("]", ">")):
        return None
    if text.startswith("["):
        return text[1:-1]
    if not text.startswith(_TYPED):
        return None
    kind, _, elements = text[len(_TYPED) : -1].partition(":")
    return elements if _WORD.fullmatch(kind.strip()) is not None else None


def _number(element: str) -> int | None:
    """The number of ``4`` or ``4 : i64``."""
    number, colon, kind = element.partition(":")
    is_typed = not colon or _WORD.fullmatch(kind.strip()) is not None
    return integer(number.strip()) if is_typed and not number.startswith("+") else None
