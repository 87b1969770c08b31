"""Compares two states of the payload's text line by line, regardless of the names of values and aliases.

MLIR numbers values and aliases anew whenever it prints, so that one new operation changes many lines without changing
their meaning. Two lines are equal here if they differ in names only, and the names of one line correspond to those of
the other throughout.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from difflib import SequenceMatcher
from itertools import groupby
from typing import TYPE_CHECKING

from tdls.structs import NamedTuple, Struct
from tdls.system import cached_property
from tdls.text.difference import ChangedRange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_NAME = re.compile(r"%[\w$.-]+|\^bb\d+")
_ALIAS = re.compile(r"[#!][A-Za-z_][\w$]*(?:\.[\w$]+)*")
_ALIAS_DEFINITION = re.compile(r"^([#!][\w$.-]+) = (.*)$")
_SCOPE = re.compile(r"^\s*(?:\"[^\"]*\"\(|[\w$.]+ (?:[a-z]+ )?@[^(]*\()[^\r\n]*$")
"""The first line of an operation like a function, in which a new scope of value names begins."""
_FUNCTION = re.compile(r"^\s*[\w$.]+ (?:[a-z]+ )?@[^(]*\(")
"""The first line of a function in its own form: names before and after it have nothing in common."""
_SYMBOL = re.compile(r"@(?:[\w$.-]+|\"[^\"]*\")")
_OPERATION = re.compile(r"\s*(?:%[^=]*= )?\"?([\w$.]+)")
_PRODUCT = 250_000
"""Maximum number of pairs of lines to compare between two anchors; a larger gap counts as changed."""
CONTEXT = 3


class TextChanges(Struct, frozen=True, has_dict=True):
    """The change from the lines `before` to the lines `after`: `same` are pairs of numbers (0-based) of equal lines."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    same: tuple[tuple[int, int], ...]

    @cached_property
    def removed(self) -> tuple[int, ...]:
        """The numbers of the removed lines of `before`."""
        kept = {old for old, _ in self.same}
        return tuple(number for number in range(len(self.before)) if number not in kept)

    @cached_property
    def added(self) -> tuple[int, ...]:
        """The numbers of the new lines of `after`."""
        kept = {new for _, new in self.same}
        return tuple(number for number in range(len(self.after)) if number not in kept)

    @cached_property
    def replaced(self) -> dict[int, int]:
        """Removed lines, by the new lines that begin the same operation at the same place."""
        replaced: dict[int, int] = {}
        for old_numbers, new_numbers in self._gaps():
            left = list(old_numbers)
            for new in new_numbers:
                name = _operation(self.after[new])
                old = next((number for number in left if name and _operation(self.before[number]) == name), None)
                if old is not None:
                    replaced[new] = old
                    del left[: left.index(old) + 1]
        return replaced

    def hunks(self, context: int = CONTEXT) -> list[list[tuple[str, int, int]]]:
        """Return the changes with context lines: the kind (space, minus, plus), and the numbers in both texts or -1."""
        rows = list(self._rows())
        shown = [False] * len(rows)
        for index, (kind, _, _) in enumerate(rows):
            if kind != " ":
                for near in range(max(0, index - context), min(len(rows), index + context + 1)):
                    shown[near] = True
        hunks: list[list[tuple[str, int, int]]] = []
        for index, row in enumerate(rows):
            if shown[index]:
                if index == 0 or not shown[index - 1]:
                    hunks.append([])
                hunks[-1].append(row)
        return hunks

    def by_function(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the lines of each hunk, which begin with a blank, `-` or `+`, and the function that they are in."""
        texts = (self.before, self.after)
        starts = [[at for at, line in enumerate(text) if _FUNCTION.match(line)] for text in texts]

        def function(row: tuple[str, int, int]) -> str:
            side, line = (0, row[1]) if row[2] < 0 else (1, row[2])
            index = bisect_right(starts[side], line)
            name = _SYMBOL.search(texts[side][starts[side][index - 1]]) if index else None
            return name[0] if name is not None else ""

        for hunk in self.hunks():
            for name, rows in groupby(hunk, function):
                lines = list(self.lines(rows))
                if any(line[0] != " " for line in lines):
                    yield name, lines

    def lines(self, hunk: Iterable[tuple[str, int, int]]) -> Iterator[str]:
        """Yield the lines of a hunk of `hunks`."""
        return (f"{kind}{self.after[new] if old < 0 else self.before[old]}" for kind, old, new in hunk)

    def _rows(self) -> Iterator[tuple[str, int, int]]:
        pairs = iter([*self.same, (len(self.before), len(self.after))])
        for (old_numbers, new_numbers), (old, new) in zip(self._gaps(), pairs, strict=True):
            yield from (("-", number, -1) for number in old_numbers)
            yield from (("+", -1, number) for number in new_numbers)
            if old < len(self.before):
                yield " ", old, new

    def _gaps(self) -> Iterator[tuple[range, range]]:
        """Yield the unequal lines before each pair of equal lines, and those at the end."""
        old = new = 0
        for next_old, next_new in [*self.same, (len(self.before), len(self.after))]:
            yield range(old, next_old), range(new, next_new)
            old, new = next_old + 1, next_new + 1


class LineOrigin(NamedTuple):
    """The passings at which a line was added, and last changed, or None for both if it was there at the beginning."""

    made: int | None
    changed: int | None


_FROM_THE_BEGINNING = LineOrigin(None, None)


def changes(before: str, after: str) -> TextChanges:
    """Return the change from the payload `before` to the payload `after`."""
    old, new = tuple(before.splitlines()), tuple(after.splitlines())
    if before == after:
        return TextChanges(old, new, tuple((number, number) for number in range(len(old))))
    begin, end = _untouched(old, new)
    inner_old, inner_new = old[begin : len(old) - end], new[begin : len(new) - end]
    alike = _alike(_keys(inner_old, old), _keys(inner_new, new))
    same = [(number, number) for number in range(begin)]
    same += ((begin + a, begin + b) for a, b in _with_same_names(inner_old, inner_new, alike))
    same += ((len(old) - number, len(new) - number) for number in range(end, 0, -1))
    return TextChanges(old, new, tuple(same))


def following_origins(states: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[LineOrigin]]]:
    """Yield, for each of `states` (pairs of passing and payload, in order), its passing and the origin of each line."""
    origins: list[LineOrigin] = []
    before: str | None = None
    for passing, text in states:
        if before is None:
            origins = [_FROM_THE_BEGINNING] * len(text.splitlines())
        elif text != before:
            origins = _origins_after(origins, before, text, passing)
        before = text
        yield passing, origins


def _origins_after(known: list[LineOrigin], before: str, after: str, passing: int) -> list[LineOrigin]:
    differences = changes(before, after)
    origins = [LineOrigin(passing, passing)] * len(differences.after)
    for old, new in differences.same:
        origins[new] = known[old]
    for new, old in differences.replaced.items():
        origins[new] = LineOrigin(known[old].made, passing)
    return origins


def _untouched(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Return the numbers of equal lines at the beginning and end, in whole functions, to skip in the comparison."""
    if _definitions(old) != _definitions(new):
        return 0, 0
    begin, end_old, _ = ChangedRange.between(old, new)
    begin = next((number for number in range(begin, -1, -1) if number < len(old) and _SCOPE.match(old[number])), 0)
    begins = (number for number in range(end_old, len(old)) if _SCOPE.match(old[number]))
    return begin, len(old) - next(begins, len(old))


def _definitions(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line[:1] in ("#", "!")]


def _keys(lines: Sequence[str], text: Sequence[str]) -> list[str]:
    """Return the comparison key of each line: names are removed, aliases of `text` are expanded."""
    aliases = {found[1]: found[2] for line in text if line[:1] in "#!" and (found := _ALIAS_DEFINITION.match(line))}

    def key(line: str) -> str:
        plain = _NAME.sub("%", line) if "%" in line or "^" in line else line
        if not aliases or ("#" not in plain and "!" not in plain):
            return plain
        if line[:1] in "#!" and (match := _ALIAS_DEFINITION.match(line)):
            return match[2]
        return _ALIAS.sub(lambda name: aliases.get(name[0], name[0]), plain)

    return list(map(key, lines))


def _alike(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return pairs of lines with equal keys, in order."""
    begin, end_old, end_new = ChangedRange.between(old, new)
    pairs = [(number, number) for number in range(begin)]
    anchors = [(a + begin, b + begin) for a, b in _anchors(old[begin:end_old], new[begin:end_new])]
    last_old, last_new = begin, begin
    for next_old, next_new in [*anchors, (end_old, end_new)]:
        pairs += _in_gap(old, new, range(last_old, next_old), range(last_new, next_new))
        if next_old < end_old:
            pairs.append((next_old, next_new))
        last_old, last_new = next_old + 1, next_new + 1
    pairs += zip(range(end_old, len(old)), range(end_new, len(new)), strict=True)
    return pairs


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the longest chain of pairs of lines that occur only once in each text."""
    once_old, once_new = _only_once(old), _only_once(new)
    pairs = [(number, once_new[key]) for key, number in once_old.items() if key in once_new]
    tails: list[int] = []
    chain: list[int] = []
    links: list[int] = []
    for index, (_, number) in enumerate(pairs):
        place = bisect_left(tails, number)
        links.append(chain[place - 1] if place else -1)
        if place == len(tails):
            tails.append(number)
            chain.append(index)
        else:
            tails[place], chain[place] = number, index
    anchors: list[tuple[int, int]] = []
    index = chain[-1] if chain else -1
    while index >= 0:
        anchors.append(pairs[index])
        index = links[index]
    return anchors[::-1]


def _only_once(keys: Sequence[str]) -> dict[str, int]:
    counts = Counter(keys)
    return {key: number for number, key in enumerate(keys) if counts[key] == 1}


def _in_gap(old: Sequence[str], new: Sequence[str], olds: range, news: range) -> Iterator[tuple[int, int]]:
    if not olds or not news or len(olds) * len(news) > _PRODUCT:
        return
    matcher = SequenceMatcher(None, old[olds.start : olds.stop], new[news.start : news.stop], autojunk=False)
    for start_old, start_new, size in matcher.get_matching_blocks():
        for offset in range(size):
            yield olds.start + start_old + offset, news.start + start_new + offset


def _with_same_names(
    old: Sequence[str], new: Sequence[str], alike: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of `alike` in which each name of one line corresponds to one name of the other."""
    renamed: dict[str, str] = {}
    named: dict[str, str] = {}
    for old_number, new_number in alike:
        before, after = old[old_number], new[new_number]
        if _SCOPE.match(after):
            renamed, named = {}, {}
        pairs = list(zip(_NAME.findall(before), _NAME.findall(after), strict=False))
        if all(renamed.get(a, b) == b and named.get(b, a) == a for a, b in pairs):
            yield old_number, new_number
        for a, b in pairs:
            if a not in renamed and b not in named:
                renamed[a], named[b] = b, a


def _operation(line: str) -> str:
    """Return the indentation and name of the operation that a line begins, "" without one."""
    match = _OPERATION.match(line)
    return "" if match is None else line[: len(line) - len(line.lstrip())] + match[1]
