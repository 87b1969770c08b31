"""Failures of scripts: tdls reports each with its reason, and no error in a script that runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from oracle import refusals
from oracle.failures import FailureSource, judged
from samples import some
from tdls.interpreter.backend import open_backend
from tdls.settings.model import BackendChoice
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.backend import Backend


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


def test_refusals(bindings: Backend) -> None:
    every = [(case, mistake) for case in refusals.cases() for mistake in case.mistakes]
    step = len(every) // some(len(every))
    results = [refusals.judged(*each, seed, bindings) for seed, each in enumerate(every[::step])]
    assert not [(each.text, each.said) for each in results if each.wrong]
    assert not [each.text for each in results if not (each.counts and each.is_right)]
