"""A new tree from an old one and an edit, re-reading only the members that the edit touches.

A member is a direct child of the file or of a module-like container. The members around the edit are read again as a
text of their own; all others are the same objects as before. What is read locally is kept only where reading the whole
text would give the same: braces are balanced, the next member begins where it began, and the members still define the
same SSA names. Otherwise the next larger unit is read again, in the end the whole file.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tdls.syntax.parser import parse, parse_members
from tdls.syntax.tree import Form, Member, Tree
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.syntax.tree import Operation, Region

PlacedMember = tuple[int, Member]
_LOOKAHEAD_END = "{\r\n"
"""What decides whether a member begins stands before the first of these characters."""


class _Level(NamedTuple):
    """The members of the file or of one container, with what reading one of them depends on."""

    members: Sequence[PlacedMember]
    base: int
    start: int
    end: int
    """All in the old text: where offsets count from, where the first member may begin and the last one end."""
    default_dialect: str
    nested: bool


def reparse(tree: Tree, span: Span, new_text: str, catalogue: Catalogue) -> Tree:
    """Return the tree of the text of `tree` with `span` replaced by `new_text`; it equals `parse` of that text."""
    text = tree.text[: span.start] + new_text + tree.text[span.end :]
    if not tree.balanced:
        return parse(text, catalogue)
    edit = _Edit(text, span, len(text) - len(tree.text), catalogue)
    members = edit.apply(_Level(tree.members, 0, 0, len(tree.text), "builtin", nested=False))
    return Tree(text, members) if members is not None else parse(text, catalogue)


class _Edit:
    def __init__(self, text: str, span: Span, growth: int, catalogue: Catalogue) -> None:
        self.text = text
        self.span = span
        self.growth = growth
        self.catalogue = catalogue

    def apply(self, level: _Level) -> tuple[PlacedMember, ...] | None:
        """Return the members of `level` after the edit, or None if more than the level must be read again."""
        if not level.members:
            return None
        first, last = self._touched(level)
        if first == last:
            inside = self._apply_inside(level, first)
            if inside is not None:
                return inside
        return self._read_again(level, first, last)

    def _touched(self, level: _Level) -> tuple[int, int]:
        """Return the first and the last member whose reading the edit may change."""
        starts = [level.base + offset for offset, _ in level.members]
        first = max(bisect_right(starts, self.span.start) - 1, 0)
        if first > 0 and self.span.start <= _head_end(level, first):
            first -= 1
        last = first
        while last + 1 < len(starts) and not self._ends_before_next_line(level, last):
            last += 1
        return first, last

    def _ends_before_next_line(self, level: _Level, index: int) -> bool:
        """Tell whether member `index` ends behind the edit, with a line break before the next member."""
        offset, member = level.members[index]
        end = level.base + offset + member.length
        next_start = level.base + level.members[index + 1][0]
        if end <= self.span.end:
            return False
        gap = self.text[end + self.growth : next_start + self.growth]
        return "\n" in gap

    # Inside a container

    def _apply_inside(self, level: _Level, index: int) -> tuple[PlacedMember, ...] | None:
        """Apply the edit to the members of the container at `index`, if it lies between two of them or in one."""
        offset, member = level.members[index]
        body = _container_body(member)
        if body is None or member.operation is None:
            return None
        start = level.base + offset
        if not (start + body.start < self.span.start and self.span.end < start + body.end - 1):
            return None
        dialect = member.operation.definition.default_dialect if member.operation.definition else None
        inner = _Level(member.children, start, start + body.start + 1, start + body.end - 1, dialect or "", nested=True)
        children = self.apply(inner)
        if children is None or not any(child.operation for _, child in children):
            return None
        grown = _with_children(member, children, self.growth)
        return self._replaced(level, index, index, [(offset, grown)])

    # Members read again

    def _read_again(self, level: _Level, first: int, last: int) -> tuple[PlacedMember, ...] | None:
        start = level.base + level.members[first][0] if first > 0 else level.start
        end, lookahead = self._window_end(level, last)
        if "//" in self.text[self.text.rfind("\n", 0, end) + 1 : end]:
            return None
        before = [member for _, member in level.members[:first]]
        parsed = parse_members(
            self.text[start:lookahead],
            self.catalogue,
            default_dialect=level.default_dialect,
            visible=_names(before),
            nested=level.nested,
        )
        if not (parsed.balanced and parsed.complete):
            return None
        fresh = [(start - level.base + at, member) for at, member in parsed.members if start + at < end]
        if len(fresh) < len(parsed.members) and start + parsed.members[len(fresh)][0] != end:
            return None
        if fresh and level.base + fresh[-1][0] + fresh[-1][1].length > end:
            return None
        old = [member for _, member in level.members[first : last + 1]]
        if _names(old) != _names(member for _, member in fresh):
            return None
        return self._replaced(level, first, last, fresh)

    def _window_end(self, level: _Level, last: int) -> tuple[int, int]:
        """Return where, in the new text, the members to read end, and how far to look beyond that."""
        if last + 1 == len(level.members):
            end = level.end + self.growth
            return end, end
        end = level.base + level.members[last + 1][0] + self.growth
        stops = (self.text.find(stop, end) for stop in _LOOKAHEAD_END)
        return end, min((stop for stop in stops if stop >= 0), default=len(self.text))

    def _replaced(
        self, level: _Level, first: int, last: int, fresh: Sequence[PlacedMember]
    ) -> tuple[PlacedMember, ...]:
        behind = [(offset + self.growth, member) for offset, member in level.members[last + 1 :]]
        return (*level.members[:first], *fresh, *behind)


def _head_end(level: _Level, index: int) -> int:
    """Return where the name of member `index` ends: up to there it decides where the member before it ends."""
    offset, member = level.members[index]
    head = member.operation.name_span.end if member.operation is not None else member.length
    return level.base + offset + head + 1


def _names(members: Iterable[Member]) -> list[str]:
    operations = (member.operation for member in members if member.operation is not None)
    return [group.name for operation in operations for group in operation.results]


def _container_body(member: Member) -> Span | None:
    """Return the place of the region whose only block the member's children are, if nothing stands behind it."""
    operation = member.operation
    if operation is None or not member.children or operation.form is not Form.EXACT or len(operation.regions) != 1:
        return None
    region = operation.regions[0]
    if len(region.blocks) != 1 or region.blocks[0].label is not None:
        return None
    return Span(region.start, region.end)


def _with_children(member: Member, children: tuple[PlacedMember, ...], growth: int) -> Member:
    """Return the container `member` with other children; its text has grown by `growth`."""
    operation = member.operation
    assert operation is not None
    region = operation.regions[0]
    operations = tuple(child.operation for _, child in children if child.operation is not None)
    block = region.blocks[0]
    end = max(offset + child.length for offset, child in children)
    new_member = Member(member.length + growth, problems=member.problems, children=children)
    new_block = replace(block, start=children[0][0], end=end, operations=operations, label_span=_empty(children[0][0]))
    new_region = replace(region, end=region.end + growth, blocks=(new_block,))
    new_member.operation = _grown(operation, new_member, new_region, growth)
    return new_member


def _empty(offset: int) -> Span:
    return Span(offset, offset)


def _grown(operation: Operation, member: Member, region: Region, growth: int) -> Operation:
    return replace(operation, end=operation.end + growth, member=member, regions=(region,))
