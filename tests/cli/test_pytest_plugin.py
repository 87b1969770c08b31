"""``pytest -p tdls.pytest`` in a project whose tests build scripts."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from python_builders.programs import HEAD
from tools_at_hand import require_bindings

if TYPE_CHECKING:
    from pathlib import Path

TESTS = """
import kit
import pytest
from torch_mlir import ir

def build(*, stale):
    def body(root):
        matmul = kit.match(root)
        tiled = kit.tile(matmul)
        kit.mark(matmul if stale else tiled.results[0])
    with ir.Context(), ir.Location.unknown():
        return kit.scheduled(body)

@pytest.fixture
def stale_module():
    return build(stale=True)

def test_right():
    build(stale=False)

def test_stale():
    build(stale=True)

def test_fixture(stale_module):
    assert stale_module

def test_own_failure():
    build(stale=True)
    assert not "own"

@pytest.mark.no_tdls
def test_on_purpose():
    build(stale=True)

def test_nothing():
    pass
"""


def outcome(folder: Path, *options: str) -> str:
    command = [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", *options, str(folder)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def test_scripts_that_tests_build_are_checked_with_the_plugin(tmp_path: Path) -> None:
    require_bindings()
    (tmp_path / "kit.py").write_text(HEAD, encoding="utf-8")
    (tmp_path / "test_plan.py").write_text(TESTS, encoding="utf-8")
    lines = outcome(tmp_path, "--strict-markers", "-p", "tdls.pytest").splitlines()
    passed = {line.partition("::")[2] for line in lines if line.startswith("PASSED")}
    assert passed == {"test_right", "test_on_purpose", "test_nothing"}
    line = 1 + HEAD.splitlines().index('    transform.annotate(handle, "mark")')
    finding = f"{tmp_path / 'kit.py'}:{line}: warning[use-after-free]: "
    assert sum(each.startswith(finding) for each in lines) == 2
    assert any("assert not" in each for each in lines)

    plain = outcome(tmp_path).splitlines()
    assert [each.partition("::")[2].partition(" ")[0] for each in plain if each.startswith("FAILED")] == [
        "test_own_failure"
    ]


def test_mistakes_in_settings_are_reported(tmp_path: Path) -> None:
    require_bindings()
    (tmp_path / "kit.py").write_text(HEAD, encoding="utf-8")
    (tmp_path / "test_plan.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "tdls.toml").write_text("ignore = [", encoding="utf-8")
    assert outcome(tmp_path, "-p", "tdls.pytest").count("warning: tdls.toml") == 1
