"""The first command: sets up everything, checks style, types and imports, and runs the tests."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from preparation.commands import ROOT, run, say, timed
from preparation.environment import ENVIRONMENT, Environment
from preparation.set_up import PURPOSES, set_up

VENV = Environment(ENVIRONMENT, ROOT)
WRONG_ARGUMENTS = 4
"""Exit status of pytest for an unknown option or a missing file."""
IN_PARALLEL = ("-n", str(2 * (os.cpu_count() or 2)), "--dist", "loadfile", "--no-loadscope-reorder")
"""Twice as many processes as there are cores: many tests start others, and wait for them; the tests of a
file in one of them, which then needs shared packages only once."""
REPORT = ("--durations=20", "--durations-min=0.1", "-rfEs")
MORE = """\
What is not listed above goes to pytest: folders, files, -k WORDS, -x, --durations=50, ... With such arguments, too,
style and types are checked first. Examples:

  python3 tests/run.py                         what a change has to pass, in eight minutes on two cores
  python3 tests/run.py --all                   more: large samples of comparisons with MLIR, soaks, proofs, editors
  python3 tests/run.py --rest                  what --all adds, without the other checks
  python3 tests/run.py tests/lsp -k hover -x   some tests

CI=true makes tests fail that are skipped otherwise where a tool is missing. TDLS_ORACLE_CACHE names the folder for what
MLIR answered. The second command, node vscode-extension/scripts/verify.mjs, tests the extension for VS Code.
"""


def main(arguments: list[str]) -> int:
    """Run the command line and return the exit status."""
    try:
        return carry_out(arguments)
    except KeyboardInterrupt:
        say("interrupted; the same command begins anew what was not finished")
        return 130


def carry_out(arguments: list[str]) -> int:
    """Set up, run every check even after one failed, and return the exit status."""
    options, pytest_arguments = parse(arguments)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    problem = set_up(PURPOSES[options.set_up or ("everything" if options.all or options.rest else "tests")]())
    if problem is not None:
        say(f"set-up failed: {problem}")
        return 2
    if options.set_up:
        return 0
    if pytest_arguments and not is_understood(pytest_arguments):
        return 2
    if options.rest:
        # Snapshots of tests that are left out are no unused ones.
        return run(pytest_command(["--rest", "--snapshot-warn-unused", *pytest_arguments]), environment())
    return run_checks(["--all", *pytest_arguments] if options.all else pytest_arguments)


def parse(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """Return our own options, and those of pytest."""
    parser = argparse.ArgumentParser(
        prog="python3 tests/run.py",
        usage=f"%(prog)s [-h] [--all | --rest] [--set-up {{{','.join(sorted(PURPOSES))}}}] [PYTEST ARGUMENT...]",
        description="Set up everything, then check style, types and imports, and run the tests.",
        epilog=MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    extent = parser.add_mutually_exclusive_group()
    extent.add_argument("--all", action="store_true", help="also run large samples, soaks, proofs and other clients")
    extent.add_argument("--rest", action="store_true", help="run only the tests that --all adds")
    parser.add_argument("--set-up", choices=sorted(PURPOSES), help="only set up what these tests need, and run nothing")
    return parser.parse_known_args(arguments)


def is_understood(pytest_arguments: list[str]) -> bool:
    """Ask pytest whether it takes the arguments, before a minute is spent on other checks."""
    command = [VENV.python, "-m", "pytest", "--collect-only", "-qq", *pytest_arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode != WRONG_ARGUMENTS:
        return True
    say(f"pytest does not take these arguments (--help says what there is):\n{done.stderr.strip()}")
    return False


def run_checks(pytest_arguments: list[str]) -> int:
    """Run all checks, say how each ended, and return the exit status."""
    variables = environment()
    outcomes = [(name, *timed(command, variables)) for name, command in checks(pytest_arguments)]
    say("summary")
    for name, code, seconds in outcomes:
        print(f"  {'ok    ' if code == 0 else 'FAILED'}  {name} ({seconds:.1f} s)")
    return 1 if any(code != 0 for _, code, _ in outcomes) else 0


def checks(pytest_arguments: list[str]) -> list[tuple[str, list[str]]]:
    """Return name and command of every check, cheap ones first."""
    ruff = [VENV.python, "-m", "ruff"]
    return [
        ("ruff check", [*ruff, "check", "."]),
        ("ruff format", [*ruff, "format", "--check", "."]),
        ("mypy", [VENV.python, "-m", "mypy"]),
        ("lint-imports", [str(VENV.scripts / "lint-imports")]),
        ("pytest", pytest_command(pytest_arguments)),
    ]


def pytest_command(arguments: list[str]) -> list[str]:
    """Return the command that runs the tests."""
    return [VENV.python, "-m", "pytest", *IN_PARALLEL, *REPORT, *arguments]


def environment() -> dict[str, str]:
    """Return the variables for checks.

    Tests start Python a thousand times. Compiled modules are kept in ``.venv``, also for users that want no such files
    in their folders.
    """
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(ENVIRONMENT / "pycache")}
