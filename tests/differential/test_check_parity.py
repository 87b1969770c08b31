"""`use-after-free` has the findings of `transform-dialect-check-uses`, and no others."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from oracle.check_parity import Parity, parity
from oracle.check_scripts import CATEGORIES
from samples import some
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from preparation.reporting import Compared

SCRIPTS = some(300)


@pytest.fixture(scope="module")
def results() -> list[Parity]:
    require_mlir_opt(22)
    return parity(SCRIPTS)


def test_findings_equal_those_of_the_pass(results: list[Parity], compared: Compared) -> None:
    assert len(results) == SCRIPTS
    compared("scripts, for findings of transform-dialect-check-uses", len(results))
    compared("such findings", sum(len(result.both | result.missing) for result in results))
    unequal = [result for result in results if not result.equal]
    shown = min(unequal, key=lambda result: len(result.script.text), default=None)
    assert not unequal, f"{len(unequal)} scripts differ, the shortest: {shown}"


@pytest.mark.sample
def test_the_scripts_put_both_answers_to_the_test(results: list[Parity]) -> None:
    with_findings = Counter(result.script.category for result in results if result.both or result.missing)
    scripts = Counter(result.script.category for result in results)
    for category in CATEGORIES:
        assert 0.15 < with_findings[category] / scripts[category] < 0.9, category
