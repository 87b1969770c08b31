"""Patterns match the same files as glob, in little time."""

from __future__ import annotations

import glob
import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tdls.files.ignoring import IgnoreRules
from tdls.files.selection import matching_paths, select
from tdls.limits import IGNORE_FILE_SIZE
from tdls.settings.model import Exclusion
from tdls.settings.paths import is_excluded
from tdls.settings.sources import load_settings
from tools_at_hand import require_tool

if TYPE_CHECKING:
    from pathlib import Path

PATTERNS = ["*.mlir", "a/*", "**/*.mlir", "**", "a/**", "?/b.*", "[ab]/**/c*", ".h*", "*/../a.mlir"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_same_is_named_as_by_glob(tmp_path: Path, pattern: str) -> None:
    for name in ("a.mlir", "a/b.mlir", "a/c/c.mlir", "b/c.txt", ".hidden/d.mlir"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    expected = {os.path.normpath(name) for name in glob.glob(str(tmp_path / pattern), recursive=True)}
    assert {os.path.normpath(path) for path in matching_paths(tmp_path / pattern)} == expected


@pytest.mark.skipif(os.name == "nt", reason="making links needs a privilege on Windows")
def test_circles_of_links_end(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).symlink_to(tmp_path)
    (tmp_path / "d.mlir").touch()
    assert matching_paths(tmp_path / "**" / "**" / "*.mlir") == [tmp_path / "d.mlir"]


@pytest.mark.parametrize(
    "pattern", ["*" * 30 + "b", "a*" * 30 + "c", "**/" * 30 + "b", "[a-z]*" * 30, "?*" * 30 + "?b"]
)
def test_a_pattern_of_stars_is_matched_in_little_time(tmp_path: Path, pattern: str) -> None:
    deep = tmp_path.joinpath(*["a"] * 30)
    deep.mkdir(parents=True)
    for path in (tmp_path / ("a" * 200 + ".mlir"), deep / "c.mlir"):
        path.touch()
    (tmp_path / ".gitignore").write_text(f"{pattern}\n", encoding="utf-8")
    assert len(select([tmp_path]).files) == 2 - (pattern == "[a-z]*" * 30)
    assert is_excluded(deep / "b", Exclusion(tmp_path, (pattern,))) is pattern.startswith("*")


def test_a_large_ignore_file_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "b.mlir").touch()
    (tmp_path / ".gitignore").write_text("b.mlir\n" + "a" * IGNORE_FILE_SIZE.most, encoding="utf-8")
    (said,) = select([tmp_path]).unread_rules
    assert said.message == f"does not count: it cannot be read, or has more than {IGNORE_FILE_SIZE}"
    assert [path.name for path in select([tmp_path]).files] == ["b.mlir"]


@pytest.mark.parametrize("line", ["!", "\\", "[a", "a[[:b:]]", "!\\"])
def test_a_line_that_is_no_pattern_matches_nothing_as_in_git(tmp_path: Path, line: str) -> None:
    (tmp_path / "kept.mlir").touch()
    (tmp_path / "left_out.mlir").touch()
    (tmp_path / ".gitignore").write_text(f"# [\n{line}\n[\nleft_*\n", encoding="utf-8")
    found = select([tmp_path])
    assert [path.name for path in found.files] == ["kept.mlir"]
    (said,) = found.unread_rules
    assert said.path == str(tmp_path / ".gitignore")
    assert said.message == "line 2 and 1 more do not count: it is no pattern, and matches nothing"


PATHS = [
    *("a", "b", "ab", "aab", "a b", "a-b", "a]", "a\\", "#a", "!a", "a*", "[a]", ".a", "1", "Z"),
    *("a/a", "a/b", "b/a", "ab/ab", "a/a/b", "a/b/a", "b/a/b/a", "a/b/b/ab"),
]
PATTERN = st.text(st.sampled_from("ab*?/") | st.sampled_from("ab*?/[]!^-\\# :1"), max_size=9) | st.sampled_from(
    ["[[:alpha:]]", "[![:digit:]a]b", "[a-]*", "[]a]", "[b-a]", "a/**", "**/a", "a/**/b", "***/b", "a\\ ", "a  ", "[a"]
)


@given(lines=st.lists(PATTERN, min_size=1, max_size=3))
@settings(max_examples=100)
def test_rules_match_as_in_git(tmp_path: Path, lines: list[str]) -> None:
    program = str(require_tool("git", "Debian package git"))
    assume(not any("\\/" in line for line in lines))  # git treats an escaped slash differently from case to case
    if not (tmp_path / ".git").exists():
        subprocess.run([program, "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("\n".join(lines), encoding="utf-8")
    command = [program, "-C", str(tmp_path), "check-ignore", "--no-index", "--stdin", "-z"]
    done = subprocess.run(command, input="\0".join(PATHS).encode(), capture_output=True, check=False)
    rules = IgnoreRules(lines)
    assert [path for path in PATHS if rules.excludes(path.split("/"))] == done.stdout.decode().split("\0")[:-1]


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
