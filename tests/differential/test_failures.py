"""Failures of scripts: tdls reports each, and no error in a script that runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oracle.failures import FailureSource, judged
from samples import some
from tdls.interpreter.backends.opening import open_backend
from tdls.settings.model import BackendChoice
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.recording.backend import Backend


@pytest.fixture(scope="module")
def bindings() -> Iterator[Backend]:
    require_bindings()
    backend = open_backend(BackendChoice("bindings"))
    yield backend
    backend.close()


def test_failures(bindings: Backend) -> None:
    results = [judged(seed, bindings) for seed in range(some(40))]
    assert not [each.text for each in results if each.false]
    sources = [each.source for each in results if each.source is not None]
    assert FailureSource.NOTHING not in sources
    assert len(sources) > len(results) // 3
