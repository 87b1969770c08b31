"""All directives of one version of a file, with the lines that they cover, and the edits that add to them."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from tdls.analysis.rules import find_rule
from tdls.analysis.suppression.directives import MARK, SuppressionScope, directives_of
from tdls.structs import Struct, field
from tdls.syntax.layout import comments
from tdls.syntax.sections.facts import Fact
from tdls.text.diagnostic import TextEdit
from tdls.text.positions import Position
from tdls.text.span import FileSpan, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.analysis.file.source_file import SourceFile
    from tdls.analysis.suppression.directives import Directive, ListedName
    from tdls.syntax.sections.sections import Section
    from tdls.text.diagnostic import Diagnostic

_COMMENT = "//"
_PART_MARKER = "// -----"


class Entry(Struct, eq=False):
    """One rule that one directive names, with the 0-based lines, both included, in which it is silenced."""

    rule: str
    name: ListedName
    placed: PlacedDirective
    first: int
    last: int
    partner: Entry | None = None
    """The end of a region for its beginning, and the other way round."""

    @property
    def scope(self) -> SuppressionScope | None:
        return self.placed.directive.scope

    def covers(self, line: int) -> bool:
        """Whether the rule is silenced in the 0-based `line`."""
        return self.first <= line <= self.last


class PlacedDirective(Struct, eq=False):
    """A directive with spans in its section, and its 0-based lines in the file."""

    directive: Directive
    section: Section
    line: int
    last_line: int
    """The last line that it covers."""
    is_alone: bool
    """True if its line has nothing but the comment."""
    entries: list[Entry] = field(default_factory=list)
    """The existing rules that it names."""
    unknown: list[ListedName] = field(default_factory=list)

    @property
    def is_usable(self) -> bool:
        """True if its keyword is known, and its list has both brackets."""
        return self.directive.scope is not None and self.directive.list_span is not None and self.directive.is_closed

    def place(self, file: SourceFile, span: Span) -> FileSpan:
        return file.context_of(self.section).to_file(span)


class Suppressions:
    """The directives of one version of a file, in the order of the text."""

    def __init__(self, file: SourceFile, sections: Iterable[Section]) -> None:
        """`sections` are those with directives."""
        blocks = _CommentBlocks(file)
        placed = (_placed(blocks, section, directive) for section in sections for directive in directives_of(section))
        self.directives = sorted(
            placed, key=lambda placed_directive: (placed_directive.line, placed_directive.directive.span)
        )
        self._in_line: dict[tuple[str, int], Entry] = {}
        """Entries of comments after code, by rule and line."""
        self._alone: dict[str, list[Entry]] = {}
        """Entries of comments in lines of their own, by rule."""
        self._first_of_block: dict[tuple[str, int], Entry] = {}
        """First entry of a block of comments, by rule and last covered line."""
        self._wide: dict[str, list[Entry]] = {}
        for entry in self.entries():
            self._note(entry)
        _pair(self.entries())
        for entries in self._wide.values():
            entries.sort(key=lambda entry: entry.last - entry.first)

    def __bool__(self) -> bool:
        return bool(self.directives)

    def entries(self) -> Iterator[Entry]:
        """Yield the rules that the directives name, in the order of the text."""
        return (entry for placed in self.directives for entry in placed.entries)

    def silencing(self, file: SourceFile, finding: Diagnostic) -> Entry | None:
        """Return the entry that silences `finding`, the narrowest if there are several, or None."""
        line = file.position(finding.span.start).line
        narrow = self._in_line.get((finding.rule, line)) or self._above(finding.rule, line)
        wide = (entry for entry in self._wide.get(finding.rule, ()) if entry.covers(line))
        return narrow or next(wide, None)

    def _above(self, rule: str, line: int) -> Entry | None:
        """Return the first entry for `rule` of the block of comments that `line` belongs to, or follows."""
        alone = self._alone.get(rule, [])
        number = bisect_right(alone, line, key=lambda entry: entry.first)
        nearest = alone[number - 1] if number else None
        return self._first_of_block[rule, nearest.last] if nearest is not None and nearest.covers(line) else None

    def _note(self, entry: Entry) -> None:
        if entry.scope in (SuppressionScope.BEGIN, SuppressionScope.FILE):
            self._wide.setdefault(entry.rule, []).append(entry)
        elif entry.scope is SuppressionScope.LINE and entry.placed.is_alone:
            self._alone.setdefault(entry.rule, []).append(entry)
            self._first_of_block.setdefault((entry.rule, entry.last), entry)
        elif entry.scope is SuppressionScope.LINE:
            self._in_line.setdefault((entry.rule, entry.first), entry)


@Fact
def suppressions_of(file: SourceFile) -> Suppressions:
    """Return the comments of a file that silence rules."""
    return Suppressions(file, file.sections_with(directives_of))


def is_comment(line: str) -> bool:
    """Whether `line` has nothing but a comment; a marker between the parts of a file does not count."""
    return line.lstrip().startswith(_COMMENT) and not line.startswith(_PART_MARKER)


class _CommentBlocks:
    """Blocks of consecutive lines of `file` that have nothing but comments."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self._below: dict[int, int] = {}
        """For each line of the known blocks, the line below its block."""

    def line_below(self, line: int) -> int:
        """Return the first line from `line` on that has anything but a comment."""
        passed: list[int] = []
        while line not in self._below and is_comment(self.file.line_text(line)):
            passed.append(line)
            line += 1
        below = self._below.get(line, line)
        self._below.update(dict.fromkeys(passed, below))
        return below


def _placed(blocks: _CommentBlocks, section: Section, directive: Directive) -> PlacedDirective:
    file = blocks.file
    line, column = file.position(file.context_of(section).to_file(directive.comment).start)
    is_alone = not file.line_text(line)[:column].strip()
    last = blocks.file.line_count  # of a region, until its end is known
    if directive.scope is SuppressionScope.LINE:
        last = blocks.line_below(line) if is_alone else line
    placed = PlacedDirective(directive, section, line, last, is_alone)
    if not placed.is_usable:
        return placed
    first = 0 if directive.scope is SuppressionScope.FILE else line
    for name in directive.names:
        rule = find_rule(name.text)
        if rule is None:
            placed.unknown.append(name)
        else:
            placed.entries.append(Entry(rule.name, name, placed, first, placed.last_line))
    return placed


def _pair(entries: Iterable[Entry]) -> None:
    """Connect each region with its end: an end closes the innermost open region of its rule."""
    open_regions: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.scope is SuppressionScope.BEGIN:
            open_regions.setdefault(entry.rule, []).append(entry)
        elif entry.scope is SuppressionScope.END and open_regions.get(entry.rule):
            begin = open_regions[entry.rule].pop()
            begin.partner, entry.partner = entry, begin
            begin.last = entry.first


_BYTE_ORDER_MARK = "\ufeff"


def silence_in_line(file: SourceFile, finding: Diagnostic, reason: str = "") -> TextEdit:
    """Return the edit that adds a comment to silence the rule of `finding` in the line of its start.

    An existing comment gets one more name; `reason` is for new ones only.
    """
    line = file.position(finding.span.start).line
    for placed in _directives_for(file, line):
        return _one_more(file, placed, finding)
    return _behind(file, line, finding, reason) or _before(file, line, finding, reason)


def silence_in_file(file: SourceFile, finding: Diagnostic, reason: str = "") -> TextEdit:
    """Return the edit that adds a comment, after the first ones, to silence the rule of `finding` everywhere.

    An existing comment gets one more name; `reason` is for new ones only.
    """
    for placed in suppressions_of(file).directives:
        if placed.directive.scope is SuppressionScope.FILE and placed.is_usable:
            return _one_more(file, placed, finding)
    line = 0
    while is_comment(file.line_text(line)):
        line += 1
    start = _start(file, line)
    if start == 0 and file.line_text(0).startswith(_BYTE_ORDER_MARK):
        start = 1
    return TextEdit(
        FileSpan(start, start), _directive(SuppressionScope.FILE, finding, reason) + _line_break(file, line)
    )


def _directives_for(file: SourceFile, line: int) -> list[PlacedDirective]:
    """Return the single-line directives that cover `line`, those in it first."""
    placed = [
        directive
        for directive in suppressions_of(file).directives
        if directive.directive.scope is SuppressionScope.LINE and directive.is_usable
    ]
    here = [directive for directive in placed if directive.line == line]
    above = [directive for directive in placed if directive.is_alone and directive.line < line <= directive.last_line]
    return here + above[::-1]


def _one_more(file: SourceFile, placed: PlacedDirective, finding: Diagnostic) -> TextEdit:
    names, inside = placed.directive.names, placed.directive.list_span
    place = names[-1].span.end if names else inside.end if inside is not None else placed.directive.span.end
    return TextEdit(placed.place(file, Span(place, place)), f", {finding.rule}" if names else finding.rule)


def _behind(file: SourceFile, line: int, finding: Diagnostic, reason: str) -> TextEdit | None:
    """Return the comment to add at the line's end, or None where one exists, or a string is not closed."""
    text = file.line_text(line)
    if any(comments(text)) or text.replace('\\"', "").count('"') % 2:
        return None
    start = _start(file, line)
    span = FileSpan(start + len(text.rstrip()), start + len(text))
    return TextEdit(span, f"  {_directive(SuppressionScope.LINE, finding, reason)}")


def _before(file: SourceFile, line: int, finding: Diagnostic, reason: str) -> TextEdit:
    text, start = file.line_text(line), _start(file, line)
    indent = text[: len(text) - len(text.lstrip())]
    return TextEdit(
        FileSpan(start, start), indent + _directive(SuppressionScope.LINE, finding, reason) + _line_break(file, line)
    )


def _directive(scope: SuppressionScope, finding: Diagnostic, reason: str) -> str:
    return f"// {MARK} {scope.value}[{finding.rule}]" + (f": {reason}" if reason else "")


def _start(file: SourceFile, line: int) -> int:
    return file.offset(Position(line, 0))


def _line_break(file: SourceFile, line: int) -> str:
    end = _start(file, line) + len(file.line_text(line))
    return "\r\n" if file.slice(FileSpan(end, end + 2)) == "\r\n" else "\n"
