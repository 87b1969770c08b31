"""Of what MLIR rejects while it reads scripts, most is an error of a check, and nothing else is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.verifier.comparison import generated, judged, share, valid_modules
from tdls.catalogue.catalogue import Catalogue
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from preparation.reporting import Compared

MISTAKES = 1000


def test_what_mlir_rejects_is_reported(compared: Compared) -> None:
    require_mlir_opt(22)
    catalogue = Catalogue.shipped().at(22)
    found = judged(generated(valid_modules(22, sample=True), MISTAKES, 0, catalogue), catalogue, 22)
    compared("scripts with a mistake each, as MLIR reads them", len(found))
    assert [each.mistake.text for each in found if each.is_false] == []
    assert share(found) >= 0.85
