"""One version of a file's text, in sections: offsets, lines and edits. The text is joined only on request."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from itertools import accumulate, count
from operator import add, attrgetter
from typing import TYPE_CHECKING

from tdls.catalogue.tracked import RecordedAnswers, TrackedCatalogue
from tdls.structs import NamedTuple
from tdls.syntax.layout import has_line_indented_up_to, holds_operations, indent_of
from tdls.syntax.sections.boundaries import CONVINCING, SplitMode, parts_of, run_lines_of
from tdls.syntax.sections.facts import Fact
from tdls.syntax.sections.sections import Section, SectionKind
from tdls.syntax.sections.splitting import split_sections, split_window
from tdls.syntax.sections.windows import Windows
from tdls.system import cached_property
from tdls.text.positions import Position
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tdls.catalogue.catalogue import Catalogue
    from tdls.limits import Limit
    from tdls.syntax.sections.sections import SectionRange, Surroundings


class Offsets:
    """The start offsets of a sequence of adjacent items, and the end of the last one.

    Immutable. The shift of items behind an edit is applied on access, so that repeated edits in one place cost the same
    for any length of the sequence.
    """

    __slots__ = ("_base", "_first", "_shift")

    def __init__(self, base: Sequence[int], first: int, shift: int) -> None:
        """Use `of`. Entries of `base` behind index `first` are shifted by `shift`."""
        self._base = base
        self._first = first
        self._shift = shift

    @classmethod
    def of(cls, lengths: Iterable[int]) -> Offsets:
        """Return the offsets of items with these lengths."""
        base = list(accumulate(lengths, initial=0))
        return cls(base, len(base), 0)

    def __getitem__(self, index: int) -> int:
        """Return the start of item `index`; the index behind the last item means the end of all."""
        return self._base[index] + (self._shift if index > self._first else 0)

    @property
    def total(self) -> int:
        """The total length of all items."""
        return self[len(self._base) - 1]

    def index_at(self, offset: int) -> int:
        """Return the index of the last item that begins at `offset` or before; -1 before the first one."""
        behind = self._first + 1
        if behind < len(self._base) and offset >= self[behind]:
            return bisect_right(self._base, offset - self._shift, behind) - 1
        return bisect_right(self._base, offset, 0, min(behind, len(self._base))) - 1

    def replaced(self, first: int, before: Sequence[int], after: Sequence[int]) -> Offsets:
        """Return the offsets after replacing items of lengths `before`, from index `first` on, by lengths `after`."""
        while before and after and before[0] == after[0]:
            first, before, after = first + 1, before[1:], after[1:]
        if not before and not after:
            return self
        if len(before) == len(after) == 1 and (first == self._first or not self._shift):
            return Offsets(self._base, first, self._shift + after[0] - before[0])
        starts = [self[index] for index in range(first + 1)]
        starts.extend(accumulate(after, initial=starts.pop()))
        growth = sum(after) - sum(before)
        behind = first + len(before) + 1
        starts.extend(self[index] + growth for index in range(behind, len(self._base)))
        return Offsets(starts, len(starts), 0)


_LINE_END = re.compile(r"\r\n|\n|\r")
_LENGTH, _LINE_BREAKS = attrgetter("length"), attrgetter("line_breaks")


class Replaced(NamedTuple):
    """A replacement of the pieces `before`, from index `first` on, by `after`; all others are unchanged."""

    first: int
    before: Sequence[SectionRange]
    after: Sequence[SectionRange]


class SectionedText:
    """An immutable text that consists of `pieces`; offsets and columns count code points from 0."""

    def __init__(
        self,
        pieces: Sequence[SectionRange],
        catalogue: Catalogue,
        mode: SplitMode,
        *,
        marked: bool,
        replaced: Replaced | None = None,
        starts: Offsets | None = None,
        lines: Offsets | None = None,
        irregular: frozenset[int] | None = None,
        most: Limit | None = None,
        splitting: TrackedCatalogue | None = None,
        former: Sequence[Section] = (),
    ) -> None:
        """`most` limits the size of a section to parse; `splitting` records the queries that extents depend on."""
        self.pieces: Sequence[SectionRange] = pieces
        self._former = former
        """Sections of earlier versions, kept when an edit merges them, and while it may be undone."""
        self.catalogue = catalogue
        self._splitting = splitting if splitting is not None else TrackedCatalogue(catalogue)
        self.mode = mode
        self._most = most
        self._marked = marked
        """True if the text contains a marker between parts."""
        self.replaced = replaced
        """The change since the version that this one was derived from, or None if not known."""
        self.starts = starts if starts is not None else Offsets.of(map(_LENGTH, pieces))
        """The offset of each piece, and the length of the text."""
        self._lines = lines if lines is not None else Offsets.of(map(_LINE_BREAKS, pieces))
        """The number of line breaks before each piece, and in the whole text."""
        self._irregular = irregular if irregular is not None else _irregular(pieces)

    @classmethod
    def of(cls, text: str, catalogue: Catalogue, mode: SplitMode, most: Limit | None = None) -> SectionedText:
        """Split `text`. Never raises; takes time linear in its length."""
        return cls._split(text, catalogue, mode, _Maker(catalogue, most), most)

    @classmethod
    def _split(
        cls, text: str, catalogue: Catalogue, mode: SplitMode, maker: _Maker, most: Limit | None
    ) -> SectionedText:
        splitting = TrackedCatalogue(catalogue)
        pieces = split_sections(text, parts_of(text, mode), splitting, maker)
        marked, former = mode.may_split(text), maker.unused(len(text))
        return cls(pieces, catalogue, mode, marked=marked, most=most, splitting=splitting, former=former)

    @property
    def length(self) -> int:
        return self.starts.total

    @cached_property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    @property
    def is_regular(self) -> bool:
        """True if the extent of each section depends on its own text only."""
        return not self._irregular

    def piece_at(self, offset: int) -> int:
        """Return the index of the piece that contains `offset`, which is clamped to the text."""
        index = self.starts.index_at(max(offset, 0))
        return max(min(index, len(self.pieces) - 1), 0)

    def slice(self, span: FileSpan) -> str:
        first, last = self.piece_at(span.start), self.piece_at(span.end)
        if span.end <= span.start:
            return ""
        joined = "".join(piece.text for piece in self.pieces[first : last + 1])
        return joined[max(span.start, 0) - self.starts[first] : span.end - self.starts[first]]

    def is_ascii(self, span: FileSpan) -> bool:
        """Whether all sections that `span` touches are ASCII, which Python knows without a scan."""
        first, last = self.piece_at(span.start), self.piece_at(span.end)
        return all(piece.section.text.isascii() for piece in self.pieces[first : last + 1])

    # Lines

    @property
    def line_count(self) -> int:
        """The number of lines; a text that ends in a line break has an empty last line."""
        return self._lines.total + 1

    def position(self, offset: int) -> Position:
        """Return the position of `offset`, which is clamped to the text."""
        offset = max(0, min(offset, self.length))
        index = self.piece_at(offset)
        starts = _line_starts(self.pieces[index])
        before = bisect_right(starts, offset - self.starts[index])
        line = self._lines[index] + before
        while not before and index > 0:  # the line begins in an earlier piece
            index -= 1
            starts = _line_starts(self.pieces[index])
            before = len(starts)
        return Position(line, offset - self.starts[index] - (starts[before - 1] if before else 0))

    def offset(self, position: Position) -> int:
        """Return the offset of `position`; a column behind the line's end means its end."""
        if position.line < 0:
            return 0
        if position.line >= self.line_count:
            return self.length
        start = self.line_start(position.line)
        return min(start + max(position.column, 0), start + len(self._line_from(start)))

    def line_start(self, line: int) -> int:
        """Return the offset of the first character of the 0-based `line`, which must exist."""
        if line == 0:
            return 0
        index = self._lines.index_at(line - 1)
        return self.starts[index] + _line_starts(self.pieces[index])[line - self._lines[index] - 1]

    def line_text(self, line: int) -> str:
        """Return the text of the 0-based `line` without its line break; empty if the line does not exist."""
        return self._line_from(self.line_start(line)) if 0 <= line < self.line_count else ""

    def _line_from(self, start: int) -> str:
        index = self.piece_at(start)
        begin = start - self.starts[index]
        pieces: list[str] = []
        for number in range(index, len(self.pieces)):
            text = self.pieces[number].text
            end = _line_end(text, begin)
            pieces.append(text[begin:end])
            if end < len(text):
                break
            begin = 0
        return "".join(pieces)

    # Edits

    def edited(self, span: FileSpan, new_text: str) -> SectionedText:
        """Replace `span` by `new_text`; the result equals `of` of the new text and shares unchanged sections."""
        local = self._edited_locally(span, new_text)
        if local is not None:
            return local
        text = "".join((self.slice(FileSpan(0, span.start)), new_text, self.slice(FileSpan(span.end, self.length))))
        maker = _Maker(self.catalogue, self._most, (*(piece.section for piece in self.pieces), *self._former))
        return self._split(text, self.catalogue, self.mode, maker, self._most)

    def with_catalogue(self, catalogue: Catalogue) -> SectionedText:
        """Return the text with another catalogue; the result equals `of` with that catalogue.

        Sections whose recorded queries `catalogue` answers alike are shared, with their trees and facts.
        """
        answers = RecordedAnswers(catalogue)
        present = {piece.section: piece.section for piece in self.pieces}
        for section in present:
            if section.is_left_out or not section.holds_with(answers):
                present[section] = Section(section.text, section.surroundings, section.kind, catalogue, self._most)
        splitting = self._splitting.in_place_of(answers)
        if splitting is None:
            maker = _Maker(catalogue, self._most, present.values())
            return self._split(self.text, catalogue, self.mode, maker, self._most)
        return SectionedText(
            [piece.in_section(present[piece.section], piece.frame and present[piece.frame]) for piece in self.pieces],
            catalogue,
            self.mode,
            marked=self._marked,
            starts=self.starts,
            lines=self._lines,
            most=self._most,
            splitting=splitting,
        )

    def _edited_locally(self, span: FileSpan, new_text: str) -> SectionedText | None:
        first, last = self._window(span)
        before = self.pieces[first : last + 1]
        if any(piece.is_half or not piece.is_on_level_of(before[0]) for piece in before):
            return None
        old = "".join(piece.text for piece in before)
        base = self.starts[first]
        new = old[: span.start - base] + new_text + old[span.end - base :]
        may_split = (self._marked and self.mode.may_split(old)) or self.mode.may_split(new)
        if may_split or not self._begins_alike(first, span, new):
            return None
        is_at_marker = span.start == base  # whose line may go on with the new text
        if self._marked and (is_at_marker or run_lines_of(old) != run_lines_of(new)):
            return None
        if self._concerns_outer_level(first, span, old) or self._concerns_outer_level(first, span, new):
            return None
        maker = _Maker(self.catalogue, self._most, (piece.section for piece in before))
        is_convincing = self._has_convincing_layout(first, last)
        after = split_window(new, before, self._splitting, maker, in_convincing_layout=is_convincing)
        if after is None or self._concerns_others(before, after):
            return None
        pieces = list(self.pieces)
        pieces[first : last + 1] = after
        return SectionedText(
            pieces,
            self.catalogue,
            self.mode,
            marked=self._marked,
            replaced=Replaced(first, before, after),
            starts=self.starts.replaced(first, *(list(map(_LENGTH, pieces)) for pieces in (before, after))),
            irregular=self._irregular - _irregular(before) | _irregular(after),
            lines=self._lines.replaced(first, *(list(map(_LINE_BREAKS, pieces)) for pieces in (before, after))),
            most=self._most,
            splitting=self._splitting,
            former=self._former if sum(len(each.text) for each in self._former) <= len(old) else (),
        )

    def _window(self, span: FileSpan) -> tuple[int, int]:
        """Return the first and last piece whose extent the edit may change: a first line affects the piece before."""
        first, last = self.piece_at(span.start), self.piece_at(span.end)
        if self._touches_first_line(first, span) and self._has_plain_neighbour(first):
            first -= 1
        return first, last

    def _touches_first_line(self, index: int, span: FileSpan) -> bool:
        line_end = self.pieces[index].text.find("\n")
        return line_end < 0 or span.start <= self.starts[index] + line_end

    def _has_plain_neighbour(self, index: int) -> bool:
        return (
            index > 0
            and not self.pieces[index - 1].is_half
            and self.pieces[index - 1].is_on_level_of(self.pieces[index])
        )

    def _begins_alike(self, first: int, span: FileSpan, new: str) -> bool:
        """Whether the window's text still begins at the start of its level or of a section."""
        if self._has_plain_neighbour(first):
            return True
        if self._begins_level(first):
            return indent_of(new) == self.pieces[first].indent and holds_operations(new)
        return not self._touches_first_line(first, span)

    def _begins_level(self, index: int) -> bool:
        if index == 0:
            return True
        before, piece = self.pieces[index - 1], self.pieces[index]
        return before.section is piece.frame or before.part != piece.part

    def _has_convincing_layout(self, first: int, last: int) -> bool:
        nearby = self.pieces[max(first - CONVINCING, 0) : last + 1 + CONVINCING]
        plain = (piece for piece in nearby if piece.section.kind is SectionKind.PLAIN)
        window = self.pieces[first : last + 1]
        return sum(piece.is_on_level_of(window[0]) and piece not in window for piece in plain) >= CONVINCING

    def _concerns_others(self, before: Sequence[SectionRange], after: Sequence[SectionRange]) -> bool:
        """Whether the extents of other sections may depend on the edited ones, or vice versa."""
        inside = {id(piece.section) for piece in before}
        others = self._irregular - inside
        if others and any(id(piece.section) in others and piece.is_on_level_of(before[0]) for piece in self.pieces):
            return True
        changes_balance = any(piece.section.kind is SectionKind.IRREGULAR for piece in (*before, *after))
        has_clear_layout = before[0].frame is None or before[0].indent > before[0].outer_indent
        return changes_balance and (bool(others) or self._marked or not has_clear_layout)

    def _concerns_outer_level(self, first: int, span: FileSpan, text: str) -> bool:
        """Whether a section of an outer level could begin in `text`, which takes the place of piece `first`."""
        piece = self.pieces[first]
        if piece.frame is None:
            return False
        if piece.indent <= piece.outer_indent and self._touches_first_line(first, span):
            return True
        return has_line_indented_up_to(piece.outer_indent, text)


def _irregular(pieces: Iterable[SectionRange]) -> frozenset[int]:
    """Return the identities of the sections whose extents depend on others."""
    kinds = (SectionKind.IRREGULAR, SectionKind.LOOSE_FRAME)
    return frozenset(id(piece.section) for piece in pieces if piece.section.kind in kinds)


class _Maker:
    """Creates sections, or reuses old ones with the same text, surroundings and kind."""

    def __init__(self, catalogue: Catalogue, most: Limit | None, old: Iterable[Section] = ()) -> None:
        self._catalogue = catalogue
        self._most = most
        self._old: dict[tuple[str, Surroundings, SectionKind], list[Section]] = {}
        self._long: tuple[Section, ...] = ()
        for section in dict.fromkeys(old):
            self._old.setdefault((section.text, section.surroundings, section.kind), []).append(section)
            self._long += (section,) if Windows in section.facts else section.former

    def __call__(self, text: str, surroundings: Surroundings, kind: SectionKind) -> Section:
        same = self._old.get((text, surroundings, kind))
        section = same.pop(0) if same else Section(text, surroundings, kind, self._catalogue, self._most)
        if section.is_left_out and Windows not in section.facts:
            section.former = self._long
        return section

    def unused(self, length: int) -> list[Section]:
        """Return old sections that no call has returned, the newest ones, with at most `length` code points."""
        sections = [section for same in self._old.values() for section in same]
        lengths = accumulate(len(section.text) for section in sections)
        return [section for section, until in zip(sections, lengths, strict=True) if until <= length]


def _line_end(text: str, start: int) -> int:
    """Return the end of the line that contains `start`; the length of `text` if the line has no break."""
    line_feed = text.find("\n", start)
    end = line_feed if line_feed >= 0 else len(text)
    carriage_return = text.find("\r", start, end)
    return carriage_return if carriage_return >= 0 else end


def _line_starts(piece: SectionRange) -> array[int]:
    """Return the starts of lines in a piece, without the piece's own start; cached with the section."""
    of_section = _line_starts_of_pieces(piece.section)
    known = of_section.get(piece.begin)
    if known is None:
        starts: Iterable[int] = (match.end() for match in _LINE_END.finditer(piece.text))
        if "\r" not in piece.text:  # several times as fast
            starts = map(add, accumulate(map(len, piece.text.split("\n")[:-1])), count(1))
        known = of_section[piece.begin] = array("I", starts)
    return known


@Fact
def _line_starts_of_pieces(section: Section) -> dict[int, array[int]]:
    """Store the starts of lines in the pieces of a section, by the offset of the piece in it."""
    del section
    return {}
