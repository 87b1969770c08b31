"""However a command ends that runs scripts, it leaves no file and no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from command_line import STARTED
from interpreter.scripts import MATCH, NESTED_TOO_DEEP, PAYLOAD, TILE, doubling, sequence
from processes import descendants
from rpc.answers import eventually
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
PATIENCE = 30
WAYS = ["run with bindings", "run with a tool", "check with bindings", "check with a tool"]
ENDLESS = doubling(60).replace("{\n", "{\n" + PAYLOAD, 1)
FAILING = sequence('    transform.debug.emit_remark_at %root, "x" : !transform.any_op\n' + MATCH + TILE, "")


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


@pytest.fixture
def started(
    request: pytest.FixtureRequest, tmp_path: Path, temporary: Path
) -> Callable[[str], subprocess.Popen[bytes]]:
    """Starts tdls so that it runs a script."""
    command, _, kind = request.param.partition(" with ")
    if kind == "bindings":
        require_bindings()
    backend = "bindings:torch_mlir" if kind == "bindings" else str(require_mlir_opt(22))
    options = [command, "--backend", backend] if command != "check" else ["check", "--no-cache", "--run"]
    options += [] if command != "check" else ["--config", f"run.backend = '{backend}'"]

    def start(script: str) -> subprocess.Popen[bytes]:
        path = tmp_path / "script.mlir"
        path.write_text(script, encoding="utf-8")
        return subprocess.Popen(
            [*STARTED, *options, str(path)],
            env={**os.environ, "TMPDIR": str(temporary), "TMP": str(temporary), "TEMP": str(temporary)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    return start


@pytest.mark.parametrize("started", WAYS, indirect=True)
@pytest.mark.parametrize(
    ("script", "codes"), [(sequence(MATCH + TILE), {0}), (FAILING, {0, 1}), (NESTED_TOO_DEEP, {0, 1, 3})]
)
def test_after_runs_that_end(
    started: Callable[[str], subprocess.Popen[bytes]], script: str, codes: set[int], temporary: Path
) -> None:
    with started(script) as process:
        said = process.communicate(timeout=4 * PATIENCE)[1]
    assert process.returncode in codes, said
    assert list(temporary.iterdir()) == []


@posix
@pytest.mark.parametrize("started", [*WAYS, "reduce with bindings"], indirect=True)
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_after_a_signal(started: Callable[[str], subprocess.Popen[bytes]], name: str, temporary: Path) -> None:
    with started(ENDLESS) as process:
        tdls = psutil.Process(process.pid)
        assert eventually(lambda: bool(list(temporary.glob("**/text*.mlir")) or _descendants(tdls) >= 2), PATIENCE)
        others = tdls.children(recursive=True)
        process.send_signal(getattr(signal, name))
        said = process.communicate(timeout=PATIENCE)[1]
    assert b"Traceback" not in said
    assert process.returncode == 128 + getattr(signal, name), said
    assert psutil.wait_procs(others, PATIENCE)[1] == []
    assert list(temporary.iterdir()) == []


def _descendants(process: psutil.Process) -> int:
    """Count the children of a process; psutil would look at all processes of the machine each time."""
    return len(descendants(process.pid) if sys.platform == "linux" else process.children(recursive=True))
