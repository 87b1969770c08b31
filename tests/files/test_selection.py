from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tdls.files.git import GitError
from tdls.files.git import git as run_git
from tdls.files.selection import library_files, select
from tools_at_hand import require_tool

needs_links = pytest.mark.skipif(os.name == "nt", reason="making links needs a privilege on Windows")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def repository(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del tree
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    git("init", "--quiet")


def write(*names: str, text: str = "") -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def selected(*arguments: str) -> list[str]:
    return [path.as_posix() for path in select(map(Path, arguments)).files]


def git(*arguments: str) -> None:
    subprocess.run([require_tool("git", "Debian package git"), *arguments], check=True)


@pytest.mark.usefixtures("tree")
class TestSelection:
    def test_files_of_triton_are_text_of_mlir(self) -> None:
        write("kernels/add.ttir", "kernels/add.ttgir", "kernels/add.llir")
        assert selected("kernels") == ["kernels/add.ttgir", "kernels/add.ttir"]

    def test_directories_are_searched_and_the_result_is_sorted(self) -> None:
        write("b/z.mlir", "b/a.mlir", "a.mlir", "b/c/d.mlir", "b/readme.md")
        assert selected("b", "a.mlir") == ["a.mlir", "b/a.mlir", "b/c/d.mlir", "b/z.mlir"]

    def test_a_file_named_twice_is_read_once(self) -> None:
        write("b/a.mlir")
        assert selected("b", "b/a.mlir", ".", str(Path("b/a.mlir").resolve())) == ["b/a.mlir"]

    def test_an_explicit_file_needs_no_suffix_and_may_be_ignored(self) -> None:
        write(".gitignore", text="*.txt\n")
        write("script.txt", ".hidden/a.mlir")
        assert selected("script.txt", ".hidden/a.mlir") == [".hidden/a.mlir", "script.txt"]

    def test_hidden_files_and_directories_are_left_out(self) -> None:
        write(".hidden/a.mlir", ".b.mlir", "c.mlir")
        assert selected(".") == ["c.mlir"]

    def test_without_a_repository_nothing_is_ignored(self) -> None:
        write(".gitignore", text="a.mlir\n")
        write("a.mlir")
        assert selected(".") == ["a.mlir"]

    def test_unreadable_folders_are_reported_and_the_rest_is_kept(self) -> None:
        write("a.mlir")
        Path("empty").mkdir()
        selection = select([Path("nowhere.mlir"), Path("empty"), Path("a.mlir")])
        assert [(problem.path, problem.message) for problem in selection.problems] == [
            ("nowhere.mlir", "no such file or directory")
        ]
        assert selection.empty == (Path("empty"),)
        assert selection.files == (Path("a.mlir"),)

    def test_names_that_no_file_can_have(self) -> None:
        (problem,) = select([Path("a" * 5000)]).problems
        assert problem.path == "a" * 5000

    @needs_links
    def test_links_to_directories_are_not_followed(self) -> None:
        write("real/a.mlir")
        Path("real/loop").symlink_to(Path("..").resolve(), target_is_directory=True)
        Path("real/linked.mlir").symlink_to(Path("real/a.mlir").resolve())
        Path("real/circle.mlir").symlink_to("circle.mlir")
        Path("real/dangling.mlir").symlink_to("nothing.mlir")
        assert selected("real") == ["real/a.mlir"]


@pytest.mark.usefixtures("repository")
class TestIgnoredFiles:
    def test_gitignore_with_negation(self) -> None:
        write(".gitignore", text="out*\n!out.keep.mlir\n/top.mlir\n")
        write("out.mlir", "out.keep.mlir", "top.mlir", "deep/top.mlir", "output/x.mlir")
        assert selected(".") == ["deep/top.mlir", "out.keep.mlir"]

    def test_each_place_in_which_git_has_rules(self, tree: Path) -> None:
        write(".git/info/exclude", text="b.mlir\n")
        write("rules", text="c.mlir\n")
        write("a.mlir", "b.mlir", "c.mlir", "d e/\u00e9.mlir")
        git("config", "core.excludesFile", str(tree / "rules"))
        assert selected(".") == ["a.mlir", "d e/\u00e9.mlir"]

    def test_tracked_files_are_not_ignored(self) -> None:
        write(".gitignore", text="*.mlir\nbuild/\n")
        write("tracked.mlir", "other.mlir", "build/deep/kept.mlir", "build/deep/made.mlir", "build/also.mlir")
        git("add", "--force", "tracked.mlir", "build/deep/kept.mlir")
        assert selected(".") == ["build/deep/kept.mlir", "tracked.mlir"]
        assert selected("build/deep") == ["build/deep/kept.mlir"]

    def test_inner_gitignore_overrides_outer_one(self) -> None:
        write(".gitignore", text="*.gen.mlir\n")
        write("deep/.gitignore", text="!*.gen.mlir\nprivate.mlir\n")
        write("a.gen.mlir", "deep/a.gen.mlir", "deep/private.mlir", "deep/er/b.gen.mlir")
        assert selected(".") == ["deep/a.gen.mlir", "deep/er/b.gen.mlir"]
        assert selected("deep/er") == ["deep/er/b.gen.mlir"]

    def test_a_repository_in_a_repository_has_its_own_rules(self) -> None:
        write(".gitignore", text="everything*\nvendored/\n")
        for folder in ("inner", "vendored"):
            git("init", "--quiet", folder)
            write(f"{folder}/.gitignore", text="*.tmp.mlir\n/deep/no.mlir\n")
            write(f"{folder}/deep/a.tmp.mlir", f"{folder}/deep/no.mlir", f"{folder}/deep/everything.mlir")
        assert selected("inner/deep") == ["inner/deep/everything.mlir"]
        assert selected(".") == ["inner/deep/everything.mlir"]

    def test_a_directory_named_explicitly_is_searched_though_it_is_ignored(self) -> None:
        write(".gitignore", text="build/\n")
        write("build/a.mlir", "build/sub/b.mlir")
        assert selected("build") == ["build/a.mlir", "build/sub/b.mlir"]
        assert selected("build/sub") == ["build/sub/b.mlir"]
        assert selected(".") == []

    def test_the_parent_directory_as_argument(self, monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
        write(".gitignore", text="/work/no.mlir\n")
        write("work/no.mlir", "work/yes.mlir")
        monkeypatch.chdir(tree / "work")
        assert selected("..") == ["../work/yes.mlir"]

    def test_a_hook_of_another_repository_changes_nothing(self, monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
        write(".gitignore", text="b.mlir\n")
        write("a.mlir", "b.mlir")
        monkeypatch.setenv("GIT_DIR", str(tree / "elsewhere"))
        assert selected(".") == ["a.mlir"]

    def test_a_broken_repository(self, tree: Path) -> None:
        write(".gitignore", text="*.gen.mlir\n")
        write("inner/.git/HEAD", "inner/a.mlir", "inner/b.gen.mlir")
        found = select([Path("inner")])
        assert [file.name for file in found.files] == ["a.mlir", "b.gen.mlir"]
        (said,) = found.unasked
        assert said.path == str(tree.resolve() / "inner")
        assert said.message.startswith(
            "what git ignores is not known, and is not left out: fatal: not a git repository"
        )

    def test_without_git(self, monkeypatch: pytest.MonkeyPatch) -> None:
        write(".gitignore", text="a.mlir\n")
        write("a.mlir")
        monkeypatch.setattr("tdls.files.git.find_program", lambda _: None)
        found = select([Path()])
        assert found.files == (Path("a.mlir"),)
        assert found.unasked[0].message.endswith("git is not on the search path")

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes of POSIX")
    def test_git_that_does_not_end_is_not_waited_for_twice(self, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tdls.files.git._SECONDS_OF_LIST", 0.2)
        write("a.mlir")
        Path(".git/config").unlink()
        os.mkfifo(".git/config")
        assert selected(".") == ["a.mlir"]
        with pytest.raises(GitError, match="git does not end in"):
            run_git(tree.resolve(), "status")


def test_libraries_are_files_or_folders_of_scripts(tmp_path: Path) -> None:
    for name in ("b.mlir", "a.mlir", "c.txt", "inner/d.mlir"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "e.mlir").mkdir()
    assert library_files(tmp_path) == [tmp_path / "a.mlir", tmp_path / "b.mlir"]
    assert library_files(tmp_path / "c.txt") == [tmp_path / "c.txt"]
    assert library_files(tmp_path / "missing.mlir") == [tmp_path / "missing.mlir"]


@needs_links
def test_links_out_of_the_repository_are_not_followed(tmp_path: Path) -> None:
    repository, elsewhere = tmp_path / "repository", tmp_path / "elsewhere"
    for folder in (repository / ".git", repository / "scripts", repository / "shared", elsewhere):
        folder.mkdir(parents=True)
    for file in (elsewhere / "a.mlir", repository / "shared" / "b.mlir"):
        file.touch()
    out, inside = repository / "scripts" / "out.mlir", repository / "scripts" / "in.mlir"
    out.symlink_to(elsewhere / "a.mlir")
    inside.symlink_to(repository / "shared" / "b.mlir")
    (repository / "scripts" / "folder").symlink_to(elsewhere)
    (repository / "scripts" / "round.mlir").symlink_to(repository / "scripts" / "round.mlir")
    found = select([repository / "scripts"])
    assert (found.files, found.outside, found.problems) == ((inside,), (out,), ())
    assert select([out]).files == (out,)
    assert select([elsewhere]).files == (elsewhere / "a.mlir",)


@needs_links
def test_without_a_repository_links_stay_in_the_directory(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "a.mlir").touch()
    (tmp_path / "scripts" / "b.mlir").symlink_to(tmp_path / "a.mlir")
    assert select([tmp_path / "scripts"]).files == ()
    assert select([tmp_path / "scripts"], lambda _: tmp_path).files == (tmp_path / "scripts" / "b.mlir",)
