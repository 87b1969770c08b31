"""Which backends are found, and the messages about missing ones."""

from __future__ import annotations

import re
import stat
import sys
import tempfile
import threading
import venv
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import psutil
import pytest

from interpreter.scripts import MATCH, doubling, run, sequence
from tdls.interpreter.backend import open_backend
from tdls.interpreter.errors import BackendError
from tdls.interpreter.mlir.choice import SET_ASIDE, choose
from tdls.interpreter.mlir.worker.packages import installed_bindings, is_bindings, place_of
from tdls.interpreter.runs.model import Status
from tdls.settings.model import BackendChoice
from tools_at_hand import require_bindings, require_mlir_opt

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.interpreter.backend import Backend
    from tdls.interpreter.runs.model import RunResult


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
    backend = open_backend(BackendChoice("bindings:broken"))
    with pytest.raises(BackendError, match=r"bindings cannot be used \(broken\): OSError: no libc"):
        run(backend, sequence(""))


@pytest.mark.parametrize("others", [("torch_mlir",), ()])
def test_bindings_that_do_not_start_hide_nothing_that_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: tuple[str, ...]
) -> None:
    require_bindings()
    tool = require_mlir_opt(22)
    (tmp_path / "mlir" / "_mlir_libs").mkdir(parents=True)
    (tmp_path / "mlir" / "ir.py").write_text("raise ImportError('libMLIR.so: no such file')", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("tdls.interpreter.mlir.worker.packages.PACKAGES", ("mlir", *others))
    monkeypatch.setitem(SET_ASIDE, "mlir", "")  # to be removed after the test
    del SET_ASIDE["mlir"]
    backend = open_backend(BackendChoice())
    assert run(backend, sequence("")).status is Status.SUCCESS
    assert backend.name == (others[0] if others else tool.name)
    assert choose(BackendChoice()).advice.endswith(" (mlir): ImportError: libMLIR.so: no such file")
    backend.close()


@pytest.fixture
def no_bindings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tdls.interpreter.mlir.worker.packages.PACKAGES", ("no_such_package",))
    monkeypatch.setenv("PATH", "")


def tool(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / (f"{name}.exe" if sys.platform == "win32" else name)
    file.touch()
    file.chmod(0o755)
    return file


@pytest.mark.usefixtures("no_bindings")
def test_nothing_that_runs_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        BackendError, match=r"^running .*: pip install torch-mlir, or set `run.backend` to a tool like mlir-opt"
    ):
        open_backend(BackendChoice())
    for version in (9, 22, 19):
        tool(tmp_path / "bin", f"mlir-opt-{version}")
    tool(tmp_path / "bin", "mlir-opt-more")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(BackendError, match=r"pip install torch-mlir, or set `run.backend` to mlir-opt-22$"):
        open_backend(BackendChoice())


@pytest.mark.usefixtures("no_bindings")
def test_mlir_opt_stands_in_for_bindings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool(tmp_path / "bin", "mlir-opt")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert open_backend(BackendChoice()).name.startswith("mlir-opt")
    with pytest.raises(BackendError, match="which are not installed"):
        open_backend(BackendChoice("bindings"))


def test_tools_have_arguments_and_blanks_in_their_paths(tmp_path: Path) -> None:
    file = tool(tmp_path / "a folder", "my-opt")
    assert open_backend(BackendChoice(str(file))).name.startswith("my-opt")
    assert open_backend(BackendChoice(f'"{file}" --flag "a b"')).name.endswith("--flag a b")
    backend = open_backend(BackendChoice(f"{require_mlir_opt(22)} --mlir-print-op-generic"))
    assert run(backend, sequence("")).status is Status.SUCCESS
    with pytest.raises(BackendError, match="No closing quotation"):
        open_backend(BackendChoice(f"{require_mlir_opt(22)} 'a"))


def test_bindings_of_another_python() -> None:
    require_bindings()
    backend = open_backend(BackendChoice(python=sys.executable))
    result = run(backend, sequence(""))
    backend.close()
    assert (result.status, result.backend) == (Status.SUCCESS, f"torch_mlir of {sys.executable}")
    assert result.mlir.startswith("torch-mlir ")


def environment(folder: Path) -> Path:
    """Make an environment with no package at all; return its Python."""
    venv.create(folder, symlinks=sys.platform != "win32")
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_python_that_has_nothing_but_bindings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also modules imported only when scripts run, and with a path that counts from the current folder."""
    require_bindings()
    package = place_of("torch_mlir")
    assert package is not None
    environment(tmp_path / "bare")
    (packages,) = (tmp_path / "bare").glob("lib/python*/site-packages")
    (packages / package.name).symlink_to(package)
    monkeypatch.chdir(tmp_path)
    backend = open_backend(BackendChoice(python="bare/bin/python"))
    result = run(backend, sequence(MATCH), observe=True)
    backend.close()
    assert (result.status, result.diagnostics) == (Status.SUCCESS, ())
    assert [handle.snapshots[0].count for handle in result.handles] == [1, 1]


def test_python_without_bindings(tmp_path: Path) -> None:
    python = environment(tmp_path / "environment")
    for backend, message in (
        (None, "none of the Python packages mlir, torch_mlir, iree.compiler is installed"),
        ("bindings:torch_mlir", "the Python package torch_mlir is not installed, or has no bindings of MLIR"),
    ):
        opened = open_backend(BackendChoice(backend, str(python)))
        with pytest.raises(BackendError, match=f"of {re.escape(str(python))}\\): {message}$"):
            run(opened, sequence(""))


def test_programs_that_are_no_python() -> None:
    with pytest.raises(BackendError, match=r"no-such-python: no such program; a Python interpreter with"):
        open_backend(BackendChoice(python="no-such-python"))
    opened = open_backend(BackendChoice(python=str(require_mlir_opt(22))))
    with pytest.raises(BackendError, match=r"bindings cannot be used \(bindings of .*mlir-opt-22\): ."):
        run(opened, sequence(""))


def test_tools_that_are_none_of_mlir() -> None:
    failing = run(open_backend(BackendChoice(f"{sys.executable} -c oops")), sequence(""))
    assert failing.status is Status.INVALID
    assert "NameError" in failing.console
    silent = run(open_backend(BackendChoice(f"{sys.executable} -c pass")), sequence(""))
    assert (silent.status, silent.detail) == (Status.INVALID, "the tool wrote no module")


@pytest.mark.skipif(sys.platform == "win32", reason="permissions")
def test_tool_that_cannot_be_started(tmp_path: Path) -> None:
    tool = tmp_path / "broken-opt"
    tool.write_bytes(b"\x7fELF nonsense")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    with pytest.raises(BackendError, match="broken-opt cannot be run"):
        run(open_backend(BackendChoice(str(tool))), sequence(""))


def test_folder_of_scripts_holds_no_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_bindings()
    (tmp_path / "json.py").write_text("raise OSError('not this one')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    backend = open_backend(BackendChoice("bindings:torch_mlir"))
    assert run(backend, sequence("")).status is Status.SUCCESS
    backend.close()


def test_worker_that_was_killed_is_started_again() -> None:
    require_bindings()
    before = set(psutil.Process().children())
    backend = open_backend(BackendChoice("bindings:torch_mlir"))
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


def cancelled_after(backend: Backend, text: str, seconds: float) -> RunResult:
    """Cancel every few seconds until the run ends, as the first time may come before it has begun."""
    is_over = threading.Event()

    def cancel() -> None:
        while not is_over.wait(seconds):
            backend.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    result = run(backend, text)
    is_over.set()
    canceller.join()
    return result


@pytest.mark.parametrize("seconds", [0.02, 0.1, 0.5])
def test_cancelling_ends_everything(seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also a worker that is still being started, which takes longer than the first of these times; no file is left."""
    require_bindings()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = set(psutil.Process().children(recursive=True))
    backend = open_backend(BackendChoice("bindings:torch_mlir"))
    result = cancelled_after(backend, doubling(60), seconds)
    assert (result.status, result.detail) == (Status.CANCELLED, "cancelled")
    assert set(psutil.Process().children(recursive=True)) - before == set()
    assert not list(tmp_path.glob("*/*"))
    assert run(backend, sequence("")).status is Status.SUCCESS
    backend.close()
    assert set(psutil.Process().children(recursive=True)) - before == set()
    assert not list(tmp_path.iterdir())


def test_threads_take_turns(backend: Backend) -> None:
    with ThreadPoolExecutor(1) as first, ThreadPoolExecutor(1) as second:
        results = [pool.submit(run, backend, sequence("")).result() for pool in (first, second, first)]
    assert [result.status for result in results] == [Status.SUCCESS] * 3
