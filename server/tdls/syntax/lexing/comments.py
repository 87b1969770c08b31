"""Comments: what stands behind ``//``; they carry directives such as ``RUN:``, ``expected-*`` and ``tdls:``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tdls.syntax.lexing.layout import STRING
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_STRING_OR_COMMENT = re.compile(rf"{STRING}|(//[^\n\r]*)")


class Comment(NamedTuple):
    """A comment with its slashes, and its place in the file."""

    text: str
    span: Span


def comments(text: str) -> Iterator[Comment]:
    """Yield the comments of `text` in order; slashes inside of strings are none."""
    for match in _STRING_OR_COMMENT.finditer(text):
        if match[1] is not None:
            yield Comment(match[1], Span(*match.span(1)))
