"""tdls finds programs on the search path, and not in the current folder."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tdls.system import find_program, search_folders

SUFFIX = ".exe" if sys.platform == "win32" else ""


def program(folder: Path, name: str = "some-opt") -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}{SUFFIX}"
    file.write_text("#!/bin/sh\n", encoding="utf-8")
    file.chmod(stat.S_IRWXU)
    return file


@pytest.mark.parametrize("path", ["", ".", os.pathsep, "bin", os.pathsep.join([".", "bin", ""])])
def test_not_in_the_current_folder(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program(tmp_path)
    program(tmp_path / "bin")
    monkeypatch.setenv("PATH", path)
    assert find_program("some-opt") is None
    assert search_folders() == []


def test_the_first_folder_that_has_it_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "b")
    first = program(tmp_path / "a")
    monkeypatch.setenv("PATH", os.pathsep.join([".", str(tmp_path / "none"), str(tmp_path / "a"), str(tmp_path / "b")]))
    assert find_program("some-opt") is not None
    assert Path(find_program("some-opt") or "").samefile(first)


def test_a_path_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = program(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert find_program(str(file)) == str(file)
    assert find_program(os.path.join(".", file.name)) is not None  # noqa: PTH118 - a Path drops the dot
    assert find_program(str(tmp_path / "none")) is None


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
@pytest.mark.parametrize("command", [("run", "a.mlir"), ("doctor",), ("--check", "--diff-base", "HEAD", "a.mlir")])
def test_commands_start_nothing_in_the_current_folder(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TDLS_UNCONFINED", "1")
    (tmp_path / "a.mlir").write_text("module {}\n", encoding="utf-8")
    (tmp_path / ".git").mkdir()
    for name in ("git", "mlir-opt", "mlir-opt-99", "iree-opt", "python3"):
        program(tmp_path, name).write_text(f"#!/bin/sh\ntouch '{tmp_path / 'mark'}'\n", encoding="utf-8")
    environment = {**os.environ, "PATH": f".{os.pathsep}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run([sys.executable, "-m", "tdls", *command], env=environment, capture_output=True, check=False)
    assert not (tmp_path / "mark").exists()
