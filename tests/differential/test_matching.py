"""Matchers fail in runs at the conditions that tdls reports (``python -m oracle.matching`` compares more)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oracle.matching import compare
from samples import some
from tdls.interpreter.backend import open_backend
from tdls.settings.model import BackendChoice
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from preparation.reporting import Compared

SEED = 7


@pytest.mark.parametrize(("backend", "matchers"), [("bindings:torch_mlir", some(60)), ("mlir-opt", some(8))])
def test_the_first_condition_that_fails(backend: str, matchers: int, compared: Compared) -> None:
    require_bindings()
    choice = backend if backend.startswith("bindings") else str(require_mlir_opt(22))
    opened = open_backend(BackendChoice(choice))
    try:
        result = compare(SEED, matchers, opened)
    finally:
        opened.close()
    assert result.problems == []
    compared(f"pairs of matcher and operation, {backend}", result.pairs)
