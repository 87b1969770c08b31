"""The benchmarks are run by people; this checks that they work."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from checkout.places import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.sample
SMALLEST = ("--rounds", "1", "--scale", "0.001")
IN_A_SECOND = ("reading", "version")


def compared(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the comparison with the smallest samples."""
    only = [option for name in IN_A_SECOND for option in ("--only", name)]
    return subprocess.run(
        [sys.executable, "-m", "benchmarks.compare", *arguments, *SMALLEST, *only],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_revision_is_compared_with_the_working_tree() -> None:
    done = compared("HEAD")
    assert done.returncode == 0, done.stderr
    header, *rows = done.stdout.splitlines()
    assert header.split() == ["what", "HEAD", "working", "tree", "better", "by"]
    assert [row.split("  ")[0] for row in rows] == ["parse, script", "parse, payload", "tdls --version"]
    assert all(row.count("x (") == 1 for row in rows)


def test_failures_of_one_side_are_reported(tmp_path: Path) -> None:
    without_tdls = tmp_path / ("python.bat" if os.name == "nt" else "python")
    without_tdls.write_text("#!/bin/sh\necho ModuleNotFoundError: tdls >&2; exit 3\n", encoding="utf-8")
    without_tdls.chmod(0o755)
    done = compared("HEAD", "--installed", str(without_tdls))
    assert done.returncode == 0, done.stderr
    reason = "not measured, installed cannot do it: ModuleNotFoundError: tdls"
    assert [line for line in done.stdout.splitlines() if "not measured" in line] == [
        f"{name}: {reason}" for name in IN_A_SECOND
    ]
    assert any(row.startswith("parse, script") and row.endswith("-") for row in done.stdout.splitlines())


def test_a_revision_that_is_not_there_is_an_error_of_its_own() -> None:
    done = compared("no-such-revision")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no-such-revision" in done.stderr
    assert "Traceback" not in done.stderr
