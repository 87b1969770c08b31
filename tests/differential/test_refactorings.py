"""Scripts do the same after a refactoring at a random selection (``python -m oracle.refactorings`` tries more)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from oracle.refactorings import attempts
from samples import some
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from preparation.reporting import Compared

SELECTIONS = some(200)
SEED = 2


def test_runs_are_equal_or_the_refactoring_is_refused(compared: Compared) -> None:
    require_mlir_opt(22)
    tried = attempts(SEED, SELECTIONS)
    outcomes = Counter(attempt.outcome for attempt in tried)
    compared("refactorings", outcomes["equal"])
    assert not [(attempt.name, attempt.title, attempt.outcome) for attempt in tried if attempt.is_wrong]
    assert outcomes["equal"] > SELECTIONS // 3, outcomes
