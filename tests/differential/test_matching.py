"""Runs do not contradict what tdls says of matchers, dead arms and counts (`oracle.matching`, `.arms`, `.counts`)."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from oracle import arms, counts, matching
from samples import some
from tdls.interpreter.backend import open_backend
from tdls.settings.model import BackendChoice
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from preparation.reporting import Compared

BINDINGS = "bindings:torch_mlir"


@pytest.mark.parametrize(("backend", "matchers"), [(BINDINGS, some(60)), ("mlir-opt", some(8))])
def test_the_first_condition_that_fails(backend: str, matchers: int, compared: Compared) -> None:
    require_bindings()
    choice = backend if backend == BINDINGS else str(require_mlir_opt(22))
    with contextlib.closing(open_backend(BackendChoice(choice))) as opened:
        result = matching.compare(7, matchers, opened)
    assert result.problems == []
    compared(f"pairs of matcher and operation, {backend}", result.pairs)


def test_dead_arms(compared: Compared) -> None:
    require_bindings()
    with contextlib.closing(open_backend(BackendChoice(BINDINGS))) as backend:
        result = arms.compare(5, some(100), backend)
    assert result.problems == []
    assert result.said == result.dead
    compared("arms that are dead", result.dead)


def test_counts_that_are_certain() -> None:
    require_bindings()
    with contextlib.closing(open_backend(BackendChoice(BINDINGS))) as backend:
        result = counts.compare(seed=7, scripts=some(60), backend=backend)
    assert result.problems == []
    assert result.looked_at.total() > some(200)
