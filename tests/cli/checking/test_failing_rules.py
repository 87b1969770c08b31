"""A check in which a rule fails reports the others' findings, and that it is not complete."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import failing_rules
from tdls.analysis.rules import find_rule

if TYPE_CHECKING:
    from collections.abc import Sequence

USE_AFTER_FREE = find_rule("use-after-free")
assert USE_AFTER_FREE is not None
BAD = USE_AFTER_FREE.text.example_bad


def tdls(
    *arguments: str, rules: Sequence[str] = ("use-after-free",), error: type[Exception] = ValueError
) -> subprocess.CompletedProcess[str]:
    """Run tdls with rules that fail."""
    environment = failing_rules.environment(rules, error)
    command = [*failing_rules.COMMAND, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / "cache"))
    Path("tdls.toml").write_text("project.enabled = false\n", encoding="utf-8")
    Path("a.mlir").write_text(BAD + "}\n", encoding="utf-8")
    Path("b.mlir").write_text(f"{BAD}//{' ' * 200_000}\n", encoding="utf-8")  # worth another process
    return tmp_path


@pytest.mark.parametrize(
    ("error", "jobs"), [(ValueError, "1"), (RecursionError, "1"), (MemoryError, "1"), (MemoryError, "2")]
)
def test_the_others_findings_are_reported_and_the_rule_once(error: type[Exception], jobs: str) -> None:
    done = tdls("--check", "a.mlir", "b.mlir", "--jobs", jobs, error=error)
    assert done.returncode == 2
    assert "error[syntax-error]" in done.stdout
    assert "use-after-free" not in done.stdout
    complaint = (
        f"error: rule `use-after-free` (TD301) failed: {error.__name__}: planted; its findings are missing in a.mlir"
    )
    assert done.stderr.count(complaint) == 1
    assert "and 1 more file" in done.stderr
    assert ("Please report it" in done.stderr) == (error is not MemoryError)
    assert "Traceback" not in done.stderr


def test_rules_that_fail_of_the_same_are_reported_together() -> None:
    done = tdls("--check", "a.mlir", rules=("use-after-free", "unused-handle", "dead-arm", "type-mismatch"))
    assert done.stderr.count("error: ") == 1
    assert "and 1 more failed: ValueError: planted" in done.stderr


def test_a_failing_rule_is_reported_with_kept_results() -> None:
    assert [tdls("--check", "b.mlir").returncode for _ in range(2)] == [2, 2]
    right = subprocess.run([sys.executable, "-m", "tdls", "--check", "b.mlir"], capture_output=True, check=False)
    assert b"warning[use-after-free]" in right.stdout
    assert right.returncode == 1


def test_exit_zero_is_about_findings_only() -> None:
    assert tdls("--check", "b.mlir", "--exit-zero").returncode == 2


def test_nothing_is_fixed_that_could_not_be_judged() -> None:
    text = Path("b.mlir").read_text(encoding="utf-8")
    for option in ("--fix", "--diff", "--add-ignore"):
        done = tdls("--check", "b.mlir", option)
        assert done.returncode == 2, option
        assert "b.mlir: not fixed: rule `use-after-free` (TD301) failed" in done.stderr
    assert Path("b.mlir").read_text(encoding="utf-8") == text


def test_a_baseline_keeps_findings_of_a_failing_rule() -> None:
    written = subprocess.run(
        [sys.executable, "-m", "tdls", "--check", "b.mlir", "--baseline", "known.json", "--write-baseline"],
        capture_output=True,
        check=False,
    )
    assert written.returncode == 0, written.stderr
    known = Path("known.json").read_text(encoding="utf-8")
    assert "use-after-free" in known
    tdls("--check", "b.mlir", "--baseline", "known.json", "--prune-baseline")
    assert Path("known.json").read_text(encoding="utf-8") == known


def test_documents_for_programs_say_so() -> None:
    done = tdls("--check", "a.mlir", "b.mlir", "--format", "json")
    expected = {"rule": "use-after-free", "path": "a.mlir", "files": 2, "message": "ValueError: planted"}
    assert json.loads(done.stdout)["failed_rules"] == [expected]
    sarif = json.loads(tdls("--check", "b.mlir", "--format", "sarif").stdout)
    (invocation,) = sarif["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "use-after-free" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_no_version_fits_that_was_not_looked_at() -> None:
    done = tdls("versions", "b.mlir", rules=("type-mismatch",))
    assert done.returncode == 2
    assert "fits" not in done.stdout
    assert "rule `type-mismatch`" in done.stderr
