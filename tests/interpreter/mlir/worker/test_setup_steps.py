"""Modules and passes that a project adds to the bindings before scripts run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from interpreter.scripts import run, sequence
from tdls.interpreter.backend import open_backend
from tdls.interpreter.errors import BackendError
from tdls.interpreter.runs.model import Status
from tdls.settings.model import BackendChoice, SetupStep
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.interpreter.runs.model import RunResult


def run_with(folder: Path, step: str, source: str, text: str) -> RunResult:
    require_bindings()
    (folder / f"{step.partition(':')[0]}.py").write_text(source, encoding="utf-8")
    backend = open_backend(BackendChoice("bindings:torch_mlir", setup=(SetupStep(folder, step),)))
    try:
        return run(backend, text)
    finally:
        backend.close()


@pytest.mark.parametrize(
    ("step", "source"),
    [
        ("context_setup:register", "def register(context):\n    context.allow_unregistered_dialects = False\n"),
        ("none_setup:register", "import gc\n\ndef register(*, unused=None):\n    assert unused is None\n"),
        (
            "registry_setup:add",
            "from torch_mlir import ir\n\ndef add(registry):\n    assert isinstance(registry, ir.DialectRegistry)\n",
        ),
        ("giving_setup:make", "from torch_mlir import ir\n\ndef make():\n    return ir.DialectRegistry()\n"),
        ("alone_setup", "import torch_mlir.ir\n"),
    ],
)
def test_ways_to_set_up(step: str, source: str, tmp_path: Path) -> None:
    assert run_with(tmp_path, step, source, sequence("")).status is Status.SUCCESS


def test_context_is_the_one_that_scripts_run_in(tmp_path: Path) -> None:
    source = "def register(context):\n    context.allow_unregistered_dialects = False\n"
    result = run_with(tmp_path, "strict:register", source, sequence("", '  "mine.thing"() : () -> ()\n'))
    assert result.status is Status.INVALID
    assert "unregistered" in result.diagnostics[0].message


REGISTER = """\
from torch_mlir import ir
from torch_mlir.dialects import irdl


def register(context):
    irdl.load_dialects(ir.Module.parse("irdl.dialect @mine { irdl.operation @thing {} }"))
    context.allow_unregistered_dialects = False
"""


def test_dialect_of_a_project(tmp_path: Path) -> None:
    known = run_with(tmp_path, "own_dialect:register", REGISTER, sequence("", '  "mine.thing"() : () -> ()\n'))
    assert (known.status, known.diagnostics) == (Status.SUCCESS, ())
    unknown = run_with(tmp_path, "own_dialect:register", REGISTER, sequence("", '  "mine.other"() : () -> ()\n'))
    assert unknown.status is Status.INVALID


def test_function_of_bindings_themselves(tmp_path: Path) -> None:
    require_bindings()
    step = SetupStep(tmp_path, "torch_mlir.dialects.torch:register_dialect")
    backend = open_backend(BackendChoice("bindings:torch_mlir", setup=(step,)))
    assert run(backend, sequence("", "  func.func private @f(!torch.int)\n")).status is Status.SUCCESS
    backend.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_setup_that_crashes(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match=r"it ended while it was starting \(signal SIGABRT\)$"):
        run_with(tmp_path, "aborting", "import os\nos.abort()\n", sequence(""))


@pytest.mark.parametrize(
    ("step", "source", "message"),
    [
        ("failing", "raise OSError('no license')", "failing: OSError: no license"),
        ("lacking:register", "", "lacking:register: AttributeError: module 'lacking' has no attribute 'register'"),
        ("wrong:register", "def register(context, other):\n    pass\n", "wrong:register: TypeError: register"),
    ],
)
def test_setup_that_fails(step: str, source: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BackendError) as error:
        run_with(tmp_path, step, source, sequence(""))
    assert str(error.value).startswith(f"MLIR's bindings cannot be used (torch_mlir): run.setup: {message}")
