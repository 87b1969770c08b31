"""Tests guesses of recheck: it guesses where it cannot decide, and guesses wrong about assertions."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from growing import grows_at_most

if TYPE_CHECKING:
    import re

    from patterns.answers import Answer
    from patterns.claims import Claim

_SIZE: Final = 2_500
"""Characters; quadratic matching takes some hundredths of a second, and sixteen times that for four times
as many."""
_SHORTEST: Final = 20
_QUICK: Final = 0.1
"""Seconds of processor time."""
_FACTOR: Final = 8
"""Of the time for four times as many: between 4 and 16, so that no noise makes one of the other."""


def is_refuted(claim: Claim, answer: Answer) -> bool:
    """Whether the text that is said to take long takes time in proportion to its length."""
    pattern = claim.compiled
    if pattern is None or answer.checker != "fuzz":
        return False
    is_quick = "polynomial" in answer.complexity or all(_is_quick(pattern, it, answer.suffix) for it in answer.pumps)
    return is_quick and all(_is_linear(pattern, text, answer.suffix) for text in answer.pumps)


def _is_quick(pattern: re.Pattern[Any], pump: tuple[str, str], suffix: str) -> bool:
    """Try longer and longer texts up to `_SIZE`; an exponential pattern is slow at one of them, which still ends."""
    size = _SHORTEST
    while size < _SIZE:
        start = time.process_time()
        _work(pattern, _text(pattern, pump, suffix, size))
        if time.process_time() - start > _QUICK:
            return False
        size += size // 4
    return True


def _is_linear(pattern: re.Pattern[Any], pump: tuple[str, str], suffix: str) -> bool:
    small, large = (_text(pattern, pump, suffix, size) for size in (_SIZE, 4 * _SIZE))
    return grows_at_most(_FACTOR, lambda: _work(pattern, small), lambda: _work(pattern, large), slack=0.01)


def _text(pattern: re.Pattern[Any], pump: tuple[str, str], suffix: str, size: int) -> Any:
    text = pump[0] + pump[1] * (size // max(len(pump[1]), 1)) + suffix
    return text.encode("utf-8", "surrogatepass") if isinstance(pattern.pattern, bytes) else text


def _work(pattern: re.Pattern[Any], text: Any) -> None:
    pattern.match(text)
    pattern.fullmatch(text)
    for _ in pattern.finditer(text):
        pass
