"""Arguments of ``tests/run.py``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from preparation.main import is_understood, parse

SCRIPT = Path(__file__).parents[1] / "run.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False)


def test_help_names_every_option_and_sets_nothing_up() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert all(option in done.stdout for option in ("--all", "--rest", "--set-up", "PYTEST ARGUMENT"))
    assert "==" not in done.stdout


def test_purpose_that_does_not_exist() -> None:
    done = run("--set-up", "nothing")
    assert done.returncode == 2
    assert "invalid choice: 'nothing'" in done.stderr


def test_unknown_arguments_are_passed_to_pytest() -> None:
    options, others = parse(["--all", "tests/lsp", "-k", "hover", "-x", "--durations=5"])
    assert options.all
    assert others == ["tests/lsp", "-k", "hover", "-x", "--durations=5"]


def test_older_python_is_reported() -> None:
    older = "import runpy, sys; sys.version_info = (3, 9, 18); runpy.run_path(sys.argv[1], run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", older, str(SCRIPT)], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Python 3.10 or later is needed, this is 3.9.18" in done.stdout


@pytest.mark.sample
@pytest.mark.parametrize("arguments", [["tests/no_such_folder"], ["--no-such-option"]])
def test_arguments_that_pytest_does_not_take(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert not is_understood(arguments)
    said = capsys.readouterr().out
    assert "pytest does not take these arguments" in said
    assert arguments[0] in said
