"""The ``full`` format: findings with their lines of source in the style of rustc, and a summary."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from tdls.cli.rendering.renderer import Renderer
from tdls.structs import Struct
from tdls.text.level import Level
from tdls.text.printable import printable, printable_lines
from tdls.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tdls.cli.rendering.checked import FingerprintedFinding, SourceText, Tally
    from tdls.text.diagnostic import Diagnostic
    from tdls.text.positions import Position
    from tdls.text.span import FileSpan

_RED, _GREEN, _YELLOW, _BLUE, _CYAN = 31, 32, 33, 34, 36
"""Codes of terminals."""
_COLOURS = {Level.ERROR: _RED, Level.WARNING: _YELLOW, Level.REMARK: _GREEN, Level.HINT: _CYAN}
_NOTE_COLOUR = _GREEN
_GUTTER_COLOUR = _BLUE
_HELP_COLOUR = _CYAN
_MOST_NAMES = 3
TAB_WIDTH = 4
_DELETE = 0x7F
_CONTROL_PICTURES = 0x2400
_DELETE_PICTURE = "\u2421"
_REPLACEMENT = "\ufffd"
_NO_WIDTH_CATEGORIES = {"Mn", "Me"}


class FullFormat(Renderer):
    """The format ``full``, with a summary at the end."""

    def finding(self, finding: FingerprintedFinding, source: SourceText) -> str:
        """Return the finding's lines."""
        return render(finding.diagnostic, source, self.options.coloured)

    def end(self, tally: Tally) -> Iterator[str]:
        """Yield the summary, nothing if `quiet`."""
        if not self.options.quiet:
            yield summary(tally)


def summary(tally: Tally) -> str:
    """Return a line of counts, and hints on settings that would help most; empty if no file could be read."""
    if tally.unreadable and not tally.files:
        return ""
    counts = [counted(tally.levels[level], level.value) for level in Level if tally.levels[level]]
    safe, unsafe = tally.fixable[True], tally.fixable[False]
    words = f"; {safe} fixable with --fix" if safe else ""
    if unsafe:
        words += f", {unsafe} more perhaps" if safe else f"; {unsafe} perhaps fixable"
        words += " with --fix --unsafe-fixes"
    further = words + _runs(tally)
    if tally.left_out:
        further += f"; {left_out(tally.left_out)}"
    if tally.expected:
        further += f"; {counted(tally.expected, 'finding')} that tests expect left out (--negative-tests shows them)"
    if tally.templates:
        further += f"; {counted(tally.templates, 'template')}"
    if tally.not_analysed:
        further += f"; {counted(tally.not_analysed, 'section')} not analysed in full"
    advice = "".join(f"hint: {line}\n" for line in _advice(tally))
    if not counts:
        return f"no findings in {counted(tally.files, 'file')}{further}\n{advice}"
    places = counted(tally.files_with_findings, "file")
    checked = f" ({tally.files} checked)" if tally.files > tally.files_with_findings else ""
    return f"{', '.join(counts)} in {places}{checked}{further}\n{advice}"


def left_out(count: int) -> str:
    """Return the words for `count` files that were left out, with the option that checks them."""
    return f"{counted(count, 'file')} without transform operations left out (--payload checks them)"


def _runs(tally: Tally) -> str:
    """Return the numbers of files with and without something to run; empty if runs are off."""
    if not tally.runs:
        return ""
    read = "".join(f", {count} only read, by {printable(mlir)}" for mlir, count in tally.read_by.items())
    nothing = tally.runs[False] - tally.read_by.total()
    left_out = f", {nothing} with nothing to run" if nothing else ""
    return f"; {counted(tally.runs[True], 'file')} run{read}{left_out}"


def _advice(tally: Tally) -> Iterator[str]:
    """Yield hints on settings that let tdls resolve more calls and operations."""
    if tally.builders:
        name, more = printable(tally.builders[0]), len(tally.builders) - 1
        others = f" and {counted(more, 'more program')}" if more else ""
        yield f"{name}{others} may build scripts, which `tdls check-python {name}` checks: it runs the program"
    if tally.libraries:
        folders = {library.rpartition("/")[0] or "." for library in tally.libraries}
        names = folders if len(tally.libraries) > _MOST_NAMES else tally.libraries
        entries = ", ".join(f'"{printable(name)}"' for name in sorted(names))
        yield f"scripts call sequences of files that are not libraries; in `tdls.toml`: libraries = [{entries}]"
    if tally.unknown_operations:
        most = tally.unknown_operations.most_common(_MOST_NAMES)
        shown = ", ".join(f"`{printable(name)}`" for name, _ in most)
        known = f"no source knows {counted(len(tally.unknown_operations), 'operation')}, such as {shown}"
        yield f"{known}; `tdls catalogue sources` says where tdls looked, `project.definitions` names more places"


def message_lines(message: str) -> str:
    """Return a message with a bar before all lines but the first, so that no line looks like another message."""
    return printable_lines(message.rstrip("\n")).replace("\n", "\n  | ")


def render(
    diagnostic: Diagnostic,
    source: SourceText,
    coloured: bool,
    open_source: Callable[[Path], SourceText | None] | None = None,
) -> str:
    """Return the finding as several lines, the last one empty.

    `open_source` returns other files that notes point into, by default as they are on disk.
    """
    open_source = open_source or source.other
    colour = _COLOURS[diagnostic.level]
    kind = _paint(f"{diagnostic.level.value}[{diagnostic.rule}]", colour, coloured)
    title = f"{kind}: {message_lines(diagnostic.message)}"
    sections = [_TitledSource(title, colour, source, diagnostic.span)]
    for note in diagnostic.notes:
        shown = source if note.span != diagnostic.span else None  # else it was shown already
        where = open_source(note.path) if note.path is not None else shown
        title = f"{_paint('note', _NOTE_COLOUR, coloured)}: {message_lines(note.message)}"
        sections.append(_TitledSource(title, _NOTE_COLOUR, where, note.span))
    painter = _Painter(max(section.number_width() for section in sections), coloured)
    lines = painter.section(sections[0])
    advice = diagnostic.help or ", or ".join(fix.title[0].lower() + fix.title[1:] for fix in diagnostic.fixes)
    if advice:
        lines += painter.help(advice)
    for section in sections[1:]:
        lines += painter.section(section)
    return "\n".join([*lines, "", ""])


class _TitledSource(Struct, frozen=True):
    """A title and the source below it; `source` is None where the source cannot be shown."""

    title: str
    colour: int
    source: SourceText | None
    span: FileSpan

    def number_width(self) -> int:
        """Return the number of digits of the last line number."""
        if self.source is None:
            return 1
        return len(str(self.source.lines.position(self.span.end).line + 1))


class _Painter(Struct, frozen=True):
    """Lays out sections with line numbers of `digits` digits."""

    digits: int
    coloured: bool

    def section(self, section: _TitledSource) -> list[str]:
        """Return title, place and source lines of `section`."""
        if section.source is None:
            return [section.title]
        arrow = self._gutter(" " * self.digits + "-->")
        lines = [section.title, f"{arrow} {section.source.place(section.span.start)}", self._bar("")]
        return [*lines, *(self._source_line(line, section.colour) for line in snippet(section.source, section.span))]

    def help(self, text: str) -> list[str]:
        """Return the help below the finding's source."""
        first, *rest = map(printable, text.split("\n"))
        indent = " " * (self.digits + 9)
        equals = self._gutter(" " * self.digits + " =")
        label = _paint("help", _HELP_COLOUR, self.coloured)
        return [self._bar(""), f"{equals} {label}: {first}", *(indent + line for line in rest)]

    def _source_line(self, line: SnippetLine, colour: int) -> str:
        marks = _paint(line.marks, colour, self.coloured)
        return self._bar(marks + line.code, "" if line.number is None else str(line.number))

    def _bar(self, text: str, number: str = "") -> str:
        bar = self._gutter(f"{number:>{self.digits}} |")
        return f"{bar} {text}".rstrip() if text else bar

    def _gutter(self, text: str) -> str:
        return _paint(text, _GUTTER_COLOUR, self.coloured)


def _paint(text: str, colour: int, coloured: bool) -> str:
    return f"\x1b[{colour}m\x1b[1m{text}\x1b[0m" if coloured and text else text


def visible(character: str) -> str:
    """Return the printed form of one code point: tabs become spaces, control characters pictures of themselves.

    Format characters (Cf) could reorder or hide code on the terminal, so they show as replacement characters,
    as in rustc's output; the joiners inside emoji are among them.
    """
    if character == "\t":
        return " " * TAB_WIDTH
    if character.isprintable():
        return character
    code = ord(character)
    if code < ord(" "):
        return chr(_CONTROL_PICTURES + code)
    if code == _DELETE:
        return _DELETE_PICTURE
    return " " if unicodedata.category(character) == "Zs" else _REPLACEMENT


def width(printed: str) -> int:
    """Return the number of terminal columns of a text made of `visible` results."""
    if printed.isascii():
        return len(printed)
    return sum(_character_width(character) for character in printed)


def _character_width(character: str) -> int:
    if unicodedata.category(character) in _NO_WIDTH_CATEGORIES:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


LONGEST_LINE = 140
"""Maximum number of code points to show of a line; data in a script may be megabytes on one line."""
_BEFORE_RANGE = 40
_SHOWN_WHOLE = 4
_SHOWN_OF_MANY = 2
_ELLIPSIS = "..."


class SnippetLine(Struct, frozen=True):
    """One printed line: marks of the range, then source; `number` is None for a line without source."""

    number: int | None
    marks: str
    code: str = ""


def snippet(source: SourceText, span: FileSpan) -> list[SnippetLine]:
    """Return the lines that `span` touches, with carets below or, over several lines, a bracket on the left."""
    start = source.lines.position(span.start)
    end = _end_of_range(source, span, start)
    if start.line == end.line:
        line = _ShownLine.around(source.lines.line_text(start.line), start.column)
        first, last = line.column(start.column), line.column(max(end.column, start.column))
        carets = " " * first + "^" * max(last - first, 1)
        return [SnippetLine(start.line + 1, "", line.printed), SnippetLine(None, carets)]
    opening = _ShownLine.around(source.lines.line_text(start.line), start.column)
    last_column = max(end.column - 1, 0)
    closing = _ShownLine.around(source.lines.line_text(end.line), last_column)
    return [
        SnippetLine(start.line + 1, "  ", opening.printed),
        SnippetLine(None, " " + "_" * (opening.column(start.column) + 1) + "^"),
        *_lines_between(source, start.line + 1, end.line),
        SnippetLine(end.line + 1, "| ", closing.printed),
        SnippetLine(None, "|" + "_" * (closing.column(last_column) + 1) + "^"),
    ]


def _end_of_range(source: SourceText, span: FileSpan, start: Position) -> Position:
    """Return the end of `span`, not counting the line break it may end with."""
    end = source.lines.position(max(span.end, span.start))
    while end.line > start.line and end.column == 0:
        line = end.line - 1
        end = end._replace(line=line, column=len(source.lines.line_text(line)))
    return end


def _lines_between(source: SourceText, first: int, end: int) -> list[SnippetLine]:
    """Return the lines ``[first, end)`` with the bar of the bracket; of many lines only the first ones."""
    is_long = end - first > _SHOWN_WHOLE
    shown = range(first, first + _SHOWN_OF_MANY if is_long else end)
    lines = [
        SnippetLine(number + 1, "| ", _ShownLine.around(source.lines.line_text(number), 0).printed) for number in shown
    ]
    return [*lines, SnippetLine(None, "| " + _ELLIPSIS)] if is_long else lines


class _ShownLine(Struct, frozen=True):
    """The shown part of a line: `cells` from code point `first` on, with ellipses where text is left out."""

    first: int
    cells: tuple[str, ...]
    cut_before: str
    cut_after: str

    @classmethod
    def around(cls, text: str, column: int) -> _ShownLine:
        """Show `text`, or the part around `column` when it is too long."""
        if len(text) <= LONGEST_LINE:
            return cls(0, tuple(map(visible, text)), "", "")
        first = max(0, min(column - _BEFORE_RANGE, len(text) - LONGEST_LINE))
        last = first + LONGEST_LINE
        cells = tuple(map(visible, text[first:last]))
        return cls(first, cells, _ELLIPSIS if first else "", _ELLIPSIS if last < len(text) else "")

    @property
    def printed(self) -> str:
        return f"{self.cut_before}{''.join(self.cells)}{self.cut_after}".rstrip()

    def column(self, column: int) -> int:
        """Return the terminal column of code point `column` of the line, clamped to the visible text."""
        shown = max(0, min(column - self.first, len(self.cells)))
        return len(self.cut_before) + width("".join(self.cells[:shown]))
