"""Comments that say how many payload operations a handle is expected to hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple
from tdls.syntax.layout import comments

if TYPE_CHECKING:
    from tdls.text.span import Span


KEY = "expect-matches"
_EXPECTATION = re.compile(rf"(?<!/)//{{1,9}}[ \t]{{0,40}}tdls:[ \t]{{0,40}}{KEY}=(?P<count>[^ \t]*)")
_RANGE = re.compile(r"(?P<least>[0-9]{0,9})\.\.(?P<most>[0-9]{0,9})|(?P<exact>[0-9]{1,9})", re.ASCII)
_COMPARED = re.compile(r"(?P<sign>[<>])=(?P<count>[0-9]{1,9})", re.ASCII)


class MatchCount(NamedTuple):
    """An expected number of operations; `most` is None if there is no upper bound."""

    least: int
    most: int | None

    def allows(self, count: int) -> bool:
        return self.least <= count and (self.most is None or count <= self.most)

    def __str__(self) -> str:
        if self.most is None:
            return f"at least {self.least:,}"
        if self.least == self.most:
            return f"{self.most:,}"
        return f"at most {self.most:,}" if self.least == 0 else f"{self.least:,} to {self.most:,}"


class ExpectedMatches(NamedTuple):
    """An ``expect-matches`` comment; `wanted` is None if its count is malformed.

    `line` is the 0-based line of the code that the comment annotates.
    """

    span: Span
    spelled: str
    wanted: MatchCount | None
    line: int


def expected_matches(text: str) -> list[ExpectedMatches]:
    """Return the ``expect-matches`` comments of `text` in order. Never raises."""
    if KEY not in text:
        return []
    expectations: list[ExpectedMatches] = []
    for comment in comments(text):
        directive = _EXPECTATION.match(comment.text)
        if directive is not None:
            spelled = directive["count"]
            expectations.append(ExpectedMatches(comment.span, spelled, count_in(spelled), _line_of(text, comment.span)))
    return expectations


def count_in(spelled: str) -> MatchCount | None:
    """Parse a count such as ``3``, ``1..``, ``..4``, ``2..4``, ``>=1`` or ``<=4``, or None for any other text."""
    compared = _COMPARED.fullmatch(spelled)
    if compared is not None:
        number = int(compared["count"])
        return MatchCount(number, None) if compared["sign"] == ">" else MatchCount(0, number)
    match = _RANGE.fullmatch(spelled)
    if match is None or spelled == "..":
        return None
    if match["exact"]:
        return MatchCount(int(match["exact"]), int(match["exact"]))
    return MatchCount(int(match["least"] or 0), int(match["most"]) if match["most"] else None)


def _line_of(text: str, span: Span) -> int:
    """Return the 0-based line that a comment annotates: its own if that has code, else the next line with code."""
    start = text.rfind("\n", 0, span.start) + 1
    line = text.count("\n", 0, start)
    if text[start : span.start].strip():
        return line
    for following in text[span.end :].split("\n")[1:]:
        line += 1
        if following.strip() and not following.lstrip().startswith("//"):
            break
    return line
