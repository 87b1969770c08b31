"""States of recorded runs are MLIR's results for the script that ends there; ``python -m oracle.trace`` does all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oracle.run_corpus.scripts import Script, scripts
from oracle.trace import Backends, compare
from samples import some
from tdls.interpreter.backend import open_backend
from tdls.settings.model import BackendChoice
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLE = scripts()[5 :: len(scripts()) // some(20)]


@pytest.fixture(scope="module")
def backends() -> Iterator[Backends]:
    require_bindings()
    tool = open_backend(BackendChoice(str(require_mlir_opt(22))))
    bindings = open_backend(BackendChoice("bindings:torch_mlir"))
    yield Backends(bindings, tool)
    bindings.close()
    tool.close()


@pytest.mark.parametrize("script", SAMPLE, ids=lambda script: script.name)
def test_states(script: Script, backends: Backends) -> None:
    compared = compare(script, backends)
    assert compared.problems == []
    assert compared.counts["result"] == 2
