from __future__ import annotations

import pytest

from tdls.interpreter.output.taken_diagnostics import callers


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("loc(unknown)", []),
        ('loc("a.c":1:2)', []),
        ('loc("callsite(x at y)")', []),
        ('loc(callsite("a.c":1:2 at "b.c":3:4))', ['"b.c":3:4']),
        ('loc(callsite("f"("a.c":1:2) at "g(at )"("b.c":3:4)))', ['"g(at )"("b.c":3:4)']),
        ('loc("n"(callsite("a.c":1:2 at "b.c":3:4)))', ['"b.c":3:4']),
        (
            'loc(callsite("a":1:1 at callsite("b":2:2 at "c":3:3)))',
            ['callsite("b":2:2 at "c":3:3)', '"c":3:3'],
        ),
        ('loc(callsite(callsite("a":1:1 at "b":2:2) at "c":3:3))', ['"c":3:3']),
        ('loc(callsite("a":1:1 at', []),
    ],
)
def test_callers(location: str, expected: list[str]) -> None:
    assert callers(location) == expected


def test_only_so_many_callers() -> None:
    location = '"end":1:1'
    for number in range(20):
        location = f'callsite("f{number}":1:1 at {location})'
    assert len(callers(f"loc({location})")) == 10
