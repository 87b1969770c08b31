"""Patterns name what glob names, and take little time."""

from __future__ import annotations

import glob
import os
from typing import TYPE_CHECKING

import pytest

from tdls.bounds.limits import IGNORE_FILE_SIZE, PATTERN_STARS
from tdls.files.patterns import is_quick, matching_paths
from tdls.files.selection import select

if TYPE_CHECKING:
    from pathlib import Path

PATTERNS = ["*.mlir", "a/*", "**/*.mlir", "**", "a/**", "?/b.*", "[ab]/**/c*", ".h*", "*/../a.mlir"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_same_is_named_as_by_glob(tmp_path: Path, pattern: str) -> None:
    for name in ("a.mlir", "a/b.mlir", "a/c/c.mlir", "b/c.txt", ".hidden/d.mlir"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    expected = {os.path.normpath(name) for name in glob.glob(str(tmp_path / pattern), recursive=True)}  # noqa: PTH207
    assert {os.path.normpath(path) for path in matching_paths(tmp_path / pattern)} == expected


@pytest.mark.skipif(os.name == "nt", reason="making links needs a privilege on Windows")
def test_circles_of_links_end(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).symlink_to(tmp_path)
    (tmp_path / "d.mlir").touch()
    assert matching_paths(tmp_path / "**" / "**" / "*.mlir") == [tmp_path / "d.mlir"]


def test_patterns_that_need_much_time_do_not_count(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("# * * * * *\n" + "a*" * 30 + "c\nb.mlir\n", encoding="utf-8")
    for name in ("a" * 60 + ".mlir", "b.mlir"):
        (tmp_path / name).touch()
    assert [file.name for file in select([tmp_path]).files] == ["a" * 60 + ".mlir"]
    (said,) = select([tmp_path]).unread_rules
    assert said.path == str(tmp_path / ".gitignore")
    assert said.message == f"line 2 does not count: a part asks for more than {PATTERN_STARS}"
    (tmp_path / ".gitignore").write_text("b.mlir\n" + "a" * IGNORE_FILE_SIZE.most, encoding="utf-8")
    (said,) = select([tmp_path]).unread_rules
    assert said.message == f"does not count: it cannot be read, or has more than {IGNORE_FILE_SIZE}"
    (tmp_path / ".gitignore").write_text("# * * * * *\nb.mlir\n", encoding="utf-8")
    assert select([tmp_path]).unread_rules == ()
    assert is_quick("**/build-*/*.mlir")
    assert not is_quick("/".join(["**"] * 9))
