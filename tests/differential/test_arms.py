"""Arms that tdls reports as dead do not run (``python -m oracle.arms`` compares more)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.arms import compare
from samples import some
from tdls.interpreter.backend import open_backend
from tdls.settings.model import BackendChoice
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from preparation.reporting import Compared

SEED = 5
TABLES = some(100)


def test_dead_arms(compared: Compared) -> None:
    require_bindings()
    backend = open_backend(BackendChoice("bindings:torch_mlir"))
    try:
        result = compare(SEED, TABLES, backend)
    finally:
        backend.close()
    assert result.problems == []
    assert result.said == result.dead
    compared("arms that are dead", result.dead)
