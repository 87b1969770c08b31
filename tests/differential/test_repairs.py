"""Repairs of planted mistakes put scripts right, as MLIR says."""

from __future__ import annotations

from oracle import repairs
from samples import some
from tools_at_hand import require_mlir_opt


def test_repairs_of_planted_mistakes() -> None:
    require_mlir_opt(22)
    outcomes = repairs.repaired(repairs.planted(11, some(600)))
    assert [line for outcome in outcomes for line in outcome.shown() if "without repair" not in line] == []
    rejected = [outcome for outcome in outcomes if not outcome.is_accepted]
    assert sum(1 for outcome in rejected if outcome.repairs) > len(rejected) / 2
