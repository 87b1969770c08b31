"""Uses of named sequences that other scripts of the repository define: the findings name these."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from command_line import tdls
from tools_at_hand import require_tool

if TYPE_CHECKING:
    from pathlib import Path

LIBRARY = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%func: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence @"fuse all"(%func: !transform.any_op {transform.readonly}) {
    transform.yield
  }
  transform.named_sequence private @declared(%func: !transform.any_op {transform.readonly})
  func.func @function() {
    return
  }
}
"""
DECLARATION = "transform.named_sequence private @{}(%func: !transform.any_op {{transform.readonly}})"
SCRIPT = """\
module attributes {{transform.with_named_sequence}} {{
  {declared}
  transform.named_sequence @__transform_main(%root: !transform.any_op {{transform.readonly}}) {{
{calls}    transform.yield
  }}
}}
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run([require_tool("git", "Debian package git"), "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "tiling.mlir").write_text(LIBRARY, encoding="utf-8")
    return tmp_path


def found(repository: Path, *symbols: str, declared: str = "", options: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    call = "    transform.include @{} failures(propagate) (%root) : (!transform.any_op) -> ()\n"
    text = SCRIPT.format(declared=declared and DECLARATION.format(declared), calls="".join(map(call.format, symbols)))
    (repository / "main.mlir").write_text(text, encoding="utf-8")
    done = tdls("--check", "--format", "json", "--quiet", *options, "main.mlir", folder=repository)
    findings: list[dict[str, Any]] = json.loads(done.stdout)["diagnostics"]
    assert done.returncode == bool(findings)
    return findings


def test_each_use_of_an_undeclared_sequence_is_an_error(repository: Path) -> None:
    findings = found(repository, "tile", "tile", '"fuse all"')
    assert [(finding["rule"], finding["level"]) for finding in findings] == [("unknown-symbol", "error")] * 3
    first = findings[0]
    assert first["message"] == "`@tile` of `lib/tiling.mlir`, which is not a library of this file, is not declared here"
    assert "declare it: `transform.named_sequence private @tile(%func: " in first["help"]
    assert 'libraries = ["lib/tiling.mlir"]' in first["help"]
    assert [note["path"] for note in first["notes"]] == ["lib/tiling.mlir"]


def test_a_declared_sequence_of_another_file_is_a_warning_while_it_is_there(repository: Path) -> None:
    for _ in range(2):  # the second time from the cache
        (warning,) = found(repository, "tile", "tile", declared="tile")
        assert (warning["rule"], warning["level"]) == ("library-not-named", "warning")
        assert warning["message"] == (
            "`@tile` is only declared here, and `lib/tiling.mlir`, which defines it, is not a library of this file"
        )
    (repository / "lib" / "tiling.mlir").unlink()
    assert found(repository, "tile", "tile", declared="tile") == []


@pytest.mark.parametrize("symbol", ["declared", "function", "til", "nowhere"])
def test_symbols_that_no_file_defines_stay_unknown(repository: Path, symbol: str) -> None:
    assert [finding["message"].partition("`")[0] for finding in found(repository, symbol)] == ["no named sequence "]


def test_a_difference_says_that_settings_name_the_library(repository: Path) -> None:
    said = 'note: main.mlir: fixes name no libraries: write `libraries = ["lib/tiling.mlir"]` in `tdls.toml`\n'
    for name, note in (("tile", said), ("nowhere", "")):
        assert found(repository, name)
        done = tdls("--check", "--unsafe-fixes", "--diff", "main.mlir", folder=repository)
        assert (done.stdout, done.stderr, done.returncode) == ("", note, 0)
        assert "fixes name no" not in tdls("--check", "--fix", "main.mlir", folder=repository).stderr


def test_ignored_files_are_not_read(repository: Path) -> None:
    (repository / ".gitignore").write_text("lib/\n", encoding="utf-8")
    assert found(repository, "tile", declared="tile") == []


def test_the_advice_is_right(repository: Path) -> None:
    (repository / "tdls.toml").write_text('libraries = ["lib/tiling.mlir"]\n', encoding="utf-8")
    assert found(repository, "tile", '"fuse all"', options=("--possible", "--fix")) == []
