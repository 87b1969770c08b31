"""The module for CMake, in a project that CTest tests."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest

from integrations.support import BAD, ROOT, installed, run, snippet, write_project

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

HEAD = "cmake_minimum_required(VERSION 3.20)\nproject(scripts LANGUAGES NONE)\n"
INCLUDED = HEAD + "list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_SOURCE_DIR}/cmake)\ninclude(Tdls)\nenable_testing()\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "a project"
    write_project(project)
    (project / "cmake").mkdir()
    shutil.copy(ROOT / "integrations" / "cmake" / "Tdls.cmake", project / "cmake")
    return project


def test_snippet(project: Path) -> None:
    (project / "good").rename(project / "scripts")
    done = configure(project, HEAD + snippet("cmake"))
    assert done.returncode == 0, done.stderr
    assert run_tests(project).returncode == 0
    (project / "scripts" / "late.mlir").write_text(BAD, encoding="utf-8")
    done = run_tests(project)
    assert done.returncode != 0
    assert "error[use-after-free]" in done.stdout
    assert re.search(r"1 - transform-scripts \(Failed\)", done.stdout)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("tdls_test(NAME x)", "expected NAME <name> PATHS"),
        ("tdls_test(PATHS good)", "expected NAME <name> PATHS"),
        ("tdls_test(x good)", "expected NAME <name> PATHS"),
        ("set(TDLS_EXECUTABLE 0)\ntdls_test(NAME x PATHS good)", "there is no program tdls"),
    ],
)
def test_mistakes(project: Path, call: str, message: str) -> None:
    done = configure(project, f"{INCLUDED}{call}\n")
    assert done.returncode != 0
    assert message in done.stderr


def configure(project: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Let CMake read the project with these lists."""
    (project / "CMakeLists.txt").write_text(text, encoding="utf-8")
    return run(installed("cmake"), "-G", "Ninja", "-S", ".", "-B", "build", folder=project)


def run_tests(project: Path) -> subprocess.CompletedProcess[str]:
    """Let CTest run the tests of the project."""
    return run(installed("ctest"), "--test-dir", "build", "--output-on-failure", folder=project)
