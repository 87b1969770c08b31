"""Calls of named sequences that other scripts of the repository define: one hint for a file, and no errors."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from command_line import tdls
from tdls.analysis.checking.file_findings import findings_in_file
from tdls.analysis.file.source_file import SourceFile
from tdls.catalogue.catalogue import Catalogue
from tdls.project.sequences import RepositorySequences, with_sequences_of_other_files
from tdls.text.level import Level
from tools_at_hand import require_tool

if TYPE_CHECKING:
    from pathlib import Path

    from tdls.text.diagnostic import Diagnostic

CATALOGUE = Catalogue.shipped()
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
SCRIPT = """\
module attributes {{transform.with_named_sequence}} {{
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


def script(*symbols: str) -> str:
    call = "    transform.include @{} failures(propagate) (%root) : (!transform.any_op) -> ()\n"
    return SCRIPT.format(calls="".join(map(call.format, symbols)))


def found(repository: Path, *symbols: str) -> list[Diagnostic]:
    file = SourceFile.of(script(*symbols), CATALOGUE)
    sequences = RepositorySequences(repository, CATALOGUE)
    return with_sequences_of_other_files(findings_in_file(file), file.slice, sequences.find, repository)


def test_all_calls_of_sequences_in_other_files_make_one_hint(repository: Path) -> None:
    (hint,) = found(repository, "tile", "tile", '"fuse all"')
    assert (hint.rule, hint.level) == ("library-not-named", Level.HINT)
    assert "2 named sequences" in hint.message
    assert hint.help is not None
    assert 'libraries = ["lib/tiling.mlir"]' in hint.help
    assert [note.path for note in hint.notes] == [repository / "lib" / "tiling.mlir"] * 2
    assert LIBRARY[hint.notes[0].span.start :].startswith("transform.named_sequence @tile")


def test_one_sequence_is_named(repository: Path) -> None:
    (hint,) = found(repository, "tile")
    assert hint.message == "`@tile` is a named sequence of `lib/tiling.mlir`, which is no library of this file"


@pytest.mark.parametrize("symbol", ["declared", "function", "til", "nowhere"])
def test_symbols_that_no_file_defines_stay_unknown(repository: Path, symbol: str) -> None:
    assert [finding.rule for finding in found(repository, symbol)] == ["unknown-symbol"]


def test_ignored_files_are_not_read(repository: Path) -> None:
    (repository / ".gitignore").write_text("lib/\n", encoding="utf-8")
    assert [finding.rule for finding in found(repository, "tile")] == ["unknown-symbol"]


def check(repository: Path, *options: str) -> tuple[int, str]:
    done = tdls("--check", "--format", "concise", "--quiet", *options, "main.mlir", folder=repository)
    return done.returncode, done.stdout


def test_a_check_with_possible_findings_has_the_hint(repository: Path) -> None:
    (repository / "main.mlir").write_text(script("tile"), encoding="utf-8")
    assert check(repository) == (0, "")
    status, output = check(repository, "--possible")
    assert status == 0
    assert output.startswith("main.mlir:3:23: hint: `@tile` is a named sequence of")


def test_the_advice_is_right(repository: Path) -> None:
    (repository / "main.mlir").write_text(script("tile", '"fuse all"'), encoding="utf-8")
    (repository / "tdls.toml").write_text('libraries = ["lib/tiling.mlir"]\n', encoding="utf-8")
    assert check(repository, "--possible", "--fix") == (0, "")


def test_kept_sequences_follow_the_repository(repository: Path) -> None:
    (repository / "main.mlir").write_text(script("tile"), encoding="utf-8")
    assert check(repository)[0] == 0
    (repository / "lib" / "tiling.mlir").unlink()
    assert check(repository)[0] == 1
