"""Searches for untrusted regular expressions in time linear in the text.

Python's `re` backtracks, in exponential time at worst. This matcher advances all states of the automaton together, one
character of the text at a time (Thompson, Regular Expression Search Algorithm, 1968). The language is that of POSIX's
extended regular expressions with the classes of Perl: ``( ) | * + ? {m,n} . [...] [:digit:] \\d \\w \\s ^ $``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tdls.limits import PATTERN_SIZE, Budget, OverBudget
from tdls.structs import Struct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Test: TypeAlias = "Callable[[str], bool]"
_CLASSES: dict[str, Test] = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "blank": " \t".__contains__,
    "cntrl": lambda character: character < " " or character == "\x7f",
    "digit": str.isdecimal,
    "graph": lambda character: "!" <= character <= "~",
    "lower": str.islower,
    "print": lambda character: " " <= character <= "~",
    "punct": lambda character: "!" <= character <= "~" and not character.isalnum(),
    "space": str.isspace,
    "upper": str.isupper,
    "xdigit": "0123456789abcdefABCDEF".__contains__,
}
_ESCAPED: dict[str, Test] = {
    "d": str.isdecimal,
    "D": lambda character: not character.isdecimal(),
    "w": lambda character: character.isalnum() or character == "_",
    "W": lambda character: not (character.isalnum() or character == "_"),
    "s": str.isspace,
    "S": lambda character: not character.isspace(),
}
_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}


class PatternError(ValueError):
    """A text is not a regular expression, or exceeds the limit `PATTERN_SIZE`."""


class _PatternStep(Struct):
    """A state: it consumes a character that passes `test`, asserts a `place`, or branches to all of `following`."""

    test: Test | None = None
    place: str = ""
    following: tuple[int, ...] = ()


class GivenPattern:
    """A compiled pattern."""

    def __init__(self, steps: list[_PatternStep], start: int) -> None:
        """Use `of`. The first of `steps` is the accepting state."""
        self._steps = steps
        self._start = start

    @classmethod
    def of(cls, *pieces: tuple[str, bool]) -> GivenPattern:
        """Compile the concatenation of `pieces`: a text, and True if it is a pattern rather than a literal.

        Raises PatternError.
        """
        reader = _PatternReader()
        following = _END
        try:
            for text, is_pattern in reversed(pieces):
                following = reader.read(text, following) if is_pattern else reader.literal(text, following)
        except OverBudget as error:
            raise PatternError(f"larger than {error.limit}") from error
        return cls(reader.steps, following)

    @property
    def size(self) -> int:
        """Maximum number of states to visit for each character of a searched text."""
        return len(self._steps)

    def occurs_in(self, text: str) -> bool:
        """Whether the pattern matches anywhere in `text`."""
        states: set[int] = set()
        for position, character in enumerate(text):
            self._enter((self._start,), states, position, len(text))
            if _END in states:
                return True
            passed = [step for step in map(self._steps.__getitem__, states) if step.test and step.test(character)]
            states = set()
            self._enter((step.following[0] for step in passed), states, position + 1, len(text))
        self._enter((self._start,), states, len(text), len(text))
        return _END in states

    def _enter(self, starts: Iterable[int], states: set[int], position: int, length: int) -> None:
        """Add all states reachable from `starts` without consuming a character."""
        waiting = [start for start in starts if start not in states]
        while waiting:
            number = waiting.pop()
            if number in states:
                continue
            step = self._steps[number]
            if (step.place == "^" and position > 0) or (step.place == "$" and position < length):
                continue
            states.add(number)
            if step.test is None:
                waiting.extend(step.following)


_END = 0


class _PatternReader:
    """Compiles patterns from end to begin, since each step refers to its successors."""

    def __init__(self) -> None:
        self.steps = [_PatternStep()]
        self._budget = Budget(PATTERN_SIZE)

    def literal(self, text: str, following: int) -> int:
        for character in reversed(text):
            following = self._add(_PatternStep(character.__eq__, following=(following,)))
        return following

    def read(self, text: str, following: int) -> int:
        parser = _PatternParser(text)
        tree = parser.choice(0)
        if parser.position < len(text):
            raise PatternError("parentheses not balanced")
        return self._written(tree, following)

    def _add(self, step: _PatternStep) -> int:
        self.steps.append(step)
        return len(self.steps) - 1

    def _written(self, tree: _Tree, following: int) -> int:
        self._budget.spend()
        kind, parts, bounds, test = tree
        if kind == "choice":
            return self._add(_PatternStep(following=tuple(self._written(part, following) for part in parts)))
        if kind == "sequence":
            for part in reversed(parts):
                following = self._written(part, following)
            return following
        if kind == "repeat":
            return self._repeated(parts[0], bounds, following)
        return self._add(_PatternStep(test, kind if kind in "^$" else "", (following,)))

    def _repeated(self, tree: _Tree, bounds: tuple[int, int | None], following: int) -> int:
        least, most = bounds
        if most is None:
            loop = self._add(_PatternStep())
            self.steps[loop].following = (self._written(tree, loop), following)
            following = loop
        else:
            behind = following
            for _ in range(most - least):
                following = self._add(_PatternStep(following=(self._written(tree, following), behind)))
        for _ in range(least):
            following = self._written(tree, following)
        return following


_Tree: TypeAlias = "tuple[str, tuple[_Tree, ...], tuple[int, int | None], Test | None]"
_NO_BOUNDS = (1, 1)
_BOUNDS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class _PatternParser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def choice(self, depth: int) -> _Tree:
        if depth > _DEEPEST:
            raise PatternError("parentheses nested too deeply")
        branches = [self._sequence(depth)]
        while self._take("|"):
            branches.append(self._sequence(depth))
        return branches[0] if len(branches) == 1 else ("choice", tuple(branches), _NO_BOUNDS, None)

    def _sequence(self, depth: int) -> _Tree:
        parts: list[_Tree] = []
        while self.position < len(self.text) and self.text[self.position] not in "|)":
            parts.append(self._repeated(self._atom(depth)))
        return ("sequence", tuple(parts), _NO_BOUNDS, None)

    def _repeated(self, tree: _Tree) -> _Tree:
        repeats = 0
        while (bounds := self._bounds()) is not None:
            repeats += 1
            if repeats > _MOST_REPEATS:
                raise PatternError("repetition-operator operand invalid")
            tree = ("repeat", (tree,), bounds, None)
        return tree

    def _bounds(self) -> tuple[int, int | None] | None:
        sign = self.text[self.position : self.position + 1]
        if sign in _BOUNDS:
            self.position += 1
            return _BOUNDS[sign]
        if sign != "{" or not self.text[self.position + 1 : self.position + 2].isdecimal():
            return None
        spelled, closer, _ = self.text[self.position + 1 :].partition("}")
        first, comma, second = spelled.partition(",")
        least = _count(first)
        most = _count(second) if second else None if comma else least
        if not closer or least is None or (second and most is None) or (most is not None and most < least):
            raise PatternError("invalid repetition count(s)")
        self.position += len(spelled) + 2
        return least, most

    def _atom(self, depth: int) -> _Tree:
        character = self.text[self.position]
        self.position += 1
        if character == "(":
            if self.text.startswith("?:", self.position):
                self.position += 2
            tree = self.choice(depth + 1)
            if not self._take(")"):
                raise PatternError("parentheses not balanced")
            return tree
        if character in "^$":
            return (character, (), _NO_BOUNDS, None)
        if character in _BOUNDS:
            raise PatternError("repetition-operator operand invalid")
        return ("one", (), _NO_BOUNDS, self._test(character))

    def _test(self, character: str) -> Test:
        if character == ".":
            return lambda _: True
        if character == "[":
            return self._set()
        if character != "\\":
            return character.__eq__
        if self.position == len(self.text):
            raise PatternError("trailing backslash (\\)")
        self.position += 1
        escaped = self.text[self.position - 1]
        if escaped.isdecimal():
            raise PatternError("references to groups are not supported")
        return _ESCAPED.get(escaped) or _CONTROL.get(escaped, escaped).__eq__

    def _set(self) -> Test:
        negated = self._take("^")
        tests: list[Test] = []
        is_first = True
        while is_first or not self.text.startswith("]", self.position):
            if self.position >= len(self.text):
                raise PatternError("brackets ([ ]) not balanced")
            is_first = False
            tests.append(self._member())
        self.position += 1
        return lambda character: any(test(character) for test in tests) != negated

    def _member(self) -> Test:
        if self.text.startswith("[:", self.position):
            name, closer, _ = self.text[self.position + 2 : self.position + 12].partition(":]")
            if not closer or name not in _CLASSES:
                raise PatternError("invalid character class")
            self.position += len(name) + 4
            return _CLASSES[name]
        first = self._character()
        if not isinstance(first, str):
            return first
        ends_here = self.text[self.position + 1 : self.position + 2] in ("]", "")
        if not self.text.startswith("-", self.position) or ends_here:
            return first.__eq__
        self.position += 1
        last = self._character()
        if not isinstance(last, str) or last < first:
            raise PatternError("invalid character range")
        return lambda character: first <= character <= last

    def _character(self) -> str | Test:
        character = self.text[self.position]
        self.position += 1
        if character != "\\" or self.position >= len(self.text):
            return character
        self.position += 1
        escaped = self.text[self.position - 1]
        return _ESCAPED.get(escaped) or _CONTROL.get(escaped, escaped)

    def _take(self, character: str) -> bool:
        is_there = self.text.startswith(character, self.position)
        self.position += is_there
        return is_there


_DEEPEST = 30
_MOST_REPEATS = 4


def _count(spelled: str) -> int | None:
    return int(spelled) if spelled.isdecimal() and len(spelled) < 4 else None
