"""What a comment for tdls means."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tdls.ide.markdown.pieces import code
from tdls.semantic.run_lines import KEY, expected_matches
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from tdls.analysis.file.source_file import SourceFile


class DescribedComment(NamedTuple):
    """A comment, and what it means."""

    span: FileSpan
    markdown: str


def described_comment(file: SourceFile, offset: int) -> DescribedComment | None:
    """Return what the comment at `offset` says of how much is matched; None where none does."""
    line = file.position(offset).line
    text, start = file.line_text(line), offset - file.position(offset).column
    for found in expected_matches(text):
        if found.span.start <= offset - start <= found.span.end:
            span = FileSpan(start + found.span.start, start + found.span.end)
            where = "in this line" if text[: found.span.start].strip() else "in the next line"
            if found.wanted is None:
                return DescribedComment(span, f"{code(KEY)} takes a count: `3`, `1..`, `..4` or `2..4`.")
            words = f"The match {where} is expected to find **{found.wanted}** operations whenever it is executed."
            return DescribedComment(span, f"{words} Else `tdls run` and `tdls --check --run` fail.")
    return None
