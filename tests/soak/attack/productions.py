"""Constructs that a grammar nests or repeats: for each of its rules, the texts before and behind one more of it.

``array: "[" attribute "]"`` gives an attribute in an attribute, with ``[`` before and ``]`` behind; a list gives
``, 1`` before. So a text of any depth and length can be made for each rule, and be cut off.
"""

from __future__ import annotations

import heapq
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lark import Lark
    from lark.grammar import Rule, Symbol

Words = tuple[str, ...]
_WORD = re.compile(r"[\w$.]")


class Production(NamedTuple):
    """A rule of a grammar within itself: `before` and `behind` go around `inside` any number of times."""

    rule: str
    head: Words
    before: Words
    inside: Words
    behind: Words
    tail: Words


def productions(grammar: Lark, start: str, samples: Mapping[str, str]) -> Iterator[Production]:
    """Yield, for each rule that is reachable from `start`, the ways in which it contains itself.

    `samples` has a text for each terminal that is a pattern. Raises KeyError if one is missing.
    """
    words = _Derivations(grammar, samples)
    contexts = words.contexts(start)
    found: set[tuple[Words, Words]] = set()
    for name in sorted(contexts):
        for before, behind in words.loops(name):
            if (before or behind) and (before, behind) not in found:
                found.add((before, behind))
                head, tail = contexts[name]
                yield Production(name, head, before, words.shortest[name], behind, tail)


def joined(words: Iterable[str]) -> str:
    """Return a text of `words`, apart where they would be one word else."""
    pieces: list[str] = []
    for word in filter(None, words):
        if pieces and _WORD.match(pieces[-1][-1:]) and (_WORD.match(word) or word[:1] in "!#%^"):
            pieces.append(" ")
        pieces.append(word)
    return "".join(pieces)


class _Derivations:
    def __init__(self, grammar: Lark, samples: Mapping[str, str]) -> None:
        self._rules: dict[str, list[Rule]] = {}
        for rule in grammar.rules:
            self._rules.setdefault(str(rule.origin.name), []).append(rule)
        plain = (terminal for terminal in grammar.terminals if terminal.pattern.type == "str")
        self._texts = {terminal.name: terminal.pattern.value for terminal in plain} | dict(samples)
        self.shortest: dict[str, Words] = {}
        """The shortest text of each rule."""
        self._find_shortest()

    def _find_shortest(self) -> None:
        is_changed = True
        while is_changed:
            is_changed = False
            for name, rules in self._rules.items():
                known = [words for rule in rules if (words := self._words(rule.expansion)) is not None]
                best = min(known, key=len, default=None)
                if best is not None and len(best) < len(self.shortest.get(name, (*best, ""))):
                    self.shortest[name] = best
                    is_changed = True

    def _words(self, symbols: Sequence[Symbol]) -> Words | None:
        """Return the shortest words of `symbols`; None where these are not known yet."""
        words: list[str] = []
        for symbol in symbols:
            name = str(symbol.name)
            part = (self._texts[name],) if symbol.is_term else self.shortest.get(name)
            if part is None:
                return None
            words += part
        return tuple(words)

    def _steps(self, name: str) -> Iterator[tuple[str, Words, Words]]:
        """Yield each rule that stands in `name` directly, with the words before and behind it."""
        for rule in self._rules[name]:
            for position, symbol in enumerate(rule.expansion):
                before, behind = self._words(rule.expansion[:position]), self._words(rule.expansion[position + 1 :])
                if not symbol.is_term and before is not None and behind is not None:
                    yield str(symbol.name), before, behind

    def contexts(self, start: str) -> dict[str, tuple[Words, Words]]:
        """Return the fewest words around each rule that is reachable from `start`."""
        return self._around(start, ())

    def loops(self, name: str) -> Iterator[tuple[Words, Words]]:
        """Yield the words around `name` in itself, the fewest for each way to begin."""
        for inner, before, behind in self._steps(name):
            if inner == name:
                yield before, behind
                continue
            found = self._around(inner, (name,)).get(name)
            if found is not None:
                yield (*before, *found[0]), (*found[1], *behind)

    def _around(self, start: str, stops: Words) -> dict[str, tuple[Words, Words]]:
        done: dict[str, tuple[Words, Words]] = {}
        pending: list[tuple[int, str, Words, Words]] = [(0, start, (), ())]
        while pending:
            _, name, head, tail = heapq.heappop(pending)
            if name in done:
                continue
            done[name] = (head, tail)
            if name in stops:
                continue
            for inner, before, behind in self._steps(name):
                around = (*head, *before), (*behind, *tail)
                heapq.heappush(pending, (sum(map(len, around)), inner, *around))
        return done
