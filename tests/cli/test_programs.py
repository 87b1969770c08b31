"""`tdls --check` of Python programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.files import read, write
from command_line import tdls

if TYPE_CHECKING:
    import subprocess

PROGRAM = '''\
SCRIPT = """
module attributes {transform.with_named_sequence} {
  transform.named_sequence @unroll(%loop: !transform.any_op {transform.consumed}) {
    transform.loop.unroll %loop {factor = 4} : !transform.any_op
    transform.loop.unroll %loop {factor = 2} : !transform.any_op
    transform.yeld
  }
}
"""
'''
FOUND = [
    "program.py:5:27: warning: `%loop` was consumed by `transform.loop.unroll` [use-after-free]",
    "program.py:6:5: error: unknown transform operation `transform.yeld` [unknown-transform-operation]",
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("program.py", PROGRAM)
    write("other.py", "print('transform.yeld')\n")
    return tmp_path


def check(*arguments: str) -> subprocess.CompletedProcess[str]:
    return tdls("check", "--no-cache", "--format", "concise", *arguments)


def test_program_that_is_named_is_checked() -> None:
    done = check("program.py")
    assert done.returncode == 1
    assert done.stdout.splitlines()[:2] == FOUND


def test_programs_below_folders_are_checked_on_request() -> None:
    done = check(".")
    assert (done.returncode, "no *.mlir file to check here" in done.stderr) == (2, True)
    assert check("--python", ".").stdout.splitlines()[:2] == FOUND


def test_programs_below_folders_are_checked_where_settings_say_so() -> None:
    write("tdls.toml", "[python]\ncheck = true\n")
    assert check(".").stdout.splitlines()[:2] == FOUND


def test_findings_are_kept() -> None:
    first = tdls("check", "--format", "concise", "program.py")
    assert first.stdout.splitlines()[:2] == FOUND
    assert tdls("check", "--format", "concise", "program.py").stdout == first.stdout


def test_fixes_are_written_into_the_string() -> None:
    check("--fix", "--unsafe-fixes", "program.py")
    assert read(Path("program.py")).count("transform.yield") == 1
    assert compile(read(Path("program.py")), "program.py", "exec")


def test_nothing_is_executed() -> None:
    write("program.py", PROGRAM + "\nopen('executed', 'w').close()\n")
    assert check("program.py").stdout.splitlines()[:2] == FOUND
    assert not Path("executed").exists()
