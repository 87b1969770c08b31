"""Packages from npm that tests work with, as lock files have them."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

from preparation.commands import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PATTERN_CHECK = ROOT / "tests" / "patterns"
"""The folder of the tool that judges the time of regular expressions."""
NO_NPM = "npm is missing: install Node (https://nodejs.org)"
_COMMAND = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--omit=optional")
_INSTALLED = ".package-lock.json"
"""The file that npm writes into its folder when all is installed."""


def has_npm() -> bool:
    """Whether packages can be installed."""
    return shutil.which("npm") is not None


def install_packages(folder: Path) -> str | None:
    """Install the packages in the lock file of `folder`, unless they are installed; return the problem, or None."""
    lock, installed = folder / "package-lock.json", folder / "node_modules" / _INSTALLED
    if installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return None
    npm = shutil.which("npm")
    if npm is None:
        return NO_NPM
    done = subprocess.run([npm, *_COMMAND], cwd=folder, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"npm could not install the packages of {folder}: {done.stderr.strip()}"
