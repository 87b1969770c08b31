"""Random edits as people make them, and as they make them by mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rpc.document import Replacement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

MOST_CHARACTERS = 400_000
"""Pastes leave a text alone that has grown beyond this."""

UNDO_SHARE = 0.4
"""Probability that an edit is undone; texts stay mostly readable that way."""

_TYPED = (
    *'%@!#^(){}[]<>=:,.-" \n/',
    "a",
    "x",
    "1",
    "%0",
    "transform.",
    "transform.yield",
    ": !transform.any_op",
    "// comment\n",
    "/*",
    "ä",
    "\U0001d11e",
    "\t",
    "\r\n",
    '"""',
    "'",
    "f",
    "\\",
    "{name}",
    "{\n  name\n}",
    "%s",
)
_BRACKETS = "{}()[]<>"


class Editor:
    """Makes edits of one document at random and can undo them."""

    def __init__(self, random: Random, pasted: Sequence[str]):
        self._random = random
        self._pasted = pasted
        self._undo: list[Replacement] = []

    def next_edit(self, text: str) -> Replacement:
        """Return the next edit of `text`; callers have to make every edit before the next call."""
        undone = self.undo() if self._random.random() < UNDO_SHARE else None
        return undone or self.make(text)

    def undo(self) -> Replacement | None:
        """Return the edit that takes back the newest one that was not taken back yet."""
        return self._undo.pop() if self._undo else None

    def make(self, text: str) -> Replacement:
        """Return an edit of `text` that takes nothing back."""
        kinds: tuple[Callable[[str], Replacement], ...] = (
            self._type,
            self._type,
            self._type,
            self._delete_letters,
            self._delete_line,
            self._damage_bracket,
            self._insert_bracket,
            self._change_line_end,
            self._duplicate_line,
            self._paste,
            self._move_name,
        )
        edit = self._random.choice(kinds)(text)
        self._undo.append(Replacement(edit.start, edit.start + len(edit.new_text), text[edit.start : edit.end]))
        del self._undo[:-50]
        return edit

    def _type(self, text: str) -> Replacement:
        place = self._place(text)
        return Replacement(place, place, self._random.choice(_TYPED))

    def _delete_letters(self, text: str) -> Replacement:
        place = self._place(text)
        return Replacement(place, min(len(text), place + self._random.randint(1, 12)), "")

    def _delete_line(self, text: str) -> Replacement:
        start, end = self._line(text)
        return Replacement(start, end, "")

    def _duplicate_line(self, text: str) -> Replacement:
        start, end = self._line(text)
        return Replacement(end, end, text[start:end])

    def _change_line_end(self, text: str) -> Replacement:
        end = text.find("\n", self._place(text))
        if end < 0:
            return Replacement(len(text), len(text), "\r\n")
        if text[end - 1 : end] == "\r":
            return Replacement(end - 1, end, "")
        return Replacement(end, end, "\r")

    def _damage_bracket(self, text: str) -> Replacement:
        place = self._place(text)
        found = [position for bracket in _BRACKETS if (position := text.find(bracket, place)) >= 0]
        if not found:
            return self._type(text)
        position = min(found) if self._random.random() < 0.5 else self._random.choice(found)
        return Replacement(position, position + 1, "")

    def _insert_bracket(self, text: str) -> Replacement:
        place = self._place(text)
        return Replacement(place, place, self._random.choice(_BRACKETS))

    def _paste(self, text: str) -> Replacement:
        if len(text) > MOST_CHARACTERS:
            return self._delete_line(text)
        source = self._random.choice([*self._pasted, text])
        start = self._random.randrange(len(source) + 1)
        place = self._place(text)
        return Replacement(place, place, source[start : start + self._random.randint(1, 600)])

    def _move_name(self, text: str) -> Replacement:
        """Give a value another value's name, or a symbol another symbol's."""
        sigil = self._random.choice("%@")
        place, other = text.find(sigil, self._place(text)), text.find(sigil, self._place(text))
        if place < 0 or other < 0:
            return self._type(text)
        return Replacement(place, _name_end(text, place), text[other : _name_end(text, other)])

    def _place(self, text: str) -> int:
        return self._random.randint(0, len(text))

    def _line(self, text: str) -> tuple[int, int]:
        start = text.rfind("\n", 0, self._place(text)) + 1
        end = text.find("\n", start)
        return start, len(text) if end < 0 else end + 1


def _name_end(text: str, start: int) -> int:
    end = start + 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return end
