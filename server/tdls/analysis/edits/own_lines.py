"""Lines that hold nothing but one piece of text, so that they go with it."""

from __future__ import annotations

from tdls.text.span import Span


def own_lines(text: str, span: Span) -> Span | None:
    """Return the lines of `text` that `span` fills, with their last line break; None where anything else is on them."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end) + 1
    if end == 0 or text[start : span.start].strip() or text[span.end : end].strip():
        return None
    return Span(start, end)
