"""Commands that read a repository start nothing but Python itself, for all contents of the repository."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import tdls.system
from tools_at_hand import require_bindings

SERVER = Path(tdls.system.__file__).parents[1]
SCRIPT = """// RUN: ./trap %s
// RUN: trap %s | trap
module attributes {transform.with_named_sequence} {
  func.func @f() { return }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) { transform.yield }
}
"""
LISTENING = """
import json, sys
def hear(event, arguments):
    if event in ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "os.startfile"):
        print(json.dumps([event, str(arguments[0])]), file=sys.__stderr__)
sys.addaudithook(hear)
from tdls.cli.main import main
sys.argv[0] = "tdls"
sys.exit(main())
"""


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with an environment whose programs leave a mark, and with scripts and sources that name them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TDLS_UNCONFINED", "1")
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / "cache"))
    for folder in (".venv/bin", "venv/bin", "node_modules/.bin", "."):
        for name in ("python", "python3", "trap", "mlir-opt", "tdls", "llvm-tblgen"):
            program = tmp_path / folder / name
            program.parent.mkdir(parents=True, exist_ok=True)
            program.write_text(f"#!/bin/sh\ntouch '{tmp_path / 'mark'}'\n", encoding="utf-8")
            program.chmod(stat.S_IRWXU)
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("home = /usr/bin\n", encoding="utf-8")
    packages = tmp_path / ".venv" / "lib" / "python3.11" / "site-packages" / "mlir"
    (packages / "_mlir_libs").mkdir(parents=True)
    for module in ("__init__", "ir", "dialects/_evil_ops_gen", "../sitecustomize"):
        file = packages / f"{module}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"open({str(tmp_path / 'mark')!r}, 'w')\n", encoding="utf-8")
    (tmp_path / "evil.pth").write_text("import os; os.system('./trap')\n", encoding="utf-8")
    (tmp_path / "dialect.py").write_text(
        f"open({str(tmp_path / 'mark')!r}, 'w')\nclass Dialect: pass\n", encoding="utf-8"
    )
    (tmp_path / "a.mlir").write_text(SCRIPT, encoding="utf-8")
    return tmp_path


def started(*arguments: str) -> list[str]:
    """Run tdls in its own process, and return the programs that it starts."""
    done = subprocess.run(
        [sys.executable, "-c", LISTENING, *arguments], capture_output=True, check=False, encoding="utf-8"
    )
    assert "mistake in tdls" not in done.stderr
    return [json.loads(line)[1] for line in done.stderr.splitlines() if line.startswith("[")]


LOOKING = {
    "check": ("--check", "--no-cache", "a.mlir"),
    "many": ("--check", "--no-cache", "--jobs", "2", "."),
    "fix": ("--check", "--no-cache", "--diff", "a.mlir"),
    "versions": ("versions", "a.mlir"),
    "parse": ("parse", "a.mlir"),
    "settings": ("config", "show"),
    "consent": ("allow",),
    "sources": ("catalogue", "sources"),
    "explain": ("explain", "use-after-free"),
}


@pytest.mark.parametrize("arguments", LOOKING.values(), ids=LOOKING)
def test_looking_starts_nothing_but_python_itself(arguments: tuple[str, ...], repository: Path) -> None:
    own = {sys.executable, sys._base_executable}  # type: ignore[attr-defined]
    assert set(started(*arguments)) <= {str(program) for program in own}
    assert not (repository / "mark").exists()


def test_programs_in_a_repository_do_not_run_scripts(repository: Path) -> None:
    require_bindings()
    for arguments in (("run", "a.mlir"), ("--check", "--run", "--no-cache", "a.mlir"), ("doctor",)):
        assert not any(program.startswith(str(repository)) for program in started(*arguments))
    assert not (repository / "mark").exists()


PLACES = {
    "get_context(": ["tdls/processes.py"],
    "shutil.which(": ["tdls/system.py"],
    "os.system(": [],
    "shell=True": [],
}


@pytest.mark.parametrize("word", PLACES)
def test_processes_are_found_and_started_in_one_place(word: str) -> None:
    found = [file for file in SERVER.rglob("*.py") if word in file.read_text(encoding="utf-8")]
    assert sorted(file.relative_to(SERVER).as_posix() for file in found) == PLACES[word]
