"""The README's commands for users with a checkout and Python."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
import zipfile
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^    (\S.*)$", README, re.MULTILINE)


def run(*command: str | Path, cwd: Path, shell: bool = False) -> subprocess.CompletedProcess[str]:
    arguments = str(command[0]) if shell else [str(part) for part in command]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        arguments, cwd=cwd, shell=shell, env=environment, capture_output=True, encoding="utf-8", check=False
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ROOT, cwd=folder)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("tdls-*.whl")
    return built


@pytest.mark.sample
def test_wheel_has_grammars_and_facts_and_nothing_strange(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        license_text = archive.read(next(name for name in names if name.endswith("licenses/LICENSE"))).decode()
    assert wheel.name.endswith("-py3-none-any.whl")
    files = (ROOT / "grammar").glob("*.lark")
    grammars = {f"tdls/grammar/{file.stem}{suffix}" for file in files for suffix in (".lark", ".tables")}
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


@pytest.mark.sample
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


@cache
def oldest_pythons() -> dict[str, str]:
    """Return the Python with the oldest patch of each version on this machine."""
    folders = [Path(folder) for folder in (*os.environ["PATH"].split(os.pathsep), "/usr/bin")]
    folders += (Path.home() / ".pyenv" / "versions").glob("3.*/bin")
    found: dict[str, tuple[int, str]] = {}
    for python in {
        shutil.which(name, path=folder) for folder in folders for name in ("python3", *map("python{}".format, VERSIONS))
    }:
        said = (
            run(python, "-c", "import ensurepip, sys; print(*sys.version_info[:3])", cwd=ROOT).stdout if python else ""
        )
        if python and said:
            major, minor, patch = said.split()
            known = found.get(f"{major}.{minor}", (int(patch), python))
            found[f"{major}.{minor}"] = min(known, (int(patch), python))
    return {version: python for version, (_, python) in found.items()}


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


@pytest.mark.sample
@pytest.mark.parametrize("version", VERSIONS)
def test_the_oldest_patch_of_each_python_checks_a_project_with_definitions(
    version: str, tmp_path: Path, wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check of the README, and another with the definitions that the first one has kept; the oldest imports all."""
    if version not in oldest_pythons():
        pytest.skip(f"there is no Python {version}")
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path))
    python = tmp_path / "environment" / ("Scripts" if os.name == "nt" else "bin") / "python"
    assert run(oldest_pythons()[version], "-m", "venv", tmp_path / "environment", cwd=tmp_path).returncode == 0
    done = run(python, "-m", "pip", "install", "-q", "--no-compile", wheel, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    if version == VERSIONS[0]:
        imported = run(python, "-c", IMPORTING_ALL, cwd=tmp_path)
        assert (imported.returncode, imported.stdout) == (0, ""), imported.stderr
    first = run(python, "-m", "tdls", "--check", "examples/stale_handle.mlir", cwd=ROOT)
    assert textwrap.indent(first.stdout, "    ") in README, first.stderr
    assert list(tmp_path.glob("tdls-cache/project-sources-*"))
    again = run(python, "-m", "tdls", "--check", "examples/tile_and_vectorize.mlir", cwd=ROOT)
    assert (again.returncode, again.stdout) == (0, "no findings in 1 file\n"), again.stderr


def test_second_command_of_the_readme_is_that_of_continuous_integration() -> None:
    assert COMMANDS[1] == "python3 tests/run.py"
    lines = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    ran = [line for line in lines if line.startswith(("python3", "node", "npm"))]
    assert ran[0] == COMMANDS[1]
    assert all(line in README for line in ran)


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
