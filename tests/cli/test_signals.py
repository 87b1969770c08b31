"""Whenever a request to end comes, the process ends by it, and shows no traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import signal_at
from tdls.analysis.rules import find_rule

USE_AFTER_FREE = find_rule("use-after-free")
assert USE_AFTER_FREE is not None
PLACES = {
    "before anything else": ["console/streams.py:prepare_streams"],
    "while commands are imported": ["cli/command_line.py:get_command"],
    "in a callback of the first import": ["after:console/streams.py:prepare_streams", signal_at.WEAKREF_CALLBACK],
    "in a callback of a later import": ["after:cli/command_line.py:_run", signal_at.WEAKREF_CALLBACK],
    "while a file is checked": ["file_findings.py:findings_of"],
    "when results are written": ["console/console.py:write"],
    "when Python ends": ["threading.py:_shutdown"],
    "while it ends for the first one": ["file_findings.py:findings_of", "console/signals.py:_end_children"],
}
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / "cache"))
    Path("tdls.toml").write_text("project.enabled = false\n", encoding="utf-8")
    for name in ("a.mlir", "b.mlir"):
        script = USE_AFTER_FREE.text.example_bad if USE_AFTER_FREE else ""
        Path(name).write_text(f"{script}//{' ' * 100_000}\n", encoding="utf-8")  # two are worth two processes
    return tmp_path


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
@pytest.mark.parametrize("when", PLACES)
def test_it_ends_by_the_signal(name: str, when: str) -> None:
    done = subprocess.run(
        [*signal_at.COMMAND, "--check", "a.mlir", "b.mlir", "--jobs", "1"],
        env=signal_at.environment(name, *PLACES[when]),
        capture_output=True,
        check=False,
    )
    number = getattr(signal, name).value
    assert done.returncode in {128 + number, -number}
    assert done.stderr.strip() == b""


def test_without_a_signal_it_ends_normally() -> None:
    done = subprocess.run(
        [*signal_at.COMMAND, "--check", "a.mlir"],
        env=signal_at.environment("SIGTERM", "nowhere.py:nothing"),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert b"use-after-free" in done.stdout


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_other_processes_are_silent_too(name: str) -> None:
    places = ["concurrent/futures/process.py:map"]
    for place in (*places, "concurrent/futures/process.py:_chain_from_iterable_of_lists"):
        done = subprocess.run(
            [*signal_at.COMMAND, "--check", "a.mlir", "b.mlir", "--jobs", "2"],
            env=signal_at.environment(name, place),
            capture_output=True,
            check=False,
        )
        number = getattr(signal, name).value
        assert done.returncode == 128 + number
        assert done.stderr.strip() == b""


STUCK_START = """
import os, signal, sys, threading

def request_end():
    if threading.current_thread().name == "tdls-starter":
        os.kill(os.getpid(), signal.SIGTERM)

os.register_at_fork(before=request_end)  # called behind those that are registered later, as the one of `logging` is
import _imp, logging
from tdls.cli.console.signals import status_of
from tdls.interpreter.confinement.confinement import Confinement, start_confined

def work():
    _imp.acquire_lock()  # for which the start waits, as long as it holds the lock of `logging`
    start_confined([sys.executable, "-c", ""], Confinement((sys.argv[1],)))
    return 0

sys.exit(status_of(work))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no thread starts programs")
def test_it_ends_while_the_start_of_a_program_holds_locks(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STUCK_START, str(tmp_path)], capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (128 + signal.SIGTERM, b"")


INTERRUPTED_IMPORT = """
import sys
from tdls.cli.console.signals import status_of
sys.path.insert(0, sys.argv[1])

def work():
    import victim
    while True:
        pass

sys.exit(status_of(work))
"""


def test_an_import_is_not_interrupted(tmp_path: Path) -> None:
    """An import that ends in the middle may keep the lock of imports."""
    (tmp_path / "victim.py").write_text(
        "import os, pathlib, signal\nos.kill(os.getpid(), signal.SIGTERM)\npathlib.Path('finished').touch()\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT, str(tmp_path)], capture_output=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (128 + signal.SIGTERM, b"")
    assert Path("finished").exists()
