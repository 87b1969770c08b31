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
