"""Every path can be resolved or is outside, whatever its text, on every Python."""

from __future__ import annotations

import ast
import os
from typing import TYPE_CHECKING

import pytest

import command_line
from checkout.places import ROOT
from tdls.files.boundary import RealPaths, is_inside, real_path

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

needs_links = pytest.mark.skipif(os.name == "nt", reason="making links needs a privilege on Windows")
_LOCKED = "locked"
_SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.debug.emit_remark_at %stale, "x" : !transform.any_op
    transform.yield
  }
}
"""
_ODD_NAMES = {
    "of a link that may not be read": f"../elsewhere/{_LOCKED}/x",
    "of a loop": "loop/x",
    "with a NUL": "a\0b",
    "with half a character": "a\ud800b",
    "longer than any system takes": "a/" * 40_000 + "x",
    "with a name longer than any system takes": "a" * 5_000,
    "above the root of the disk": "../" * 500 + "x",
}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository with links whose targets the system refuses to tell, as those of others' processes."""
    monkeypatch.setenv("TDLS_DATA_DIR", str(tmp_path / "data"))
    for folder in ("repository/.git", "elsewhere"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "elsewhere" / _LOCKED).symlink_to(tmp_path / "elsewhere")
    (tmp_path / "repository" / "loop").symlink_to("loop")
    (tmp_path / "repository" / "s.mlir").write_text(_SCRIPT, encoding="utf-8")
    monkeypatch.setattr(os, "readlink", _refusing(os.readlink))
    return tmp_path / "repository"


def _refusing(original: Callable[..., str]) -> Callable[..., str]:
    def readlink(path: str, **options: int) -> str:
        if _LOCKED in os.fspath(path):
            raise PermissionError(13, "Permission denied", path)
        return original(path, **options)

    return readlink


@needs_links
@pytest.mark.parametrize("name", _ODD_NAMES.values(), ids=_ODD_NAMES)
def test_any_name_resolves_or_is_outside(repository: Path, name: str) -> None:
    assert real_path(repository / name).is_absolute()
    assert RealPaths().of(repository / name).is_absolute()
    assert not is_inside(repository / "sub", repository / name)


@needs_links
@pytest.mark.parametrize("key", ["libraries", "catalogues", "payload", "extend", "project.definitions"])
@pytest.mark.parametrize("name", [f"../elsewhere/{_LOCKED}/x", "loop/x", "a/" * 20_000])
def test_no_path_of_settings_hides_findings(repository: Path, key: str, name: str) -> None:
    value = f'"{name}"' if key in ("payload", "extend") else f'["{name}"]'
    (repository / "tdls.toml").write_text(f"{key} = {value}\n", encoding="utf-8")
    done = command_line.tdls("--check", "s.mlir", folder=repository)
    assert (done.returncode, "%stale" in done.stdout) == (1, True)
    for command in (["config", "show"], ["catalogue", "sources"], ["allow", "."], ["doctor"]):
        assert command_line.tdls(*command, folder=repository).returncode in (0, 1, 2)


@needs_links
@pytest.mark.parametrize("name", [f"../elsewhere/{_LOCKED}/x", "loop/x", "a/" * 20_000])
@pytest.mark.parametrize("line", ["tdls: library={}", "tdls: payload={}", "RUN: mlir-opt {} %s"])
def test_no_path_of_a_comment_hides_findings(repository: Path, line: str, name: str) -> None:
    (repository / "s.mlir").write_text(f"// {line.format(name)}\n{_SCRIPT}", encoding="utf-8")
    done = command_line.tdls("--check", "s.mlir", folder=repository)
    assert (done.returncode, "%stale" in done.stdout) == (1, True)


@needs_links
def test_arguments_that_do_not_resolve_are_no_mistake_of_tdls(repository: Path) -> None:
    for name in (f"../elsewhere/{_LOCKED}/x.mlir", "loop", "a/" * 20_000):
        for command in ("--check", "format", "run", "fix"):
            assert command_line.tdls(command, name, folder=repository).returncode in (0, 1, 2)


def test_only_one_module_resolves_paths() -> None:
    """`Path.resolve` and `os.path.realpath` raise for some paths on some Pythons; workers and our own files aside."""
    server = ROOT / "server" / "tdls"
    calls = {
        path.relative_to(server).as_posix(): ast.unparse(node)
        for path in server.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if node.func.attr in ("resolve", "realpath") and "__file__" not in ast.unparse(node)
    }
    allowed = ("__main__.py", "files/boundary.py", "files/writing.py")
    assert {name for name in calls if name not in allowed and "/worker/" not in name} == set()
