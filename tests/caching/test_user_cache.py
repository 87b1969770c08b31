"""The user's cache: what it keeps, whose entries count, and what is never touched."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import time
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tdls.caching.basis import Basis
from tdls.caching.kept_files import KeptFile, KeptResults
from tdls.caching.plain_data import dumps, loads
from tdls.caching.user_cache import FOLDER_VARIABLE, KEY_VARIABLE, Cache, cache_place, private_folder
from tdls.catalogue.sources.work import SourceProblem
from tdls.project.definitions import SourceKind
from tdls.system import DATA_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable

FORMATS = """
import sys
from tdls.syntax.parser.assembly.format import parse_format
parse_format("$kept attr-dict")
sys.exit("lark" in sys.modules)
"""
NAME = "some-" + "0" * 64
OLD = "some_kind.tables-" + "1" * 64
needs_owners = pytest.mark.skipif(sys.platform == "win32", reason="profiles are kept to users by Windows")
needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege, and pipes are no files")


@pytest.fixture(autouse=True)
def outer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that is named for caches."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "outer"))
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "data"))
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    return tmp_path / "outer"


def own(outer: Path) -> Path:
    """Return the folder of the cache, which is made."""
    folder = cache_place().folder
    assert folder == outer / "tdls-cache"
    return folder


def test_results_come_back(outer: Path) -> None:
    first: KeptResults[tuple[int, ...]] = KeptResults(NAME)
    assert first.get("a") is None
    first.put("a", (1, 2))
    assert first.get("a") == (1, 2)
    first.write()
    second: KeptResults[tuple[int, ...]] = KeptResults(NAME)
    assert second.get("a") == (1, 2)
    assert second.get("b") is None
    assert sorted(path.name for path in own(outer).iterdir()) == ["CACHEDIR.TAG", NAME]


def test_an_entry_counts_by_its_name_and_key_as_it_was_written(outer: Path) -> None:
    cache = Cache.of_user()
    cache.put(NAME, b"content", "key")
    assert Cache.of_user().get(NAME, "key") == b"content"
    assert cache.get(NAME) is None
    entry = own(outer) / NAME
    (own(outer) / OLD).write_bytes(entry.read_bytes())
    assert cache.get(OLD, "key") is None
    written = entry.read_bytes()
    for damaged in (b"", b"nonsense", written[:-3], written + b"x", b"0" * 64 + b"content"):
        entry.write_bytes(damaged)
        assert cache.get(NAME, "key") is None


def test_a_restored_folder_counts_with_the_key_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Jobs on several machines share entries by a key that strangers do not have."""
    Cache.of_user().put(NAME, b"of this machine")
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "another machine"))
    assert Cache.of_user().get(NAME) is None
    monkeypatch.setenv(KEY_VARIABLE, "a secret")
    Cache.of_user().put(NAME, b"of a job")
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "a third"))
    assert Cache.of_user().get(NAME) == b"of a job"
    monkeypatch.setenv(KEY_VARIABLE, "another")
    assert Cache.of_user().get(NAME) is None


@needs_owners
def test_a_key_that_others_may_read_is_replaced(tmp_path: Path) -> None:
    Cache.of_user().put(NAME, b"content")
    key = tmp_path / "data" / "cache.key"
    assert key.stat().st_mode & 0o777 == 0o600
    key.chmod(0o644)
    assert Cache.of_user().get(NAME) is None
    assert key.stat().st_mode & 0o777 == 0o600


def test_without_a_folder_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for variable in (FOLDER_VARIABLE, DATA_VARIABLE):
        with monkeypatch.context() as patch:
            patch.setenv(variable, str(tmp_path / "file" / "inside"))
            results: KeptResults[int] = KeptResults(NAME)
            results.put("a", 1)
            results.write()
            assert results.get("a") == 1
            KeptFile(Basis("project", ("project",)), "key").store("data")
            assert (cache_place().folder, Cache.of_user().get(NAME)) == (None, None)
            assert private_folder() == private_folder() != tmp_path


def test_what_cannot_be_written_is_not_kept(outer: Path) -> None:
    (own(outer) / NAME).mkdir()
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    cache = Cache.of_user()
    cache.put(NAME, b"content")
    cache.put(OLD, dumps(deep))
    assert (cache.get(NAME), cache.get(OLD)) == (None, None)


def test_place_depends_on_the_key() -> None:
    basis = Basis("a", ("caching",))
    assert len({basis.name("b"), basis.name("c"), basis.name("b", "c"), basis.name("b")}) == 3


def test_formats_are_parsed_once_for_all_runs() -> None:
    runs = [subprocess.run([sys.executable, "-c", FORMATS], check=False) for _ in range(2)]
    assert [run.returncode for run in runs] == [1, 0]


def test_the_usual_folders_are_those_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders are given the way Linux, macOS and Windows each take them."""
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "HOME", "LOCALAPPDATA", "WIN_PD_OVERRIDE_LOCAL_APPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.delenv(FOLDER_VARIABLE)
    monkeypatch.delenv(DATA_VARIABLE)
    place = cache_place()
    assert place.folder is not None
    assert place.folder.is_relative_to(tmp_path)
    assert list(tmp_path.rglob("cache.key"))


@needs_owners
def test_the_folder_is_made_for_the_user_alone_and_the_one_around_it_stays(outer: Path) -> None:
    outer.mkdir(0o755)
    outer.chmod(0o755)
    assert own(outer).stat().st_mode & 0o777 == 0o700
    assert outer.stat().st_mode & 0o777 == 0o755
    assert [path.name for path in outer.iterdir()] == ["tdls-cache"]


@needs_owners
@pytest.mark.parametrize("mode", [0o770, 0o777, 0o702])
def test_a_folder_that_others_may_write_into_is_not_used(outer: Path, mode: int) -> None:
    own(outer).chmod(mode)
    assert cache_place().folder is None
    assert "others may write into" in cache_place().problem
    assert (outer / "tdls-cache").stat().st_mode & 0o777 == mode


@needs_owners
def test_a_folder_of_another_user_is_not_used(monkeypatch: pytest.MonkeyPatch, outer: Path) -> None:
    another = outer.parent.stat().st_uid + 1
    monkeypatch.setattr(os, "getuid", lambda: another)
    assert cache_place().folder is None
    assert "belongs to another user" in cache_place().problem


def test_a_folder_without_the_mark_is_not_used(outer: Path) -> None:
    (outer / "tdls-cache").mkdir(mode=0o700, parents=True)
    assert "was not made by tdls" in cache_place().problem
    (outer / "tdls-cache" / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n# of another\n")
    assert "was not made by tdls" in cache_place().problem


def test_a_folder_that_may_not_be_entered_is_not_used(outer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own(outer)

    def refuse(path: Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "lstat", refuse)
    assert "Permission denied" in cache_place().problem


@needs_links
def test_no_link_is_followed(outer: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / OLD).write_bytes(b"")
    os.utime(theirs / OLD, (0, 0))
    folder = own(outer)
    (folder / NAME).symlink_to(theirs / "note")
    (folder / "runs").symlink_to(theirs)
    os.utime(folder / "CACHEDIR.TAG", (0, 0))
    Cache.of_user().put(NAME, b"content")
    assert not (folder / NAME).is_symlink()
    assert not private_folder("runs").is_relative_to(folder)
    Cache.of_user().clear()
    assert [path.name for path in theirs.iterdir()] == [OLD]
    (outer / "tdls-cache").rename(theirs / "tdls-cache")
    (outer / "tdls-cache").symlink_to(theirs / "tdls-cache")
    assert "is a link" in cache_place().problem


@needs_links
@pytest.mark.parametrize("name", [NAME, "CACHEDIR.TAG"])
def test_pipes_are_not_opened(name: str, outer: Path) -> None:
    (own(outer) / name).unlink(missing_ok=True)
    os.mkfifo(outer / "tdls-cache" / name)
    assert Cache.of_user().get(NAME) is None


def test_entries_that_were_not_written_for_long_go_once_a_day(outer: Path) -> None:
    cache, folder = Cache.of_user(), own(outer)
    for name in (OLD, "thesis-1.txt"):
        (folder / name).write_bytes(b"")
        os.utime(folder / name, (0, 0))
    cache.put(NAME, b"")
    assert (folder / OLD).exists()
    mark = folder / "CACHEDIR.TAG"
    os.utime(mark, (0, 0))
    Cache.of_user().put(NAME, b"")
    assert sorted(path.name for path in folder.iterdir()) == ["CACHEDIR.TAG", NAME, "thesis-1.txt"]
    assert time.time() - mark.stat().st_mtime < 24 * 3600


def test_only_files_of_tdls_are_removed(outer: Path) -> None:
    theirs = [own(outer) / "notes.txt", outer / OLD, own(outer) / "check" / OLD]
    ours = [own(outer) / NAME, private_folder("rules-1.0") / "a-rule.md", private_folder("runs", "0" * 12) / "a.mlir"]
    for file in (*theirs, *ours):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"1234")
    assert Cache.of_user().clear() == (3, 12)
    assert [file.exists() for file in (*theirs, *ours)] == [True] * 3 + [False] * 3


class Hostile:
    """Pickled bytes may name any function, which is called when they are read."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self._call = function, arguments

    def __reduce__(self) -> tuple[object, ...]:
        return self._call


def test_bytes_that_name_functions_make_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    for function, *arguments in (
        (os.mkdir, str(mark)),
        (eval, f"__import__('os').mkdir({str(mark)!r})"),
        (Path.mkdir, mark),
        (getattr, Path, "mkdir"),
        (subprocess.run, ["mkdir", str(mark)]),
    ):
        assert loads(pickle.dumps(Hostile(function, *arguments))) is None
    for name in (
        "os system",
        "tdls.caching.user_cache cache_place",
        "tdls.project.root project_root",
        "tdls.project.scanning.assembly Path.mkdir",
    ):
        assert loads(b"c" + name.replace(" ", "\n").encode() + b"\n.") is None
    assert not mark.exists()


def test_plain_data_comes_back() -> None:
    for value in (SourceProblem(Path("a.td"), 3, "no"), {"a": [1, (2.5, None)]}, frozenset({b"x"}), {1, 2}, "ä" * 9):
        assert loads(dumps(value)) == value


def test_enumerations_come_back_however_this_python_reduces_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.11 before 3.11.4 names `getattr` in them."""
    monkeypatch.setattr(Enum, "__reduce_ex__", lambda member, _: (getattr, (type(member), member.name)))
    for value in (SourceKind.BINDINGS, re.ASCII | re.MULTILINE, (SourceKind.CPP, SourceKind.CPP)):
        assert loads(dumps(value)) == value
