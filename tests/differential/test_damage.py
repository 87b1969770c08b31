"""Damage in one operation is noticed there, and nowhere else is anything lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
