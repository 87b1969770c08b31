"""Pieces of Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 120
"""Code is cut to about this many characters where it stands in a sentence."""

_LONGEST_BLOCK = 1_000


def code_block(text: str) -> str:
    """Return `text` as MLIR code of its own paragraph, cut if it is very long."""
    if len(text) > _LONGEST_BLOCK:
        text = text[:_LONGEST_BLOCK].rstrip() + " ..."
    fence = "```" if "```" not in text else "~~~~"
    return f"{fence}mlir\n{text}\n{fence}"


def code(text: str) -> str:
    """Return `text` as code inside a sentence, in one line and cut if it is long."""
    line = " ".join(text.split())
    if len(line) > _LONGEST:
        line = line[: _LONGEST - 4].rstrip() + " ..."
    return f"`` {line} ``" if "`" in line else f"`{line}`"


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
