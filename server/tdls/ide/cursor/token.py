"""The token at a place of a text."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from tdls.syntax import scanner
from tdls.text.span import Span

_WORDS = frozenset(
    {
        scanner.VALUE,
        scanner.IDENTIFIER,
        scanner.NUMBER,
        scanner.STRING,
        scanner.SYMBOL,
        scanner.TYPE,
        scanner.ATTRIBUTE,
        scanner.BLOCK,
    }
)


@dataclass(frozen=True, slots=True)
class WordToken:
    """A token that is no punctuation; `kind` is one of the constants of the scanner."""

    kind: str
    span: Span
    text: str
    before_angle: bool
    """True if a ``<`` follows at once."""


def token_at(text: str, offset: int) -> WordToken | None:
    """Return the word that `offset` stands in or directly behind; None for blanks, comments and punctuation.

    No token of MLIR goes over a line's end, so that the cost is that of the line.
    """
    start = text.rfind("\n", 0, max(offset, 0)) + 1
    end = text.find("\n", start)
    tokens = scanner.scan(text[start : end if end >= 0 else len(text)])
    index = bisect_right(tokens.starts, offset - start, hi=tokens.count) - 1
    for candidate in (index, index - 1):
        if candidate < 0 or tokens.kinds[candidate] not in _WORDS or offset - start > tokens.ends[candidate]:
            continue
        span = Span(tokens.starts[candidate], tokens.ends[candidate])
        joined = tokens.kinds[candidate + 1] == "<" and tokens.starts[candidate + 1] == span.end
        return WordToken(tokens.kinds[candidate], span.shifted(start), tokens.text[span.start : span.end], joined)
    return None
