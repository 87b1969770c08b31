from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tdls.files import writing
from tdls.files.writing import NotWrittenError, replace_content, write_content

OLD, NEW = b"\xef\xbb\xbfold\r\n", b"\xef\xbb\xbfnew\r\n" * 1000
KILLED_AT = """\
import os, signal, sys
from pathlib import Path
from tdls.files import writing

step = 0

def count(frame, event, argument):
    global step
    if frame.f_code.co_filename != writing.__file__:
        return None
    if event == "line":
        if step == int(sys.argv[2]):
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
        step += 1
    return count

path = Path(sys.argv[1])
before = path.read_bytes()
after = Path(sys.argv[3]).read_bytes()
sys.settrace(count)
writing.replace_content(path, before, after)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "script.mlir"
    path.write_bytes(OLD)
    return path


def test_content_is_replaced(file: Path) -> None:
    replace_content(file, OLD, NEW)
    assert file.read_bytes() == NEW
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_permissions_stay(file: Path, mode: int) -> None:
    file.chmod(mode)
    replace_content(file, OLD, NEW)
    assert stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="Python knows extended attributes of Linux only")
def test_extended_attributes_stay_and_the_time_does_not(file: Path) -> None:
    os.utime(file, (1, 1))
    try:
        os.setxattr(file, "user.origin", b"here")
    except OSError:
        pytest.skip("the file system has no extended attributes")
    replace_content(file, OLD, NEW)
    assert os.getxattr(file, "user.origin") == b"here"
    assert file.stat().st_mtime > 1


@pytest.mark.parametrize("target", ["script.mlir", "../script.mlir"])
def test_links_stay(file: Path, target: str) -> None:
    folder = file.parent / "folder" if target.startswith("..") else file.parent
    folder.mkdir(exist_ok=True)
    link = folder / "link.mlir"
    try:
        link.symlink_to(target)
    except OSError:
        pytest.skip("this user may not make links")
    replace_content(link, OLD, NEW)
    assert link.is_symlink()
    assert file.read_bytes() == NEW


def test_read_only_files_are_left_alone(file: Path) -> None:
    file.chmod(0o444)
    with pytest.raises(NotWrittenError, match="read-only"):
        replace_content(file, OLD, NEW)
    assert file.read_bytes() == OLD


def test_files_changed_meanwhile_are_not_written(file: Path) -> None:
    file.write_bytes(b"mine")
    with pytest.raises(NotWrittenError, match="meanwhile"):
        replace_content(file, OLD, NEW)
    assert file.read_bytes() == b"mine"


def test_folders_and_missing_files_are_not_written(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(NotWrittenError):
            replace_content(path, OLD, NEW)


def test_failure_leaves_nothing_behind(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(NotWrittenError, match="No space"):
        replace_content(file, OLD, NEW)
    assert [path.read_bytes() for path in file.parent.iterdir()] == [OLD]


def test_new_file_is_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    write_content(tmp_path / "new", NEW)
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode
    write_content(tmp_path / "new", OLD)
    assert (tmp_path / "new").read_bytes() == OLD


@pytest.mark.sample
def test_a_kill_at_any_moment_loses_nothing(file: Path, tmp_path: Path) -> None:
    """The process is killed before each line of the module that it comes to, one after the other."""
    (tmp_path / "new").write_bytes(NEW)
    contents = []
    for step in range(200):
        file.write_bytes(OLD)
        command = [sys.executable, "-c", KILLED_AT, str(file), str(step), str(tmp_path / "new")]
        done = subprocess.run(command, check=False, capture_output=True)
        contents.append(file.read_bytes())
        if done.returncode == 0:
            break
    assert done.returncode == 0, done.stderr
    assert len(contents) > 20
    turn = contents.index(NEW)
    assert contents == [OLD] * turn + [NEW] * (len(contents) - turn)


def test_a_file_that_is_open_elsewhere_on_windows_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, original = tmp_path / "a", Path.replace
    refusals = iter([True, True, False])

    def replace(self: Path, target: Path) -> Path:
        if next(refusals):
            raise PermissionError(13, "it is used by another process")
        return original(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(writing, "_WAITS", (0, 0))
    monkeypatch.setattr("tdls.files.writing.sys.platform", "win32")
    write_content(path, NEW)
    assert path.read_bytes() == NEW
    refusals = iter([True] * 3)
    with pytest.raises(NotWrittenError, match="used by another process"):
        write_content(path, OLD)
    assert list(tmp_path.iterdir()) == [path]
