"""Set up everything and pass every test: ``python3 tests/run.py [PYTEST ARGUMENT...]``.

Needs nothing but Python 3.10 or later. Creates ``.venv`` in the checkout, installs tdls with its development
tools into it, installs Debian's MLIR tools, editors and shells where that is possible, and runs the style checks, the
type checker, the import contract and the tests. Exits with 1 when any of them failed, with 2 when the set-up failed.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
SCRIPTS = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
STAMP = ENVIRONMENT / "tdls-set-up.txt"
MLIR_PACKAGES = ("mlir-22-tools", "llvm-22", "libmlir-22-dev", "mlir-19-tools")
EDITOR_PACKAGES = ("neovim", "emacs-nox", "elpa-eglot")
SHELL_PACKAGES = ("zsh", "fish")
IN_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}


def main(pytest_arguments: list[str]) -> int:
    """Set up, run every check even after one failed, and return the exit status."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    problem = set_up()
    if problem is not None:
        say(f"set-up failed: {problem}")
        return 2
    outcomes = [(name, *timed(command)) for name, command in checks(pytest_arguments)]
    say("summary")
    for name, code, seconds in outcomes:
        print(f"  {'ok    ' if code == 0 else 'FAILED'}  {name} ({seconds:.1f} s)")
    return 1 if any(code != 0 for _, code, _ in outcomes) else 0


def checks(pytest_arguments: list[str]) -> list[tuple[str, list[str]]]:
    """Return name and command of every check, cheap ones first."""
    python = str(SCRIPTS / "python")
    ruff = [python, "-m", "ruff"]
    return [
        ("ruff check", [*ruff, "check", "."]),
        ("ruff format", [*ruff, "format", "--check", "."]),
        ("mypy", [python, "-m", "mypy"]),
        ("lint-imports", [str(SCRIPTS / "lint-imports")]),
        ("pytest", [python, "-m", "pytest", "-n", "2", *pytest_arguments]),
    ]


def set_up() -> str | None:
    """Prepare the environment and return what went wrong, if anything did."""
    if sys.version_info < (3, 10):  # noqa: UP036 - this file is also started by an older Python
        return f"Python 3.10 or later is needed, this is {sys.version.split()[0]} ({sys.executable})"
    install_debian_packages()
    fingerprint = f"{sys.version} {hashlib.sha256((ROOT / 'pyproject.toml').read_bytes()).hexdigest()}"
    if STAMP.is_file() and STAMP.read_text(encoding="utf-8") == fingerprint:
        say(f"{ENVIRONMENT} is up to date (delete it to start afresh)")
        return None
    problem = create_environment() or install_project()
    if problem is None:
        STAMP.write_text(fingerprint, encoding="utf-8")
    return problem


def install_debian_packages() -> None:
    """Install the tools, editors and shells that tests work with; where that cannot be, the tests say so themselves."""
    wanted = [*MLIR_PACKAGES, *EDITOR_PACKAGES, *SHELL_PACKAGES]
    if not has_venv():
        wanted.append("python3-venv")
    missing = [package for package in wanted if not is_debian_package_installed(package)]
    if not missing or not can_use_apt():
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *missing]
    for _ in range(2):
        run(["apt-get", "update", "-q"], environment)
        if run(install, environment) == 0:
            return
    say(f"could not install {' '.join(missing)}: tests with these tools will be missing")


def can_use_apt() -> bool:
    """Tell whether this is a Debian-like system on which this process may install packages."""
    return shutil.which("apt-get") is not None and hasattr(os, "geteuid") and os.geteuid() == 0


def is_debian_package_installed(package: str) -> bool:
    """Ask dpkg about `package`; False where there is no dpkg."""
    if shutil.which("dpkg-query") is None:
        return False
    query = ["dpkg-query", "-W", "-f", "${db:Status-Abbrev}", package]
    answer = subprocess.run(query, capture_output=True, text=True, check=False)
    return answer.stdout.startswith("ii")


def has_venv() -> bool:
    """Tell whether this Python can create environments that have pip."""
    return all(importlib.util.find_spec(name) is not None for name in ("venv", "ensurepip"))


def create_environment() -> str | None:
    """Create ``.venv`` and return what went wrong, if anything did."""
    if run([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)]) == 0:
        return None
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return (
        f"{sys.executable} cannot create environments; on Debian or Ubuntu install python{version}-venv "
        "(apt-get install python3-venv), elsewhere use a Python from https://www.python.org/downloads/"
    )


def install_project() -> str | None:
    """Install tdls, editable, with every extra; without the MLIR wheel where none fits and this is not CI."""
    if install(".[dev,mlir]"):
        return None
    if IN_CI:
        return "pip could not install .[dev,mlir]; see its message above"
    say("no MLIR wheel could be installed here: tests that ask MLIR's Python bindings will be skipped")
    return None if install(".[dev]") else "pip could not install .[dev]; see its message above"


def install(requirement: str) -> bool:
    """Install `requirement` of the checkout, trying twice, and tell whether that went well."""
    command = [str(SCRIPTS / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    return any(run([*command, "-e", requirement]) == 0 for _ in range(2))


def timed(command: list[str]) -> tuple[int, float]:
    """Run `command` and return its exit status and the seconds it took."""
    started = time.monotonic()
    return run(command), time.monotonic() - started


def run(command: list[str], environment: dict[str, str] | None = None) -> int:
    """Run `command` in the checkout, printing it first, and return its exit status."""
    say(" ".join(command))
    try:
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    except OSError as error:
        say(f"cannot run {command[0]}: {error}")
        return 127


def say(text: str) -> None:
    """Print a line of this script's own, ahead of what the commands print."""
    print(f"\n== {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
