"""A little of each comparison with MLIR, for ``tests/run.py --quick``; the other files compare much more."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from oracle.bindings_runs import run_in_python
from oracle.check_parity import parity
from oracle.corpus import CorpusModule
from oracle.handles.comparison import judged
from oracle.handles.scripts import handle_scripts
from oracle.parse import verdicts
from oracle.run_agreement import differences_from_python
from oracle.run_corpus.scripts import scripts as runs
from oracle.transform_modules import scripts
from tdls.interpreter.backends.opening import open_backend
from tdls.settings.model import BackendChoice
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from preparation.reporting import Compared

pytestmark = pytest.mark.sample
FEW = 12


@cache
def modules() -> list[CorpusModule]:
    return [CorpusModule(text, title, "script, as written") for title, text in scripts()[:FEW]]


@pytest.mark.parametrize("bindings", [False, True])
def test_parsing(bindings: bool, compared: Compared) -> None:
    require_bindings() if bindings else require_mlir_opt(22)
    found = verdicts(modules(), bindings=bindings)
    assert len(found) > FEW / 2
    assert [verdict.findings() for verdict in found if not verdict.clean] == []
    compared(f"modules, as {'the bindings parse' if bindings else 'mlir-opt parses'} them", len(found))


def test_uses_after_free(compared: Compared) -> None:
    require_mlir_opt(22)
    found = parity(4 * FEW)
    assert [result for result in found if not result.equal] == []
    assert any(result.both for result in found)
    compared("scripts, for findings of transform-dialect-check-uses", len(found))


def test_handles(compared: Compared) -> None:
    require_bindings()
    found = judged(handle_scripts(6, FEW))
    assert [str(each.kind_of_false(use)) for each in found for use in each.false()] == []
    compared("random scripts, for findings about handles", len(found))


def test_runs(compared: Compared) -> None:
    require_bindings()
    chosen = runs()[:: len(runs()) // FEW]
    backend = open_backend(BackendChoice("bindings:torch_mlir"))
    try:
        for script, ran in zip(chosen, run_in_python(chosen), strict=True):
            assert differences_from_python(script, backend, ran) == {}
    finally:
        backend.close()
    compared("runs, with tdls and without", len(chosen))
