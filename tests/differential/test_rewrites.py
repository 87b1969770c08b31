"""The passes and patterns of steps against MLIR's log of a plain run, and against the patterns that fired."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oracle.rewrites import LLVM, compare
from samples import some
from tdls.interpreter.backend import open_backend
from tdls.settings.model import BackendChoice
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.backend import Backend


@pytest.fixture(scope="module")
def tool() -> Iterator[Backend]:
    backend = open_backend(BackendChoice(str(require_mlir_opt(LLVM))))
    yield backend
    backend.close()


@pytest.mark.parametrize("seed", range(some(6)))
def test_rewrites(seed: int, tool: Backend) -> None:
    compared = compare(seed, tool)
    assert not compared.problems
    assert compared.counts["names"]
