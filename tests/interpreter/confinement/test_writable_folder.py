"""Files and links of confined processes in a folder lead tdls to no other place, and are deleted at the end."""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path

import pytest

from tdls.interpreter.confinement.reports import ReportError, WritableFolder

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs links and pipes of POSIX")


def test_file_that_was_written_is_read() -> None:
    with WritableFolder() as folder:
        assert folder.read("output", 10) is None
        Path(folder.file("output")).write_bytes(b"\xffmore")
        assert folder.read("output", 5) == b"\xffmore"
        with pytest.raises(ReportError, match="more than 4 bytes"):
            folder.read("output", 4)


@posix
def test_nothing_but_regular_files_is_opened(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    with WritableFolder() as folder:
        Path(folder.file("link")).symlink_to(tmp_path / "secret")
        Path(folder.file("nowhere")).symlink_to(tmp_path / "missing")
        Path(folder.file("folder")).mkdir()
        os.mkfifo(folder.file("pipe"))
        for name, problem in (("link", "symbolic link"), ("nowhere", "symbolic link"), ("pipe", "not a regular file")):
            with pytest.raises(ReportError, match=problem):
                folder.read(name, 100)
        with pytest.raises(ReportError, match="not a regular file"):
            folder.read("folder", 100)


@posix
def test_folder_that_was_moved_away_leads_nowhere(tmp_path: Path) -> None:
    with WritableFolder(str(tmp_path)) as folder:
        mine = tmp_path / "mine"
        mine.mkdir()
        (mine / "output").write_bytes(b"mine")
        Path(folder.path).rename(tmp_path / "elsewhere")
        Path(folder.path).symlink_to(mine)
        assert folder.read("output", 100) is None
    assert (mine / "output").read_bytes() == b"mine"


def test_size_is_that_of_all_that_lies_there() -> None:
    with WritableFolder() as folder:
        assert folder.size() == 0
        inner = Path(folder.file("a"), "b")
        inner.mkdir(parents=True)
        (inner / "file").write_bytes(b"x" * 1_000_000)
        assert 1_000_000 <= folder.size() <= 1_100_000
        for number in range(100):
            (inner / str(number)).touch()
        assert folder.size() >= 1_000_000 + 100 * 4096


@posix
def test_size_counts_nothing_behind_links(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * 1_000_000)
    with WritableFolder() as folder:
        Path(folder.file("file")).symlink_to(tmp_path / "large")
        Path(folder.file("folder")).symlink_to(tmp_path)
        assert folder.size() < 100_000


@posix
@pytest.mark.parametrize("name", ["d", "d" * 200])
def test_folders_of_any_depth_are_removed(name: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").touch()
    folder = WritableFolder()
    here = os.open(folder.path, os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_RDONLY, dir_fd=here)
        os.symlink(kept, "link", dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    if len(name) > 1:
        assert folder.size() == math.inf  # it cannot be looked at by its names
    folder.close()
    assert not Path(folder.path).exists()
    assert [path.name for path in kept.iterdir()] == ["file"]


@posix
def test_folders_that_were_closed_are_removed() -> None:
    folder = WritableFolder()
    inner = Path(folder.file("a"), "b")
    inner.mkdir(parents=True)
    (inner / "file").touch()
    inner.chmod(0)
    inner.parent.chmod(0)
    folder.close()
    assert not Path(folder.path).exists()
