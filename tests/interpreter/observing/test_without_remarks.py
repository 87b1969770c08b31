"""Tools whose MLIR does not have the operations that issue remarks are observed by prints alone."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import MATCH, QUICK, TILE, script_of, sequence
from tdls.interpreter.backend import open_backend
from tdls.interpreter.observing.records import Wanted
from tdls.interpreter.recording.recording import recorded
from tdls.interpreter.runs.model import RunRequest, Status
from tdls.settings.model import BackendChoice
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import RunResult

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the tool is a shell script")

TOOL = """\
#!/bin/sh
case "$1" in *.mlir)
  if grep -q 'transform\\.debug' "$1"; then
    echo "$1:1:1: error: custom op 'transform.debug.emit_remark_at' is unknown" >&2
    exit 1
  fi;;
esac
exec MLIR_OPT "$@"
"""
FAILS = '    %none = transform.get_parent_op %matmul {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op\n'


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Backend]:
    program = tmp_path / "small-opt"
    program.write_text(TOOL.replace("MLIR_OPT", str(require_mlir_opt(22))))
    program.chmod(0o755)
    backend = open_backend(BackendChoice(str(program)))
    yield backend
    backend.close()


def held(result: RunResult) -> list[tuple[int, list[dict[str, int]]]]:
    return [(handle.executions, [snapshot.names for snapshot in handle.snapshots]) for handle in result.handles]


def test_handles(small: Backend, tool: Backend) -> None:
    request = RunRequest(script_of(sequence(MATCH + TILE)), observe=True, limits=QUICK)
    found, known = small.run(request), tool.run(request)
    assert held(found) == held(known)
    assert [handle.snapshots for handle in found.handles] == [handle.snapshots for handle in known.handles]
    assert list(found.origins) == list(known.origins)


def test_steps(small: Backend, tool: Backend) -> None:
    for body in (MATCH + TILE, MATCH + FAILS):
        request = RunRequest(script_of(sequence(body)), limits=QUICK)
        found, known = (recorded(backend, request, Wanted.every()) for backend in (small, tool))
        assert [(step.operation, step.ended) for step in found.steps] == [
            (step.operation, step.ended) for step in known.steps
        ]
        assert [found.text(number) for number in range(len(found.passings))] == [
            known.text(number) for number in range(len(known.passings))
        ]


def test_place_of_failure(small: Backend, tool: Backend) -> None:
    request = RunRequest(script_of(sequence(MATCH + FAILS)), limits=QUICK)
    assert small.run(request).status is Status.FAILURE
    assert small.run(request).executing == tool.run(request).executing != ()
