"""Programs from outside of Python that tests work with, and how they come onto a machine like Debian's."""

from __future__ import annotations

import importlib.util
import os
import shutil
from dataclasses import dataclass

from preparation.commands import answer, run, say

_WAIT_FOR_OTHERS = ["-o", "DPkg::Lock::Timeout=600"]


@dataclass(frozen=True)
class Tool:
    """A tool of Debian's `package`; any of `programs` on the search path will do."""

    package: str
    programs: tuple[str, ...] = ()
    variable: str = ""
    """The environment variable that may say where the program is."""


TEST_TOOLS = (
    Tool("mlir-22-tools", ("mlir-opt-22",)),
    Tool("llvm-22", ("llvm-tblgen-22",)),
    Tool("libmlir-22-dev"),
    Tool("mlir-19-tools", ("mlir-opt-19",)),
    Tool("zsh", ("zsh",)),
    Tool("fish", ("fish",)),
)
EDITORS = (
    Tool("neovim", ("nvim",)),
    Tool("emacs-nox", ("emacs",)),
    Tool("elpa-eglot"),
    Tool("elpa-lsp-mode"),
    Tool("vim", ("vim",)),
    Tool("vim-ale"),
)
EXTENSION_TOOLS = (
    Tool("chromium", ("chromium", "chromium-browser", "google-chrome"), "TDLS_CHROMIUM"),
    Tool("ripgrep", ("rg",)),
)
FONTS = ("fonts-dejavu-core",)
"""Fonts that usually come with a browser, for the pictures that tests take."""


def missing(tools: tuple[Tool, ...]) -> list[Tool]:
    """Return the tools that are not there."""
    absent = [tool for tool in tools if not _is_at_hand(tool)]
    installed = _installed_packages(absent)
    return [tool for tool in absent if tool.programs or tool.package not in installed]


def _is_at_hand(tool: Tool) -> bool:
    configured = os.environ.get(tool.variable) if tool.variable else None
    if configured:
        return shutil.which(configured) is not None
    return any(shutil.which(program) for program in tool.programs)


def _installed_packages(tools: list[Tool]) -> set[str]:
    """Ask dpkg which packages are installed; none where there is no dpkg."""
    if not tools or shutil.which("dpkg-query") is None:
        return set()
    lines = answer(["dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Package}\n"]) or ""
    return {line.split()[-1] for line in lines.splitlines() if line.startswith("ii")}


def how_to_get(tool: Tool) -> str:
    """Print the missing tools, and how to install them."""
    configured = os.environ.get(tool.variable) if tool.variable else None
    if configured:
        return f"{tool.variable} is {configured}, which is no program that can be started"
    name = tool.programs[0] if tool.programs else tool.package
    otherwise = f", or set {tool.variable} to its path" if tool.variable else ""
    return f"{name} is missing: install it (Debian package {tool.package}){otherwise}"


def can_use_apt() -> bool:
    """Whether this is a Debian-like system on which this process may install packages."""
    return shutil.which("apt-get") is not None and hasattr(os, "geteuid") and os.geteuid() == 0


def has_venv() -> bool:
    """Whether this Python can create environments that have pip."""
    return all(importlib.util.find_spec(name) is not None for name in ("venv", "ensurepip"))


def install(packages: list[str]) -> bool:
    """Install Debian packages, trying twice, and tell whether they are there."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *_WAIT_FOR_OTHERS, *packages]
    run(["apt-get", "update", "-q"], environment)
    if run(command, environment) == 0:
        return True
    say("once more, after what may have been interrupted")
    run(["dpkg", "--configure", "-a"], environment)
    run(["apt-get", "update", "-q"], environment)
    return run(command, environment) == 0
