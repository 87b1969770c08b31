"""Folding ranges, from brackets and comments alone, so that syntax errors do not matter."""

from __future__ import annotations

from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple
from tdls.syntax.layout import line_breaks
from tdls.syntax.scanner import scan
from tdls.syntax.sections.facts import Fact
from tdls.text.positions import LineIndex

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from tdls.analysis.file.source_file import SourceFile
    from tdls.ide.snapshot import Snapshot
    from tdls.syntax.sections.sections import Section

_OPENERS = frozenset(("{", "[", "(", "{-#"))
_MARKER = "// -----"


class FoldingKind(Enum):
    """Kinds of ranges for which editors have commands."""

    CODE = "code"
    COMMENT = "comment"
    PART = "part"
    """The lines from one ``// -----`` to the next."""


class FoldingRange(NamedTuple):
    """Lines ``first + 1`` to ``last`` (0-based, inclusive) can be hidden; line `first` stays visible."""

    first: int
    last: int
    kind: FoldingKind


def folding_ranges(snapshot: Snapshot, uri: str) -> list[FoldingRange]:
    """Return the folding ranges of a file, at most one for each first line, in textual order."""
    file = snapshot.file(uri)
    if file is None:
        return []
    by_line: dict[int, FoldingRange] = {}
    for fold in (*_folds_of_sections(file), *_parts(file)):
        known = by_line.get(fold.first)
        if fold.last > fold.first and (known is None or fold.last > known.last):
            by_line[fold.first] = fold
    return [by_line[line] for line in sorted(by_line)]


def read_folds(file: SourceFile) -> Generator[None, None, None]:
    """Compute the folds of sections without cached ones; yields after each, so that other work gets its turn."""
    for piece in file.sections.pieces:
        if not _folded.is_known(piece.section):
            _folded(piece.section)
            yield


def _folds_of_sections(file: SourceFile) -> Iterator[FoldingRange]:
    """Yield the folds of all sections; those of unchanged sections are cached."""
    line = 0
    open_frames: list[tuple[int, int]] = []
    for piece in file.sections.pieces:
        folded = _folded(piece.section)
        if not piece.is_half:
            end = line + folded.line_breaks
            yield from (fold.placed(line, folded.line_breaks, end) for fold in folded.folds)
            line = end
        elif not piece.begin:
            head_lines = LineIndex(piece.text).line_count - 1
            open_frames.append((line, head_lines))
            line += head_lines
        else:
            first, head_lines = open_frames.pop()
            yield from (fold.placed(first, head_lines, line) for fold in folded.folds)
            line += folded.line_breaks - head_lines


class _Fold(NamedTuple):
    """A fold; lines count from the start of its section."""

    first: int
    end: int
    hides_end: bool
    kind: FoldingKind

    def placed(self, start: int, head_lines: int, tail: int) -> FoldingRange:
        """Map to lines of the file: the first `head_lines` lines of the section begin at `start`, others at `tail`."""
        first, end = (
            line + start if line < head_lines else line - head_lines + tail for line in (self.first, self.end)
        )
        return FoldingRange(first, end if self.hides_end else end - 1, self.kind)


class _Folded(NamedTuple):
    folds: tuple[_Fold, ...]
    line_breaks: int


@Fact
def _folded(section: Section) -> _Folded:
    finder = _Folds("\n" * line_breaks(section.text) if section.is_left_out else section.text)
    return _Folded(tuple(finder.all()), finder.line_breaks)


class _Folds:
    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = scan(text)
        self._index = LineIndex(text)

    @property
    def line_breaks(self) -> int:
        """The number of line breaks in the text."""
        return self._index.line_count - 1

    def all(self) -> Iterator[_Fold]:
        """Yield the folds of brackets, then those of comments."""
        for opener, closer in self._tokens.partners.items():
            if opener < closer and self._tokens.kinds[opener] in _OPENERS:
                yield _Fold(self._line(opener), self._line(closer), self._hides_end(closer), FoldingKind.CODE)
        yield from self._comments()

    def _line(self, token: int) -> int:
        return self._index.position(self._tokens.starts[token]).line

    def _hides_end(self, closer: int) -> bool:
        """Return whether the line of a closing bracket can be hidden: it has text before the bracket and none after."""
        is_last = closer + 1 >= self._tokens.count or self._tokens.first_on_line(closer + 1)
        return is_last and not self._tokens.first_on_line(closer)

    def _comments(self) -> Iterator[_Fold]:
        """Yield the runs of lines with only a comment."""
        first = -1
        for line in range(self._index.line_count + 1):
            is_comment = line < self._index.line_count and _is_comment(self._index.line_text(line))
            if is_comment and first < 0:
                first = line
            elif not is_comment and first >= 0:
                yield _Fold(first, line - 1, True, FoldingKind.COMMENT)
                first = -1


def _is_comment(line: str) -> bool:
    code = line.lstrip()
    return code.startswith("//") and not code.startswith(_MARKER)


def _parts(file: SourceFile) -> Iterator[FoldingRange]:
    """Yield the part after each ``// -----`` without its trailing blank lines."""
    for marker, end in pairwise((*_marker_lines(file), file.line_count)):
        last = end - 1
        while last > marker and not file.line_text(last).strip():
            last -= 1
        yield FoldingRange(marker, last, FoldingKind.PART)


def _marker_lines(file: SourceFile) -> Iterator[int]:
    pieces = file.sections.pieces
    for index in range(1, len(pieces)):
        if pieces[index].part != pieces[index - 1].part:
            yield file.position(file.piece_span(index).start - 1).line
