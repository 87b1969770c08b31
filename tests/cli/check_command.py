"""Running `tdls check` on files of the current folder."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from fork_server import tdls_command


def tdls(*arguments: str, text: str = "", name: str = "check") -> subprocess.CompletedProcess[str]:
    command = [*tdls_command(), name, *arguments]
    environment = {**os.environ, "PYTHONUTF8": "1"}
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False, env=environment)
    assert b"Traceback" not in done.stderr
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.write_bytes(text.encode())
    return path


def read(path: Path) -> str:
    return path.read_bytes().decode()
