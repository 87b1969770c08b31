"""Files are read no further than their kind may have, and only regular ones are opened."""

from __future__ import annotations

import ast
import io
import os
import sys
from pathlib import Path

import pytest

import tdls
from tdls.files.reading import NotReadError, read_bytes, read_stream, read_text, text_of
from tdls.limits import SCRIPT_SIZE, Limit

SMALL = Limit("small", 4, "bytes", "a test", "it is not read")
PACKAGE = Path(tdls.__file__).parent
OWN_FILES = {
    "analysis/rule.py",
    "caching/basis.py",
    "catalogue/changed_operations.py",
    "catalogue/documents.py",
    "catalogue/shipped.py",
    "catalogue/sources/tablegen/reading.py",
    "grammars.py",
    "pages/page.py",
    "settings/llvm_versions.py",
}
"""Modules that read files of tdls itself."""
OTHERS = {
    "cli/console/streams.py": "the null device",
    "cli/checking/reports.py": "writes",
    "cli/commands/server.py": "standard output",
    "cli/commands/skill.py": "instructions in the package",
    "files/reading.py": "reads for everybody",
    "files/writing.py": "writes",
    "interpreter/confinement/linux.py": "folders, for the kernel",
    "interpreter/confinement/confinement.py": "the head of a tool",
    "interpreter/confinement/reports.py": "what runs write",
    "interpreter/confinement/watch.py": "/proc",
    "python_builders/worker/serving.py": "the answer of a program's process",
    "interpreter/mlir/worker/messages.py": "the null device",
    "interpreter/mlir/worker/execution.py": "the module to parse, in the worker",
    "interpreter/mlir/worker/worker.py": "the log of a run",
    "processes.py": "the null device",
    "lsp/requests/notifications.py": "documents that an editor opens",
}
READING_CALLS = {"open", "read_bytes", "read_text", "fdopen"}


def test_all_of_a_file_that_is_small_enough_is_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"\xc3\xa4\r\n")
    assert read_bytes(file, SMALL) == b"\xc3\xa4\r\n"
    assert read_text(file, SMALL) == text_of(file, SMALL) == "ä\r\n"


def test_a_larger_file_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    with pytest.raises(NotReadError, match="larger than 4 bytes, the most that is read of a test"):
        read_bytes(file, SMALL)
    assert text_of(file, SMALL) is None


def test_a_sparse_file_costs_no_more_than_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with file.open("wb") as stream:
        stream.truncate(5_000_000_000)
    with pytest.raises(NotReadError, match="larger than 4 bytes"):
        read_bytes(file, SMALL)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_the_size_that_the_system_tells_is_not_trusted() -> None:
    file = Path("/proc/self/status")
    assert file.stat().st_size == 0
    with pytest.raises(NotReadError, match="larger than 4 bytes"):
        read_bytes(file, SMALL)


@pytest.mark.skipif(sys.platform == "win32", reason="has no named pipes among files")
def test_pipes_and_devices_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for file in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(NotReadError, match="not a regular file"):
            read_bytes(file, SMALL)
        assert text_of(file) is None


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
def test_links_are_followed_unless_they_may_be_a_strangers(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"1234")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_bytes(tmp_path / "link", SMALL) == b"1234"
    with pytest.raises(NotReadError, match="not a regular file"):
        read_bytes(tmp_path / "link", SMALL, follows_links=False)


def test_missing_files_and_folders(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_bytes(tmp_path / "missing", SMALL)
    with pytest.raises(OSError, match="directory"):
        read_bytes(tmp_path, SMALL)
    assert text_of(Path("nul\0")) is None


def test_streams_are_read_no_further_than_one_byte_behind_the_limit() -> None:
    stream = io.BytesIO(b"123456789")
    with pytest.raises(NotReadError):
        read_stream(stream, SMALL)
    assert stream.tell() == SMALL.most + 1


def test_all_files_of_repositories_are_read_in_one_place() -> None:
    reading = {file.relative_to(PACKAGE).as_posix() for file in PACKAGE.rglob("*.py") if _reads(file)}
    assert reading == OWN_FILES | OTHERS.keys()


def _reads(file: Path) -> bool:
    """Whether a module calls a function with the name of one that reads files."""
    code = file.read_text(encoding="utf-8")
    if not any(name in code for name in READING_CALLS):
        return False
    tree = ast.parse(code)
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    methods = {call.attr for call in calls if isinstance(call, ast.Attribute)}
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tdls.files.reading")
        for alias in node.names
    }
    names = {call.id for call in calls if isinstance(call, ast.Name)} - imported
    return bool(READING_CALLS & (methods | names))


def test_a_file_at_the_limit_is_named_with_its_limit() -> None:
    assert str(SCRIPT_SIZE) == f"script-size ({SCRIPT_SIZE.most:,} bytes)"


def test_no_question_about_a_path_fails() -> None:
    """The methods of `Path` raise where access is denied, before Python 3.14; functions of `os.path` do not."""
    asked = {
        f"{file.relative_to(PACKAGE).as_posix()}: {ast.unparse(call)}"
        for file in PACKAGE.rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ("exists", "is_dir", "is_file")
        and ast.unparse(call.func.value) not in ("entry", "os.path")
    }
    assert asked == set()
