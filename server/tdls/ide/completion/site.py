"""The site of a completion: enclosing operation, block and previous operations, and the parser's expectations there."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from tdls.structs import Struct
from tdls.syntax.expected.at_cursor import expected_at
from tdls.syntax.sections.sections import SectionKind
from tdls.syntax.tree import Form
from tdls.system import cached_property
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tdls.analysis.file.context import Context
    from tdls.analysis.file.source_file import SourceFile
    from tdls.catalogue.catalogue import Catalogue
    from tdls.semantic.model import Block, Operation
    from tdls.syntax.expected.model import Expected
    from tdls.text.span import FileSpan


def abbreviates(typed: str, name: str) -> bool:
    """Return whether the letters of `typed` are a subsequence of `name`."""
    letters = iter(name)
    return all(letter in letters for letter in typed)


MOST_ITEMS = 500
"""Maximum number of values or symbols to offer at once."""


_LINE_END = re.compile(r"\r\n|\n|\r")


class Site(Struct, frozen=True, has_dict=True):
    """A cursor in a section; `offset` is relative to the section's start."""

    file: SourceFile
    context: Context
    offset: int
    enclosing: Operation | None
    """The operation in whose region the cursor is, in this section."""
    block: Block | None
    before: Sequence[Operation]
    """The operations of the same block that begin before the cursor."""
    floor: int = 0
    """The offset after the opening brace of the region around the cursor."""

    @property
    def catalogue(self) -> Catalogue:
        """The catalogue of operations, types and attributes."""
        return self.context.file.catalogue

    @property
    def text(self) -> str:
        return self.context.tree.text

    @property
    def parent(self) -> Operation | None:
        """The operation in whose region the cursor is, which may be a container of another section."""
        return self.enclosing if self.enclosing is not None else self.context.container_operation

    @cached_property
    def current(self) -> Operation | None:
        """The last operation before the cursor if it may go on to the cursor, else None."""
        last = self.before[-1] if self.before else None
        if last is None or last.syntax.broken or self.offset <= last.span.end:
            return last
        return None if "\n" in self.text[last.span.end : self.offset] else last

    @cached_property
    def expected(self) -> Expected:
        """The parser's expectations at the cursor."""
        nested = self.enclosing is not None or self.context.section.surroundings.nested
        return expected_at(
            self._text_without_regions(),
            self.offset,
            self.catalogue,
            start=self._parse_start(),
            default_dialect=self.dialect,
            nested=nested,
        )

    def _text_without_regions(self) -> str:
        """Return the text with blanks in the regions that end before the cursor, to save parsing them.

        In a broken operation, braces on one line are kept, as they may be no region.
        """
        text = self.text
        if self.current is None:
            return text
        for region in self.current.syntax.regions:
            span = region.span
            inside = text[span.start + 1 : span.end - 1]
            if span.end <= self.offset and ("\n" in inside or not self.current.syntax.broken):
                text = f"{text[: span.start + 1]}{' ' * len(inside)}{text[span.end - 1 :]}"
        return text

    @cached_property
    def span(self) -> FileSpan:
        """The span in the file of the word at the cursor, which an item replaces."""
        return self.context.to_file(self.expected.word.span)

    @cached_property
    def rest_of_line(self) -> str:
        """The text after the word at the cursor on its line, without a comment."""
        start = self.expected.word.span.end
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else None].partition("//")[0].strip()

    def line_of(self, operation: Operation) -> int:
        """Return the 0-based line of the file with the name of `operation` of the section."""
        offset = operation.location.start
        if self.context.section.kind is SectionKind.PLAIN:
            return self._first_line + bisect_right(self._line_ends, offset)
        return self.file.position(self.context.to_file(Span(offset, offset)).start).line

    @cached_property
    def _line_ends(self) -> list[int]:
        return [match.end() for match in _LINE_END.finditer(self.text)]

    @cached_property
    def _first_line(self) -> int:
        return self.file.position(self.context.to_file(Span(0, 0)).start).line

    @property
    def dialect(self) -> str:
        """The dialect whose prefix may be omitted at the cursor, by the rules of `Parser`."""
        around = [self.enclosing, *self.enclosing.ancestors()] if self.enclosing is not None else []
        for operation in around:
            if operation.definition is not None and operation.syntax.form is not Form.GENERIC:
                return operation.definition.default_dialect or ""
        return self.context.section.surroundings.default_dialect

    def _parse_start(self) -> int:
        """Return the start of the construct around the cursor: an operation, a block's label, or the cursor's line."""
        if self.current is not None:
            return self.current.span.start
        if self.block is not None and not self.before and self.enclosing is not None:
            return self.block.syntax.start
        behind = self.before[-1].span.end if self.before else 0
        line = self.text.rfind("\n", 0, self.offset) + 1
        return max(behind, line, self.floor)


def site_at(file: SourceFile, offset: int) -> Site:
    """Return the site of the cursor at `offset` of the file. Never raises.

    Between two sections it belongs to the first one, which has the word before the cursor.
    """
    previous = max(min(offset, file.length) - 1, 0)
    context = file.context_at(previous).reading(previous)
    local = context.to_local(previous) + (1 if offset > 0 else 0)
    enclosing: Operation | None = None
    block: Block | None = None
    floor = 0
    operations: Sequence[Operation] = context.model.operations
    while True:
        count = len(operations)
        while count > 0 and operations[count - 1].span.start >= local:
            count -= 1
        before = operations[:count]
        inner = _region_around(before[-1], context.tree.text, local) if before else None
        if inner is None:
            return Site(file, context, local, enclosing, block, before, floor)
        enclosing = before[-1]
        floor = enclosing.syntax.regions[inner].start + 1
        block = _block_around(enclosing, inner, local)
        operations = block.operations if block is not None else ()


def _region_around(operation: Operation, text: str, offset: int) -> int | None:
    """Return the index of the region of `operation` that contains the cursor.

    A brace on the cursor's line in a broken operation may be no region, so the parser decides.
    """
    for index, region in enumerate(operation.syntax.regions[: _most_regions(operation)]):
        span = region.span
        if operation.syntax.broken and "\n" not in text[span.start : offset]:
            continue
        is_closed = text[span.end - 1 : span.end] == "}" and span.end > span.start + 1
        last = span.end - 1 if is_closed else span.end
        if span.start < offset <= last or (not is_closed and offset > span.end):
            return index
    return None


def _most_regions(operation: Operation) -> int | None:
    """Return the maximum number of regions, None if unlimited; further braces are incomplete syntax, not regions."""
    definition = operation.definition
    if definition is None or any(region.variadic for region in definition.regions):
        return None
    return len(definition.regions)


def _block_around(operation: Operation, region: int, offset: int) -> Block | None:
    blocks = operation.regions[region].blocks
    before = [block for block in blocks if block.syntax.start < offset or block is blocks[0]]
    return before[-1] if before else None
