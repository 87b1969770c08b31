"""Findings about handles agree with the interpreter on long schedules (``oracle.handles.schedules`` has more)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oracle.handles.comparison import REJECTED
from oracle.handles.schedules.__main__ import lies_about_running, operations_of
from oracle.handles.schedules.schedules import judged_schedules
from samples import some
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from oracle.handles.comparison import Judged
    from preparation.reporting import Compared

SCRIPTS = some(40)
SEED = 3

DEPTH = 10
"""So many operations a schedule has on average, at least."""
FOUND = 0.95
"""At least this share of the interpreter's errors is a certain finding, or a possible one."""


@pytest.fixture(scope="module")
def results() -> list[Judged]:
    require_bindings()
    return judged_schedules(SEED, SCRIPTS)


@pytest.mark.sample
def test_schedules_are_long_and_end_in_both_ways(results: list[Judged]) -> None:
    assert sum(len(operations_of(each)) for each in results) >= DEPTH * len(results)
    rejected = sum(each.run.ending in REJECTED for each in results)
    assert SCRIPTS / 4 <= rejected <= SCRIPTS * 3 / 4


def test_nothing_certain_is_said_of_schedules_that_run(results: list[Judged], compared: Compared) -> None:
    compared("long schedules, for findings about handles", len(results))
    lies = [(each.script.name, str(each.kind_of_false(use))) for each, use in lies_about_running(results)]
    false = [(each.script.name, str(each.kind_of_false(use))) for each in results for use in each.false()]
    assert not lies + false


def test_most_failures_of_the_interpreter_are_found(results: list[Judged]) -> None:
    flagged = [each for each in results if each.run.ending in REJECTED]
    missed = [(each.script.name, str(each.kind_of_miss())) for each in flagged if each.is_missed]
    assert len(missed) <= (1 - FOUND) * len(flagged), missed
