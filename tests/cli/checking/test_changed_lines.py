"""``tdls --check --diff-base``: findings on lines that changed since a revision, in real repositories."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import command_line
from tdls.cli.checking.changed_lines import ChangedLines
from tdls.cli.checking.file import Checker, CheckSettings
from tdls.cli.checking.targets import CheckTarget
from tdls.cli.console.console import InputError
from tdls.settings.sources import Overrides
from tools_at_hand import require_tool

if TYPE_CHECKING:
    from tdls.cli.rendering.checked import CheckedFile

CHECKER = Checker(CheckSettings(overrides=Overrides(isolated=True, inline=("project.enabled = false",))))
OLD = """\
module attributes {transform.with_named_sequence} {
  transform.named_sequence @one(%loop: !transform.any_op {transform.consumed}) {
    transform.loop.unroll %loop {factor = 4} : !transform.any_op
    transform.annotate %loop "late" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @two(%loop: !transform.any_op {transform.consumed}) {
    transform.annotate %loop "first" : !transform.any_op
    transform.annotate %loop "second" : !transform.any_op
    transform.yield
  }
}
"""
NEW = OLD.replace('annotate %loop "first" :', "loop.unroll %loop {factor = 2} :")
"""Line 8 consumes a handle that line 9, which is unchanged, still uses."""


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    require_tool("git", "Debian package git")
    monkeypatch.chdir(tmp_path)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("TDLS_CACHE_DIR", str(tmp_path / ".cache"))
    for key, value in (("diff.noprefix", "true"), ("diff.interHunkContext", "9"), ("color.diff", "always")):
        git("init", "--quiet", "--initial-branch=main")
        git("config", key, value)
    write("a.mlir", OLD)
    commit()
    return tmp_path


def git(*arguments: str) -> None:
    fingerprint = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]
    subprocess.run(["git", *fingerprint, *arguments], check=True, capture_output=True)


def commit() -> None:
    git("add", "--all", "--force", "--", "*.mlir")
    git("commit", "--quiet", "--message=x")


def write(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def found(*names: str, since: str = "HEAD") -> list[tuple[str, int]]:
    """Return file and line of the findings in files."""
    targets = [CheckTarget(name, Path(name)) for name in names]
    changed = ChangedLines.since(since, targets)
    results = changed.only(map(CHECKER.check, filter(changed.concern, targets)))
    return [
        (checked.name, checked.text.count("\n", 0, finding.diagnostic.span.start) + 1)
        for checked in results
        for finding in checked.findings
    ]


def test_unchanged_files_are_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    write("b.mlir", OLD)
    commit()
    write("b.mlir", NEW)
    checked: list[str] = []
    check = Checker.check

    def recorded(own: Checker, target: CheckTarget) -> CheckedFile:
        checked.append(target.name)
        return check(own, target)

    command_line.tdls("check", "--baseline=known.json", "--write-baseline", ".")
    monkeypatch.setattr(Checker, "check", recorded)
    done = command_line.tdls("check", "--no-cache", "--diff-base=HEAD", ".")
    assert checked == ["b.mlir"]
    assert "1 warning in 1 file (2 checked)" in done.stdout
    command_line.tdls("check", "--diff-base=HEAD", "--baseline=known.json", "--prune-baseline", ".")
    assert "a.mlir" in Path("known.json").read_text(encoding="utf-8")


def test_a_change_is_reported_where_it_does_harm() -> None:
    write("a.mlir", NEW)
    assert found("a.mlir") == [("a.mlir", 9)]
    commit()
    assert found("a.mlir") == []
    assert found("a.mlir", since="HEAD~1") == [("a.mlir", 9)]


def test_lines_that_moved_did_not_change() -> None:
    write("a.mlir", f"// one more line\n\n{OLD}")
    assert found("a.mlir") == []


def test_line_ends_count_as_git_counts_them() -> None:
    write("a.mlir", OLD.replace("\n", "\r\n"))
    commit()
    write("a.mlir", "// a lone\r// carriage return\r\n" + NEW.replace("\n", "\r\n"))
    assert found("a.mlir") == [("a.mlir", 10)]


def test_all_of_a_new_file_is_new() -> None:
    write("untracked.mlir", OLD)
    write("staged.mlir", OLD)
    git("add", "staged.mlir")
    write("ignored.mlir", OLD)
    write(".gitignore", "ignored.mlir\n")
    names = ["ignored.mlir", "staged.mlir", "untracked.mlir"]
    assert found(*names) == [(name, 4) for name in names]


def test_a_renamed_file_is_compared_with_its_former_text() -> None:
    Path("b").mkdir()
    git("mv", "a.mlir", "b/c.mlir")
    write("b/c.mlir", NEW)
    assert found("b/c.mlir") == [("b/c.mlir", 9)]


@pytest.mark.skipif(os.name == "nt", reason="names that Windows does not have")
@pytest.mark.parametrize("quotes", ["true", "false"])
@pytest.mark.parametrize(
    "name", ["odd name.mlir", 'quo"te\t.mlir', "ümläut.mlir", "new\nline.mlir", "no-suffix", "a.m*", 'ü"ml.mlir']
)
def test_unusual_names(name: str, quotes: str) -> None:
    git("config", "core.quotePath", quotes)
    write(name, OLD)
    git("add", "--", name)
    git("commit", "--quiet", "--message=x")
    write(name, NEW)
    assert found(name, "a.mlir") == [(name, 9)]


def test_content_that_looks_like_a_header() -> None:
    write("a.mlir", OLD + "++ b/other.mlir\n@@ -1,2 +3,4 @@\n" * 2)
    write("other.mlir", OLD)
    git("add", "other.mlir")
    git("commit", "--quiet", "--message=x")
    assert {name for name, _ in found("a.mlir", "other.mlir")} == {"a.mlir"}


def test_the_place_where_a_branch_began() -> None:
    git("checkout", "--quiet", "-b", "topic")
    git("checkout", "--quiet", "main")
    write("a.mlir", NEW)
    commit()
    git("checkout", "--quiet", "topic")
    assert found("a.mlir", since="main...") == []
    write("a.mlir", OLD.replace("late", "later"))
    assert found("a.mlir", since="main...") == [("a.mlir", 4)]


def test_nested_folders_and_sibling_repositories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.mlir", NEW)
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    git("init", "--quiet")
    write("x.mlir", OLD)
    commit()
    assert found("../a.mlir", "x.mlir") == [("../a.mlir", 9)]


def test_a_submodule_is_compared_with_its_recorded_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("inner", "fresh"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        git("init", "--quiet")
        write("x.mlir", OLD)
        commit()
    monkeypatch.chdir(tmp_path)
    git("add", "inner")
    git("commit", "--quiet", "--message=x")
    git("tag", "before")
    write("inner/x.mlir", NEW)
    write("a.mlir", NEW)
    assert found("a.mlir", "inner/x.mlir", since="before") == [("a.mlir", 9), ("inner/x.mlir", 9)]
    assert found("a.mlir", "fresh/x.mlir", since="before") == [("a.mlir", 9), ("fresh/x.mlir", 4)]
    assert "'before' is not a revision that" in capsys.readouterr().err


@pytest.mark.parametrize("revision", ["no-such-branch", "--output=x", "", "no-such-branch...", "HEAD:a.mlir"])
def test_revisions_that_are_none(revision: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"'{revision}' is not a revision that"):
        found("a.mlir", since=revision)
    assert not (tmp_path / "x").exists()


def test_revisions_that_cannot_be_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="standard input is none"):
        ChangedLines.since("HEAD", [CheckTarget("<stdin>", None, "")])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="git is not on the search path"):
        found("a.mlir")
    (tmp_path / ".git").rename(tmp_path / "git")
    with pytest.raises(InputError, match="is in no git repository"):
        found("a.mlir")


def test_a_repository_of_another_owner_is_reported_in_the_words_of_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in containers, where everything belongs to root, and the checkout to somebody else."""
    write("ignored.mlir", OLD)
    write(".gitignore", "ignored.mlir\n")
    git("add", "--force", ".")
    commit()
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    done = command_line.tdls("--check", ".", "--diff-base", "HEAD")
    assert done.returncode == 2
    assert "git fails: fatal: " in done.stderr
    assert "safe.directory" in done.stderr
    done = command_line.tdls("--check", "--format", "concise", ".")
    assert "ignored.mlir" in done.stdout
    assert "safe.directory" in done.stderr
