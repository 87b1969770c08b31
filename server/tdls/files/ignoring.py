"""Patterns of ``.gitignore`` files and of settings, matched in time linear in the path, whatever the pattern.

All states of a pattern advance together, one name or character at a time, as bits of an integer (Baeza-Yates and
Gonnet, A New Approach to Text Searching, 1992), so that no pattern makes the matcher try combinations of its stars.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Test: TypeAlias = "Callable[[str], bool]"
    Item: TypeAlias = "str | Test | None"

_CLASSES: dict[str, Test] = {
    "alnum": lambda character: character.isascii() and character.isalnum(),
    "alpha": lambda character: character.isascii() and character.isalpha(),
    "blank": " \t".__contains__,
    "cntrl": lambda character: character < " " or character == "\x7f",
    "digit": "0123456789".__contains__,
    "graph": lambda character: "!" <= character <= "~",
    "lower": lambda character: "a" <= character <= "z",
    "print": lambda character: " " <= character <= "~",
    "punct": lambda character: "!" <= character <= "~" and not character.isalnum(),
    "space": " \t\n\v\f\r".__contains__,
    "upper": lambda character: "A" <= character <= "Z",
    "xdigit": "0123456789abcdefABCDEF".__contains__,
}


class MalformedPattern(ValueError):  # noqa: N818 - what it is, as the messages call it
    """A text that git accepts as a pattern, but that matches nothing, such as ``[a``."""


class IgnoreRules:
    """Lines of one ``.gitignore``, or patterns of one setting; the last one that matches a path decides."""

    def __init__(self, lines: Iterable[str]) -> None:
        """Read `lines`; those that are malformed match nothing."""
        self.malformed: list[int] = []
        """The numbers of the malformed lines, from 1."""
        self._rules: list[_Rule] = []
        for number, line in enumerate(lines, 1):
            self._add(number, line)
        self._rules.reverse()

    def _add(self, number: int, line: str) -> None:
        try:
            rule = _rule(line)
        except MalformedPattern:
            self.malformed.append(number)
            return
        if rule is not None:
            self._rules.append(rule)

    def verdict(self, names: Sequence[str], *, is_directory: bool) -> bool | None:
        """Tell whether the path of `names`, relative to the rules' folder, is excluded; None if no rule matches it."""
        return next((not rule.is_negated for rule in self._rules if rule.matches(names, is_directory)), None)

    def excludes(self, names: Sequence[str]) -> bool:
        """Tell whether the file at the path of `names` is excluded, or a folder around it, in which nothing returns."""
        last = len(names)
        return any(self.verdict(names[:end], is_directory=end < last) for end in range(1, last + 1))


class _Rule(Struct, frozen=True):
    """One pattern; `parts` are those between its slashes, with None for ``**``."""

    parts: tuple[_NamePattern | None, ...]
    is_negated: bool
    is_anchored: bool
    """It has a slash, so that it is compared with the whole path, not with the last name only."""
    needs_directory: bool

    def matches(self, names: Sequence[str], is_directory: bool) -> bool:
        if self.needs_directory and not is_directory:
            return False
        if not self.is_anchored:
            return self.parts[0] is None or self.parts[0].matches(names[-1])
        last = self.parts[-1]
        if last is not None and not last.matches(names[-1]):
            return False
        if sum(part is not None for part in self.parts) > len(names):
            return False
        end = len(self.parts)
        places = self._with_places_behind({0})
        for name in names:
            passed = {place for place in places if (part := self.parts[place]) is not None and part.matches(name)}
            kept = {place for place in places if self.parts[place] is None}
            after = {place + 1 for place in passed} | kept
            is_whole = end in after or end - 1 in kept
            places = self._with_places_behind(after - {end})
        return is_whole

    def _with_places_behind(self, places: set[int]) -> set[int]:
        """Add the place behind each ``**``, which may stand for no folder where others follow."""
        last = len(self.parts) - 1
        return places | {place + 1 for place in places if place < last and self.parts[place] is None}


def _rule(line: str) -> _Rule | None:
    """Read a line, which ends without a line break; None for a comment and an empty line. Raises MalformedPattern."""
    text = _without_trailing_blanks(line)
    if not text or line.startswith("#"):
        return None
    is_negated = text.startswith("!")
    text = text[is_negated:]
    needs_directory = text.endswith("/")
    text = text[:-1] if needs_directory else text
    if not text:
        raise MalformedPattern
    is_anchored = "/" in text
    parts: list[_NamePattern | None] = []
    for items in _names(text.removeprefix("/")):
        if len(items) < 2 or any(items):
            parts.append(_NamePattern(items))
        elif parts[-1:] != [None]:
            parts.append(None)
    return _Rule(tuple(parts), is_negated, is_anchored, needs_directory)


def _without_trailing_blanks(line: str) -> str:
    bare = line.rstrip(" ")
    escapes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if escapes % 2 and len(bare) < len(line) else bare


class _NamePattern:
    """A pattern of one name: characters, tests of one character, and None for any number of characters."""

    def __init__(self, items: list[Item]) -> None:
        self._items = [item for item in items if item is not None]
        self._begin = "".join(_leading_characters(items))
        self._end = "".join(_leading_characters(reversed(items)))[::-1]
        self._is_plain = len(self._begin) == len(items)
        self._loops = 0
        """The bits of the places where a star takes any character; bit n is the place in front of item n."""
        place = 0
        for item in items:
            if item is None:
                self._loops |= 1 << place
            else:
                place += 1
        self._steps: dict[str, int] = {}
        """The bits of the items that a character passes, computed when it is first met."""

    def matches(self, name: str) -> bool:
        if self._is_plain:
            return name == self._begin
        if not (name.startswith(self._begin) and name.endswith(self._end) and len(name) >= len(self._items)):
            return False
        places = 1
        for character in name:
            passed = self._steps.get(character)
            if passed is None:
                passed = self._steps[character] = self._passed_by(character)
            places = (places & passed) << 1 | places & self._loops
            if not places:
                return False
        return bool(places >> len(self._items))

    def _passed_by(self, character: str) -> int:
        tests = enumerate(self._items)
        return sum(1 << n for n, item in tests if (item == character if isinstance(item, str) else item(character)))


def _names(text: str) -> list[list[Item]]:
    """Read a pattern: the items of the names between its slashes. Raises MalformedPattern."""
    parts: list[list[Item]] = [[]]
    position = 0
    while position < len(text):
        character = text[position]
        position += 1
        if character == "/":
            parts.append([])
        elif character == "*":
            parts[-1].append(None)
        elif character == "?":
            parts[-1].append(_is_any)
        elif character == "[":
            test, position = _set(text, position)
            parts[-1].append(test)
        elif character == "\\":
            parts[-1].append(_escaped(text, position))
            position += 1
        else:
            parts[-1].append(character)
    return parts


def _leading_characters(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        if not isinstance(item, str):
            return
        yield item


def _is_any(_: str) -> bool:
    return True


def _escaped(text: str, position: int) -> str:
    if position >= len(text):
        raise MalformedPattern
    return text[position]


def _set(text: str, position: int) -> tuple[Test, int]:
    """Read ``[...]`` behind its bracket, as git's wildmatch does; return it and the position behind it."""
    is_negated = text[position : position + 1] in ("!", "^")
    position += is_negated
    ranges: list[tuple[str, str]] = []
    classes: list[Test] = []
    first = position
    before = ""
    while position == first or not text.startswith("]", position):
        character = _escaped(text, position)
        position += 1
        if character == "-" and before and text[position : position + 1] not in ("]", ""):
            is_escape = text[position] == "\\"
            ranges.append((before, _escaped(text, position + is_escape)))
            position += 1 + is_escape
            before = ""
            continue
        if character == "[" and text.startswith(":", position):
            name, closer, _ = text[position + 1 :].partition("]")
            if not closer:
                raise MalformedPattern
            if name.endswith(":"):
                if name[:-1] not in _CLASSES:
                    raise MalformedPattern
                classes.append(_CLASSES[name[:-1]])
                position += len(name) + 2
                before = ""
                continue
        if character == "\\":
            character = _escaped(text, position)
            position += 1
        ranges.append((character, character))
        before = character
    return _SetTest(tuple(ranges), tuple(classes), is_negated), position + 1


class _SetTest(Struct, frozen=True):
    """Tests a character against ``[...]``."""

    ranges: tuple[tuple[str, str], ...]
    classes: tuple[Test, ...]
    is_negated: bool

    def __call__(self, character: str) -> bool:
        is_in = any(first <= character <= last for first, last in self.ranges)
        return (is_in or any(test(character) for test in self.classes)) != self.is_negated
