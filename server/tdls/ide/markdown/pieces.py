"""Pieces of Markdown.

What others wrote gets in through `code`, `code_block` and `foreign.foreign` only: none of it becomes a link, an image
or HTML.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.text.printable import printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 120
"""Code is cut to about this many characters where it stands in a sentence."""

_LONGEST_BLOCK = 1_000
_RUN = re.compile("`+")


def code_block(text: str) -> str:
    """Return `text` as MLIR code of its own paragraph, cut if it is very long."""
    if len(text) > _LONGEST_BLOCK:
        text = text[:_LONGEST_BLOCK].rstrip() + " ..."
    return fenced(text, "mlir")


def code(text: str) -> str:
    """Return `text` as code inside a sentence, in one line and cut if it is long."""
    line = printable(" ".join(text.split()))
    if len(line) > _LONGEST:
        line = line[: _LONGEST - 4].rstrip() + " ..."
    marks = "`" * (_longest_run(line) + 1)
    return f"{marks} {line} {marks}" if "`" in line else f"`{line}`"


def codes(texts: Iterable[str], conjunction: str = ", ") -> str:
    """Return several pieces of code."""
    return conjunction.join(code(text) for text in texts)


def section(title: str, items: Iterable[str]) -> str:
    """Return a titled list; nothing if there are no items."""
    lines = [f"- {item}" for item in items]
    return "\n".join([f"**{title}**", "", *lines]) if lines else ""


def paragraphs(*texts: str) -> str:
    """Return those of `texts` that say something, as paragraphs."""
    return "\n\n".join(text for text in texts if text)


def fenced(text: str, language: str) -> str:
    """Return code of its own paragraph, which nothing in it can end."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}{language}\n{printable_lines(text)}\n{fence}"


def _longest_run(text: str) -> int:
    """Return the length of the longest sequence of backticks."""
    return max(map(len, _RUN.findall(text)), default=0)
