"""Runs do not contradict the counts of handles that tdls finds (``python -m oracle.counts`` compares more)."""

from __future__ import annotations

import contextlib

from oracle.counts import compare
from samples import some
from tdls.interpreter.backend import open_backend
from tdls.settings.model import BackendChoice
from tools_at_hand import require_bindings


def test_counts_that_are_certain() -> None:
    require_bindings()
    with contextlib.closing(open_backend(BackendChoice("bindings:torch_mlir"))) as backend:
        compared = compare(seed=7, scripts=some(60), backend=backend)
    assert compared.problems == []
    assert compared.looked_at.total() > some(200)
