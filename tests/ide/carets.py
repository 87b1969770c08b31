"""Texts with labels in comments: a comment ``//   ^^^ label`` is about the code over its carets."""

from __future__ import annotations

import re
from typing import NamedTuple

_CARETS = re.compile(r"\s*//\s*(\^+) (\S.*)$")


class Mark(NamedTuple):
    """The code above a line of carets, with the label behind them; `text` is that code."""

    line: int
    column: int
    text: str
    label: str


def marks_of(text: str) -> list[Mark]:
    """Return the marks of `text`; several lines of carets in a row are about the same line of code."""
    found: list[Mark] = []
    code, number = "", 0
    for index, line in enumerate(text.split("\n")):
        match = _CARETS.match(line.rstrip("\r"))
        if match is None:
            code, number = line, index
            continue
        found.append(Mark(number, match.start(1), code[match.start(1) : match.end(1)], match[2].strip()))
    return found
