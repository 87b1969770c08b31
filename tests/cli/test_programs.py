"""`tdls --check` of Python programs."""

from __future__ import annotations

import json
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


def test_program_that_is_named_is_checked_and_its_findings_are_kept() -> None:
    done = tdls("check", "--format", "concise", "program.py")
    assert done.returncode == 1
    assert done.stdout.splitlines()[:2] == FOUND
    assert tdls("check", "--format", "concise", "program.py").stdout == done.stdout


def test_programs_below_folders_are_checked_on_request_or_where_settings_say_so() -> None:
    done = check(".")
    assert (done.returncode, "no *.mlir file to check here" in done.stderr) == (2, True)
    assert check("--python", ".").stdout.splitlines()[:2] == FOUND
    write("tdls.toml", "[python]\ncheck = true\n")
    assert check(".").stdout.splitlines()[:2] == FOUND


def test_fixes_are_written_into_the_string() -> None:
    check("--fix", "--unsafe-fixes", "program.py")
    assert read(Path("program.py")).count("transform.yield") == 1
    assert compile(read(Path("program.py")), "program.py", "exec")


def test_nothing_is_executed() -> None:
    write("program.py", PROGRAM + "\nopen('executed', 'w').close()\n")
    assert check("program.py").stdout.splitlines()[:2] == FOUND
    assert not Path("executed").exists()


def test_cells_of_notebooks_are_programs() -> None:
    magic = ("%matplotlib inline\n!echo don't\n", "%%bash\n", "%%time\n")
    cells = [{"cell_type": "code", "source": f"{line}{PROGRAM}".splitlines(keepends=True)} for line in magic]
    notebook = {"cells": [{"cell_type": "markdown", "source": PROGRAM}, *cells], "nbformat": 4, "metadata": {}}
    write("book.ipynb", json.dumps(notebook, indent=1))
    places = ["book.ipynb:cell 2:7:27", "book.ipynb:cell 2:8:5", "book.ipynb:cell 4:6:27", "book.ipynb:cell 4:7:5"]
    for arguments in (["book.ipynb"], ["--python", "."]):
        lines = check(*arguments).stdout.splitlines()
        assert [line.partition(": ")[0] for line in lines if ":cell" in line] == places
    fixed = check("--fix", "--unsafe-fixes", "book.ipynb")
    assert (fixed.returncode, "tdls writes no notebooks" in fixed.stderr) == (2, True)
    assert json.loads(read(Path("book.ipynb"))) == notebook
    assert "+    transform.yield\n" in check("--fix", "--unsafe-fixes", "--diff", "book.ipynb").stdout
    write("none.ipynb", "{}")
    assert "none.ipynb: not a notebook of Jupyter" in check("none.ipynb").stderr
    given = tdls("check", "--fix", "--stdin-filename", "book.ipynb", "-", text="{}")
    assert (given.returncode, given.stdout) == (2, "{}")
