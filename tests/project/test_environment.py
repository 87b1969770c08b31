"""The folder of a script's project, and the environment of Python in it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tdls.files.boundary import may_be_root
from tdls.project.root import Packages, bindings_below, mlir_includes, package_folders, project_root


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        (["a/tdls.toml", ".git/HEAD"], "a"),
        ([".git/HEAD", "a/pyproject.toml"], ""),
        (["a/pyproject.toml"], "a"),
        (["a/pyproject.toml", "a/b/pyproject.toml"], "a/b"),
        (["a/b/tdls.toml", "a/tdls.toml"], "a/b"),
    ],
)
def test_root_of_a_project(tmp_path: Path, marks: list[str], expected: str) -> None:
    for mark in marks:
        (tmp_path / mark).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / mark).touch()
    assert project_root(tmp_path / "a" / "b" / "script.mlir") == tmp_path / expected


def test_settings_in_a_shared_file_make_a_project(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "pyproject.toml").write_text("[tool.tdls]\n", encoding="utf-8")
    assert project_root(tmp_path / "python" / "script.mlir") == tmp_path / "python"


def test_a_home_folder_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "work" / "deep").mkdir(parents=True)
    assert project_root(tmp_path / "work" / "script.mlir") is None
    (tmp_path / "work" / "tdls.toml").touch()
    assert project_root(tmp_path / "work" / "deep" / "script.mlir") == tmp_path / "work"


def test_folders_that_are_too_much(tmp_path: Path) -> None:
    assert may_be_root(tmp_path)
    assert not may_be_root(Path.home())
    assert not may_be_root(Path(Path.home().anchor))


@pytest.mark.parametrize("inside", ["lib/python3.12/site-packages", "Lib/site-packages"])
def test_packages_of_environments(tmp_path: Path, inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    named, own = tmp_path / "elsewhere", tmp_path / "project" / ".venv"
    for environment in (named, own):
        (environment / inside).mkdir(parents=True)
    found = package_folders(tmp_path / "project", str(named / "bin" / "python"))
    assert [packages.folder for packages in found[:2]] == [named / inside, own / inside]


@pytest.mark.parametrize("link", [".venv", ".venv/lib/python3.12/site-packages", "mlir", "mlir/dialects", "file"])
def test_environments_that_lie_in_a_project_lead_nowhere_else(
    tmp_path: Path, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They do if a variable names them, and their interpreter is always a link."""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    places = Path(".venv", "lib", "python3.12", "site-packages", "mlir", "dialects", "_my_ops_gen.py")
    linked = next((place for place in (places, *places.parents) if place.as_posix().endswith(link)), places)
    for root in (project, elsewhere):
        (root / places).parent.mkdir(parents=True)
        (root / places).touch()
    shutil.rmtree(project / linked) if (project / linked).is_dir() else (project / linked).unlink()
    (project / linked).symlink_to(elsewhere / linked)
    (project / ".git").mkdir()

    def found(python: Path | None) -> list[Path]:
        folders = package_folders(project, str(python) if python is not None else None)
        return [path for folder in folders for path in bindings_below(folder) if path.name == places.name]

    assert found(None) == []
    (project / ".venv" / "bin").mkdir(exist_ok=True)
    (project / ".venv" / "bin" / "python").symlink_to(sys.executable)
    assert found(project / ".venv" / "bin" / "python") == [project / places]
    monkeypatch.setenv("VIRTUAL_ENV", str(project / ".venv"))
    assert found(None) == [project / places]


def test_bindings_are_found_without_importing_them(tmp_path: Path) -> None:
    expected = [
        tmp_path / place / "dialects" / "_my_ops_gen.py" for place in ("mine", "mine/inner", "mine/python/deep")
    ]
    for file in (*expected, tmp_path / "mine" / "dialects" / "my.py", tmp_path / "a.dist-info" / "_my_ops_gen.py"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("raise SystemExit\n", encoding="utf-8")
    assert bindings_below(Packages(tmp_path)) == tuple(sorted(expected))
    assert bindings_below(Packages(tmp_path / "missing")) == ()


def test_mlir_of_a_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLIR_DIR", str(tmp_path / "lib" / "cmake" / "mlir"))
    assert tmp_path / "include" not in mlir_includes()
    base = tmp_path / "include" / "mlir" / "IR" / "OpBase.td"
    base.parent.mkdir(parents=True)
    base.touch()
    assert mlir_includes()[0] == tmp_path / "include"
