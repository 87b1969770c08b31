"""A text in sections: the parts of a file that are read on their own, so that an edit costs what its section costs.

A section is a direct child of the file or of a container (``builtin.module`` and what is like it), or the frame of a
container: what stands before its first child together with what stands behind its last one. Where sections begin is
decided by layout alone, without reading them:

- A section may begin at a line that is indented no deeper than the first line of its level and starts as an operation
  or an alias does.
- It goes on until its brackets are balanced and its last token can end an operation. A section that never gets
  balanced ends where the next one may begin: damage stays in the section that has it.

So the sections of a text follow from the text, never from how it was edited.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from operator import add, sub
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tdls.syntax.parser import parse_members
from tdls.syntax.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.model import OperationDefinition

_TOP_DIALECT = "builtin"
_NEXT_OPERATION = "the next operation"
CONVINCING = 8
"""From so many children on the layout of a container is believed, even if its braces nest otherwise."""


class Surroundings(NamedTuple):
    """What reading a section depends on besides its text."""

    default_dialect: str = _TOP_DIALECT
    nested: bool = False
    """True inside a container."""
    end: str = "the end of the file"
    """What messages call the place behind the section."""


class SectionKind(Enum):
    """What the layout says of a section."""

    PLAIN = "plain"
    FRAME = "frame"
    """The frame of a container."""
    LOOSE_FRAME = "loose frame"
    """The frame of a container that is not closed, or that holds lines that could begin a section beside it."""
    IRREGULAR = "irregular"
    """Its brackets are not balanced, or it defines values that others of its level may use: where it begins and ends
    depends on the sections around it."""


class Section:
    """A text that is read on its own. `text` and `surroundings` never change; `tree` is read when first asked for.

    `derived` belongs to the floors above: what they found out about the section lives and dies with it.
    """

    __slots__ = ("_catalogue", "_tree", "derived", "kind", "surroundings", "text")

    def __init__(self, text: str, surroundings: Surroundings, kind: SectionKind, catalogue: Catalogue) -> None:
        self.text = text
        self.surroundings = surroundings
        self.kind = kind
        self.derived: dict[str, Any] = {}
        self._catalogue = catalogue
        self._tree: Tree | None = None

    @property
    def tree(self) -> Tree:
        """The section's tree; its offsets count from the section's start."""
        if self._tree is None:
            around = self.surroundings
            parsed = parse_members(
                self.text,
                self._catalogue,
                default_dialect=around.default_dialect,
                nested=around.nested,
                end=around.end,
            )
            self._tree = Tree(self.text, parsed.members, parsed.balanced)
        return self._tree

    @property
    def is_read(self) -> bool:
        """True if `tree` is known already."""
        return self._tree is not None


class Piece(NamedTuple):
    """A run of the file's text that belongs to one section: all of it, or one of the two halves of a frame."""

    section: Section
    begin: int
    """Offset of the piece in the section's text."""
    length: int
    frame: Section | None
    """The frame of the container around the section; None at the top level."""
    part: int
    """Number of the part of the file between ``// -----`` markers that the section is in."""
    indent: int
    """The indentation of the section's level."""
    outer_indent: int
    """The largest indentation of the levels around it; -1 at the top level."""
    line_breaks: int

    @property
    def text(self) -> str:
        """The text of the piece."""
        whole = self.section.text
        return whole if self.length == len(whole) else whole[self.begin : self.begin + self.length]

    def is_beside(self, other: Piece) -> bool:
        """True for pieces of one level."""
        return self.frame is other.frame and self.part == other.part

    @property
    def begins_section(self) -> bool:
        """False for the second half of a frame."""
        return self.begin == 0

    @property
    def is_half(self) -> bool:
        """True for the halves of a frame, of which the second one is empty where the container is never closed."""
        return self.section.kind in (SectionKind.FRAME, SectionKind.LOOSE_FRAME)


def indent_of(text: str, start: int = 0, end: int | None = None) -> int:
    """Return the indentation of the first line of code, in characters; 0 where there is none."""
    first = _FIRST_CODE.match(text, start, len(text) if end is None else end)
    return len(first[1]) if first else 0


def has_line_indented_up_to(indent: int, text: str) -> bool:
    """Tell whether a line of `text` but its first may begin a section of a level with this indentation."""
    return _start_pattern(indent, (r"[A-Za-z_]\w*",)).search(text) is not None


MakeSection: TypeAlias = Callable[[str, Surroundings, SectionKind], Section]
"""Makes the section with a text, its surroundings and its kind."""


def split_sections(text: str, parts: Sequence[tuple[int, int]], catalogue: Catalogue, make: MakeSection) -> list[Piece]:
    """Return the pieces of `text`, which is cut in `parts` (start and end offsets) first.

    `make` returns a section that is not part of the result yet. Never raises; takes time linear in the length of
    `text`.
    """
    splitter = _Splitter(text, catalogue, make)
    for number, (start, end) in enumerate(parts):
        splitter.part = number
        splitter.split(splitter.level(start, end, Surroundings()))
    return splitter.pieces


def split_window(
    text: str, before: Sequence[Piece], catalogue: Catalogue, make: MakeSection, *, in_convincing_layout: bool
) -> list[Piece] | None:
    """Return the pieces of `text`, which takes the place of `before`: neighbours in one level of a file.

    `in_convincing_layout` tells that there are at least `CONVINCING` regular sections beside them.

    None where these pieces alone do not decide: the result has other than plain sections and at most one irregular one,
    the last one goes on behind the text, or there is no code in it, or the container around it may end in it.
    """
    if _FIRST_CODE.match(text) is None:
        return None
    first, last = before[0], before[-1]
    splitter = _Splitter(text, catalogue, make)
    splitter.part = first.part
    level = _Level(0, len(text), last.section.surroundings, first.indent, first.outer_indent, first.frame)
    runs = splitter.runs(level)
    groups = _grouped(runs)
    irregular = sum(not group.regular for group in groups)
    if irregular > 1 or not runs[-1].finished or any(splitter.is_special(group, level) for group in groups):
        return None
    if irregular and level.frame is not None and _is_even(runs) and not in_convincing_layout:
        return None
    for group in groups:
        splitter.add(group, level)
    return splitter.pieces


_Counts: TypeAlias = tuple[int, ...]


class SplitMode(Enum):
    """Whether ``// -----`` begins a new module.

    `ALWAYS` splits at the marker wherever it stands, as `splitAndProcessBuffer` of MLIR's ToolUtilities.cpp does.
    `AUTO` believes a marker on a line of its own outside of all braces: elsewhere it is a decoration, as no module
    can end there.
    """

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def parts_of(text: str, mode: SplitMode) -> list[tuple[int, int]]:
    """Return the start and end offsets of the parts of `text` between its ``// -----`` markers."""
    if mode is SplitMode.NEVER or "// -----" not in text:
        return [(0, len(text))]
    pattern = _MARKER if mode is SplitMode.ALWAYS else _MARKER_LINE
    ends = [match.end() for match in pattern.finditer(text)]
    bounds = list(zip([0, *ends], [*ends, len(text)], strict=True))
    if mode is SplitMode.ALWAYS:
        return bounds
    return [(group.start, group.end) for group in _grouped([_braces(text, *bound) for bound in bounds])]


def _braces(text: str, start: int, end: int) -> _Run:
    closing, opening = _unpaired(_without_opaque(text[start:end]))
    return _Run(start, end, closing[:1], opening[:1], finished=True)


class _Run(NamedTuple):
    """A part of a level from one place where a section may begin to the next such place."""

    start: int
    end: int
    closing: _Counts
    opening: _Counts
    """How many braces, brackets and parentheses have no partner in the run; closing ones come first."""
    finished: bool
    """False if its last token cannot end an operation."""


class _Group(NamedTuple):
    """Runs that make one section, or a container."""

    start: int
    end: int
    balanced: bool
    regular: bool
    """False if where it begins or ends could depend on the balance of other groups."""
    runs: int = 1
    """How many runs it consists of."""


class _Level(NamedTuple):
    """The direct children of the file or of a container."""

    start: int
    end: int
    around: Surroundings
    """Of the last child."""
    indent: int
    outer_indent: int
    """The largest indentation of the levels around it; -1 at the top level."""
    frame: Section | None = None
    """The frame of the container."""

    def surroundings(self, group: _Group) -> Surroundings:
        """Return what reading `group`, one of the children, depends on."""
        return self.around if group.end == self.end else self.around._replace(end=_NEXT_OPERATION)


class _Splitter:
    def __init__(self, text: str, catalogue: Catalogue, make: MakeSection) -> None:
        self.text = text
        self.catalogue = catalogue
        self.make = make
        self.part = 0
        self.pieces: list[Piece] = []
        self._definitions: dict[str, OperationDefinition | None] = {}

    def level(self, start: int, end: int, around: Surroundings, outer: _Level | None = None) -> _Level:
        """Return the level between two offsets, which stands in `outer`."""
        outer_indent = max(outer.indent, outer.outer_indent) if outer is not None else -1
        return _Level(start, end, around, indent_of(self.text, start, end), outer_indent)

    def split(self, level: _Level, groups: list[_Group] | None = None) -> None:
        """Add the pieces of `level`, which consists of `groups`."""
        for group in self._with_open_containers(self._groups(level) if groups is None else groups, level):
            if not self._split_container(group, level):
                self.add(group, level)

    def add(self, group: _Group, level: _Level) -> None:
        """Add the section that is `group`."""
        kind = SectionKind.PLAIN if group.regular else SectionKind.IRREGULAR
        section = self.make(self.text[group.start : group.end], level.surroundings(group), kind)
        self._add_piece(section, 0, group.end - group.start, level)

    def is_special(self, group: _Group, level: _Level) -> bool:
        """Tell whether `group` is a container or defines values for its level."""
        return self._head(group) == "%" or self._container_head(group, level) is not None

    def _add_piece(self, section: Section, begin: int, length: int, level: _Level) -> None:
        breaks = _line_breaks(section.text[begin : begin + length])
        self.pieces.append(
            Piece(section, begin, length, level.frame, self.part, level.indent, level.outer_indent, breaks)
        )

    # Where sections may begin

    def runs(self, level: _Level) -> list[_Run]:
        """Return the runs between the places where a section of `level` may begin."""
        return [self._run(*bounds) for bounds in self._bounds(level)]

    def _groups(self, level: _Level) -> list[_Group]:
        return self._without_shared_values(_grouped(self.runs(level)))

    def _bounds(self, level: _Level) -> Iterator[tuple[int, int]]:
        first = _FIRST_CODE.match(self.text, level.start, level.end)
        pattern = _start_pattern(level.indent, self._bare_names(level.around.default_dialect))
        begin = level.start
        for match in pattern.finditer(self.text, first.end() if first else level.end, level.end):
            yield begin, match.start() + 1
            begin = match.start() + 1
        yield begin, level.end

    def _bare_names(self, dialect: str) -> tuple[str, ...]:
        return tuple(name.partition(".")[2] for name in self.catalogue.operation_names(dialect)) if dialect else ()

    def _run(self, start: int, end: int) -> _Run:
        code = _without_opaque(self.text[start:end])
        return _Run(start, end, *_unpaired(code), not code.rstrip().endswith(_UNFINISHED))

    # Values that sections share

    def _without_shared_values(self, groups: list[_Group]) -> list[_Group]:
        """Make one group of all that define and use values directly in the level."""
        defining = [i for i, group in enumerate(groups) if self._head(group) == "%"]
        if not defining:
            return groups
        names = {name for i in defining for name in _DEFINED.findall(self.text, groups[i].start, groups[i].end)}
        last = defining[-1]
        for i in range(len(groups) - 1, last, -1):
            if not self._is_isolated(groups[i]) and names.intersection(
                _VALUE.findall(self.text, groups[i].start, groups[i].end)
            ):
                last = i
                break
        first = defining[0]
        balanced = all(group.balanced for group in groups[first : last + 1])
        merged = _Group(groups[first].start, groups[last].end, balanced, regular=False)
        return [*groups[:first], merged, *groups[last + 1 :]]

    def _head(self, group: _Group) -> str:
        """Return the first character of code."""
        match = _FIRST_CODE.match(self.text, group.start, group.end)
        return self.text[match.end() : match.end() + 1] if match else ""

    def _is_isolated(self, group: _Group) -> bool:
        definition = self._definition(group.start, group.end, _TOP_DIALECT)
        return definition is not None and "IsIsolatedFromAbove" in definition.traits

    def _definition(self, start: int, end: int, dialect: str) -> OperationDefinition | None:
        """Return the definition of the operation whose custom form begins the text, if it does."""
        first = _FIRST_CODE.match(self.text, start, end)
        name = _NAME.match(self.text, first.end(), end) if first else None
        if name is None:
            return None
        full = name[0] if "." in name[0] else f"{dialect}.{name[0]}"
        if full not in self._definitions:
            self._definitions[full] = self.catalogue.operation(full)
        return self._definitions[full]

    # Containers

    def _with_open_containers(self, groups: list[_Group], level: _Level) -> Iterator[_Group]:
        """A container that is never closed goes on up to the next container."""
        index = 0
        while index < len(groups):
            group = groups[index]
            index += 1
            if not group.balanced and self._container_head(group, level) is not None:
                while index < len(groups) and self._tail(group.start, group.end) is None:
                    following = groups[index]
                    if self._container_head(following, level) is not None:
                        break
                    group = _Group(group.start, following.end, balanced=False, regular=False, runs=group.runs + 1)
                    index += 1
            yield group

    def _container_head(self, group: _Group, level: _Level) -> tuple[int, OperationDefinition] | None:
        """Return where the first line of a container ends, and its definition; None if there is no container."""
        start, end = group.start, group.end
        definition = self._definition(start, end, level.around.default_dialect)
        if definition is None or not {"SymbolTable", "NoTerminator"} <= definition.traits:
            return None
        first = _FIRST_CODE.match(self.text, start, end)
        begin = first.end() if first else start
        line_end = self.text.find("\n", begin, end)
        if line_end < 0:
            return None
        head = _without_opaque(self.text[begin:line_end]).rstrip()
        opens = head.endswith("{") and head.count("{") - head.count("}") == 1
        return (line_end + 1, definition) if opens else None

    def _tail(self, start: int, end: int) -> int | None:
        """Return where the line begins that closes the container at `start`; None if its last line does not."""
        stop = end
        while stop > start:
            line = self.text.rfind("\n", start, stop - 1) + 1 or start
            code = self.text[line:stop].strip()
            if code and not code.startswith("//"):
                break
            stop = line
        else:
            return None
        first = _FIRST_CODE.match(self.text, start, end)
        indent = len(first[1]) if first else 0
        closes = code.startswith("}") and len(self.text[line:stop]) - len(self.text[line:stop].lstrip()) <= indent
        return line if closes else None

    def _split_container(self, group: _Group, level: _Level) -> bool:
        """Add the pieces of the container that is `group`; False if there is none that can be split."""
        head = self._container_head(group, level)
        if head is None:
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

    def _add_container(self, group: _Group, level: _Level, inner: _Level, children: list[_Group]) -> None:
        text = self.text[group.start : inner.start] + self.text[inner.end : group.end]
        is_certain = group.runs == 1 and not any(map(any, _unpaired(_without_opaque(text))))
        kind = SectionKind.FRAME if is_certain else SectionKind.LOOSE_FRAME
        frame = self.make(text, level.surroundings(group), kind)
        head = inner.start - group.start
        self._add_piece(frame, 0, head, level)
        self.split(inner._replace(frame=frame), children)
        self._add_piece(frame, head, group.end - inner.end, level)


def holds_operations(text: str, start: int = 0, end: int | None = None) -> bool:
    """Tell whether code that follows a brace may be operations: it is no label, and no entry of a dictionary."""
    stop = len(text) if end is None else end
    first = _FIRST_CODE.match(text, start, stop)
    return first is not None and _LABEL_OR_ENTRY.match(text, first.end(), stop) is None


def is_convincing(children: Sequence[_Group]) -> bool:
    """Tell whether so many children are as their layout says that one which is not must be damaged."""
    return sum(child.regular for child in children) >= CONVINCING


def _grouped(runs: Sequence[_Run]) -> list[_Group]:
    """Join runs until their brackets are balanced; one that never gets balanced stays alone."""
    following = _balancing(runs)
    groups: list[_Group] = []
    index = 0
    while index < len(runs):
        last = following[index]
        while last is not None and last + 1 < len(runs) and not runs[last].finished:
            last = following[last + 1]
        balanced = last is not None and not _closes_too_much(runs, index, last)
        stop = last if balanced and last is not None else index
        groups.append(_Group(runs[index].start, runs[stop].end, balanced, balanced, stop - index + 1))
        index = stop + 1
    return groups


def _balancing(runs: Sequence[_Run]) -> list[int | None]:
    """For each run, the first one from there on behind which as much is closed as was opened; None if there is none."""
    totals: list[_Counts] = [(0,) * len(runs[0].opening)]
    for run in runs:
        totals.append(_plus(_minus(totals[-1], run.closing), run.opening))
    found: list[int | None] = [None] * len(runs)
    next_with: dict[_Counts, int] = {}
    for index in range(len(runs) - 1, -1, -1):
        next_with[totals[index + 1]] = index
        found[index] = next_with.get(totals[index])
    return found


def _closes_too_much(runs: Sequence[_Run], first: int, last: int) -> bool:
    """Tell whether the runs from `first` to `last` close brackets that they did not open."""
    total: _Counts = (0,) * len(runs[first].opening)
    for index in range(first, last + 1):
        total = _minus(total, runs[index].closing)
        if min(total) < 0:
            return True
        total = _plus(total, runs[index].opening)
    return False


def _is_even(runs: Sequence[_Run]) -> bool:
    """Tell whether as many brackets of each kind are closed as opened, in whatever order."""
    return all(sum(run.opening[kind] - run.closing[kind] for run in runs) == 0 for kind in range(len(_PAIRS)))


def _plus(first: _Counts, second: _Counts) -> _Counts:
    return tuple(map(add, first, second)) if any(second) else first


def _minus(first: _Counts, second: _Counts) -> _Counts:
    return tuple(map(sub, first, second)) if any(second) else first


_MARKER = re.compile("// -----")
_MARKER_LINE = re.compile(r"^// -----[ \t\r]*(?:\n|\Z)", re.MULTILINE)
_FIRST_CODE = re.compile(r"(?:[ \t]*(?://[^\r\n]*)?[\r\n])*([ \t]*)(?=[^\s/])")
_NAME = re.compile(r"[A-Za-z_][\w$.]*", re.ASCII)
_LABEL_OR_ENTRY = re.compile(r'\^|(?:[\w$.]+|"[^"\n]*")(?:\s|//[^\n]*)*[=,}]', re.ASCII)
_VALUE = re.compile(r"%[\w$.\-]+", re.ASCII)
_DEFINED = re.compile(r"^[ \t]*(%[\w$.\-]+)", re.ASCII | re.MULTILINE)
_OPAQUE = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|//[^\r\n]*')
_UNFINISHED = (",", "(", "[", "<", "=", ":", "->", "|", "+", "-", "*", "/", "?")
"""What no operation can end with."""


def _without_opaque(text: str) -> str:
    """Return `text` without comments and with empty strings."""
    if '"' not in text and "//" not in text:
        return text
    return _OPAQUE.sub(lambda match: "" if match[0].startswith("//") else '""', text)


def _line_breaks(text: str) -> int:
    return text.count("\n") if "\r" not in text else text.count("\n") + text.count("\r") - text.count("\r\n")


def _unpaired(text: str) -> tuple[_Counts, _Counts]:
    """Count the closing and the opening brackets of `text` without a partner in it, each kind on its own."""
    code = text.encode("utf-8", "surrogatepass")
    left = [_reduced(code.translate(None, others), pair) for pair, others in _PAIRS.items()]
    return (
        tuple(brackets.count(pair[1:]) for brackets, pair in zip(left, _PAIRS, strict=True)),
        tuple(brackets.count(pair[:1]) for brackets, pair in zip(left, _PAIRS, strict=True)),
    )


def _reduced(brackets: bytes, pair: bytes) -> bytes:
    """Drop the pairs among brackets of one kind."""
    for _ in range(_MOST_ROUNDS):
        if pair not in brackets:
            return brackets
        brackets = brackets.replace(pair, b"")
    depth = closing = 0
    for bracket in brackets:
        if bracket == pair[0]:
            depth += 1
        elif depth:
            depth -= 1
        else:
            closing += 1
    return pair[1:] * closing + pair[:1] * depth


_PAIRS = {pair: bytes(set(range(256)) - set(pair)) for pair in (b"{}", b"[]", b"()")}
"""Each kind of bracket with all bytes that are no such bracket."""
_MOST_ROUNDS = 30
"""Deeper nesting is counted byte by byte, so that time stays linear."""


@lru_cache(maxsize=256)
def _start_pattern(indent: int, bare_names: tuple[str, ...]) -> re.Pattern[str]:
    """Match the line break before a place where a section may begin in a level that is indented by `indent`."""
    names = "|".join(bare_names) or "(?!)"
    return re.compile(
        rf'\n[ \t]{{0,{indent}}}(?:[A-Za-z_][\w$]*\.|%|"[^"\n]*"\s*\(|[!#][A-Za-z_][\w$.\-]*[ \t]*='
        rf"|(?:{names})(?![\w$.])|\{{-#)",
        re.ASCII,
    )
