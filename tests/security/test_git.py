"""tdls runs git in an untrusted repository without starting programs that its configuration names."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tdls.files.git import git, ignored_paths
from tools_at_hand import require_tool

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
MARK = Path("was-started")


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a script that has changed, and a program that leaves a mark."""
    require_tool("git", "Debian package git")
    monkeypatch.chdir(tmp_path)
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch '{tmp_path / MARK}'\ncat\n", encoding="utf-8")
    trap.chmod(stat.S_IRWXU)
    Path("a.mlir").write_text("module {}\n", encoding="utf-8")
    ask("init", "-q")
    ask("add", "a.mlir")
    ask("-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "-m", "x")
    Path("a.mlir").write_text("module {\n", encoding="utf-8")
    return tmp_path


def ask(*arguments: str) -> None:
    subprocess.run(["git", *arguments], check=True, capture_output=True)


def changed() -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tdls", "--check", "--no-cache", "--diff-base", "HEAD", "a.mlir"],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    assert "mistake in tdls" not in done.stderr
    return done.stdout + done.stderr


HOSTILE = {
    "monitor": {"core.fsmonitor": "trap"},
    "external diff": {"diff.external": "trap"},
    "external diff of a kind": {"diff.evil.command": "trap"},
    "text": {"diff.evil.textconv": "trap", "diff.evil.cachetextconv": "false"},
    "clean": {"filter.evil.clean": "trap", "filter.evil.required": "true"},
    "process": {"filter.evil.process": "trap", "filter.evil.required": "true"},
    "odd name": {"filter.e.v i l.clean": "trap"},
    "pager": {"core.pager": "trap", "pager.diff": "true"},
}


@pytest.mark.parametrize("settings", HOSTILE.values(), ids=HOSTILE)
def test_nothing_that_a_repository_configures_is_started(settings: dict[str, str], repository: Path) -> None:
    kinds = 'a.mlir diff=evil filter=evil\n"a.mlir" filter="e.v i l"\n'
    (repository / ".git" / "info").mkdir(exist_ok=True)
    (repository / ".git" / "info" / "attributes").write_text(kinds, encoding="utf-8")
    for name, value in settings.items():
        ask("config", name, str(repository / value) if value == "trap" else value)
    subprocess.run(["git", "diff", "--text", "HEAD"], capture_output=True, check=False)
    MARK.unlink(missing_ok=True)
    (repository / ".gitignore").write_text("b.mlir\n", encoding="utf-8")
    (repository / "b.mlir").touch()
    assert "syntax-error" in changed()
    assert ignored_paths(repository, repository) == {repository / "b.mlir"}
    assert not MARK.exists()


def test_the_traps_work(repository: Path) -> None:
    (repository / ".gitattributes").write_text("*.mlir diff=evil filter=evil\n", encoding="utf-8")
    for name in ("core.fsmonitor", "diff.evil.textconv", "filter.evil.clean"):
        ask("config", name, str(repository / "trap"))
        subprocess.run(["git", "diff", "HEAD"], capture_output=True, check=False)
        assert MARK.exists(), name
        MARK.unlink()
        ask("config", "--unset", name)


def test_hooks_are_not_called(repository: Path) -> None:
    shutil.copy(repository / "trap", repository / ".git" / "hooks" / "post-index-change")
    os.utime("a.mlir", (1, 1))
    assert "syntax-error" in changed()
    assert not MARK.exists()


def test_nothing_is_fetched(repository: Path) -> None:
    for name, value in {
        "remote.evil.url": f"ext::{repository / 'trap'}",
        "remote.evil.promisor": "true",
        "remote.evil.uploadpack": str(repository / "trap"),
        "protocol.ext.allow": "always",
        "extensions.partialClone": "evil",
        "core.repositoryFormatVersion": "1",
    }.items():
        ask("config", name, value)
    missing = "1" * 40
    assert git(repository, "cat-file", "-e", missing).returncode != 0
    assert not MARK.exists()


@pytest.mark.parametrize("refused", ["config", "--show-scope", "--show-origin", "--null"])
def test_older_gits_start_no_filter(repository: Path, monkeypatch: pytest.MonkeyPatch, refused: str) -> None:
    """Git without an option answers with status 129, and some words."""
    (repository / ".gitattributes").write_text("*.mlir filter=evil\n", encoding="utf-8")
    ask("config", "filter.evil.clean", str(repository / "trap"))
    older = repository / "older" / "git"
    older.parent.mkdir()
    refusing = f'case " $* " in *" {refused} "*) echo unknown; exit 129;; esac'
    text = f'#!/bin/sh\n{refusing}\nexec {shutil.which("git")} "$@"\n'
    older.write_text(text, encoding="utf-8")
    older.chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{older.parent}{os.pathsep}{os.environ['PATH']}")
    assert ("does not say which filters" in changed()) == (refused != "--show-scope")
    assert not MARK.exists()


def test_a_filter_of_a_file_that_the_repository_includes_is_not_started(repository: Path) -> None:
    (repository / ".gitattributes").write_text("*.mlir filter=evil\n", encoding="utf-8")
    (repository / "more").write_text(f'[filter "evil"]\n\tclean = "{repository / "trap"}"\n', encoding="utf-8")
    ask("config", "includeIf.gitdir:/.path", str(repository / "more"))
    assert "syntax-error" in changed()
    assert not MARK.exists()


def test_a_filter_that_cannot_be_switched_off_ends_it(repository: Path) -> None:
    ask("config", "filter.a=b.clean", str(repository / "trap"))
    assert "has a filter whose name cannot be written" in changed()
    assert not MARK.exists()


def test_filters_of_the_user_count(repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = tmp_path / "gitconfig"
    own.write_text(f'[filter "own"]\n\tclean = "{repository / "trap"}"\n', encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    (repository / ".gitattributes").write_text("*.mlir filter=own\n", encoding="utf-8")
    assert "syntax-error" in changed()
    assert MARK.exists()
