"""Reads a long operation in runs of statements, each in an abridged copy of the operation: a window.

A window has the heads and tails of the operations around its run, and *stand-ins* for the statements whose results the
run uses or defines again: with the same names and types; a constant stands for itself. So a window is read like any
short operation, and an edit reads one window afresh. Runs depend on the text alone, never on its history: where they
begin is told by single lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, cast
from zlib import crc32

from tdls.structs import NamedTuple, Struct, field
from tdls.syntax.layout import code_start, first_code, holds_operations, unpaired, without_opaque
from tdls.syntax.parser.parser import parse
from tdls.syntax.sections.boundaries import TextRange, grouped
from tdls.syntax.sections.sections import OPENING, Section, SectionKind
from tdls.syntax.sections.splitting import UNFINISHED, VALUE
from tdls.text.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tdls.syntax.layout import Counts

_ONE_IN, _MOST = 61, 200
"""One statement in so many begins a run (a prime: checksums of similar lines differ in few bits), which has at most
so many."""
_LONG = 100_000
"""Minimum length, in code points, of a statement that is read in runs of its own, if it has a region."""
_LONGEST_COPY, _LONGEST_LINE = 300, 200
_DEEPEST = 8
_LINE = re.compile(r'^(?:([ \t]*)[%"A-Za-z_]|([ \t]*)[\^}])', re.MULTILINE)
"""The indentation of a line that may begin a statement, or of one that begins or ends a block."""
_STATEMENT = re.compile(r'%[^=\n(]*=|"|[A-Za-z_][\w$]*(?:[.\s]|$)', re.ASCII)
_WHOLE_NAME = re.compile(r"%(?:\d+|[A-Za-z_][\w$]*)(?![\w$.\-])", re.ASCII)
_TOLD = re.compile(
    r"^[ \t]*(?:(%[\w$.\-]+(?::\d+)?(?:[ \t]*,\s*%[\w$.\-]+(?::\d+)?){0,50})\s*=|(%[\w$.\-]+)|\^)",
    re.ASCII | re.MULTILINE,
)
"""At the beginning of a line, definitions, other names and blocks."""
_OPAQUE = '"builtin.unrealized_conversion_cast"() : () -> ()\n'
_STAND_IN, _UNTYPED = "builtin.unrealized_conversion_cast", "tdls.above loc(unknown)\n"
"""Operations that may have results of any types."""


class _Definition(NamedTuple):
    """A statement with results: its place in its run, and the text before its ``=``."""

    start: int
    end: int
    results: str


class _Run(Struct, eq=False):
    """Statements of one block, by their text alone."""

    text: str
    used: frozenset[str]
    """The names of values in it."""
    definitions: dict[str, _Definition]
    """The statements that define a name for the block; the first one of each."""
    possible: dict[str, _Definition]
    """Lines that begin with a name, and may define it when they are whole again."""
    statements: int
    """Their number."""
    first: str
    """The first one, or another one in its place if it is long."""
    brackets: tuple[Counts, Counts]
    """The numbers of closing and of opening brackets without a partner."""
    is_finished: bool
    """False if its last token cannot end an operation."""
    has_blocks: bool
    """True if a block begins in it, so that it is not all of one block."""
    stand_ins: dict[_Definition, str] = field(default_factory=dict)


class _Copy(NamedTuple):
    """A text in a window: where it begins there and in the long section, and whether the window is read for it."""

    here: int
    there: int
    length: int
    is_read: bool


class Window(NamedTuple):
    """A run of a long section, and the section in which it is read: with the last run, also the heads around it."""

    section: Section
    start: int
    """The offset of the run in the long section."""
    copies: tuple[_Copy, ...]
    is_new: bool
    """True if no earlier version has it."""

    def holds(self, span: Span) -> bool:
        """Whether the window is read for what begins `span`, of its section."""
        return self._copy(span.start).is_read

    def place(self, span: Span) -> Span:
        """Return the place in the long section of a span in the window's."""
        first, last = self._copy(span.start), self._copy(max(span.start, span.end - 1))
        return Span(span.start - first.here + first.there, span.end - last.here + last.there)

    def local(self, offset: int) -> int:
        """Return the offset in the window's section of one in the long section."""
        fitting = [copy for copy in self.copies if copy.there <= offset <= copy.there + copy.length]
        copy = max(fitting, key=lambda copy: (copy.is_read, copy.length), default=self.copies[0])
        return min(max(offset - copy.there, 0), copy.length) + copy.here

    def _copy(self, offset: int) -> _Copy:
        return self.copies[bisect_right(self.copies, offset, key=lambda copy: copy.here) - 1]


class _Level(NamedTuple):
    """A block of statements that is read in runs."""

    head: int
    """The start of the operation around it."""
    start: int
    end: int
    tail: int
    """The end of that operation."""
    indent: str
    following: dict[int, str]
    """For each run but the last one, by its start, the statement that follows, or one in its place."""
    definitions: dict[str, tuple[int, _Run]]
    """For each name, the first run that defines it, with its offset."""


class Windows(NamedTuple):
    """The windows of a long section, with all runs by their texts, and all sections by those that make up theirs."""

    windows: list[Window]
    """In the order of the text; none if layout does not tell the statements."""
    runs: dict[str, _Run]
    after: dict[_Run | None, _Run]
    """The next run of a block, by run; a first one by None."""
    sections: dict[tuple[str, ...], Section]


def windows_of(section: Section) -> Windows:
    """Return the windows of a section that is left out, sharing those with the texts of an earlier version's.

    They are no `Fact`: which of them are new depends on that version.
    """
    if Windows not in section.facts:
        reader = _Reader(section, [windows_of(each) for each in section.former])
        reader.read(0, len(section.text), ())
        section.facts[Windows], section.former = reader.result, ()
    return cast("Windows", section.facts[Windows])


class _Reader:
    def __init__(self, section: Section, former: Sequence[Windows]) -> None:
        self._section, self._text = section, section.text
        self._former = former
        self.result = Windows([], {}, {}, {})
        self._types: dict[str, str | None] = {}
        """Types of the results of statements, as far as they tell them, by the statements without names."""

    def read(self, head: int, tail: int, outer: tuple[_Level, ...]) -> bool:
        """Add the windows of the operation between two offsets; False if its layout does not tell its statements."""
        begin, end, indent = self._block(head, tail)
        runs = self._joined(list(self._runs(begin, end, indent)), indent)
        if not runs or any(run.has_blocks for _, run in runs):
            return False
        following = {start: after.first for (start, _), (_, after) in pairwise(runs)}
        definitions: dict[str, tuple[int, _Run]] = {}
        for place in reversed(runs):
            definitions.update(dict.fromkeys(place[1].possible, place))
        for place in reversed(runs):
            definitions.update(dict.fromkeys(place[1].definitions, place))
        level = _Level(head, begin, end, tail, indent, following, definitions)
        for start, run in runs:
            is_long = run.statements == 1 and len(run.text) >= _LONG and len(outer) + 1 < _DEEPEST
            if not is_long or not self.read(start, start + len(run.text), (*outer, level)):
                self._add(start, run, (*outer, level))
        return True

    def _block(self, head: int, tail: int) -> tuple[int, int, str]:
        """Return the start, the end and the indentation of the statements in the operation between two offsets.

        The text is empty if layout does not tell them.
        """
        text, unknown = self._text, (0, 0, "")
        opening = OPENING.search(text, head, tail)
        first = first_code(text, opening.end(), tail) if opening is not None else None
        if first is not None and text.startswith("^", first.start):  # the label of the entry block
            first = first_code(text, text.find("\n", first.start, tail) + 1, tail)
        end = text.rfind("\n", head, text.rfind("}", head, tail)) + 1
        if opening is None or first is None or first.line >= end or not text[end:tail].lstrip().startswith("}"):
            return unknown
        has_alias = text.startswith(("!", "#"), code_start(text, head, tail))
        is_nested = any(unpaired(without_opaque(text[head : opening.start()]))[1])
        is_unknown = has_alias or is_nested or not first.indent or not holds_operations(text, first.line, end)
        return unknown if is_unknown else (first.line, end, text[first.line : first.start])

    def _runs(self, start: int, end: int, indent: str) -> Iterator[tuple[int, _Run]]:
        """Yield the runs of a block with their starts: those of an earlier version as long as the text has them."""
        before: _Run | None = None
        while start < end:
            run = self._after(before)
            after = self._after(run) if run is not None else None
            if run is None or after is None or not self._text.startswith(run.text + after.text, start):
                run = self._run(start, self._end_of_run(start, end, indent), indent)
            self.result.runs[run.text] = self.result.after[before] = run
            yield start, run
            start, before = start + len(run.text), run

    def _after(self, run: _Run | None) -> _Run | None:
        return next((former.after[run] for former in self._former if run in former.after), None)

    def _end_of_run(self, start: int, end: int, indent: str) -> int:
        """Return the start of the next run: with some lines, by their text, or a long statement, or what follows it."""
        lines = (line.start() for line in _LINE.finditer(self._text, start + 1, end) if line[1] == indent)
        count = 0
        for line, follows in pairwise(chain([start], lines, [end])):
            if line == start:
                count = _MOST if follows - start >= _LONG else 0
                continue
            count += 1
            code = self._text[line + len(indent) : min(follows, line + _LONGEST_LINE)]
            checksum = crc32(code.encode("utf-8", "surrogatepass"))
            begins = checksum % _ONE_IN == 0 or count > _MOST or follows - line >= _LONG
            if begins and _STATEMENT.match(code) is not None:
                return line
        return end

    def _joined(self, runs: list[tuple[int, _Run]], indent: str) -> list[tuple[int, _Run]]:
        """Return runs with their starts; those that are whole only together are one."""
        stretches = [TextRange(at, at + len(run.text), *run.brackets, run.is_finished) for at, run in runs]
        joined, index = [], 0
        for group in grouped(stretches) if stretches else ():
            is_one = group.stretches == 1
            joined.append((group.start, runs[index][1] if is_one else self._run(group.start, group.end, indent)))
            index += group.stretches
        return joined

    def _run(self, start: int, end: int, indent: str) -> _Run:
        text = self._text[start:end]
        known = (former.runs[text] for former in (self.result, *self._former) if text in former.runs)
        return next(known, None) or _read_run(text, indent)

    def _add(self, start: int, run: _Run, levels: tuple[_Level, ...]) -> None:
        """Add the window of the run at `start`, which is in the last of `levels`."""
        front: list[tuple[str, int, bool]] = []
        back: list[tuple[str, int, bool]] = []
        is_last, names = True, run.used
        for level, inner in zip(reversed(levels), [None, *reversed(levels[1:])], strict=True):
            place = start
            if inner is not None:
                place, names = inner.head, names.union(VALUE.findall(self._text, inner.head, inner.start))
            is_last = is_last and place not in level.following
            lines = [
                (level.indent + line, at - len(level.indent), False)
                for at, line in self._stand_ins(level, names, place)
            ]
            before = [line for line in lines if line[1] < place]
            if not before and place > level.start:
                before = [(f"{level.indent}{_OPAQUE}", level.start, False)]
            following = [(level.following[place], level.end, False)] if place in level.following else []
            front = [(self._text[level.head : level.start], level.head, is_last), *before, *front]
            back = [*back, *lines[len(before) :], *following, (self._text[level.end : level.tail], level.end, is_last)]
        texts = [*front, (run.text, start, True), *back]
        starts = accumulate((len(text) for text, *_ in texts), initial=0)
        copies = tuple(
            _Copy(here, there, len(text), own) for here, (text, there, own) in zip(starts, texts, strict=False)
        )
        key = tuple(text for text, *_ in texts)
        former = next((former.sections[key] for former in self._former if key in former.sections), None)
        catalogue, around = self._section.catalogue.whole, self._section.surroundings
        section = former or Section("".join(key), around, SectionKind.PLAIN, catalogue)
        self.result.sections[key] = section
        self.result.windows.append(Window(section, start, copies, is_new=former is None))

    def _stand_ins(self, level: _Level, names: Iterable[str], place: int) -> list[tuple[int, str]]:
        """Return stand-ins for the statements of `level` that define `names`, but for the run at `place`."""
        stand_ins: dict[int, str] = {}
        for name in level.definitions.keys() & names:
            start, run = level.definitions[name]
            definition = run.definitions.get(name) or run.possible[name]
            if start != place and start + definition.start not in stand_ins:
                if definition not in run.stand_ins:
                    run.stand_ins[definition] = self._stand_in(run.text[definition.start : definition.end], definition)
                stand_ins[start + definition.start] = run.stand_ins[definition]
        return sorted(stand_ins.items())

    def _stand_in(self, statement: str, definition: _Definition) -> str:
        value = statement[len(definition.results) :].rstrip()
        if "%" not in value and "\n" not in value and len(value) <= _LONGEST_COPY:
            return f"{definition.results}{value}\n"
        nameless = _WHOLE_NAME.sub("%", statement)
        if nameless not in self._types:
            tree = parse(statement, self._section.catalogue, default_dialect=self._section.surroundings.default_dialect)
            operation = next(tree.top_level(), None)
            types = (operation.result_types if operation is not None else None) or ()
            is_told = operation is not None and operation.result_count == len(types) > 0
            self._types[nameless] = ", ".join(each.text for each in types) if is_told else None
        told = self._types[nameless]
        return f"{definition.results} = " + (f'"{_STAND_IN}"() : () -> ({told})\n' if told else _UNTYPED)


def _read_run(text: str, indent: str) -> _Run:
    code = without_opaque(text, blanks=True)
    groups: list[tuple[int, int, bool]] = []
    brackets = unpaired(code)
    is_whole = not any(map(any, brackets))
    depth, at, has_blocks = 0, 0, False
    for line in _TOLD.finditer(code):
        depth += code.count("{", at, line.start()) - code.count("}", at, line.start())
        at = line.start()
        if not is_whole and line[0].startswith(indent) and not line[0][len(indent)].isspace():
            depth = 0  # by layout
        if line.lastindex and depth == 0:
            groups.append((*line.span(line.lastindex), line.lastindex == 1))
        has_blocks = has_blocks or (depth == 0 and not line.lastindex)
    lines = list(_LINE.finditer(code))
    has_blocks = has_blocks or any(line[2] is not None and len(line[2]) < len(indent) for line in lines)
    starts = [line.end(1) for line in lines if line[1] == indent]
    ends = sorted({*starts[1:], *(start for start, *_ in groups), len(text)})
    definitions: dict[str, _Definition] = {}
    possible: dict[str, _Definition] = {}
    for start, stop, is_certain in groups:
        definition = _Definition(start, ends[bisect_right(ends, stop)], text[start:stop])
        for name in VALUE.findall(definition.results):
            (definitions if is_certain else possible).setdefault(name, definition)
    is_finished = not code.rstrip().endswith(UNFINISHED)
    used = frozenset(VALUE.findall(code))
    first = text[: starts[1] if len(starts) > 1 else len(text)]
    first = first if len(first) <= _LONGEST_COPY else f"{first[: starts[0] if starts else 0]}{_OPAQUE}"
    return _Run(text, used, definitions, possible, len(starts), first, brackets, is_finished, has_blocks)
