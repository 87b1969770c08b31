"""The README's commands for users with a checkout and Python."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    (\S.*)$", README, re.MULTILINE)
CLEAN_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def run(*command: str | Path, cwd: Path, shell: bool = False) -> subprocess.CompletedProcess[str]:
    arguments = str(command[0]) if shell else [str(part) for part in command]
    return subprocess.run(
        arguments, cwd=cwd, shell=shell, env=CLEAN_ENVIRONMENT, capture_output=True, encoding="utf-8", check=False
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT, cwd=folder)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("tdls-*.whl")
    return built


@pytest.mark.slow
def test_wheel_has_grammars_and_facts_and_nothing_strange(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        license_text = archive.read(next(name for name in names if name.endswith("licenses/LICENSE"))).decode()
    grammars = {f"tdls/grammar/{file.name}" for file in (ROOT / "grammar").glob("*.lark")}
    assert grammars
    assert grammars <= set(names)
    facts = {name for name in names if name.startswith("tdls/catalogue/facts/")}
    assert facts == {
        f"tdls/catalogue/facts/{file.relative_to(ROOT / 'server/tdls/catalogue/facts').as_posix()}"
        for file in (ROOT / "server/tdls/catalogue/facts").rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    }
    assert facts
    assert {name.split("/")[0] for name in names} == {"tdls", wheel.name.rsplit("-", 3)[0] + ".dist-info"}
    assert "tdls/py.typed" in names
    assert "LLVM Exceptions to the Apache 2.0 License" in license_text


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the README's command is for a POSIX shell")
def test_first_command_of_the_readme_sets_up_and_checks(tmp_path: Path) -> None:
    command = COMMANDS[0].replace(".venv", str(tmp_path / "environment"))
    command = command.replace("python3", sys.executable)
    assert command.startswith(f"{sys.executable} -m venv ")
    done = run(command, cwd=ROOT, shell=True)
    assert done.returncode == 1, done.stdout + done.stderr
    assert textwrap.indent(done.stdout, "    ") in README
    outside = tmp_path / "elsewhere.mlir"
    outside.write_text((ROOT / "examples/tile_and_vectorize.mlir").read_text(encoding="utf-8"), encoding="utf-8")
    installed = run(tmp_path / "environment/bin/tdls", "--check", outside.name, cwd=tmp_path)
    assert (installed.returncode, installed.stdout) == (0, "no findings in 1 file\n"), installed.stderr


def oldest_python() -> str:
    """Return the oldest Python on this machine that tdls supports, which may be the one that runs this."""
    installed = Path.home() / ".pyenv" / "versions"
    for version in ("3.10", "3.11", "3.12", "3.13"):
        for python in (f"python{version}", *map(str, sorted(installed.glob(f"{version}.*/bin/python")))):
            if shutil.which(python) and version in run(python, "--version", cwd=ROOT).stdout:
                return python
    return sys.executable


IMPORTING_ALL = """
import importlib, pkgutil, sys, tdls
for module in pkgutil.walk_packages(tdls.__path__, "tdls."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            if (error.name or "tdls").startswith("tdls"):
                raise
        except ImportError as error:
            print(error)
"""


@pytest.mark.slow
def test_every_module_can_be_imported_by_the_oldest_python(tmp_path: Path, wheel: Path) -> None:
    python = tmp_path / "environment" / ("Scripts" if os.name == "nt" else "bin") / "python"
    assert run(oldest_python(), "-m", "venv", tmp_path / "environment", cwd=tmp_path).returncode == 0
    done = run(python, "-m", "pip", "install", "-q", wheel, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    imported = run(python, "-c", IMPORTING_ALL, cwd=tmp_path)
    assert (imported.returncode, imported.stdout) == (0, ""), imported.stderr
    checked = run(python, "-m", "tdls", "--check", ROOT / "examples" / "tile_and_vectorize.mlir", cwd=tmp_path)
    assert (checked.returncode, checked.stdout) == (0, "no findings in 1 file\n"), checked.stderr


def test_second_command_of_the_readme_is_that_of_continuous_integration() -> None:
    assert COMMANDS[1] == "python3 tests/run.py"
    lines = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    ran = [line for line in lines if line.startswith(("python3", "node", "npm"))]
    assert ran[0] == COMMANDS[1]
    assert all(line in README for line in ran)


@pytest.mark.slow
def test_lit_example_of_the_readme_passes(tmp_path: Path) -> None:
    (example,) = re.findall(r"^    // RUN: tdls (.*)\n((?:(?:    .*)?\n)+)", README, re.MULTILINE)
    options, text = example
    (tmp_path / "test.mlir").write_text(text, encoding="utf-8")
    arguments = options.replace("%s", "test.mlir").split()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "server")}
    done = subprocess.run(
        [sys.executable, "-m", "tdls", *arguments], cwd=tmp_path, env=environment, capture_output=True, check=False
    )
    assert "expected-warning" in text
    assert (done.returncode, done.stdout) == (0, b"no findings in 1 file\n"), done.stdout.decode()


def test_links_of_the_documentation_lead_somewhere() -> None:
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert target.startswith("https://") or (page.parent / target).exists(), f"{page.name}: {target}"
