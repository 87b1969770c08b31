"""Both backends give what ``mlir-opt`` itself gives: texts, diagnostics with their places and notes, prints."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import run, sequence
from interpreter.steps import FAILING, SUCCEEDING
from tdls.interpreter.model import Emit, Status
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tdls.interpreter.backends import Backend
    from tdls.interpreter.model import RunDiagnostic

ALL = frozenset(Emit)


@pytest.mark.parametrize("name", SUCCEEDING)
def test_backends_agree_on_success(name: str, bindings: Backend, tool: Backend) -> None:
    text = sequence(SUCCEEDING[name])
    ours, theirs = run(bindings, text, emits=ALL), run(tool, text, emits=ALL)
    assert ours.status is Status.SUCCESS, ours.diagnostics
    assert theirs.status is Status.SUCCESS, theirs.diagnostics
    assert ours.texts == theirs.texts
    assert (ours.diagnostics, ours.printed) == (theirs.diagnostics, theirs.printed)


@pytest.mark.parametrize("name", FAILING)
def test_backends_agree_on_failure(name: str, bindings: Backend, tool: Backend) -> None:
    text = sequence(FAILING[name])
    ours, theirs = run(bindings, text), run(tool, text)
    assert ours.status is Status.FAILURE
    assert theirs.status is Status.FAILURE
    assert ours.diagnostics
    assert ours.diagnostics == theirs.diagnostics


@pytest.mark.parametrize("name", [*SUCCEEDING, *FAILING])
def test_tool_backend_shows_what_the_tool_says(name: str, tool: Backend, tmp_path: Path) -> None:
    program = require_mlir_opt(22)
    text = sequence({**SUCCEEDING, **FAILING}[name])
    file = tmp_path / "script.mlir"
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [program, "script.mlir", "--transform-interpreter", "-o", "out.mlir"],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=tmp_path,
    )
    result = run(tool, text, emits=frozenset({Emit.MODULE}))
    assert (result.status is Status.SUCCESS) == (done.returncode == 0)
    if done.returncode == 0:
        assert result.texts[Emit.MODULE].split() == (tmp_path / "out.mlir").read_text(encoding="utf-8").split()
    heads = [line for line in done.stderr.splitlines() if line.startswith("script.mlir:")]
    assert [_head(diagnostic) for diagnostic in _flat(result.diagnostics)] == heads
    assert result.printed == done.stdout


def _flat(diagnostics: tuple[RunDiagnostic, ...]) -> Iterator[RunDiagnostic]:
    for diagnostic in diagnostics:
        yield diagnostic
        yield from diagnostic.notes


def _head(diagnostic: RunDiagnostic) -> str:
    place = f"{diagnostic.file}:{diagnostic.line}:{diagnostic.column}"
    return f"{place}: {diagnostic.severity.value}: {diagnostic.message.splitlines()[0]}"


def test_comments_of_tests_are_no_diagnostics(tool: Backend) -> None:
    text = sequence("").replace("module", "// expected-error @below {{not said}}\nmodule", 1)
    assert run(tool, text).diagnostics == ()
