"""Processes that work for another one say nothing of their own when that goes away."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from multiprocessing import spawn
from typing import Any

import pytest

from tdls.processes import spawn_context

if sys.platform == "win32":  # other systems hand values to a process over a pipe
    pytest.skip("pipes are handed on by number", allow_module_level=True)


class SomethingShared:
    """An object that a child process cannot unpickle any more."""

    def __reduce__(self) -> tuple[Any, ...]:
        return open, ("/nonexistent/shared",)


def said_after(sent: bytes) -> bytes:
    """Return the standard error of a child process that gets only these bytes from its parent."""
    spawn_context()
    source, sink = os.pipe()
    _, parent = os.pipe()
    command = spawn.get_command_line(tracker_fd=parent, pipe_handle=source)
    with subprocess.Popen(command, pass_fds=(source, parent), stderr=subprocess.PIPE) as process:
        os.close(source)
        os.write(sink, sent)
        os.close(sink)
        _, said = process.communicate()
    return said


def test_a_parent_that_goes_away_at_once_or_in_a_sentence() -> None:
    prepared = pickle.dumps({"name": "child"})
    work = pickle.dumps(["what there is to do"] * 1000)
    for sent in (b"", prepared[:-1], prepared, prepared + work[: len(work) // 2]):
        assert said_after(sent) == b""


def test_shared_state_is_dropped() -> None:
    prepared = pickle.dumps({"name": "child"})
    assert said_after(prepared + pickle.dumps(SomethingShared())) == b""


def test_other_mistakes_are_reported() -> None:
    prepared = pickle.dumps({"name": "child"})
    assert b"NoneType" in said_after(prepared + pickle.dumps(None))
