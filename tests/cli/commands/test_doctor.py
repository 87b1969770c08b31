"""``tdls doctor``: its tables, and its messages about problems."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import tdls
from tdls.interpreter.confinement.confinement import protection
from tools_at_hand import require_bindings, require_mlir_opt


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def doctor(*arguments: str, hide: str = "") -> subprocess.CompletedProcess[str]:
    """Run it where the packages `hide`, a tuple in Python, are not installed."""
    if not hide:
        return tdls("doctor", "--trust-workspace", *arguments)
    code = "import sys; from importlib.machinery import PathFinder as P; find = P.find_spec\n"
    code += f"P.find_spec = lambda name, *rest: None if name in {hide} else find(name, *rest)\n"
    code += "sys.argv[:1] = ['tdls', 'doctor']; from tdls.cli.main import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "--trust-workspace", *arguments],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONUTF8": "1"},
    )
    assert "mistake in tdls" not in done.stderr
    return done


def report(*arguments: str) -> dict[str, Any]:
    done = doctor("--format", "json", *arguments)
    found: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (0 if found["trial"]["works"] else 1)
    return found


def test_page() -> None:
    require_bindings()
    Path("tdls.toml").write_text("", encoding="utf-8")
    done = doctor()
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert re.fullmatch(r"tdls \S+: scripts can be run, with torch-mlir 2.* ms once loaded\)", lines[0])
    assert f"  settings   {Path('tdls.toml').resolve()}" in lines
    assert any(line.startswith("  catalogue  ") and " operations of LLVM 18 to main" in line for line in lines)
    assert any(line.startswith("  * bindings  torch_mlir ") for line in lines)
    (confined,) = (line for line in lines if line.startswith("  confined   "))
    assert protection().means.value in confined
    assert ("writes only to a temporary folder" in confined) == protection().confines
    assert max(map(len, lines)) < 160


def test_tools_and_chosen_ones() -> None:
    tool = require_mlir_opt(22)
    Path("my tools").mkdir()
    own = Path("my tools", "own-opt.exe" if sys.platform == "win32" else "own-opt")
    own.symlink_to(tool)
    Path("tdls.toml").write_text("[run]\nbackend = '\"my tools/own-opt\"'\n", encoding="utf-8")
    found = report()
    assert {backend["name"]: backend["used"] for backend in found["backends"]}[own.name]
    versions = {backend["name"]: backend["version"] for backend in found["backends"]}
    assert versions[tool.name] == versions[own.name]
    assert versions[tool.name].startswith("LLVM 22.")
    assert found["used"] == "own-opt, since it was chosen"
    assert found["trial"]["mlir"].startswith("LLVM 22.")


def test_bindings_of_another_python() -> None:
    require_bindings()
    Path("tdls.toml").write_text(f"[run]\npython = '{sys.executable}'\n", encoding="utf-8")
    found = report()
    assert found["used"] == f"torch_mlir of {sys.executable}, since its Python was chosen"
    (used,) = (backend for backend in found["backends"] if backend["used"])
    assert (used["name"], used["version"], used["place"]) == ("torch_mlir", found["trial"]["mlir"], sys.executable)


def test_folder_of_another_file() -> None:
    Path("inner").mkdir()
    Path("inner", "a.mlir").touch()
    Path("inner", "tdls.toml").write_text("[run]\nbackend = 1\n", encoding="utf-8")
    for path in ("inner", "inner/a.mlir"):
        found = report(path)
        assert found["settings"] == str(Path("inner/tdls.toml").resolve())
        assert ["`run.backend` cannot be" in complaint for complaint in found["complaints"]] == [True]
    assert report()["settings"] is None


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ("backend = 'no-such-opt'", "no-such-opt: no such program"),
        ("python = 'no-such-python'", "no-such-python: no such program"),
        ("setup = ['no_such_module']", "MLIR's bindings cannot be used (torch_mlir): run.setup: no_such_module: "),
        (f"backend = '{sys.executable} -c pass'", "invalid: the tool wrote no module"),
        (f"backend = '{sys.executable} -c oops'", "invalid: "),
    ],
)
def test_problems_are_reported(settings: str, problem: str) -> None:
    require_bindings()
    Path("tdls.toml").write_text(f"[run]\n{settings}\n", encoding="utf-8")
    done = doctor()
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].partition(": ")[2].startswith(f"scripts cannot be run: {problem}")
    assert lines[1].startswith("  pip install torch-mlir, or name something that works as run.backend")
    assert "  files      are read by tdls alone" in lines


def test_without_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    done = doctor(hide="('mlir', 'torch_mlir', 'iree')")
    assert done.returncode == 1
    assert "  nothing is installed\n" in done.stdout
    assert "  by         nothing\n" in done.stdout
    assert "pip install torch-mlir, or set `run.backend` to a tool like mlir-opt\n" in done.stdout
