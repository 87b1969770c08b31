"""What a tool only supposes is tried: recheck guesses where it cannot decide, and guesses wrong about assertions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from growing import grows_at_most

if TYPE_CHECKING:
    import re

    from patterns.answers import Answer
    from patterns.claims import Claim

_SIZE: Final = 2_500
"""Characters; what grows with their square takes some hundredths of a second, and sixteen times that for four times
as many."""
_FACTOR: Final = 8
"""Of the time for four times as many: between 4 and 16, so that no noise makes one of the other."""


def is_refuted(claim: Claim, answer: Answer) -> bool:
    """Tell whether the text that is said to take long takes time in proportion to its length."""
    pattern = claim.compiled
    is_guess = answer.checker == "fuzz" and "polynomial" in answer.complexity
    if pattern is None or not is_guess:
        return False
    return all(_is_linear(pattern, text, answer.suffix) for text in answer.pumps)


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
