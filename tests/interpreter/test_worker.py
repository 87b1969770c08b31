"""The worker process: its messages, and what it does where the system cannot fork."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from interpreter.scripts import MATCH, TILE, sequence
from tdls.interpreter.messages import frame, receive, send, unframed
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from collections.abc import Iterator

_WITHOUT_FORK = """\
import sys
from tdls.interpreter import isolation, worker
isolation.is_available = lambda: False
sys.exit(worker.main(["torch_mlir"]))
"""
_PRINT = "    transform.print %matmul : !transform.any_op\n"


def job(text: str) -> dict[str, Any]:
    limits = {"seconds": 10.0, "memory": 1 << 30, "output": 1 << 20}
    return {
        "text": text,
        "libraries": [],
        "entry_point": "__transform_main",
        "options": [],
        "emits": ["payload"],
        **limits,
    }


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)


def test_messages_arrive_whole(pipe: tuple[int, int]) -> None:
    reader, writer = pipe
    messages: list[dict[str, Any]] = [{"text": "größer \ud800"}, {}, {"list": [1, None, "x" * 5000]}]
    for message in messages:
        send(writer, message)
    os.write(writer, frame({"cut": "off"})[:-1])
    os.close(writer)
    assert [receive(reader) for _ in messages] == messages
    assert receive(reader) is None


def test_incomplete_messages_are_none() -> None:
    whole = frame({"a": 1})
    assert unframed(whole) == {"a": 1}
    assert [unframed(whole[:size]) for size in range(len(whole))] == [None] * len(whole)


def test_without_fork_a_worker_does_one_job() -> None:
    require_bindings()
    worker = subprocess.Popen([sys.executable, "-c", _WITHOUT_FORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert worker.stdin is not None
    assert worker.stdout is not None
    with worker:
        hello = receive(worker.stdout.fileno())
        send(worker.stdin.fileno(), job(sequence(MATCH + _PRINT + TILE)))
        answer = receive(worker.stdout.fileno())
        assert receive(worker.stdout.fileno()) is None
    assert hello is not None
    assert hello["mlir"].startswith("torch-mlir 2")
    assert answer is not None
    assert answer["status"] == "success"
    assert "scf.for" in answer["texts"]["payload"]
    assert answer["printed"].startswith("[[[ IR printer: ]]]")
    assert worker.returncode == 0


def test_package_without_bindings_is_said() -> None:
    worker = subprocess.run(
        [sys.executable, "-m", "tdls.interpreter.worker", "json"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert unframed(worker.stdout) == {"error": "ModuleNotFoundError: No module named 'json.ir'"}
