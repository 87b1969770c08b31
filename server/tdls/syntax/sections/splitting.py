"""Splits a text into sections by layout alone (see `sections`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from tdls.limits import CONTAINER_DEPTH
from tdls.structs import NamedTuple
from tdls.syntax.layout import (
    first_code,
    holds_operations,
    indent_of,
    line_breaks,
    start_pattern,
    unpaired,
    without_opaque,
)
from tdls.syntax.sections.boundaries import Group, TextRange, grouped, is_convincing, is_even, is_of_other_language
from tdls.syntax.sections.sections import TOP_DIALECT, Section, SectionKind, SectionRange, Surroundings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition

_NEXT_OPERATION = "the next operation"
_NAME = re.compile(r"[A-Za-z_][\w$.]*", re.ASCII)
VALUE = re.compile(r"%[\w$.\-]+", re.ASCII)
_DEFINED = re.compile(r'^[ \t]*(%[^=@("\n]*)', re.ASCII | re.MULTILINE)
UNFINISHED = (",", "(", "[", "<", "=", ":", "->", "|", "+", "-", "*", "/", "?")
"""Tokens that cannot end an operation."""


MakeSection: TypeAlias = Callable[[str, Surroundings, SectionKind], Section]
"""Creates the section with a text, its surroundings and its kind."""


def split_sections(
    text: str, parts: Sequence[tuple[int, int]], catalogue: Catalogue, make: MakeSection
) -> list[SectionRange]:
    """Return the pieces of `text`, which is first cut into `parts` (start and end offsets).

    `make` returns a section that is not part of the result yet. Never raises; takes time linear in the length of
    `text`.
    """
    splitter = _Splitter(text, catalogue, make)
    for number, (start, end) in enumerate(parts):
        splitter.part = number
        around = Surroundings(is_read=not is_of_other_language(text, start))
        splitter.split(splitter.level(start, end, around))
    return splitter.pieces


def split_window(
    text: str, before: Sequence[SectionRange], catalogue: Catalogue, make: MakeSection, *, in_convincing_layout: bool
) -> list[SectionRange] | None:
    """Return the pieces of `text`, which replaces `before`: adjacent pieces of one level of a file.

    `in_convincing_layout` means that the level has at least `CONVINCING` regular sections next to them.

    None if these pieces alone do not determine the result: it has containers, shared values or several irregular
    sections, the last section continues behind the text, the text has no code, or the enclosing container may end in
    it.
    """
    if first_code(text) is None:
        return None
    first, last = before[0], before[-1]
    splitter = _Splitter(text, catalogue, make)
    splitter.part = first.part
    level = _Level(0, len(text), last.section.surroundings, first.indent, first.outer_indent, first.frame)
    stretches = splitter.stretches(level)
    groups = grouped(stretches)
    irregular = sum(not group.regular for group in groups)
    if irregular > 1 or not stretches[-1].finished or any(splitter.is_special(group, level) for group in groups):
        return None
    if irregular and level.frame is not None and is_even(stretches) and not in_convincing_layout:
        return None
    for group in groups:
        splitter.add(group, level)
    return splitter.pieces


class _Level(NamedTuple):
    """The direct children of the file or of a container."""

    start: int
    end: int
    around: Surroundings
    """The surroundings of the last child."""
    indent: int
    outer_indent: int
    """The largest indentation of the enclosing levels; -1 at the top level."""
    frame: Section | None = None
    """The frame of the container."""
    depth: int = 0
    """The number of enclosing containers."""

    def surroundings(self, group: Group) -> Surroundings:
        """Return the surroundings of the child `group`."""
        return self.around if group.end == self.end else self.around._replace(end=_NEXT_OPERATION)


class _Splitter:
    def __init__(self, text: str, catalogue: Catalogue, make: MakeSection) -> None:
        self.text = text
        self.catalogue = catalogue
        self.make = make
        self.part = 0
        self.pieces: list[SectionRange] = []
        self._definitions: dict[str, OperationDefinition | None] = {}

    def level(self, start: int, end: int, around: Surroundings, outer: _Level | None = None) -> _Level:
        """Return the level between two offsets, which is nested in `outer`."""
        outer_indent = max(outer.indent, outer.outer_indent) if outer is not None else -1
        depth = outer.depth + 1 if outer is not None else 0
        return _Level(start, end, around, indent_of(self.text, start, end), outer_indent, depth=depth)

    def split(self, level: _Level, groups: list[Group] | None = None) -> None:
        """Add the pieces of `level`; `groups` are its groups if they are known already."""
        for group in self._with_open_containers(self._groups(level) if groups is None else groups, level):
            if not self._split_container(group, level):
                self.add(group, level)

    def add(self, group: Group, level: _Level) -> None:
        kind = SectionKind.PLAIN if group.regular else SectionKind.IRREGULAR
        section = self.make(self.text[group.start : group.end], level.surroundings(group), kind)
        self._add_piece(section, 0, group.end - group.start, level)

    def is_special(self, group: Group, level: _Level) -> bool:
        """Whether `group` is a container or defines values for its level."""
        return self._head(group) == "%" or self._container_head(group, level) is not None

    def _add_piece(self, section: Section, begin: int, length: int, level: _Level) -> None:
        breaks = line_breaks(section.text[begin : begin + length])
        self.pieces.append(
            SectionRange(section, begin, length, level.frame, self.part, level.indent, level.outer_indent, breaks)
        )

    # Where sections may begin

    def stretches(self, level: _Level) -> list[TextRange]:
        """Return the stretches between the possible section starts of `level`."""
        codes = [(bounds, without_opaque(self.text[slice(*bounds)])) for bounds in self._bounds(level)]
        return [TextRange(*bounds, *unpaired(code), not code.rstrip().endswith(UNFINISHED)) for bounds, code in codes]

    def _groups(self, level: _Level) -> list[Group]:
        return self._without_shared_values(grouped(self.stretches(level)))

    def _bounds(self, level: _Level) -> Iterator[tuple[int, int]]:
        first = first_code(self.text, level.start, level.end)
        dialect = level.around.default_dialect
        names = self.catalogue.operation_names(dialect) if dialect else ()
        pattern = start_pattern(level.indent, tuple(name.partition(".")[2] for name in names))
        begin = level.start
        for match in pattern.finditer(self.text, first.start if first else level.end, level.end):
            yield begin, match.start() + 1
            begin = match.start() + 1
        yield begin, level.end

    # Values that sections share

    def _without_shared_values(self, groups: list[Group]) -> list[Group]:
        """Merge all groups that define or use values directly in the level into one."""
        defining = [i for i, group in enumerate(groups) if self._head(group) == "%"]
        if not defining:
            return groups
        heads = [head for i in defining for head in _DEFINED.findall(self.text, groups[i].start, groups[i].end)]
        names = {name for head in heads for name in VALUE.findall(head)}
        last = defining[-1]
        for i in range(len(groups) - 1, last, -1):
            if names.intersection(VALUE.findall(self._seeing_values(groups[i]))):
                last = i
                break
        first = defining[0]
        balanced = all(group.balanced for group in groups[first : last + 1])
        merged = Group(groups[first].start, groups[last].end, balanced, regular=False)
        return [*groups[:first], merged, *groups[last + 1 :]]

    def _seeing_values(self, group: Group) -> str:
        """Return the text of `group` that sees the values of its level; of an isolated operation, the first line."""
        definition = self._definition(group.start, group.end, TOP_DIALECT)
        is_isolated = definition is not None and "IsIsolatedFromAbove" in definition.traits
        end = self.text.find("\n", self._begin(group), group.end) if is_isolated else -1
        return self.text[group.start : end if end >= 0 else group.end]

    def _begin(self, group: Group) -> int:
        """Return the offset of the first code."""
        first = first_code(self.text, group.start, group.end)
        return first.start if first is not None else group.start

    def _head(self, group: Group) -> str:
        """Return the first character of code, or ``""``."""
        first = first_code(self.text, group.start, group.end)
        return self.text[first.start] if first is not None else ""

    def _definition(self, start: int, end: int, dialect: str) -> OperationDefinition | None:
        """Return the definition of the operation whose custom form begins the range, or None."""
        first = first_code(self.text, start, end)
        name = _NAME.match(self.text, first.start, end) if first is not None else None
        if name is None:
            return None
        full = name[0] if "." in name[0] else f"{dialect}.{name[0]}"
        if full not in self._definitions:
            self._definitions[full] = self.catalogue.operation(full)
        return self._definitions[full]

    # Containers

    def _with_open_containers(self, groups: list[Group], level: _Level) -> Iterator[Group]:
        """Extend each container that is never closed up to the next container."""
        index = 0
        while index < len(groups):
            group = groups[index]
            index += 1
            if not group.balanced and self._container_head(group, level) is not None:
                while index < len(groups) and self._tail(group.start, group.end) is None:
                    following = groups[index]
                    if self._container_head(following, level) is not None:
                        break
                    group = Group(
                        group.start, following.end, balanced=False, regular=False, stretches=group.stretches + 1
                    )
                    index += 1
            yield group

    def _container_head(self, group: Group, level: _Level) -> tuple[int, OperationDefinition] | None:
        """Return the end of a container's first line and its definition, or None if `group` is not a container.

        A line with value names does not count: they would be values of its region, which sections cannot see.
        """
        start, end = group.start, group.end
        definition = self._definition(start, end, level.around.default_dialect)
        if definition is None or not {"SymbolTable", "NoTerminator"} <= definition.traits:
            return None
        first = first_code(self.text, start, end)
        begin = first.start if first is not None else start
        line_end = self.text.find("\n", begin, end)
        if line_end < 0:
            return None
        head = without_opaque(self.text[begin:line_end]).rstrip()
        opens = head.endswith("{") and head.count("{") - head.count("}") == 1 and "%" not in head
        return (line_end + 1, definition) if opens else None

    def _tail(self, start: int, end: int) -> int | None:
        """Return the start of the line that closes the container at `start`, or None if its last line does not."""
        stop = end
        while stop > start:
            line = self.text.rfind("\n", start, stop - 1) + 1 or start
            code = self.text[line:stop].strip()
            if code and not code.startswith("//"):
                break
            stop = line
        else:
            return None
        indent = indent_of(self.text, start, end)
        closes = code.startswith("}") and len(self.text[line:stop]) - len(self.text[line:stop].lstrip()) <= indent
        return line if closes else None

    def _split_container(self, group: Group, level: _Level) -> bool:
        """Add the pieces of the container `group`; False if it is not a container that can be split."""
        head = self._container_head(group, level)
        if head is None or level.depth >= CONTAINER_DEPTH.most:
            return False
        begin, definition = head
        tail = self._tail(group.start, group.end)
        if (tail is None and group.balanced) or (tail is not None and tail < begin):
            return False
        dialect = definition.default_dialect or ""
        stop = group.end if tail is None else tail
        if not holds_operations(self.text, begin, stop):
            return False
        inner = self.level(begin, stop, Surroundings(dialect, nested=True, end="`}`"), level)
        children = self._groups(inner)
        if group.balanced and not all(child.balanced for child in children) and not is_convincing(children):
            return False  # by nesting, the brace of the first line is not closed by the last one
        self._add_container(group, level, inner, children)
        return True

    def _add_container(self, group: Group, level: _Level, inner: _Level, children: list[Group]) -> None:
        text = self.text[group.start : inner.start] + self.text[inner.end : group.end]
        is_certain = group.stretches == 1 and not any(map(any, unpaired(without_opaque(text))))
        kind = SectionKind.FRAME if is_certain else SectionKind.LOOSE_FRAME
        frame = self.make(text, level.surroundings(group), kind)
        head = inner.start - group.start
        self._add_piece(frame, 0, head, level)
        self.split(inner._replace(frame=frame), children)
        self._add_piece(frame, head, group.end - inner.end, level)
