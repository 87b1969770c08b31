"""What the machine lacks is no mistake in tdls."""

from __future__ import annotations

import errno
import subprocess
import sys
import traceback
from typing import TYPE_CHECKING

import pytest

import command_line
from tdls.cli.checking.file import Checker
from tdls.system import WORKER_ENDED, shortage_in

if TYPE_CHECKING:
    from pathlib import Path

LACKING = {
    "memory": MemoryError(),
    "memory of the system": OSError(errno.ENOMEM, "Cannot allocate memory"),
    "processes": BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"),
    "threads": RuntimeError("can't start new thread"),
    "descriptors": OSError(errno.EMFILE, "Too many open files", "a.mlir"),
    "disk": OSError(errno.ENOSPC, "No space left on device"),
    "temporary folder": FileNotFoundError(2, "No usable temporary directory found in ['/tmp']"),
}
MISTAKES = [
    ValueError("MemoryError"),
    RuntimeError("dictionary changed size during iteration"),
    FileNotFoundError(2, "No such file or directory", "a.mlir"),
    KeyError("[Errno 12]"),
]


def trace_of(error: Exception) -> str:
    return "".join(traceback.format_exception(error))


@pytest.mark.parametrize("error", LACKING.values(), ids=LACKING)
def test_a_machine_that_lacks_something_is_no_mistake(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.mlir").write_text("module {}\n", encoding="utf-8")

    def lacking(*_: object) -> None:
        raise error

    monkeypatch.setattr(Checker, "check", lacking)
    done = command_line.tdls("--check", "--no-cache", "a.mlir", folder=tmp_path)
    assert done.returncode == 2
    assert str(shortage_in(trace_of(error))) in done.stderr
    assert "mistake in tdls" not in done.stderr


@pytest.mark.parametrize("error", MISTAKES, ids=repr)
def test_other_errors_are_mistakes(error: Exception) -> None:
    assert shortage_in(trace_of(error)) is None


def test_a_worker_that_the_system_ends_may_have_lacked_memory() -> None:
    assert "memory is short" in (shortage_in(WORKER_ENDED) or "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no files")
@pytest.mark.parametrize("arguments", [["run", "a.mlir"], ["trace", "a.mlir"], ["doctor"]])
def test_commands_say_that_there_is_no_temporary_folder(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text("module {}\n", encoding="utf-8")
    code = (
        "import sys, tempfile; tempfile._candidate_tempdir_list = lambda: ['/nowhere'];"
        "from tdls.cli.main import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=tmp_path, capture_output=True, check=False, text=True
    )
    assert "current folder" not in done.stderr
    assert "mistake in tdls" not in done.stderr
