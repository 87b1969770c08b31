"""Nothing in a repository leads tdls out of it: not the paths that scripts name, nor links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import command_line

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

LIBRARY = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @outside(%func: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
"""
SCRIPT = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.include @outside failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
}
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    (folder / ".git").mkdir(parents=True)
    (tmp_path / "library.mlir").write_text(LIBRARY, encoding="utf-8")
    (tmp_path / "payload.mlir").write_text("func.func @secret() {\n  return\n}\n", encoding="utf-8")
    return folder


def tdls(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return command_line.tdls(*arguments, folder=folder)


@pytest.mark.parametrize(
    "line",
    [
        "// tdls: library=../library.mlir",
        "// RUN: mlir-opt %s --transform-preload-library='transform-library-paths=%S/../library.mlir'",
        "// tdls: library=link.mlir",
    ],
)
def test_libraries_that_scripts_name_outside_are_not_read(repository: Path, line: str) -> None:
    (repository / "link.mlir").symlink_to(repository.parent / "library.mlir")
    (repository / "main.mlir").write_text(f"{line}\n{SCRIPT}", encoding="utf-8")
    assert "error[unknown-symbol]" in tdls(repository, "--check", "main.mlir").stdout
    (repository / "library.mlir").write_text(LIBRARY, encoding="utf-8")
    inside = line.replace("../library", "library").replace("link.mlir", "library.mlir")
    (repository / "main.mlir").write_text(f"{inside}\n{SCRIPT}", encoding="utf-8")
    assert "error[library-conflict]" in tdls(repository, "--check", "main.mlir").stdout  # read, but not declared


def test_payloads_that_scripts_name_outside_are_not_read(repository: Path) -> None:
    (repository / "main.mlir").write_text(f"// tdls: payload=../payload.mlir\n{LIBRARY}", encoding="utf-8")
    done = tdls(repository, "run", "main.mlir", "--entry-point", "outside")
    assert done.returncode == 2
    assert "`../payload.mlir`, which the script names, is outside of its repository" in done.stderr
    assert "secret" not in done.stdout + done.stderr


def test_files_on_the_command_line_are_read(repository: Path) -> None:
    (repository / "main.mlir").write_text(f"// tdls: payload=../payload.mlir\n{LIBRARY}", encoding="utf-8")
    done = tdls(repository, "run", "main.mlir", "--payload", "../payload.mlir", "--entry-point", "outside")
    assert "outside of its repository" not in done.stderr


def test_a_script_in_no_repository_may_name_any_file(repository: Path) -> None:
    (repository / ".git").rmdir()
    (repository / "main.mlir").write_text(f"// tdls: library=../library.mlir\n{SCRIPT}", encoding="utf-8")
    assert "error[library-conflict]" in tdls(repository, "--check", "main.mlir").stdout  # read, but not declared
