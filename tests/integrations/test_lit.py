"""The substitution for lit, in a suite with a test that passes and one that does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from integrations.support import BAD, installed, run, snippet

if TYPE_CHECKING:
    from pathlib import Path

SUITE = """
import lit.formats

config.name = "scripts"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    tests = tmp_path / "suite"
    tests.mkdir()
    (tests / "lit.cfg.py").write_text(snippet("python", "# lit.cfg.py") + SUITE, encoding="utf-8")
    shown = snippet("mlir")
    (tests / "good.mlir").write_text(shown, encoding="utf-8")
    (tests / "bad.mlir").write_text("".join(shown.splitlines(keepends=True)[:2]) + BAD, encoding="utf-8")
    return tests


def test_substitution(suite: Path) -> None:
    done = run(installed("lit"), "-v", str(suite), folder=suite)
    assert done.returncode == 1
    assert "PASS: scripts :: good.mlir" in done.stdout
    assert "FAIL: scripts :: bad.mlir" in done.stdout
    assert "warning[use-after-free]" in done.stdout


def test_without_tdls(suite: Path) -> None:
    done = run(installed("lit"), "-v", str(suite), folder=suite, PATH=str(suite))
    assert done.returncode == 0, done.stdout
    assert "Unsupported: 2" in done.stdout
