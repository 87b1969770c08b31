"""Damage in one operation is noticed there, nowhere else is anything lost, and planted mistakes have repairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle import repairs
from oracle.damage import damages, reported_in_scripts, shares
from samples import at_least, some
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from preparation.reporting import Compared

EDITS = some(500)


def test_damage_is_noticed_and_stays_local(compared: Compared) -> None:
    require_mlir_opt(22)
    found = damages(EDITS, sample=True)
    assert len(found) == EDITS
    compared("edits that MLIR rejects", len(found))
    noticed, kept = shares(found)
    assert noticed >= at_least(0.95)
    assert kept >= at_least(0.99)
    assert reported_in_scripts(found) >= at_least(0.96)


def test_repairs_of_planted_mistakes() -> None:
    require_mlir_opt(22)
    outcomes = repairs.repaired(repairs.planted(11, some(600)))
    assert [line for outcome in outcomes for line in outcome.shown() if "without repair" not in line] == []
    rejected = [outcome for outcome in outcomes if not outcome.is_accepted]
    assert sum(1 for outcome in rejected if outcome.repairs) > len(rejected) / 2
