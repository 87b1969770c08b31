"""Numbers as texts spell them."""

from __future__ import annotations

from tdls.bounds.limits import INTEGER_DIGITS


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
