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

from enum import Enum
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from tdls.catalogue.tracked import TrackedCatalogue
from tdls.syntax.layout import code_start
from tdls.syntax.parser.parser import parse

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.tracked import RecordedAnswers
    from tdls.limits import Limit
    from tdls.syntax.tree import Tree

TOP_DIALECT = "builtin"
_LARGE = 200_000
"""Code points; about a fifth of a second is needed to read them."""
_BETWEEN = (" ", "\n", ",", "(", "<", "[")
_STORING = Lock()
"""Held for a moment: of threads that read a section at the same time, all go on with the tree that was there first."""
_LONGEST_LINE = 10_000
"""Code points of a section that is left out which may be read."""


class Surroundings(NamedTuple):
    """What reading a section depends on besides its text."""

    default_dialect: str = TOP_DIALECT
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

    `facts` is what was found out about the section, by what was asked for: it lives and dies with it. Only
    `SectionFact`, and what tracks what a fact rests on besides, read and write it. What the tree and the facts asked
    about operations is noted in `catalogue`.
    """

    __slots__ = ("_tree", "catalogue", "facts", "is_left_out", "kind", "likely_index", "surroundings", "text")

    def __init__(
        self,
        text: str,
        surroundings: Surroundings,
        kind: SectionKind,
        catalogue: Catalogue,
        most: Limit | None = None,
    ) -> None:
        """`most` is how much may be read; without it, all of it is."""
        self.text = text
        self.surroundings = surroundings
        self.kind = kind
        self.is_left_out = most is not None and _is_more_than(most.most, text)
        """True if the section is more than is read: its tree is that of its first line."""
        self.facts: dict[object, object] = {}
        self.likely_index: int | None = None
        """Where its first piece stood among those of its file when somebody looked; a guess for other versions."""
        self.catalogue = TrackedCatalogue(catalogue)
        """What is known of operations, and what was asked of it."""
        self._tree: Tree | None = None

    @property
    def is_frame(self) -> bool:
        """True for the frame of a container, whose insides are sections of their own."""
        return self.kind in (SectionKind.FRAME, SectionKind.LOOSE_FRAME)

    @property
    def tree(self) -> Tree:
        """The section's tree; its offsets count from the section's start."""
        known = self._tree
        while known is None:
            catalogue = self.catalogue
            read = self._read(catalogue)
            with _STORING:
                if self._tree is None and self.catalogue is catalogue:
                    self._tree = read
                known = self._tree
        return known

    def _read(self, catalogue: TrackedCatalogue) -> Tree:
        around = self.surroundings
        text = _first_line(self.text) if self.is_left_out else self.text
        return parse(text, catalogue, default_dialect=around.default_dialect, nested=around.nested, end=around.end)

    def keep(self, fact: object, value: object, catalogue: TrackedCatalogue) -> None:
        """Keep a fact that was found out with `catalogue`, unless the section has another one by now."""
        with _STORING:
            if self.catalogue is catalogue:
                self.facts[fact] = value

    def holds_with(self, answers: RecordedAnswers) -> bool:
        """Take another catalogue if it answers all that was asked as the present one did; False if it does not."""
        with _STORING:
            catalogue = self.catalogue.in_place_of(answers)
            if catalogue is not None:
                self.catalogue = catalogue
        return catalogue is not None

    def afresh(self, catalogue: Catalogue, most: Limit | None) -> Section:
        """Return a section like this one of which nothing is known yet."""
        return Section(self.text, self.surroundings, self.kind, catalogue, most)

    @property
    def is_large(self) -> bool:
        """True if reading the section holds up everything else."""
        return len(self.text) >= _LARGE and not self.is_left_out

    @property
    def is_read(self) -> bool:
        """True if `tree` is known already."""
        return self._tree is not None


def _is_more_than(most: int, text: str) -> bool:
    """Tell whether a text has more blanks, line breaks, commas and brackets: what stands between its tokens."""
    return len(text) > most and sum(map(text.count, _BETWEEN)) > most


def _first_line(text: str) -> str:
    """Return a text until the end of the line with its first code, or less of it if that is long."""
    start = code_start(text)
    end = text.find("\n", start, start + _LONGEST_LINE)
    return text[: end if end >= 0 else start + _LONGEST_LINE] if start < _LONGEST_LINE else ""


class SectionRange(NamedTuple):
    """What of the file's text belongs to one section: all of it, or one of the two halves of a frame."""

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

    def in_section(self, section: Section, frame: Section | None) -> SectionRange:
        """Return the piece as one of another section with the same text, in another frame."""
        return self if section is self.section and frame is self.frame else self._replace(section=section, frame=frame)

    def is_beside(self, other: SectionRange) -> bool:
        """True for pieces of one level."""
        return self.frame is other.frame and self.part == other.part

    @property
    def begins_section(self) -> bool:
        """False for the second half of a frame."""
        return self.begin == 0

    @property
    def is_half(self) -> bool:
        """True for the halves of a frame, of which the second one is empty where the container is never closed."""
        return self.section.is_frame
