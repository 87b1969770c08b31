"""Sections: the parts of a file that are parsed separately, so that an edit costs as much as its section.

A section is a direct child of the file or of a container (``builtin.module`` or an operation like it), or the frame of
a container: the text before its first child together with the text behind its last one. Layout alone determines the
extent of sections, without parsing:

- A section may begin at a line that is indented no deeper than the first line of its level and starts like an
  operation or an alias.
- It extends until its brackets are balanced and its last token can end an operation. A section that never gets
  balanced ends where the next one may begin: damage stays in its section.

So the sections of a text depend on the text alone, never on its edit history.
"""

from __future__ import annotations

import re
from enum import Enum
from itertools import accumulate
from threading import Lock
from typing import TYPE_CHECKING

from tdls.catalogue.tracked import TrackedCatalogue
from tdls.structs import NamedTuple
from tdls.syntax.embedded.templates import template_of
from tdls.syntax.layout import code_start
from tdls.syntax.parser.parser import parse

if TYPE_CHECKING:
    from tdls.catalogue.catalogue import Catalogue
    from tdls.catalogue.tracked import RecordedAnswers
    from tdls.limits import Limit
    from tdls.syntax.tree import Tree

TOP_DIALECT = "builtin"
_LARGE = 200_000
"""Minimum length, in code points, of a large section; parsing that much takes about a fifth of a second."""
_BETWEEN = (" ", "\n", ",", "(", "<", "[")
_STORING = Lock()
"""Held for a moment: threads that parse a section at the same time all continue with the tree stored first."""
_WORD = re.compile(r"\S")
OPENING = re.compile(r"\{[ \t]*(?://[^\n{]*)?\n")
"""A brace at the end of its line."""
_LONGEST_HEAD = 10_000
"""Maximum number of code points to parse of a section that is left out."""


class Surroundings(NamedTuple):
    """The context that determines the parsing of a section, in addition to its text."""

    default_dialect: str = TOP_DIALECT
    nested: bool = False
    """True inside a container."""
    end: str = "the end of the file"
    """The name of the place behind the section in messages."""
    is_read: bool = True
    """False in a file for `split-file` that is not MLIR."""


class SectionKind(Enum):
    """The kind of a section by its layout."""

    PLAIN = "plain"
    FRAME = "frame"
    """The frame of a container."""
    LOOSE_FRAME = "loose frame"
    """The frame of a container that is not closed, or that holds lines that could begin a section of its own level."""
    IRREGULAR = "irregular"
    """Its brackets are not balanced, or it defines values that others of its level may use: its extent depends on the
    sections around it."""


class Section:
    """A text that is parsed separately. `text` and `surroundings` never change; `tree` is parsed on first access.

    `facts` caches results of analyses of the section, by analysis, and has the section's lifetime. Only `Fact`
    and the analyses that track further dependencies of a fact access it. `catalogue` records the catalogue queries
    that the tree and the facts depend on.
    """

    __slots__ = ("_tree", "catalogue", "facts", "former", "is_left_out", "kind", "likely_index", "surroundings", "text")

    def __init__(
        self, text: str, surroundings: Surroundings, kind: SectionKind, catalogue: Catalogue, most: Limit | None = None
    ) -> None:
        """`most` limits the size of a section to parse as a whole (see `is_left_out`); None means no limit."""
        self.text = text
        self.surroundings = surroundings
        self.kind = kind
        blanks = accumulate(map(text.count, _BETWEEN)) if most is not None and len(text) > most.most else ()
        self.is_left_out = most is not None and any(count > most.most for count in blanks)
        """True if the section exceeds the limit: its tree is that of its head only."""
        self.facts: dict[object, object] = {}
        self.likely_index: int | None = None
        """The index of its first piece in its file at the last lookup; a guess for other versions of the file."""
        self.catalogue = TrackedCatalogue(catalogue)
        """The definitions of operations, with a record of all queries."""
        self._tree: Tree | None = None
        self.former: tuple[Section, ...] = ()
        """Sections of the version before whose windows (see `windows`) this one may share, if it is left out."""

    @property
    def is_frame(self) -> bool:
        """True for the frame of a container, whose children are sections of their own."""
        return self.kind in (SectionKind.FRAME, SectionKind.LOOSE_FRAME)

    @property
    def tree(self) -> Tree:
        """The section's tree; offsets count code points from the section's start.

        Of a template, plausible tokens are read in place of its holes.
        """
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
        text = _head(self.text) if self.is_left_out else self.text
        text = text if around.is_read else _WORD.sub(" ", text)
        template = template_of(text, catalogue.placeholders)
        text = template.read if template is not None else text
        return parse(text, catalogue, default_dialect=around.default_dialect, nested=around.nested, end=around.end)

    def keep(self, fact: object, value: object, catalogue: TrackedCatalogue) -> None:
        """Store a fact computed with `catalogue`, unless the section has another catalogue by now."""
        with _STORING:
            if self.catalogue is catalogue:
                self.facts[fact] = value

    def holds_with(self, answers: RecordedAnswers) -> bool:
        """Switch to another catalogue if it gives the same answer to all recorded queries; False if it does not."""
        with _STORING:
            catalogue = self.catalogue.in_place_of(answers)
            if catalogue is not None:
                self.catalogue = catalogue
        return catalogue is not None

    @property
    def is_large(self) -> bool:
        """True if parsing the section blocks other work noticeably."""
        return len(self.text) >= _LARGE and not self.is_left_out

    @property
    def is_read(self) -> bool:
        """True if `tree` is already parsed."""
        return self._tree is not None


def _head(text: str) -> str:
    """Return `text` up to the first brace that ends a line of code, at most `_LONGEST_HEAD` code points of code."""
    start = code_start(text)
    opening = OPENING.search(text, start, start + _LONGEST_HEAD)
    return text[: opening.end() if opening is not None else start + _LONGEST_HEAD] if start < _LONGEST_HEAD else ""


class SectionRange(NamedTuple):
    """A piece of the file's text: a whole section, or one of the two halves of a frame."""

    section: Section
    begin: int
    """Offset of the piece in the section's text, in code points."""
    length: int
    frame: Section | None
    """The frame of the container around the section; None at the top level."""
    part: int
    """Number of the part between ``// -----`` markers that contains the section."""
    indent: int
    """The indentation of the section's level."""
    outer_indent: int
    """The largest indentation of the enclosing levels; -1 at the top level."""
    line_breaks: int

    @property
    def text(self) -> str:
        whole = self.section.text
        return whole if self.length == len(whole) else whole[self.begin : self.begin + self.length]

    def in_section(self, section: Section, frame: Section | None) -> SectionRange:
        """Return the same piece of another section with the same text, in another frame."""
        return self if section is self.section and frame is self.frame else self._replace(section=section, frame=frame)

    def is_on_level_of(self, other: SectionRange) -> bool:
        """True if both pieces are on the same level."""
        return self.frame is other.frame and self.part == other.part

    @property
    def begins_section(self) -> bool:
        """False for the second half of a frame."""
        return self.begin == 0

    @property
    def is_half(self) -> bool:
        """True for the halves of a frame; the second one is empty if the container is never closed."""
        return self.section.is_frame
