"""Gives the values of a printed module the names that they have in the texts that MLIR read.

MLIR forgets names, but keeps locations: an operation's is the place of its name in the text, a block argument's that of
its own. So a second print with locations tells which values of the first one were written by the user. A value that a
transformation derives has the location of its origin; it gets a name only if its operation is the same, and otherwise
keeps that of MLIR.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from tdls.interpreter.output.origins import CLOSERS, LocationTable, locations_of_lines, paired_lines
from tdls.structs import NamedTuple, Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tdls.interpreter.runs.source_map import SourceMap

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|(%[\w$.-]+)(#\d+)?')
"""A string, or a value with the number of the result in its group."""
_VALUE = re.compile(r"%[\w$.-]+")
_GROUP = re.compile(r"(%[\w$.-]+)(?::(\d{1,4}))?")
_NUMBERED = re.compile(r"(%|%arg)\d+")
"""A name that MLIR makes up."""
_OPERATION = re.compile(r'"?([\w$.]+)"?')
_MOST_PRINTED = 1_000_000
"""Maximum length of a module with locations, in code points."""


class _Scope(Struct, eq=False):
    """The values of a region: their names by those that are printed, and `taken` names."""

    parent: _Scope | None
    indentation: int
    names: dict[str, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    below: set[str] = field(default_factory=set)
    """The user's names in the region, at any depth."""
    counts: Counter[str] = field(default_factory=Counter)
    """How often a name was taken already, by the name without its number."""

    def visible(self) -> Iterator[_Scope]:
        scope: _Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent


class _Definition(NamedTuple):
    """Names that are defined together, with the number of results of each: as printed, and to be."""

    scope: _Scope
    printed: list[tuple[str, int]]
    names: list[tuple[str, int]]
    is_own: bool
    """True if the names are those of MLIR."""


def with_value_names(plain: str, located: str, source_map: SourceMap) -> str:
    """Return the printed module `plain` with the user's names; `located` is the same module with locations."""
    locations = locations_of_lines(plain, located) if 0 < len(located) <= _MOST_PRINTED else []
    if not locations:
        return plain
    naming = _Naming(located, source_map)
    lines = [*map(naming.read, plain.splitlines(), paired_lines(plain, located), locations)]
    return plain if naming.is_unsure else naming.text(lines)


class _Naming:
    def __init__(self, located: str, source_map: SourceMap) -> None:
        self.is_unsure = False
        """True if a result may have been taken for an argument."""
        self._places = LocationTable(located)
        self._source_map = source_map
        self._scope = _Scope(None, -1)
        self._definitions: list[_Definition] = []
        self._guessed: set[str] = set()
        """Arguments without a location: names in a head that are not defined before."""

    def read(self, line: str, pair: str | None, location: str | None) -> tuple[str, _Definition | None, str, _Scope]:
        """Note the definitions in a line, and return its parts; `pair` is that line with locations."""
        content = line.lstrip(" ")
        indentation = len(line) - len(content)
        is_label = content.startswith("^")
        while self._scope.parent is not None and self._scope.indentation >= indentation + is_label:
            self._scope = self._scope.parent
        source = self._source(location if not content.startswith((*CLOSERS, "^", "(")) else None)
        results, rest = None, line
        head, equal, behind = content.partition(" = ")
        groups = _groups(head.split(", "))
        if equal and len(groups) == head.count(", ") + 1:
            self.is_unsure |= not self._guessed.isdisjoint(name for name, _ in groups)
            written = _groups(_results_before(source[0])) if _is_same(_name(behind), _name(source[1])) else []
            is_same_number = sum(size for _, size in groups) == sum(size for _, size in written)
            results, rest = self._define(groups, written if is_same_number else []), behind
        if content.endswith("{") or is_label:
            if not is_label:
                self._scope = _Scope(self._scope, indentation)
            self._arguments(rest, pair or "", source)
        return line[:indentation], results, rest, self._scope

    def text(self, lines: Iterable[tuple[str, _Definition | None, str, _Scope]]) -> str:
        """Return the text of all lines, after their names were chosen: the user's come first."""
        others: list[_Definition] = []
        for each in self._definitions:
            visible = list(each.scope.visible())
            names = {name for name, _ in each.names}
            if each.is_own or not all(names.isdisjoint(scope.taken) for scope in visible):
                others.append(each)
                continue
            each.scope.taken |= names
            for scope in visible:
                scope.below |= names
        for each in others:
            visible = list(each.scope.visible())
            around = [each.scope.below, *(scope.taken for scope in visible)]
            for index, (name, size) in enumerate(each.names):
                numbered = _NUMBERED.fullmatch(name)
                base = numbered[1] if numbered is not None else f"{name}_"
                free, number = name, max(scope.counts[base] for scope in visible)
                while any(free in taken for taken in around):
                    free, number = f"{base}{number}", number + 1
                each.scope.counts[base] = number
                each.scope.taken.add(free)
                each.names[index] = free, size
        for each in self._definitions:
            each.scope.names.update(zip(_uses(each.printed), _uses(each.names), strict=True))
        return "".join(f"{_text(*line)}\n" for line in lines)

    def _source(self, location: str | None) -> tuple[str, str]:
        """Return the user's text before and behind a location, "" if that is not in a text that MLIR read."""
        place = self._places[location] if location is not None else None
        return self._source_map.text_around(place) if place is not None else ("", "")

    def _arguments(self, head: str, pair: str, source: tuple[str, str]) -> None:
        """Name the arguments that `head` defines: those with a location, else by the head in the user's text."""
        places = _argument_locations(pair)
        written: list[str] = []
        if _is_same(_name(head), _name(source[1])) and not source[1].startswith('"'):
            written = _values(source[1].partition("{\n")[0])
        values = _values(head)
        for index, value in enumerate(values):
            is_located = value in places
            is_result = not is_located and value[1:].isdigit()  # one that is defined further below
            if is_result or any(value in scope.names or f"{value}#0" in scope.names for scope in self._scope.visible()):
                continue
            if is_located:
                match = _VALUE.match(self._source(places[value])[1])
                names = [match[0]] if match is not None else []
            else:
                self._guessed.add(value)
                names = written[index : index + 1] if index == 0 or len(written) == len(values) else []
            self._define([(value, 1)], [(name, 1) for name in names])

    def _define(self, printed: list[tuple[str, int]], written: list[tuple[str, int]]) -> _Definition:
        """Note a definition with the user's names, if they are known, else with those of MLIR."""
        bases = [(name, name.rpartition("_"), size) for name, size in printed]  # without MLIR's unique number
        names = written or [(base if base and end.isdigit() else name, size) for name, (base, _, end), size in bases]
        definition = _Definition(self._scope, printed, names, is_own=not written)
        self._definitions.append(definition)
        self._scope.names.update(dict.fromkeys(_uses(printed), ""))
        return definition


def _text(indentation: str, results: _Definition | None, rest: str, scope: _Scope) -> str:
    def name(match: re.Match[str]) -> str:
        return next((each.names[match[0]] for each in scope.visible() if match[0] in each.names), match[0])

    rest = _TOKEN.sub(name, rest)
    if results is None:
        return rest
    return f"{indentation}{', '.join(f'{name}:{size}' if size > 1 else name for name, size in results.names)} = {rest}"


def _is_same(printed: str, written: str) -> bool:
    """Whether an operation is the one that the user wrote, or its general or special form in linalg."""
    one, other = printed.rpartition("."), written.rpartition(".")
    is_general = "linalg.generic" in (printed, written) and one[0] == other[0] == "linalg"
    return one[2] == other[2] or is_general


def _name(text: str) -> str:
    match = _OPERATION.match(text.lstrip())
    return match[1] if match is not None else ""


def _groups(pieces: Iterable[str]) -> list[tuple[str, int]]:
    matches = map(_GROUP.fullmatch, pieces)
    return [(match[1], int(match[2] or 1)) for match in matches if match is not None]


def _uses(groups: Iterable[tuple[str, int]]) -> list[str]:
    """Return how uses spell each result of groups."""
    return [f"{name}#{number}" if size > 1 else name for name, size in groups for number in range(size)]


def _results_before(text: str) -> list[str]:
    """Return the results that the end of a text before an operation's name defines."""
    head, equal, rest = text.rpartition("=")
    pieces: list[str] = []
    for piece in reversed(head.split(",") if equal and not rest.strip() else []):
        words = piece.split()
        pieces.insert(0, words[-1] if words else "")
        if len(words) != 1:
            break
    return pieces


def _values(text: str) -> list[str]:
    return [match[1] for match in _TOKEN.finditer(text) if match[1] is not None]


def _argument_locations(line: str) -> dict[str, str]:
    """Return the locations of the arguments in a line, by the printed names."""
    locations: dict[str, str] = {}
    for piece in line.split("%")[1:]:
        before, loc, behind = piece.rpartition(" loc(")
        if loc and ": " in before:
            match = _VALUE.match(f"%{piece}")
            locations[match[0] if match is not None else ""] = behind.partition(")")[0]
    return locations
