"""``tdls --check`` follows ``tdls.toml``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from command_line import tdls

if TYPE_CHECKING:
    from pathlib import Path

LIBRARY = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @unroll(%loop: !transform.any_op {transform.consumed}) {
    transform.loop.unroll %loop {factor = 4} : !transform.any_op
    transform.yield
  }
}
"""
SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @main(%loop: !transform.any_op {transform.consumed}) {
    transform.include @unroll failures(propagate) (%loop) : (!transform.any_op) -> ()
    transform.annotate %loop "late" : !transform.any_op
    transform.yield
  }
}
"""

NOT_DECLARED = ("error", "library-conflict")
IN_REACH = [NOT_DECLARED, ("warning", "use-after-free")]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "unroll.mlir").write_text(LIBRARY, encoding="utf-8")
    (tmp_path / "script.mlir").write_text(SCRIPT, encoding="utf-8")
    return tmp_path


def check(project: Path, *arguments: str) -> tuple[list[tuple[str, str]], str, int]:
    """Level and rule of every finding, the text on standard error, and the exit status."""
    done = tdls("--check", "--format", "json", *(arguments or ("script.mlir",)), folder=project)
    findings = json.loads(done.stdout)["diagnostics"]
    return [(finding["level"], finding["rule"]) for finding in findings], done.stderr, done.returncode


def configure(project: Path, text: str) -> None:
    (project / "tdls.toml").write_text(text, encoding="utf-8")


def test_without_settings_the_library_is_unknown(project: Path) -> None:
    assert check(project)[0] == [("error", "unknown-symbol")]


def test_libraries_of_the_settings_are_in_reach(project: Path) -> None:
    configure(project, 'libraries = ["lib/*.mlir"]\n')
    assert check(project)[0] == IN_REACH


def test_a_library_of_the_settings_that_is_missing_is_named(project: Path) -> None:
    configure(project, 'libraries = ["lib/*.mlir", "lib/tile.mlir"]\n')
    findings, said, _ = check(project)
    assert findings == IN_REACH
    assert "warning: tdls.toml:1: `lib/tile.mlir` names no file" in said


def test_libraries_of_run_lines_are_in_reach(project: Path) -> None:
    option = "--transform-preload-library='transform-library-paths=%S/lib'"
    (project / "script.mlir").write_text(f"// RUN: mlir-opt %s {option}\n{SCRIPT}", encoding="utf-8")
    assert check(project)[0] == IN_REACH


def test_libraries_of_run_lines_count_from_the_folder_of_the_script(project: Path) -> None:
    option = "--transform-preload-library='transform-library-paths=%S'"
    (project / "lib" / "script.mlir").write_text(f"// RUN: mlir-opt %s {option}\n{SCRIPT}", encoding="utf-8")
    assert check(project, "lib/script.mlir")[0] == IN_REACH


def test_rules_have_the_level_of_the_settings(project: Path) -> None:
    configure(project, 'libraries = ["lib/*.mlir"]\n[rules]\nuse-after-free = "error"\n')
    assert check(project)[0] == [NOT_DECLARED, ("error", "use-after-free")]
    configure(project, 'libraries = ["lib/*.mlir"]\n[rules]\nuse-after-free = "off"\n')
    assert check(project) == ([NOT_DECLARED], "", 1)


def test_excluded_files_are_checked_only_when_they_are_named(project: Path) -> None:
    configure(project, 'exclude = ["script.mlir"]\n')
    assert check(project, ".")[0] == []
    assert check(project, "--possible", "script.mlir")[0] == [("error", "unknown-symbol")]
    configure(project, 'exclude = ["script.mlir", "lib/"]\n')
    assert check(project, "script.mlir")[0] == [("error", "unknown-symbol")]
    assert check(project, "--force-exclude", "script.mlir") == ([], "", 0)


def test_mistakes_in_the_settings_are_said_once(project: Path) -> None:
    configure(project, 'libraries = ["lib/*.mlir"]\n[rules]\nuse-after-fee = "off"\n')
    findings, said, status = check(project, ".")
    assert findings == IN_REACH
    assert said.count("use-after-fee") == 1
    assert "tdls.toml:3" in said
    assert status == 1
