"""``tdls`` in the process of the tests: its output and its exit status, without the time of a start.

Tests of starts, of signals, of lost streams and of processes by number start it as people do.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest

from tdls.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

STARTED: Final = (sys.executable, "-m", "tdls")
"""The command of a usual start."""


def tdls(
    *arguments: str | bytes, text: str | bytes = "", folder: Path | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command line with `text` as its input, in `folder`, and with more environment variables."""
    words = ["tdls", *map(os.fsdecode, arguments)]
    interrupted = signal.getsignal(signal.SIGINT)
    content = text if isinstance(text, bytes) else text.encode()
    streams = {
        "stdin": io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"),
        "stdout": io.TextIOWrapper(io.BytesIO(), encoding="utf-8"),
        "stderr": io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace"),
    }
    with pytest.MonkeyPatch.context() as patch, contextlib.ExitStack() as at_exit:
        for name, value in variables.items():
            patch.setenv(name, value)
        for name, stream in streams.items():
            patch.setattr(sys, name, stream)
        patch.setattr(sys, "argv", words)
        patch.setattr("atexit.register", at_exit.callback)
        patch.chdir(folder or os.curdir)
        try:
            status = main()
        finally:
            signal.signal(signal.SIGINT, interrupted)
    output, errors = (_written(streams[name]) for name in ("stdout", "stderr"))
    return subprocess.CompletedProcess(words, status, output, errors)


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    content = stream.buffer
    assert isinstance(content, io.BytesIO)
    return content.getvalue().decode("utf-8")
