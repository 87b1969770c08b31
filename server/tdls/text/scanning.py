"""Numbers as texts spell them."""

from __future__ import annotations

import re

from tdls.limits import INTEGER_DIGITS

_BLANKS = re.compile(r"\s*")


def after_blanks(text: str, start: int = 0) -> int:
    """Return the offset of the first character from `start` on that is no blank; the length of `text` if all are."""
    blanks = _BLANKS.match(text, start)
    return blanks.end() if blanks is not None else start


def before_blanks(text: str, end: int) -> int:
    """Return the offset behind the last character before `end` that is no blank; 0 if all are."""
    while end > 0 and text[end - 1].isspace():
        end -= 1
    return end


def integer(spelled: str, base: int = 10) -> int | None:
    """Return the integer that `spelled` stands for, a sign and digits of `base`.

    None where it stands for none, and where it has more digits than the limit.
    """
    if len(spelled) > INTEGER_DIGITS.most or not spelled.isascii() or not spelled.lstrip("+-").isalnum():
        return None
    try:
        return int(spelled, base)
    except ValueError:
        return None
