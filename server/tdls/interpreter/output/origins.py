"""Determines the origins of a printed module's lines from a second print with locations.

MLIR's printer gives each operation a line of its own; an operation with regions, or on several lines for other reasons,
begins and ends at lines of the same indentation and has its location behind the end. With locations the lines are the
same, except for aliases, which have lines of their own.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from tdls.interpreter.runs.locations import Located, first_place
from tdls.text.scanning import integer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SIGILS = frozenset("#!")
_ALIAS = re.compile(r"^[#!][\w$.-]+ = ")
_DEFINED = re.compile(r"^(#loc\w*) = loc\(([^\r\n]*)\)$", re.MULTILINE)
_PLAIN = re.compile(r'"([^"\\]*)":(\d+):(\d+)')
_REFERENCE = re.compile(r'#loc\w*|"[^"\\]*(?:\\.[^"\\]*)*(?:"(?::\d+:\d+)?)?')
"""A location with a name, or a string, which is a file position if two numbers follow."""
_BEHIND = " loc("
CLOSERS = ("}", "]", ")", ">")
_NO_OPERATION = ("^", "//")


def origins(plain: str, located: str) -> list[Located | None]:
    """Return the position of the operation that each line of `plain` begins or ends; `located` has the same lines.

    Lines without a position have None. Empty if the lines of the two texts do not correspond.
    """
    places = LocationTable(located)
    return [places[location] if location is not None else None for location in locations_of_lines(plain, located)]


def locations_of_lines(plain: str, located: str) -> list[str | None]:
    """Return the location, as printed, of the operation that each line of `plain` begins or ends; see `origins`."""
    lines = paired_lines(plain, located)
    locations = iter(_locations([line for line in lines if line is not None]))
    return [next(locations) if line is not None else None for line in lines]


def paired_lines(plain: str, located: str) -> list[str | None]:
    """Return the line of `located` for each line of `plain`, None for aliases; empty if they do not correspond."""
    lines = [line if line[:1] not in _SIGILS or not _is_alias(line) else None for line in plain.splitlines()]
    others = [line for line in located.splitlines() if line[:1] not in _SIGILS or not _is_alias(line)]
    if sum(line is not None for line in lines) != len(others):
        return []
    remaining = iter(others)
    return [next(remaining) if line is not None else None for line in lines]


def location_behind(line: str) -> str | None:
    """Return the location at the end of a printed `line`, None without one."""
    start = line.rfind(_BEHIND) if line.endswith(")") else -1
    return line[start + len(_BEHIND) : -1] if start >= 0 else None


def _is_alias(line: str) -> bool:
    return _ALIAS.match(line) is not None


class LocationTable(dict[str, "Located | None"]):
    """The first file position of each location as printed, resolved on demand."""

    def __init__(self, located: str) -> None:
        super().__init__()
        self._located = located

    @cached_property
    def _definitions(self) -> dict[str, str]:
        return dict(_DEFINED.findall(self._located))

    def __missing__(self, location: str) -> Located | None:
        plain = _PLAIN.fullmatch(location)
        if plain is not None:
            located = self[location] = Located(plain[1], integer(plain[2]) or 0, integer(plain[3]) or 0)
            return located
        self[location] = None
        opened = [(location, self._references(location))]
        while opened:
            reference = next(opened[-1][1], None)
            if reference is None:
                opened.pop()
            elif reference.startswith("#") and reference not in self:
                self[reference] = None
                opened.append((reference, self._references(reference)))
            elif (place := self.get(reference) or first_place(reference)) is not None:
                self.update((name, place) for name, _ in opened)
                break
        return self[location]

    def _references(self, location: str) -> Iterator[str]:
        definition = self._definitions.get(location, "") if location.startswith("#") else location
        return (reference[0] for reference in _REFERENCE.finditer(definition))


def _locations(lines: Sequence[str]) -> list[str | None]:
    """Return the location, as printed, of the operation that each line begins, continues, or ends."""
    locations: list[str | None] = [None] * len(lines)
    unfinished: list[tuple[int, list[int]]] = []
    for row, line in enumerate(lines):
        content = line.lstrip(" ")
        indent = len(line) - len(content)
        location = location_behind(line)
        if content.startswith(CLOSERS):
            _go_on(unfinished, indent, row)
            if location is not None and unfinished:
                for member in unfinished.pop()[1]:
                    locations[member] = location
        elif content.startswith("(") and unfinished:  # the body of an operation like linalg.reduce
            unfinished.append((indent, [*unfinished.pop()[1], row]))
        elif location is not None:
            locations[row] = location
        elif content and not content.startswith(_NO_OPERATION):
            unfinished.append((indent, [row]))
    return locations


def _go_on(unfinished: list[tuple[int, list[int]]], indent: int, row: int) -> None:
    """Add `row` to the operation that began at `indent`; unfinished operations inside it are dropped."""
    while unfinished and unfinished[-1][0] > indent:
        unfinished.pop()
    if unfinished and unfinished[-1][0] == indent:
        unfinished[-1][1].append(row)
    else:
        unfinished.append((indent, [row]))
