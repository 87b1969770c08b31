"""Limits are documented as they are, and budgets end work that needs more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdls.limits import LIMITS, Budget, Limit, OverBudget

PAGE = Path(__file__).parents[1] / "docs" / "limits.md"


def test_the_documentation_has_the_limits_as_they_are() -> None:
    rows = [f"| {limit.subject} | {limit.most:,} {limit.unit} | {limit.beyond} |\n" for limit in LIMITS]
    table = "".join(["| input | most | beyond that |\n| --- | --- | --- |\n", *rows])
    assert table in PAGE.read_text(encoding="utf-8")


def test_limits_have_names_of_their_own() -> None:
    assert len({limit.name for limit in LIMITS}) == len(LIMITS)


def test_a_budget_ends_with_its_limit() -> None:
    budget = Budget(Limit("steps", 3, "steps", "a test", "it ends"))
    budget.spend()
    budget.spend(2)
    assert budget.left >= 0
    with pytest.raises(OverBudget, match=r"steps \(3 steps\)") as raised:
        budget.spend()
    assert raised.value.limit is budget.limit
    assert budget.left < 0
