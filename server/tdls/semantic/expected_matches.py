"""Comments that say how much is matched: ``// tdls: expect-matches=3``.

Behind code a comment is about its line, alone in a line about the next one that has code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tdls.syntax.lexing.comments import comments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.text.span import Span

KEY = "expect-matches"
_DIRECTIVE = re.compile(rf"(?<!/)//{{1,9}}[ \t]{{0,40}}tdls:[ \t]{{0,40}}{KEY}=(?P<count>[^ \t]*)")
_RANGE = re.compile(r"(?P<least>[0-9]{0,9})\.\.(?P<most>[0-9]{0,9})|(?P<exact>[0-9]{1,9})", re.ASCII)
_COMPARED = re.compile(r"(?P<sign>[<>])=(?P<count>[0-9]{1,9})", re.ASCII)


class MatchCount(NamedTuple):
    """How many operations are expected: `most` is None where more are right, too."""

    least: int
    most: int | None

    def allows(self, count: int) -> bool:
        """Tell whether so many are right."""
        return self.least <= count and (self.most is None or count <= self.most)

    def __str__(self) -> str:
        if self.most is None:
            return f"at least {self.least:,}"
        if self.least == self.most:
            return f"{self.most:,}"
        return f"at most {self.most:,}" if self.least == 0 else f"{self.least:,} to {self.most:,}"


class ExpectedMatches(NamedTuple):
    """A comment: `wanted` is None if what it says is none, `line` that of the code that it is about, from 0."""

    span: Span
    spelled: str
    wanted: MatchCount | None
    line: int


def expected_matches(text: str) -> list[ExpectedMatches]:
    """Return the comments of `text` in their order. Never raises."""
    return list(_found(text)) if KEY in text else []


def _found(text: str) -> Iterator[ExpectedMatches]:
    for comment in comments(text):
        directive = _DIRECTIVE.match(comment.text)
        if directive is not None:
            spelled = directive["count"]
            yield ExpectedMatches(comment.span, spelled, count_in(spelled), _line_of(text, comment.span))


def count_in(spelled: str) -> MatchCount | None:
    """Return what is spelled as ``3``, ``1..``, ``..4``, ``2..4``, ``>=1`` or ``<=4``; None for anything else."""
    compared = _COMPARED.fullmatch(spelled)
    if compared is not None:
        number = int(compared["count"])
        return MatchCount(number, None) if compared["sign"] == ">" else MatchCount(0, number)
    found = _RANGE.fullmatch(spelled)
    if found is None or spelled == "..":
        return None
    if found["exact"]:
        return MatchCount(int(found["exact"]), int(found["exact"]))
    return MatchCount(int(found["least"] or 0), int(found["most"]) if found["most"] else None)


def _line_of(text: str, span: Span) -> int:
    """Return the number of the line that a comment is about."""
    start = text.rfind("\n", 0, span.start) + 1
    line = text.count("\n", 0, start)
    if text[start : span.start].strip():
        return line
    for following in text[span.end :].split("\n")[1:]:
        line += 1
        if following.strip() and not following.lstrip().startswith("//"):
            break
    return line
