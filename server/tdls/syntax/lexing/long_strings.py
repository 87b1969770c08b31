"""Very long strings, such as blobs of weights, cut short: a parser then need not read what it takes as a whole."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LONGEST = 1_000
_REST = re.compile(r'"(?:[^\\]|\\(?:["\\nt]|[0-9a-fA-F]{2})){0,19}')
"""What stays of a cut string, opening quote included; escapes stay whole."""
_STRING = re.compile(r'"[^"\\\n\v\f]*(?:\\(?:["\\nt]|[0-9a-fA-F]{2})[^"\\\n\v\f]*)*"')


@dataclass(frozen=True, slots=True)
class Shortened:
    """A text without the middle of its long strings.

    `cuts` has, in order, the offset in the short text from which on `removed` code points are missing.
    """

    text: str
    cuts: tuple[tuple[int, int], ...] = ()

    def original_offset(self, offset: int) -> int:
        """Return the offset in the original text of `offset` in the short one."""
        return offset + sum(removed for place, removed in self.cuts if place <= offset)


def shorten(text: str) -> Shortened:
    """Cut the middle of sound strings that are very long, and all that follows an unsound one.

    Nothing is cut behind a comment, as quotes in comments are not told from others.
    """
    if len(text) <= _LONGEST:
        return Shortened(text)
    pieces: list[str] = []
    cuts: list[tuple[int, int]] = []
    copied = position = length = 0
    while (quote := text.find('"', position)) >= 0 and text.find("//", position, quote) < 0:
        closer = _closing_quote(text, quote)
        if not _is_sound(text, quote, closer):
            return Shortened("".join((*pieces, text[copied : quote + 1])), tuple(cuts))
        if closer - quote > _LONGEST:
            rest = _REST.match(text, quote)
            end = rest.end() if rest is not None else closer
            pieces.append(text[copied:end])
            length += end - copied
            cuts.append((length, closer - end))
            copied = closer
        position = closer + 1
    return Shortened("".join((*pieces, text[copied:])), tuple(cuts))


def _closing_quote(text: str, quote: int) -> int:
    """Return the offset of the quote that closes the one at `quote`; -1 if there is none."""
    closer = text.find('"', quote + 1)
    while closer >= 0 and _is_escaped(text, closer):
        closer = text.find('"', closer + 1)
    return closer


def _is_escaped(text: str, offset: int) -> bool:
    first = offset
    while text[first - 1] == "\\":
        first -= 1
    return (offset - first) % 2 == 1


def _is_sound(text: str, quote: int, closer: int) -> bool:
    if closer < 0 or any(text.find(character, quote, closer) >= 0 for character in "\n\v\f"):
        return False
    if text.find("\\", quote, closer) < 0:
        return True
    match = _STRING.fullmatch(text[quote : closer + 1])
    return match is not None
