"""Damage in one operation is noticed there, and nowhere else is anything lost."""

from __future__ import annotations

from oracle.damage import damages, shares
from tools_at_hand import require_mlir_opt

EDITS = 1000


def test_damage_is_noticed_and_stays_local() -> None:
    require_mlir_opt(22)
    found = damages(EDITS, sample=True)
    assert len(found) == EDITS
    noticed, kept = shares(found)
    assert noticed >= 0.95
    assert kept >= 0.99
