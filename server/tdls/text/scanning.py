"""Blanks and integers in texts."""

from __future__ import annotations

import re

from tdls.limits import INTEGER_DIGITS

_BLANKS = re.compile(r"\s*")


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

    None if `spelled` is no integer or longer than the limit `INTEGER_DIGITS`.
    """
    if len(spelled) > INTEGER_DIGITS.most or not spelled.isascii() or not spelled.lstrip("+-").isalnum():
        return None
    try:
        return int(spelled, base)
    except ValueError:
        return None
