"""Which backends are found, and what is said of those that are not."""

from __future__ import annotations

import stat
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from interpreter.scripts import run, sequence
from tdls.interpreter.backends import BackendError, installed_bindings, is_bindings, open_backend
from tdls.interpreter.model import Status
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.interpreter.backends import Backend


def test_installed_bindings_are_found_without_importing_them() -> None:
    require_bindings()
    assert "torch_mlir" in installed_bindings()
    assert not is_bindings("json")
    assert not is_bindings("no_such_package.at.all")


def test_package_in_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "vendor" / "compiler"
    (compiler / "_mlir_libs").mkdir(parents=True)
    for folder in (tmp_path / "vendor", compiler):
        (folder / "__init__.py").write_text("raise AssertionError('imported')", encoding="utf-8")
    (compiler / "ir.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    assert is_bindings("vendor.compiler")
    assert not is_bindings("vendor")


def test_bindings_that_cannot_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken" / "_mlir_libs").mkdir(parents=True)
    (tmp_path / "broken" / "__init__.py").touch()
    (tmp_path / "broken" / "ir.py").write_text("raise OSError('no libc')", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    backend = open_backend("bindings:broken")
    with pytest.raises(BackendError, match=r"bindings in broken cannot be used: OSError: no libc"):
        run(backend, sequence(""))


def test_tool_with_arguments() -> None:
    backend = open_backend(f"{require_mlir_opt(22)} --mlir-print-op-generic")
    assert backend.name == "mlir-opt-22 --mlir-print-op-generic"
    assert run(backend, sequence("")).status is Status.SUCCESS


def test_tools_that_are_none_of_mlir() -> None:
    failing = run(open_backend(f"{sys.executable} -c oops"), sequence(""))
    assert failing.status is Status.INVALID
    assert "NameError" in failing.console
    silent = run(open_backend(f"{sys.executable} -c pass"), sequence(""))
    assert (silent.status, silent.detail) == (Status.INVALID, "the tool wrote no module")


@pytest.mark.skipif(sys.platform == "win32", reason="permissions")
def test_tool_that_cannot_be_started(tmp_path: Path) -> None:
    tool = tmp_path / "broken-opt"
    tool.write_bytes(b"\x7fELF nonsense")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    with pytest.raises(BackendError, match="broken-opt cannot be run"):
        run(open_backend(str(tool)), sequence(""))


def test_folder_of_scripts_holds_no_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_bindings()
    (tmp_path / "json.py").write_text("raise OSError('not this one')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    backend = open_backend("bindings:torch_mlir")
    assert run(backend, sequence("")).status is Status.SUCCESS
    backend.close()


def test_worker_that_was_killed_is_started_again() -> None:
    require_bindings()
    before = set(psutil.Process().children())
    backend = open_backend("bindings:torch_mlir")
    assert run(backend, sequence("")).status is Status.SUCCESS
    (worker,) = set(psutil.Process().children()) - before
    worker.kill()
    assert run(backend, sequence("")).status is Status.SUCCESS
    backend.close()


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "module", "é" * 10])
def test_any_text_has_an_outcome(text: str, backend: Backend) -> None:
    result = run(backend, text)
    assert result.status in (Status.FAILURE, Status.INVALID)
    assert result.diagnostics


def test_wrong_options_are_said(bindings: Backend) -> None:
    result = run(bindings, sequence(""), options=(("no-such-option", "1"),))
    assert result.status is Status.FAILURE
    assert result.diagnostics[0].message.startswith("<Pass-Options-Parser>: no such option no-such-option")
