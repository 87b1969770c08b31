"""The syntax that formatting depends on: starts of statements, labels and regions, and damaged parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tdls.structs import Struct, field
from tdls.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.syntax.scanner import Tokens
    from tdls.syntax.tree import Member, Operation, Tree
    from tdls.text.span import Span

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
        """Whether any token begins on the line."""
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


class Layout(Struct):
    """Places in a text, as offsets in code points."""

    statements: set[int] = field(default_factory=set)
    """Starts of operations and aliases."""
    unknown: set[int] = field(default_factory=set)
    """Those of `statements` whose assembly format is unknown."""
    labels: set[int] = field(default_factory=set)
    """Starts of block labels."""
    regions: set[int] = field(default_factory=set)
    """Opening braces of regions."""
    kept: list[Span] = field(default_factory=list)
    """Spans that must not change, in textual order."""
    is_damaged: bool = False
    """True if there are syntax errors."""

    @property
    def rests_on_indentation(self) -> bool:
        """True if the parser may have used indentation to group tokens: after errors and in unknown syntax."""
        return self.is_damaged or bool(self.unknown)

    @property
    def places(self) -> tuple[set[int], ...]:
        """All places except `kept`."""
        return self.statements, self.unknown, self.labels, self.regions

    @classmethod
    def of_tree(cls, tree: Tree) -> Layout:
        """Collect the places of `tree`; members with syntax errors and file metadata go to `kept`."""
        layout = cls()
        for member in tree.all_members():
            layout._add(member)
        return layout

    def add(self, other: Layout, offset: int) -> None:
        """Add the places of a part of the text that begins at `offset`."""
        for own, others in zip(self.places, other.places, strict=True):
            own.update(place + offset for place in others)
        self.kept.extend(span.shifted(offset) for span in other.kept)
        self.is_damaged |= other.is_damaged

    def _add(self, member: Member) -> None:
        if member.problems or (member.operation is None and member.alias is None):
            self.kept.append(member.span)
        self.is_damaged |= bool(member.problems)
        if member.alias is not None:
            self.statements.add(member.alias.start)
        for operation in _own_operations(member):
            self.statements.add(operation.start)
            if operation.form is Form.STRUCTURAL:
                self.unknown.add(operation.start)
            for region in operation.regions:
                self.regions.add(region.start)
                self.labels.update(block.label_span.start for block in region.blocks if block.label is not None)


def _own_operations(member: Member) -> Iterator[Operation]:
    """Yield the operation of `member` and all nested ones, except operations that are members themselves."""
    others = {id(child.operation) for child in member.children}
    pending = [member.operation] if member.operation is not None else []
    while pending:
        operation = pending.pop()
        yield operation
        for region in operation.regions:
            for block in region.blocks:
                pending.extend(nested for nested in block.operations if id(nested) not in others)
