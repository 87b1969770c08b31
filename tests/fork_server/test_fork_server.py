"""A forked process behaves in tests as a started one does."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from fork_server import STARTED, tdls_command
from fork_server.launcher import read_at_start
from rpc.answers import eventually

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="tdls is started where processes cannot be forked")

MANY = b"module {\n" * (1 << 17)
"""More than a pipe holds."""
PATIENCE = 60


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.mlir").write_text("module {\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--check", "broken.mlir"], b""),
        (["--check", "-", "--format", "concise"], b'"a.\xc3\xa4"('),
        (["--check", "-"], b"\xff"),
        (["--check", b"no\xff.mlir"], b""),
        (["--check", "--color", "always", "."], b""),
        (["config", "show"], b""),
        (["bogus"], b""),
        (["--version"], b""),
        ([], b""),
    ],
)
def test_streams_and_status_are_the_same(arguments: list[str | bytes], text: bytes) -> None:
    forked, started = (
        subprocess.run([*command, *arguments], input=text, capture_output=True, check=False)
        for command in (tdls_command(), STARTED)
    )
    assert (forked.returncode, forked.stdout, forked.stderr) == (started.returncode, started.stdout, started.stderr)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signals_arrive(number: signal.Signals) -> None:
    statuses = []
    for command in (tdls_command(), STARTED):
        with subprocess.Popen([*command, "--check", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdin is not None
            process.stdin.write(MANY)  # so that it is being read when this returns
            process.send_signal(number)
            process.communicate(timeout=PATIENCE)
            statuses.append(process.returncode)
    assert statuses[0] == statuses[1]


def test_nothing_outlives_its_launcher() -> None:
    server = next(process for process in psutil.Process().children() if "fork_server.server" in process.cmdline())
    with subprocess.Popen([*tdls_command(), "--check", "-"], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(MANY)
        assert len(server.children()) == 1
        process.kill()
    assert eventually(lambda: server.children() == [])


def test_variables_that_count_at_the_start_count() -> None:
    Path("sitecustomize.py").write_text("print('started')\n", encoding="utf-8")
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join((str(Path.cwd()), os.environ.get("PYTHONPATH", "")))}
    done = subprocess.run([*tdls_command(), "--version"], capture_output=True, check=True, text=True, env=variables)
    assert "started" in done.stdout.splitlines()


def test_other_variables_are_those_of_the_process() -> None:
    variables = {**os.environ, "TDLS_CACHE_DIR": str(Path("own").absolute())}
    subprocess.run([*tdls_command(), "--check", "broken.mlir"], capture_output=True, check=False, env=variables)
    assert Path("own").is_dir()


def test_closed_streams_are_closed() -> None:
    command = f'"{sys.executable}" -I -S {" ".join(tdls_command()[3:])} --version >&-'
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (2, "error: standard output cannot be written: Bad file descriptor\n")


def test_no_variable_of_the_tests_makes_it_start_anew() -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(tdls_command()[-1])
        assert json.loads(connection.makefile().readline()) == read_at_start(dict(os.environ))
