"""``tdls --check --watch``, in a process of its own."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from typing import IO, TYPE_CHECKING

import pytest

from tdls.analysis.rules.handles import use_after_free

if TYPE_CHECKING:
    from pathlib import Path

BAD, GOOD = use_after_free.RULE.text.example_bad, use_after_free.RULE.text.example_good
PATIENCE = 30.0


class Watching:
    """A running process and the lines that it writes."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-u", "-m", "tdls", "--check", "--watch", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        self._lines: queue.Queue[str] = queue.Queue()
        assert self.process.stdout is not None
        threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True).start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self._lines.put(line)

    def run(self) -> list[str]:
        """Return the output of one more run."""
        lines = [self._lines.get(timeout=PATIENCE)]
        while not lines[-1].startswith("note: waiting for changes"):
            lines.append(self._lines.get(timeout=PATIENCE))
        return lines[:-1]


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_changes_are_checked_until_an_interrupt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "a.mlir"
    script.write_text(GOOD, encoding="utf-8")
    watching = Watching(".", "--output-file", "json=report.json")
    try:
        assert watching.run() == ["no findings in 1 file\n"]
        script.write_text(BAD, encoding="utf-8")
        assert watching.run()[-1] == "1 warning in 1 file; 1 perhaps fixable with --fix --unsafe-fixes\n"
        (tmp_path / "tdls.toml").write_text("ignore = ['TD3']\n", encoding="utf-8")
        assert watching.run() == ["no findings in 1 file\n"]
        watching.process.send_signal(signal.SIGINT)
        assert watching.process.wait(PATIENCE) == 130
    finally:
        watching.process.kill()


def test_standard_input_cannot_be_watched() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tdls", "--check", "-", "--watch"], capture_output=True, check=False, encoding="utf-8"
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "--watch looks at files and folders" in done.stderr


def test_a_missing_package_for_watching_is_named(tmp_path: Path) -> None:
    (tmp_path / "watchfiles.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "tdls", "--check", str(tmp_path), "--watch"],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 2
    assert "pip install watchfiles" in done.stderr
