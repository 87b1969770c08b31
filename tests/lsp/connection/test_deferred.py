"""The server answers requests whose modules it imports on first use, and does not import them at its start."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lsp.workbench import Workbench
from rpc.client import ResponseError
from tdls.lsp.server import RECORDING_METHODS

INVALID_PARAMS = -32602


def test_every_method_is_answered() -> None:
    with Workbench() as bench:
        for method in RECORDING_METHODS:
            with pytest.raises(ResponseError) as refused:
                bench.client.call(method, {})
            assert refused.value.code == INVALID_PARAMS, method


def test_the_server_starts_without_it() -> None:
    code = "import sys, tdls.lsp.server; print(*(name for name in sys.modules if name.startswith('tdls.')), sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = set(done.stdout.split())
    assert "tdls.lsp.runs.recordings" in imported
    assert "tdls.interpreter.recording.recording" not in imported
    assert "tdls.lsp.requests.state_at" not in imported
