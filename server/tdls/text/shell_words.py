"""Splits command lines as a POSIX shell does and keeps the file offset of every character."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tdls.structs import Struct
from tdls.text.span import FileSpan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BLANKS = frozenset(" \t\r\n")
_OPERATORS = frozenset("|&;<>()")
_ESCAPED_IN_DOUBLE_QUOTES = frozenset('"\\$`')


class Placed(Struct, frozen=True):
    """A text assembled from parts of a file; `places` has the file offset of each character, in code points.

    Quotes and line continuations are removed, so places need not be adjacent.
    """

    text: str
    places: tuple[int, ...]

    @property
    def span(self) -> FileSpan:
        """The range in the file from the first to the last character; the text must not be empty."""
        return FileSpan(self.places[0], self.places[-1] + 1)

    def part(self, start: int, end: int | None = None) -> Placed:
        return Placed(self.text[start:end], self.places[start:end])

    def stripped(self) -> Placed:
        """Return the text without leading and trailing blanks."""
        start = len(self.text) - len(self.text.lstrip())
        return self.part(start, max(start, len(self.text.rstrip())))

    def split(self, separator: str) -> Iterator[Placed]:
        """Yield the parts between the separators; a separator is one character long."""
        start = 0
        for piece in self.text.split(separator):
            yield self.part(start, start + len(piece))
            start += len(piece) + 1

    @classmethod
    def joined(cls, parts: Sequence[Placed]) -> Placed:
        return cls("".join(part.text for part in parts), tuple(place for part in parts for place in part.places))


class ShellWord(Struct, frozen=True):
    """A word without its quotes, or an operator such as ``|`` or ``2>&1`` as written."""

    value: Placed
    is_operator: bool = False

    @property
    def text(self) -> str:
        """The word as the shell passes it to the program."""
        return self.value.text


def split_words(line: Placed) -> list[ShellWord]:
    """Split a command line as a POSIX shell does, without expansions. A missing closing quote is assumed at the end."""
    return list(_WordSplitter(line).words())


class _WordSplitter:
    def __init__(self, line: Placed) -> None:
        self._line = line
        self._position = 0

    def words(self) -> Iterator[ShellWord]:
        while self._position < len(self._line.text):
            character = self._line.text[self._position]
            if character in _BLANKS:
                self._position += 1
            elif character in _OPERATORS:
                yield ShellWord(self._operator(), is_operator=True)
            elif character == "#":
                return
            else:
                yield self._word()

    def _operator(self) -> Placed:
        start = self._position
        while self._position < len(self._line.text) and self._line.text[self._position] in _OPERATORS:
            self._position += 1
        if self._line.text[start : self._position] in (">&", "<&"):
            self._digits()
        return self._line.part(start, self._position)

    def _digits(self) -> None:
        while self._line.text[self._position : self._position + 1].isdecimal():
            self._position += 1

    def _word(self) -> ShellWord:
        start = self._position
        self._digits()
        if self._position > start and self._line.text[self._position : self._position + 1] in ("<", ">"):
            self._operator()
            return ShellWord(self._line.part(start, self._position), is_operator=True)
        self._position = start
        pieces: list[Placed] = []
        while self._position < len(self._line.text):
            character = self._line.text[self._position]
            if character in _BLANKS or character in _OPERATORS:
                break
            pieces.append(self._piece(character))
        return ShellWord(Placed.joined(pieces))

    def _piece(self, character: str) -> Placed:
        if character == "'":
            return self._until_quote("'")
        if character == '"':
            return self._until_quote('"')
        if character == "\\":
            self._position += 1
        self._position += 1
        return self._line.part(self._position - 1, self._position)

    def _until_quote(self, quote: str) -> Placed:
        kept: list[Placed] = []
        text = self._line.text
        self._position += 1
        while self._position < len(text) and text[self._position] != quote:
            following = text[self._position + 1 : self._position + 2]
            if quote == '"' and text[self._position] == "\\" and following in _ESCAPED_IN_DOUBLE_QUOTES:
                self._position += 1
            kept.append(self._line.part(self._position, self._position + 1))
            self._position += 1
        self._position += 1
        return Placed.joined(kept)
