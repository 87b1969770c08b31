"""Failures of scripts: each is told by something, and no script that runs has an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oracle.failures import Told, judged
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
    results = [judged(seed, bindings) for seed in range(40)]
    assert not [each.text for each in results if each.false]
    told = [each.told for each in results if each.told is not None]
    assert Told.NOTHING not in told
    assert len(told) > len(results) // 3
