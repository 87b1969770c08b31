"""Comments: what stands behind ``//``; they carry directives such as ``RUN:``, ``expected-*`` and ``tdls:``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.syntax.lexing.layout import strings_and_comments
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator


class Comment(NamedTuple):
    """A comment with its slashes, and its place in the file."""

    text: str
    span: Span


def comments(text: str) -> Iterator[Comment]:
    """Yield the comments of `text` in order; slashes inside of strings are none."""
    for start, end in strings_and_comments(text):
        if text[start] == "/":
            yield Comment(text[start:end], Span(start, end))
