"""Half-open ranges in code points from 0: `Span` within a section's text, `FileSpan` within a file.

They are separate types so that one is never used in place of the other: a section is parsed without knowing its
position in the file.
"""

from __future__ import annotations

from tdls.structs import NamedTuple


class Span(NamedTuple):
    """The range ``[start, end)`` of a section's text, as in its tree and everything derived from the tree."""

    start: int
    end: int

    def shifted(self, offset: int) -> Span:
        """Return the span moved by `offset` code points."""
        return Span(self.start + offset, self.end + offset)


class FileSpan(NamedTuple):
    """The range ``[start, end)`` of the text of a file."""

    start: int
    end: int

    def shifted(self, offset: int) -> FileSpan:
        """Return the span moved by `offset` code points."""
        return FileSpan(self.start + offset, self.end + offset)


def own_lines(text: str, span: Span, *, with_comments: bool = False) -> Span | None:
    """Return the lines of `text` that `span` fills, with their last line break, or None where other text is on them.

    With comments, the lines of comments right above belong to them.
    """
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end) + 1
    if end == 0 or text[start : span.start].strip() or text[span.end : end].strip():
        return None
    while with_comments and start and text[text.rfind("\n", 0, start - 1) + 1 : start].lstrip().startswith("//"):
        start = text.rfind("\n", 0, start - 1) + 1
    return Span(start, end)
