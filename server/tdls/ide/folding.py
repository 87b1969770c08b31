"""Folding: which lines an editor may hide, found from brackets and comments alone, so that damage does not matter."""

from __future__ import annotations

from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from tdls.syntax.scanner import scan
from tdls.text.line_index import LineIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.analysis.source_file import SourceFile
    from tdls.ide.snapshot import Snapshot
    from tdls.syntax.sections import Section

_OPENERS = frozenset(("{", "[", "(", "{-#"))
_MARKER = "// -----"


class FoldingKind(Enum):
    """What is folded, as far as editors have commands for it."""

    CODE = "code"
    COMMENT = "comment"
    PART = "part"
    """All from one ``// -----`` to the next."""


class FoldingRange(NamedTuple):
    """Lines ``first + 1`` to ``last`` (0-based, both included) can be hidden, line `first` stays visible."""

    first: int
    last: int
    kind: FoldingKind


def folding_ranges(snapshot: Snapshot, uri: str) -> list[FoldingRange]:
    """Return what can be folded in a file, at most one range for each first line, in the order of the text."""
    file = snapshot.file(uri)
    if file is None:
        return []
    found: dict[int, FoldingRange] = {}
    for fold in (*_folds_of_sections(file), *_parts(file)):
        known = found.get(fold.first)
        if fold.last > fold.first and (known is None or fold.last > known.last):
            found[fold.first] = fold
    return [found[line] for line in sorted(found)]


def _folds_of_sections(file: SourceFile) -> Iterator[FoldingRange]:
    """Yield the folds of all sections; those of sections that did not change since they were last asked are known."""
    pieces, starts = file.sections.pieces, file.sections.starts
    tails: dict[int, int] = {}
    for index in range(len(pieces) - 1, -1, -1):
        piece = pieces[index]
        line = file.sections.position(starts[index]).line
        if piece.is_half and piece.begin:
            tails[id(piece.section)] = line
            continue
        head_lines = LineIndex(piece.text).line_count - 1
        tail = tails.get(id(piece.section), line + head_lines) if piece.is_half else line + head_lines
        for fold in _folds_of(piece.section):
            first, end = (
                number + line if number < head_lines else number - head_lines + tail
                for number in (fold.first, fold.end)
            )
            yield FoldingRange(first, end if fold.hides_end else end - 1, fold.kind)


class _Fold(NamedTuple):
    """A fold by the lines of its section; the two halves of a frame may be far from each other in the file."""

    first: int
    end: int
    hides_end: bool
    kind: FoldingKind


def _folds_of(section: Section) -> tuple[_Fold, ...]:
    """Return the folds of a section, which are looked for once."""
    known: tuple[_Fold, ...] | None = section.derived.get("folding")
    if known is None:
        known = section.derived["folding"] = tuple(_Folds(section.text).all())
    return known


class _Folds:
    """Finds the folds of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = scan(text)
        self._index = LineIndex(text)

    def all(self) -> Iterator[_Fold]:
        """Yield the folds of brackets, then those of comments."""
        for opener, closer in self._tokens.partners.items():
            if opener < closer and self._tokens.kinds[opener] in _OPENERS:
                yield _Fold(self._line(opener), self._line(closer), self._hides_end(closer), FoldingKind.CODE)
        yield from self._comments()

    def _line(self, token: int) -> int:
        return self._index.position(self._tokens.starts[token]).line

    def _hides_end(self, closer: int) -> bool:
        """Tell whether the line of a closing bracket can be hidden: no bracket alone, and nothing stands behind it."""
        is_last = closer + 1 >= self._tokens.count or self._tokens.first_on_line(closer + 1)
        return is_last and not self._tokens.first_on_line(closer)

    def _comments(self) -> Iterator[_Fold]:
        """Yield the blocks of comments that have their lines for themselves."""
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
    """Yield what follows each ``// -----`` that separates parts, without blank lines at its end."""
    for marker, end in pairwise((*_marker_lines(file), file.line_count)):
        last = end - 1
        while last > marker and not file.line_text(last).strip():
            last -= 1
        yield FoldingRange(marker, last, FoldingKind.PART)


def _marker_lines(file: SourceFile) -> Iterator[int]:
    pieces, starts = file.sections.pieces, file.sections.starts
    for index in range(1, len(pieces)):
        if pieces[index].part != pieces[index - 1].part:
            yield file.position(starts[index] - 1).line
