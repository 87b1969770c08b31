"""Formatting rules: the lines of a text, the indentation of each, and the number of blanks between two tokens."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple, Struct
from tdls.syntax import scanner

if TYPE_CHECKING:
    from tdls.ide.formatting.layout import Layout
    from tdls.syntax.scanner import Tokens


class Bracket(Enum):
    """The innermost bracket around a gap between two tokens."""

    REGION = "region"
    """A region, the top level of the file, or the part of an operation outside of brackets."""
    DICTIONARY = "dictionary"
    """Braces that begin with ``name = value``."""
    BRACES = "braces"
    """Any other braces."""
    LIST = "list"
    """Parentheses or square brackets."""


class Blanks(NamedTuple):
    """An allowed range for the number of blanks; a number outside becomes 1 if that is allowed, else `least`."""

    least: int
    most: int

    def applied(self, written: int) -> int:
        """Return the formatted number of blanks for `written` ones."""
        if self.least <= written <= self.most:
            return written
        return 1 if self.least <= 1 <= self.most else self.least


_ANY = Blanks(0, 2)
_NONE = Blanks(0, 0)
_ONE = Blanks(1, 1)
_SOME = Blanks(1, 2)
_AT_MOST_ONE = Blanks(0, 1)
_ENDS_OF_PARTS = frozenset(
    {")", "]", "}", ">", scanner.VALUE, scanner.TYPE, scanner.SYMBOL, scanner.STRING, scanner.ATTRIBUTE}
)
"""Tokens that end an operand, a list, a type or an attribute."""
_OPERATORS = frozenset("<>=:+*|/?")
_NAMES = frozenset({scanner.VALUE, scanner.TYPE, scanner.ATTRIBUTE})
_WORDS = frozenset({scanner.IDENTIFIER, scanner.VALUE, scanner.SYMBOL, scanner.NUMBER, scanner.STRING})


class TokenGap(NamedTuple):
    """The surroundings of two neighbouring tokens.

    The gaps directly after an opening bracket and before a closing one are inside the bracket.
    """

    bracket: Bracket
    is_known: bool
    """False inside of an operation whose assembly format is unknown."""
    opens_region: bool
    """True if the second token opens a region."""
    closes_region: bool
    """True if the first token closes a region."""
    ends_label: bool
    """True if either token is the colon of a block label."""
    ends_results: bool
    """True if either token is the ``=`` after an operation's results."""

    def begins_types(self, tokens: Tokens, index: int) -> bool:
        """Return whether the second token, after token `index`, begins the types of an operation, or their results."""
        is_outermost = self.bracket is Bracket.REGION and self.is_known and not self.ends_label
        return is_outermost and tokens.kinds[index + 1] in (":", "->")


def blanks_between(tokens: Tokens, index: int, gap: TokenGap) -> Blanks:
    """Return the allowed number of blanks between token `index` and the next one."""
    left, right = tokens.kinds[index], tokens.kinds[index + 1]
    if right == ",":
        return _NONE
    if left == ",":
        return _ONE
    if not gap.is_known and gap.bracket is not Bracket.DICTIONARY:
        if gap.ends_results:
            return _ONE
        return _SOME if gap.opens_region or (gap.closes_region and right in _WORDS) else _ANY
    if left in "([" or right in (")", "]"):
        return _NONE
    if "=" in (left, right):
        return _ANY if _is_operator(tokens, index) else _around_equals(tokens, index, gap.bracket)
    if "{" in (left, right) or "}" in (left, right):
        return _around_braces(left, right, gap)
    if left == "->":
        return _ONE
    if right == "->":
        return _SOME
    if ":" in (left, right) and not gap.ends_label:
        return _around_colon(tokens, index, gap.bracket)
    return _ANY


def _is_operator(tokens: Tokens, index: int) -> bool:
    """Return whether token `index` and the next one form ``<=``, ``=>`` or the like, which MLIR's lexer splits."""
    left, right = tokens.kinds[index], tokens.kinds[index + 1]
    pair = (index, index + 1)
    touching = tokens.ends[index] == tokens.starts[index + 1]
    return touching and {left, right} <= _OPERATORS and not any(token in tokens.partners for token in pair)


def _around_braces(left: str, right: str, gap: TokenGap) -> Blanks:
    if gap.bracket is Bracket.DICTIONARY and (left == "{" or right == "}"):
        return _NONE
    if left == "{" or right == "}":
        return _ANY
    if right == "{":
        return _SOME if gap.opens_region or left in _ENDS_OF_PARTS else _ANY
    return _SOME if right in _WORDS or right in (":", "->") else _ANY


def _around_equals(tokens: Tokens, index: int, bracket: Bracket) -> Blanks:
    left = tokens.kinds[index]
    before = tokens.kinds[index - 1] if left == "=" and index else left
    if bracket is not Bracket.REGION:
        return _ONE
    if before in _NAMES or before == scanner.NUMBER:
        return _ONE
    return _ANY if left == "=" else _AT_MOST_ONE


def _around_colon(tokens: Tokens, index: int, bracket: Bracket) -> Blanks:
    left, right = tokens.kinds[index], tokens.kinds[index + 1]
    if right == ":":
        if bracket is Bracket.DICTIONARY and left != scanner.IDENTIFIER:
            return _ONE
        is_result_count = left == scanner.VALUE and tokens.kinds[index + 2] == scanner.NUMBER
        is_sure = left in _ENDS_OF_PARTS or left == scanner.NUMBER
        return _SOME if bracket is Bracket.REGION and is_sure and not is_result_count else _ANY
    if right == scanner.NUMBER:
        return _ANY
    return _SOME if bracket is Bracket.REGION else _ONE


INDENT = 2
CONTINUATION = 4
_OPENERS = frozenset("([{")
_CLOSERS = frozenset(")]}")
_RESULTS = frozenset({scanner.VALUE, scanner.NUMBER, ":", ","})


class _Statement(Struct):
    """The operation, alias or label that began last in a region.

    `written` and `right` are the columns of its first line, before and after formatting; `depth` is the number of
    brackets around it, `first` the index of its first token.
    """

    written: int
    right: int
    depth: int
    first: int


class _OpenRegion(Struct):
    """An open region: the token index of its brace, and the columns of its closing brace and of its operations."""

    opener: int
    base: int
    content: int
    statement: _Statement | None = None


class Indentation:
    """Walks over the tokens once, line by line, with a stack of open regions and brackets."""

    def __init__(self, tokens: Tokens, layout: Layout, column: int, tab_size: int) -> None:
        """`column` is that of the outermost operations, `tab_size` the width of a tab."""
        self._tokens = tokens
        self._layout = layout
        self._tab_size = tab_size
        self._regions = [_OpenRegion(-1, column - INDENT, column)]
        self._brackets: list[tuple[int, Bracket]] = []
        self._protected = -1
        self._label_colon = -1
        self._written = self._right = column
        self._depth = 0

    @property
    def content_column(self) -> int:
        """The column of operations in the innermost open region."""
        return self._regions[-1].content

    def opens_region(self, index: int) -> bool:
        """Return whether token `index` is the opening brace of a region."""
        return self._tokens.kinds[index] == "{" and self._tokens.starts[index] in self._layout.regions

    def closes_region(self, index: int) -> bool:
        """Return whether token `index` closes the innermost open region."""
        return self._tokens.kinds[index] == "}" and self._tokens.partners.get(index) == self._regions[-1].opener

    def begins_statement(self, index: int) -> bool:
        """Return whether an operation or an alias begins at token `index`."""
        return self._tokens.starts[index] in self._layout.statements

    def is_label(self, index: int) -> bool:
        """Return whether a block label begins at token `index`."""
        return self._tokens.kinds[index] == scanner.BLOCK and self._tokens.starts[index] in self._layout.labels

    def is_protected(self, index: int) -> bool:
        """Return whether the text after token `index` belongs to a type, an attribute's body or properties."""
        return index < self._protected

    def place(self, index: int) -> TokenGap:
        """Return the surroundings of the gap after token `index`, which must be the last one walked over."""
        bracket = self._brackets[-1][1] if self._brackets else Bracket.REGION
        statement = self._regions[-1].statement
        start = self._tokens.starts[statement.first] if statement is not None else -1
        return TokenGap(
            bracket,
            is_known=start not in self._layout.unknown,
            opens_region=self.opens_region(index + 1),
            closes_region=self._tokens.kinds[index] == "}"
            and self.opens_region(self._tokens.partners.get(index, index)),
            ends_label=self._label_colon in (index, index + 1),
            ends_results=bracket is Bracket.REGION and statement is not None and self._ends_results(statement, index),
        )

    def _ends_results(self, statement: _Statement, index: int) -> bool:
        kinds = self._tokens.kinds
        equals = index if kinds[index] == "=" else index + 1
        return kinds[equals] == "=" and all(kinds[token] in _RESULTS for token in range(statement.first, equals))

    def begin_line(self, line: TextLine, written: int, *, fixed: bool) -> int:
        """Return the formatted column of `line`, now at `written`; call it before walking over its tokens.

        A `fixed` line keeps its column, and lines that depend on it follow.
        """
        self._written = written
        self._depth = len(self._brackets)
        self._right = written if fixed else self._column(line, written)
        return self._right

    def walk(self, index: int) -> None:
        """Step over token `index` of the current line."""
        kind = self._tokens.kinds[index]
        if self.begins_statement(index) or self.is_label(index):
            self._regions[-1].statement = _Statement(self._written, self._right, len(self._brackets), index)
        if kind in _CLOSERS:
            if self.closes_region(index):
                self._regions.pop()
            if self._brackets and self._brackets[-1][0] == self._tokens.partners.get(index):
                self._brackets.pop()
        elif kind in _OPENERS:
            self._open(index)
        elif kind == "<":
            self._protected = max(self._protected, self._tokens.partners.get(index, -1))
        if self.is_label(index):
            kinds = self._tokens.kinds
            behind = self._tokens.partners.get(index + 1, index) + 1 if kinds[index + 1] == "(" else index + 1
            self._label_colon = behind if kinds[behind] == ":" else -1

    def _column(self, line: TextLine, written: int) -> int:
        first = line.first
        region = self._regions[-1]
        if self.closes_region(first) or self.is_label(first):
            return region.base
        if self.begins_statement(first):
            return region.content
        if region.statement is None:
            return written
        return self._continuation_column(line, written, region.statement)

    def _continuation_column(self, line: TextLine, written: int, statement: _Statement) -> int:
        """Keep the distance from the statement's first line if the line is indented further than that."""
        distance = written - statement.written
        if distance > 0:
            return statement.right + distance
        if self.is_protected(line.first - 1):
            return written
        if self._tokens.kinds[line.first] in _CLOSERS:
            return statement.right
        if distance == 0 and any(self.opens_region(index) for index in range(line.first, line.last)):
            return statement.right
        return statement.right + CONTINUATION

    def _open(self, index: int) -> None:
        if index not in self._tokens.partners and not self.opens_region(index):
            return
        self._brackets.append((index, self._bracket(index)))
        if self.opens_region(index):
            base = self._region_base(index)
            self._regions.append(_OpenRegion(index, base, base + INDENT))

    def _region_base(self, opener: int) -> int:
        """Return the column that a region is relative to: that of its operation, or of a part of it on separate lines.

        Such a part begins a line, and the closing brace begins a line at or after the column of the part.
        """
        statement = self._regions[-1].statement
        if statement is None:
            return self._right
        begins_line = self._depth == statement.depth and INDENT <= self._right - statement.right < CONTINUATION
        is_part = begins_line and self._closing_column(opener) >= statement.written + INDENT
        return statement.right + INDENT if is_part else statement.right

    def _closing_column(self, opener: int) -> int:
        """Return the column of the brace that closes `opener` if it begins its line, else -1."""
        closer = self._tokens.partners.get(opener)
        if closer is None or not self._tokens.first_on_line(closer):
            return -1
        offset = self._tokens.starts[closer]
        line_start = self._tokens.text.rfind("\n", 0, offset) + 1
        return width(self._tokens.text, line_start, offset, self._tab_size)

    def _bracket(self, index: int) -> Bracket:
        kinds = self._tokens.kinds
        if kinds[index] != "{":
            return Bracket.LIST
        if self.opens_region(index):
            return Bracket.REGION
        has_entry = kinds[index + 1] in (scanner.IDENTIFIER, scanner.STRING) and kinds[index + 2] == "="
        return Bracket.DICTIONARY if has_entry else Bracket.BRACES


_UNUSUAL = re.compile(r"[\r\v\f]")


class TextLine(Struct):
    """One line: ``text[start:end]`` without its line break.

    Tokens ``[first, last)`` begin on it; `comment` is the offset of its ``//``, None without comment.
    `is_unusual` is set for white space other than blanks, tabs and line breaks.
    """

    start: int
    end: int
    indent_end: int
    first: int
    last: int
    comment: int | None
    is_unusual: bool = False

    @property
    def has_tokens(self) -> bool:
        return self.first < self.last

    @property
    def is_blank(self) -> bool:
        """Whether the line is empty or only white space."""
        return not self.has_tokens and self.comment is None


def lines_of(tokens: Tokens) -> list[TextLine]:
    """Return the lines of a scanned text; if it ends in a line break, the last line is empty."""
    text = tokens.text
    lines: list[TextLine] = []
    start = first = 0
    while start >= 0:
        newline = text.find("\n", start)
        end = newline if newline >= 0 else len(text)
        last = first
        while last < tokens.count and tokens.starts[last] < end:
            last += 1
        lines.append(_line(tokens, start, end, first, last))
        first = last
        start = newline + 1 if newline >= 0 else -1
    return lines


def _line(tokens: Tokens, start: int, end: int, first: int, last: int) -> TextLine:
    text = tokens.text
    if text.endswith("\r", start, end):
        end -= 1
    rest = tokens.ends[last - 1] if first < last else start
    slashes = text.find("//", rest, end)
    comment = slashes if slashes >= 0 else None
    indent_end = tokens.starts[first] if first < last else comment if comment is not None else end
    unusual = _has_unusual_white_space(tokens, start, end if comment is None else comment, first, last)
    return TextLine(start, end, indent_end, first, last, comment, unusual)


def _has_unusual_white_space(tokens: Tokens, start: int, end: int, first: int, last: int) -> bool:
    if _UNUSUAL.search(tokens.text, start, end) is None:
        return False
    borders = [start, *(place for index in range(first, last) for place in (tokens.starts[index], tokens.ends[index]))]
    borders.append(end)
    gaps = zip(borders[::2], borders[1::2], strict=True)
    return any(_UNUSUAL.search(tokens.text, *gap) for gap in gaps)


def width(text: str, start: int, end: int, tab_size: int) -> int:
    """Return the width of ``text[start:end]`` in columns if it begins at column 0."""
    return len(text[start:end].expandtabs(tab_size)) if "\t" in text[start:end] else end - start
