"""Files that settings name and exclude."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from tdls.files import selection
from tdls.limits import Budget
from tdls.settings.model import Exclusion, PathPattern
from tdls.settings.paths import is_excluded, named_files, named_folders, named_libraries

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.mlir", "lib/b.mlir", "lib/deep/c.mlir", "lib/notes.txt", "odd[1].mlir"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return tmp_path


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        (["a.mlir"], ["a.mlir"]),
        (["lib/*.mlir", "a.mlir"], ["lib/b.mlir", "a.mlir"]),
        (["**/*.mlir"], ["a.mlir", "lib/b.mlir", "lib/deep/c.mlir", "odd[1].mlir"]),
        (["lib/../a.mlir", "odd[1].mlir"], ["lib/../a.mlir", "odd[1].mlir"]),
        (["a.mlir", "*.mlir"], ["a.mlir", "odd[1].mlir"]),
        (["{folder}/*.mlir"], ["a.mlir", "odd[1].mlir"]),
    ],
)
def test_named_files(folder: Path, patterns: list[str], names: list[str]) -> None:
    found, problems = named_files(PathPattern(folder, pattern.format(folder=folder)) for pattern in patterns)
    assert found == [folder / name for name in names]
    assert problems == []


def test_a_folder_of_libraries_stands_for_the_scripts_directly_in_it(folder: Path) -> None:
    (folder / "empty").mkdir()
    found, (problem,) = named_libraries(PathPattern(folder, name) for name in ("lib", "lib/deep/*.mlir", "empty"))
    assert found == [folder / "lib/b.mlir", folder / "lib/deep/c.mlir"]
    assert problem.message == "`empty` names no file"


def test_a_pattern_that_too_many_files_are_compared_with(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "Budget", partial(Budget, times=0))
    for named, pattern in ((named_files, "**/*.mlir"), (named_folders, "**")):
        assert "was compared with 200,000 files" in named([PathPattern(folder, pattern)])[1][0].message


@pytest.mark.parametrize("pattern", ["missing.mlir", "lib", "none/*.mlir", "~nobody-of-that-name/a.mlir", "a\0b"])
def test_patterns_without_files(folder: Path, pattern: str) -> None:
    found, (problem,) = named_files([PathPattern(folder, pattern)])
    assert found == []
    assert problem.message == f"`{pattern}` names no file"
    assert str(folder) in problem.help


@pytest.mark.parametrize(
    ("name", "excluded"),
    [
        ("build/a.mlir", True),
        ("src/build/a.mlir", True),
        ("src/a.mlir", False),
        ("src/a.tmp.mlir", True),
        ("src/keep.tmp.mlir", False),
    ],
)
def test_exclusions(tmp_path: Path, name: str, *, excluded: bool) -> None:
    exclusion = Exclusion(tmp_path, ("build/", "*.tmp.mlir", "!keep.tmp.mlir"))
    assert is_excluded(tmp_path / name, exclusion) is excluded
    assert not is_excluded(tmp_path / name, None)
    assert not is_excluded(tmp_path.parent / name, exclusion)
