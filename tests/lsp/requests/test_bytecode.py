"""Bytecode of MLIR as text, in editors with virtual documents."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from lsp.workbench import Workbench
from tools_at_hand import require_mlir_opt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rpc.client import Json

TEXT = """module {
  func.func @f(%arg0: f32) -> f32 {
    %0 = "my.op"(%arg0) : (f32) -> f32
    return %0 : f32
  }
}
"""
VIRTUAL = {"workspace": {"textDocumentContent": {}, "configuration": True}}


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    with Workbench(more=VIRTUAL) as running:
        yield running


def shown(bench: Workbench, path: Path, **run: Json) -> str:
    bench.configure({"run": run})
    uri = f"tdls://bytecode/some.mlir?{quote(path.as_uri(), safe='')}"
    return str(bench.client.call("workspace/textDocumentContent", {"uri": uri}, timeout=60)["text"])


@pytest.fixture
def bytecode(tmp_path: Path) -> Path:
    path = tmp_path / "a file.mlirbc"
    command = [str(require_mlir_opt(22)), "--allow-unregistered-dialect", "--emit-bytecode", "-", "-o", str(path)]
    subprocess.run(command, input=TEXT, text=True, check=True)
    return path


@pytest.mark.parametrize("is_own", [False, True])
def test_bytecode_is_shown_as_mlir_prints_it(bench: Workbench, bytecode: Path, is_own: bool) -> None:
    assert shown(bench, bytecode, **{"backend": str(require_mlir_opt(22))} if is_own else {}) == TEXT


def test_what_cannot_be_shown_gives_the_reason_in_a_comment(bench: Workbench, bytecode: Path, tmp_path: Path) -> None:
    without = shown(bench, bytecode, backend=str(tmp_path / "no-opt"))
    bytecode.write_bytes(bytecode.read_bytes()[:60])
    for text, reason in (
        (without, "no-opt"),
        (shown(bench, bytecode), "cannot read it"),
        (shown(bench, tmp_path), "is a directory"),
    ):
        assert text.startswith("// ")
        assert " is not shown as text:\n// " in text
        assert reason in text
        assert all(line.startswith("// ") for line in text.splitlines())
