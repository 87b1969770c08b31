"""Patterns match the same files as glob, in little time."""

from __future__ import annotations

import glob
import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tdls.files.patterns import PathPatterns, is_pattern
from tdls.files.selection import matching_paths
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
    assert {os.path.normpath(path) for path in matching_paths(tmp_path / pattern)[0]} == expected


@pytest.mark.skipif(os.name == "nt", reason="making links needs a privilege on Windows")
def test_circles_of_links_end(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).symlink_to(tmp_path)
    (tmp_path / "d.mlir").touch()
    assert matching_paths(tmp_path / "**" / "**" / "*.mlir") == ([tmp_path / "d.mlir"], True)


@pytest.mark.parametrize("pattern", ["*" * 30 + "b", "a*" * 30 + "c", "**/" * 30 + "b", "[a-z]*" * 30, "?*" * 30 + "b"])
def test_a_pattern_of_stars_is_matched_in_little_time(tmp_path: Path, pattern: str) -> None:
    exclusion = Exclusion(tmp_path, (pattern,))
    deep = tmp_path.joinpath(*["a"] * 30)
    assert is_excluded(tmp_path / ("a" * 200 + "."), exclusion) is pattern.startswith("[")
    assert is_excluded(deep / "b", exclusion) is pattern.startswith("*")


@pytest.mark.parametrize("line", ["!", "/", "! ", "!/"])
def test_lines_that_are_not_patterns(line: str) -> None:
    assert not is_pattern(line)
    assert not PathPatterns(["a", line]).match(("b",))


PATHS = [
    *("a", "b", "ab", "aab", "a b", "a-b", "#a", "!a", "a*", ".a", "1", "Z"),
    *("a/a", "a/b", "b/a", "ab/ab", "a/a/b", "a/b/a", "b/a/b/a", "a/b/b/ab"),
]
PATTERN = st.text(st.sampled_from("ab*?/") | st.sampled_from("ab*?/!# 1"), max_size=9) | st.sampled_from(
    ["[a-z]*", "[!a]b", "[^a]b", "[ab]/**", "a/**", "**/a", "a/**/b", "***/b", "a  ", "\\!a", "\\#a", "a\\*"]
)


@given(lines=st.lists(PATTERN, min_size=1, max_size=3))
def test_patterns_match_as_in_git(tmp_path: Path, lines: list[str]) -> None:
    program = str(require_tool("git", "Debian package git"))
    assume(not any(name != "**" and "**" in name for line in lines for name in line.split("/")))  # git is of two minds
    if not (tmp_path / ".git").exists():
        subprocess.run([program, "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("\n".join(lines), encoding="utf-8")
    command = [program, "-C", str(tmp_path), "check-ignore", "--no-index", "--stdin", "-z"]
    done = subprocess.run(command, input="\0".join(PATHS).encode(), capture_output=True, check=False)
    patterns = PathPatterns(lines)
    assert [path for path in PATHS if patterns.match(path.split("/"))] == done.stdout.decode().split("\0")[:-1]


@given(text=st.text(st.sampled_from("=[]{}\".'\\\n#0e-_:TZ tdls"), max_size=40))
def test_no_settings_break_the_reader(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("settings")
    (folder / "tdls.toml").write_text(text, encoding="utf-8")
    load_settings(folder, {})
