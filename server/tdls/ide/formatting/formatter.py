"""Formats a text with a known layout: walks over its lines and collects white space edits."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, groupby, pairwise
from typing import TYPE_CHECKING

from tdls.ide.formatting.indentation import CONTINUATION, INDENT, Indentation, TextLine, blanks_between, lines_of, width
from tdls.structs import NamedTuple
from tdls.syntax.scanner import scan
from tdls.text.diagnostic import TextEdit
from tdls.text.difference import common_start
from tdls.text.span import FileSpan, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.ide.formatting.layout import Layout
    from tdls.syntax.scanner import Tokens

MOST_BLANK_LINES = 2
_BLANKS = " \t"
_MANY = 3
"""The number of blanks assumed for a gap with a tab: more than any rule allows."""
_SPLIT_MARKER = re.compile(r"//\s*-----")
"""Only a marker without indentation separates the parts of a file, so moving one would change the file's meaning."""


class Options(NamedTuple):
    """Options for one text.

    `tab_size` is the width of a tab in columns, `width` that of a line beyond which an operation is broken before its
    types, 0 for never, `column` the column of the text's outermost operations. If `ends_file`,
    the text must end in exactly one line break; `line_break` is inserted if it is missing.
    """

    tab_size: int = 2
    width: int = 0
    column: int = 0
    ends_file: bool = True
    line_break: str = "\n"


_DEFAULTS = Options()


class SpacingEdit(NamedTuple):
    """A white space edit; `span` is relative to the formatted text."""

    span: Span
    new_text: str

    def in_file(self, start: int) -> TextEdit:
        """Return the edit with offsets of the file, in which the text begins at `start`."""
        return TextEdit(FileSpan(*self.span.shifted(start)), self.new_text)


def format_tokens(
    text: str, layout: Layout, span: Span | None = None, options: Options = _DEFAULTS
) -> list[SpacingEdit]:
    """Return the edits that format `text`, or the lines that `span` touches.

    Tokens and comments are not changed, nor are lines in `layout.kept`.
    """
    return _Formatter(scan(text), layout, span, options).edits()


def applied(text: str, edits: Sequence[TextEdit] | Sequence[SpacingEdit]) -> str:
    """Apply `edits`, sorted and without overlaps, to `text`."""
    pieces: list[str] = []
    end = 0
    for edit in edits:
        pieces += (text[end : edit.span.start], edit.new_text)
        end = edit.span.end
    return "".join((*pieces, text[end:]))


class _Formatter:
    def __init__(self, tokens: Tokens, layout: Layout, span: Span | None, options: Options) -> None:
        self._tokens = tokens
        self._text = tokens.text
        whole = Span(0, len(tokens.text))
        self._span = span if span is not None else whole
        if self._span.end >= whole.end:
            self._span = Span(self._span.start, whole.end + 1)  # the last line belongs to it even if it is empty
        self._kept_starts = [kept.start for kept in layout.kept]
        self._kept_ends = list(accumulate((kept.end for kept in layout.kept), max))
        self._tab_size = options.tab_size
        self._width = options.width
        self._indentation = Indentation(tokens, layout, options.column, options.tab_size)
        self._lines = lines_of(tokens)
        self._ends_file = options.ends_file
        self._line_break = options.line_break
        self._edits: list[SpacingEdit] = []
        self._code_ends: dict[int, int] = {}
        """The formatted column after the last token, by the offset of the comment that follows on the line."""

    def edits(self) -> list[SpacingEdit]:
        """Return all edits in textual order."""
        lines = self._lines
        end = len(lines) if self._ends_file else len(lines) - 1
        while self._ends_file and end and lines[end - 1].is_blank:
            end -= 1
        self._format_lines(lines[:end])
        self._align_trailing_comments(lines[:end])
        run = 0
        for line, following in pairwise(self._lines[: end + 1]):
            run = run + 1 if line.is_blank else 0
            if run > MOST_BLANK_LINES and not self._is_fixed(line):
                self._replace(line.start, following.start, "")
        if self._ends_file:
            self._end_text(end)
        return sorted(self._edits, key=lambda edit: edit.span)

    def _format_lines(self, lines: Sequence[TextLine]) -> None:
        comments: list[TextLine] = []
        for line in lines:
            if line.has_tokens:
                self._format_code(line, comments)
                comments.clear()
            elif line.comment is not None:
                comments.append(line)
            if not self._is_fixed(line):
                self._replace(line.start + len(self._text[line.start : line.end].rstrip(_BLANKS)), line.end, "")
        for line in comments:
            self._indent_comment(line, self._indentation.content_column)

    def _is_fixed(self, line: TextLine) -> bool:
        """Return whether `line` must not change."""
        if line.is_unusual or line.start >= max(self._span.end, self._span.start + 1) or line.end < self._span.start:
            return True
        position = bisect_right(self._kept_starts, line.end) - 1
        return position >= 0 and self._kept_ends[position] > line.start

    def _column(self, line: TextLine) -> int:
        return width(self._text, line.start, line.indent_end, self._tab_size)

    def _format_code(self, line: TextLine, comments: Sequence[TextLine]) -> None:
        fixed = self._is_fixed(line)
        inner = self._indentation.content_column
        closes = self._indentation.closes_region(line.first)
        is_label = self._indentation.is_label(line.first)
        written = self._column(line)
        column = self._indentation.begin_line(line, written, fixed=fixed)
        for comment in comments:
            is_inside = closes or (is_label and self._column(comment) > written)
            self._indent_comment(comment, inner if is_inside else column)
        if not fixed:
            self._replace(line.start, line.indent_end, " " * column)
        begin = len(self._edits)
        breaks: list[tuple[int, int]] = []
        end = self._space_tokens(line, column, breaks, fixed=fixed)
        if 0 < self._width < end and not fixed and self._is_whole_operation(line):
            self._break_line(begin, breaks, column, end)
        if line.comment is not None and not fixed:
            self._code_ends[line.comment] = end

    def _indent_comment(self, line: TextLine, column: int) -> None:
        if not self._is_fixed(line) and not _SPLIT_MARKER.match(self._text, line.indent_end):
            self._replace(line.start, line.indent_end, " " * column)

    def _space_tokens(self, line: TextLine, column: int, breaks: list[tuple[int, int]], *, fixed: bool) -> int:
        """Format the blanks between the tokens of `line`, and return the column after the last one.

        Adds the tokens to `breaks` before which the types of an operation begin, with their columns.
        """
        starts, ends = self._tokens.starts, self._tokens.ends
        for index in range(line.first, line.last):
            self._indentation.walk(index)
            column += ends[index] - starts[index]
            if index + 1 == line.last:
                break
            start, end = ends[index], starts[index + 1]
            if not fixed and not self._indentation.is_protected(index):
                gap = self._text[self._tokens.ends[index] : self._tokens.starts[index + 1]]
                place = self._indentation.place(index)
                right = blanks_between(self._tokens, index, place)
                blanks = right.applied(len(gap) if "\t" not in gap else _MANY)
                self._replace(start, end, " " * blanks)
                column += blanks
                if blanks and place.begins_types(self._tokens, index):
                    breaks.append((index + 1, column))
            else:
                column += end - start
        return column

    def _is_whole_operation(self, line: TextLine) -> bool:
        """Return whether the only operation of a line begins and ends there, without a region and a comment."""
        kinds, begins = self._tokens.kinds, self._indentation.begins_statement
        opens = any(self._indentation.opens_region(index) for index in range(line.first, line.last))
        count = sum(map(begins, range(line.first, line.last)))
        ends = line.last >= self._tokens.count or begins(line.last) or kinds[line.last] == "}"
        ends |= line.last < self._tokens.count and self._indentation.is_label(line.last)
        return begins(line.first) and count == 1 and ends and not opens and line.comment is None

    def _break_line(self, begin: int, breaks: list[tuple[int, int]], column: int, end: int) -> None:
        """Break a line up to the column `end` before its types, and these before their results if they are too wide.

        The line's edits are those from number `begin` on.
        """
        column += CONTINUATION
        for number, (index, _) in enumerate(breaks[:2]):
            if number and column + end - breaks[0][1] <= self._width:
                break
            gap = Span(self._tokens.ends[index - 1], self._tokens.starts[index])
            self._edits[begin:] = [e for e in self._edits[begin:] if not gap.start <= e.span.start <= gap.end]
            self._replace(gap.start, gap.end, self._line_break + " " * (column + number * INDENT))

    def _align_trailing_comments(self, lines: Sequence[TextLine]) -> None:
        """Keep trailing comments of successive lines aligned, and others at their distance from the code."""
        for (column, _), group in groupby(enumerate(lines), self._comment_column):
            comments = [line for _, line in group if line.comment is not None]
            if column < 0:
                continue
            gaps = [column - self._code_column(line) for line in comments]
            right = max(self._code_ends[line.comment or 0] for line in comments) + max(min(gaps), 1)
            for line in comments:
                self._replace(
                    self._tokens.ends[line.last - 1],
                    line.comment or 0,
                    " " * (right - self._code_ends[line.comment or 0]),
                )

    def _comment_column(self, numbered: tuple[int, TextLine]) -> tuple[int, int]:
        """Return a grouping key: equal for lines with aligned comments, with column -1 for lines without one."""
        number, line = numbered
        if line.comment not in self._code_ends:
            return -1, number
        return width(self._text, line.start, line.comment, self._tab_size), 0

    def _code_column(self, line: TextLine) -> int:
        return width(self._text, line.start, self._tokens.ends[line.last - 1], self._tab_size)

    def _end_text(self, end: int) -> None:
        """Make the text end in one line break after its last line that is not blank, which is ``lines[end - 1]``."""
        last = self._lines[end - 1] if end else None
        if self._is_fixed(self._lines[-1]) or (last is not None and self._span.start > last.end):
            return
        if last is None:
            self._replace(0, len(self._text), "")
            return
        line_break = "\r\n" if self._text.startswith("\r\n", last.end) else "\n"
        self._replace(last.end, len(self._text), line_break if last.end < len(self._text) else self._line_break)

    def _replace(self, start: int, end: int, new_text: str) -> None:
        """Record an edit of the characters that differ, if any."""
        if self._text[start:end] == new_text:
            return
        same = common_start(self._text[start:end], new_text)
        self._edits.append(SpacingEdit(Span(start + same, end), new_text[same:]))
