"""Counts of combinations agree with enumeration."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tdls.analysis.meaning.counting import count_combinations
from tdls.semantic.terms import Terms

BINARY = ("smt.int.add", "smt.int.sub", "smt.int.mul", "smt.int.mod")
TRUTHS = ("lt", "le", "smt.eq", "smt.distinct")


@pytest.mark.parametrize("seed", range(80))
def test_counts_agree_with_enumeration(seed: int) -> None:
    random, terms = Random(seed), Terms()
    choices = [terms.add(random.sample(range(1, 9), random.randint(2, 4))) for _ in range(random.randint(1, 5))]
    numbers: list[int | None] = [*choices, terms.add([2]), terms.add([5])]
    for _ in range(8):
        numbers.append(terms.apply(random.choice(BINARY), *random.choices(numbers, k=2)))
    truths = [terms.apply(random.choice(TRUTHS), *random.choices(numbers, k=2)) for _ in range(6)]
    truths.append(terms.apply("smt.or", *random.choices(truths, k=2)))
    conditions = {each for each in truths[random.randint(0, 4) :] if each is not None}
    count = 0
    try:
        for values in product(*(terms[each].domain for each in choices)):
            known = dict(zip(choices, values, strict=True))
            for number, term in enumerate(terms):
                inputs = [known[each] for each in term.inputs]
                known.setdefault(number, term.function(*inputs) if term.function else term.domain[0])
            count += all(known[each] for each in conditions)
    except ZeroDivisionError:
        pytest.skip("a term has no value")
    assert count_combinations(terms, choices, conditions) == count
