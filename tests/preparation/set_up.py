"""Sets up all that the tests, or those of the extension for VS Code, need; or prints at once the missing tools."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from preparation.commands import ROOT, answer, say
from preparation.environment import ENVIRONMENT, LOCK, Environment, how_to_get_venv
from preparation.locking import only_one
from preparation.node_packages import NO_NPM, PATTERN_CHECK, has_npm, install_packages
from preparation.tools import (
    EDITORS,
    EXTENSION_TOOLS,
    FONTS,
    TEST_TOOLS,
    Tool,
    can_use_apt,
    has_venv,
    how_to_get,
    install,
    missing,
)

if TYPE_CHECKING:
    from pathlib import Path

IN_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}
_HAS_MLIR = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch_mlir') is None)"


@dataclass(frozen=True)
class Purpose:
    """The tests for which a set-up prepares the machine, by their needs."""

    tools: tuple[Tool, ...]
    needs_tools: bool
    """Whether there is nothing to test without them; else tests that need them are skipped."""
    needs_mlir: bool
    fonts: tuple[str, ...] = ()
    packages: tuple[Path, ...] = ()
    """Folders with lock files of npm."""
    other_python: str | None = None
    """A Python with MLIR that is used in place of the environment's, if the environment variable names one."""


def tests() -> Purpose:
    """The tests that a change has to pass. In continuous integration, nothing may be skipped."""
    return Purpose(TEST_TOOLS, needs_tools=IN_CI, needs_mlir=IN_CI)


def everything() -> Purpose:
    """All tests in Python."""
    tools = (*TEST_TOOLS, *EDITORS)
    return Purpose(tools, needs_tools=IN_CI, needs_mlir=IN_CI, packages=(PATTERN_CHECK,))


def extension() -> Purpose:
    """The tests of the extension, which run scripts in a browser."""
    other = os.environ.get("TDLS_E2E_PYTHON")
    return Purpose(EXTENSION_TOOLS, needs_tools=True, needs_mlir=not other, fonts=FONTS, other_python=other)


PURPOSES = {"tests": tests, "everything": everything, "extension": extension}


def set_up(purpose: Purpose) -> str | None:
    """Prepare everything and return the problem, if there is one; quickly if a tool is missing."""
    absent = missing(purpose.tools)
    in_the_way = obstacles(purpose, absent)
    if in_the_way:
        return "\n   ".join(in_the_way)
    with only_one(LOCK, lambda: say("waiting for another set-up of this checkout")):
        return (
            _install_tools(purpose, absent)
            or _install_packages(purpose)
            or Environment(ENVIRONMENT, ROOT).prepare(needs_mlir=purpose.needs_mlir)
        )


def obstacles(purpose: Purpose, absent: list[Tool]) -> list[str]:
    """Return messages about missing tools that the set-up cannot install."""
    found = [NO_NPM] if purpose.packages and purpose.needs_tools and not has_npm() else []
    if not can_use_apt():
        found += [how_to_get(tool) for tool in absent if purpose.needs_tools]
        found += [] if has_venv() else [how_to_get_venv()]
    found += [how_to_get(tool) for tool in absent if tool.variable and os.environ.get(tool.variable)]
    other = purpose.other_python
    if other and answer([other, "-c", _HAS_MLIR]) is None:
        found.append(f"TDLS_E2E_PYTHON is {other}, which is no Python with MLIR (pip install torch-mlir)")
    return list(dict.fromkeys(found))


def _install_packages(purpose: Purpose) -> str | None:
    problem = next(filter(None, map(install_packages, purpose.packages)), None)
    if problem is None or purpose.needs_tools:
        return problem
    say(f"{problem}; tests with what is missing are left out")
    return None


def _install_tools(purpose: Purpose, absent: list[Tool]) -> str | None:
    packages = [tool.package for tool in absent]
    if purpose.fonts and packages:
        packages += purpose.fonts
    if not has_venv():
        packages.append("python3-venv")
    if not packages or not can_use_apt() or install(packages):
        return None
    if purpose.needs_tools:
        return f"apt-get could not install {' '.join(packages)}; see its message above"
    say(f"could not install {' '.join(packages)}: tests with these tools will be missing")
    return None
