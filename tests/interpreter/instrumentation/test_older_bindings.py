"""Bindings in which Python cannot define operations for scripts observe as much as tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import MATCH, TILE, run, sequence
from tdls.interpreter.backends.opening import open_backend
from tdls.interpreter.model import Emit, Status
from tdls.settings.model import BackendChoice, SetupStep
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tdls.interpreter.recording.backend import Backend

ALL = frozenset(Emit)


@pytest.fixture(scope="module")
def older() -> Iterator[Backend]:
    require_bindings()
    setup = SetupStep(Path(__file__).parent, "older_setup:register")
    backend = open_backend(BackendChoice("bindings:torch_mlir", setup=(setup,)))
    yield backend
    backend.close()


def test_handles_and_origins(older: Backend, bindings: Backend) -> None:
    text = sequence(MATCH + TILE)
    ours, theirs = run(older, text, emits=ALL, observe=True), run(bindings, text, emits=ALL, observe=True)
    assert ours.status is Status.SUCCESS
    assert (ours.texts, ours.handles, ours.origins) == (theirs.texts, theirs.handles, theirs.origins)


def test_until(older: Backend, bindings: Backend) -> None:
    text = sequence(MATCH + TILE + TILE.replace("%matmul", "%loop").replace("%tiled, %loop", "%a, %b"))
    place = text.index("%tiled")
    ours, theirs = (run(backend, text, emits=ALL, until=place, observe=True) for backend in (older, bindings))
    assert ours.status is Status.SUCCESS
    assert (ours.texts, ours.diagnostics, ours.handles) == (theirs.texts, theirs.diagnostics, theirs.handles)
    assert ours.origins == ()


def test_failure(older: Backend) -> None:
    text = sequence(MATCH + TILE + "    transform.print %matmul : !transform.any_op\n")
    plain, observed = run(older, text), run(older, text, observe=True)
    assert (observed.status, observed.diagnostics) == (Status.FAILURE, plain.diagnostics)
    assert [handle.executions for handle in observed.handles] == [1, 1, 1, 1]


def test_operations_of_a_large_payload_are_only_counted(older: Backend) -> None:
    constants = "".join(f"    %c{number} = arith.constant {number} : index\n" for number in range(2500))
    text = sequence(
        MATCH.replace("linalg.matmul", "arith.constant"), f"  func.func @f() {{\n{constants}    return\n  }}\n"
    )
    root, every = run(older, text, observe=True).handles
    assert (root.moments[0].names, every.moments[0].count) == ({"builtin.module": 1}, 2500)
    assert (every.moments[0].names, every.moments[0].items) == ({}, ())
