"""Blanks, integers and strings in texts."""

from __future__ import annotations

import re

from tdls.limits import INTEGER_DIGITS

_BLANKS = re.compile(r"\s*")
_STRING = re.compile(r'"([^"]*)"')
_TYPED = "array<"
_VALUE = re.compile(r"%[\w$.#-]+")
_WORD = re.compile(r"\w+")


def after_blanks(text: str, start: int = 0) -> int:
    """Return the offset of the first non-blank character from `start` on; the length of `text` if there is none."""
    blanks = _BLANKS.match(text, start)
    return blanks.end() if blanks is not None else start


def before_blanks(text: str, end: int) -> int:
    """Return the offset behind the last non-blank character before `end`; 0 if there is none."""
    while end > 0 and text[end - 1].isspace():
        end -= 1
    return end


def integer(spelled: str, base: int = 10) -> int | None:
    """Parse an optional sign and digits of `base`.

    None if `spelled` is not an integer or longer than the limit `INTEGER_DIGITS`.
    """
    if len(spelled) > INTEGER_DIGITS.most or not spelled.isascii() or not spelled.lstrip("+-").isalnum():
        return None
    try:
        return int(spelled, base)
    except ValueError:
        return None


def strings_in(text: str) -> frozenset[str]:
    """Return the strings in the text of an attribute, a string or a list of strings."""
    return frozenset(_STRING.findall(text))


def integers_in(text: str) -> tuple[int | None, ...] | None:
    """Return the elements of ``[4, [8], %size]`` or ``array<i64: 4, 8>``, or None for an element that is an SSA value.

    A scalable element, in its own brackets, counts as its multiplier. Returns None for text that is no list of integers
    and for an integer with too many digits.
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
    """Return the text between the brackets, without the element type."""
    if not text.endswith(("]", ">")):
        return None
    if text.startswith("["):
        return text[1:-1]
    if not text.startswith(_TYPED):
        return None
    kind, _, elements = text[len(_TYPED) : -1].partition(":")
    return elements if _WORD.fullmatch(kind.strip()) is not None else None


def _number(element: str) -> int | None:
    """Return the integer in ``4`` or ``4 : i64``."""
    number, colon, kind = element.partition(":")
    is_typed = not colon or _WORD.fullmatch(kind.strip()) is not None
    return integer(number.strip()) if is_typed and not number.startswith("+") else None
