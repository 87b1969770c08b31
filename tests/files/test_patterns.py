"""Patterns match the same files as glob, in little time."""

from __future__ import annotations

import glob
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tdls.files.selection import matching_paths, select, unusable_reason
from tdls.limits import IGNORE_FILE_SIZE, PATTERN_STARS
from tdls.settings.sources import load_settings

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
    assert unusable_reason("**/build-*/*.mlir") is None
    assert unusable_reason("/".join(["**"] * 9)) is not None


@pytest.mark.parametrize("line", ["!", "\\", "[z-a]", "a[z-a]b", "!\\"])
def test_a_line_that_is_no_pattern_matches_nothing_as_in_git(tmp_path: Path, line: str) -> None:
    (tmp_path / "kept.mlir").touch()
    (tmp_path / "left_out.mlir").touch()
    (tmp_path / ".gitignore").write_text(f"{line}\nleft_*\n", encoding="utf-8")
    found = select([tmp_path])
    assert [path.name for path in found.files] == ["kept.mlir"]
    assert all(said.message.startswith("line 1 does not count: ") for said in found.unread_rules)


LINES = st.lists(st.text(st.sampled_from("!\\[]-^za*?/#. \t\r"), max_size=6), max_size=4)


@given(lines=LINES)
def test_no_ignore_file_breaks_the_selection(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    folder = tmp_path_factory.mktemp("ignoring")
    (folder / "z.mlir").touch()
    (folder / ".gitignore").write_bytes("\n".join(lines).encode())
    assert len(select([folder]).files) <= 1


@given(text=st.text(st.sampled_from("=[]{}\".'\\\n#0e-_:TZ tdls"), max_size=40))
def test_no_settings_break_the_reader(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("settings")
    (folder / "tdls.toml").write_text(text, encoding="utf-8")
    load_settings(folder, {})
