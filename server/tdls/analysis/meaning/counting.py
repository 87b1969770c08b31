"""Counts the combinations of choices that meet conditions, without going through all of them where possible."""

from __future__ import annotations

from collections import Counter
from itertools import chain, compress, islice, repeat
from math import prod
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from tdls.semantic.terms import Terms

_MOST_STEPS: Final = 50_000_000
_MOST_STATES: Final = 500_000
_AT_ONCE: Final = 1_000


def count_combinations(terms: Terms, choices: Collection[int], conditions: Collection[int]) -> int:
    """Return how many combinations of values of `choices` meet all conditions.

    Choices are made one after the other, and a condition is checked as soon as it has a value. Combinations of the
    choices so far are counted together if they leave the same values of the terms that are still needed: independent
    choices cost a sum, not a product. Raises ArithmeticError if that takes too long, or if a term has no value for some
    combination, such as a division by zero.
    """
    needed, sources = set(conditions), list[frozenset[int]]()
    for number in range(len(terms) - 1, -1, -1):
        needed.update(terms[number].inputs if number in needed else ())
    for number, term in enumerate(terms):
        own = frozenset([number] if number in needed and len(term.domain) > 1 else ())
        sources.append(own.union(*(sources[each] for each in term.inputs)))
    order = _in_order(sources[each] for each in conditions)
    level = [max(map(order.index, each), default=-1) for each in sources]
    last_use = list(level)
    for number in needed:
        for each in terms[number].inputs:
            last_use[each] = max(last_use[each], level[number])
    states = Counter({(): int(all(terms[each].domain != (False,) for each in conditions))})
    spent, live = 0, list[int]()
    for at, choice in enumerate(order):
        steps = [each for each in sorted(needed) if level[each] == at]
        options, ones = {choice: list(terms[choice].domain)}, [1] * len(terms[choice].domain)
        _fill(terms, [each for each in steps if len(sources[each]) == 1], options, ones, conditions)
        steps = [each for each in steps if len(sources[each]) > 1]
        known, live = live, [each for each in needed if 0 <= level[each] <= at < last_use[each]]
        spent += len(states) * len(ones) * (len(steps) + 1)
        if spent > _MOST_STEPS or (live and len(states) * len(ones) > _MOST_STATES):
            raise OverflowError
        rows, states = iter(states.items()), Counter()
        while some := list(islice(rows, _AT_ONCE)):
            columns = {number: column * len(some) for number, column in options.items()}
            for index, number in enumerate(known):
                columns[number] = list(chain.from_iterable(repeat(state[index], len(ones)) for state, _ in some))
            counts = list(chain.from_iterable(repeat(count, len(ones)) for _, count in some))
            _fill(terms, steps, columns, counts, conditions)
            keys = zip(*(columns[each] for each in live), strict=True) if live else repeat(())
            for key, count in zip(keys, counts, strict=False):
                states[key] += count
    return states[()] * prod(len(terms[each].domain) for each in choices if each not in order)


def _fill(
    terms: Terms, steps: list[int], columns: dict[int, list[int]], counts: list[int], conditions: Collection[int]
) -> None:
    """Add the columns of terms to a table of combinations; only rows that meet the conditions among them stay."""
    for number in steps:
        function = terms[number].function
        if function is not None:
            inputs = (columns.get(each) or list(terms[each].domain) * len(counts) for each in terms[number].inputs)
            columns[number] = list(map(function, *inputs))
        if number in conditions and not all(columns[number]):
            kept = tuple(columns[number])
            for column in (counts, *columns.values()):
                column[:] = compress(column, kept)


def _in_order(sources: Iterable[frozenset[int]]) -> list[int]:
    """Return choices in an order in which conditions have a value early, those with a choice in common together."""
    order: list[int] = []
    left = list(dict.fromkeys(sources))
    while left:
        closest = min(left, key=lambda each: (each.isdisjoint(order), len(each.difference(order))))
        left.remove(closest)
        order += sorted(closest.difference(order))
    return order
