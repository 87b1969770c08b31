"""The two that are compared: where their tdls is, and how it is started."""

from __future__ import annotations

import compileall
import io
import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.lsp.servers import Server

ROOT = Path(__file__).resolve().parents[2]
_PARTS = ("server", "grammar")
"""Folders of a checkout that tdls needs to run."""
_OTHERS = frozenset({"PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "TDLS_CACHE_DIR"})
"""Environment variables that measured processes must not inherit."""


class RevisionError(Exception):
    """There is no such revision; the message is git's."""


@dataclass(frozen=True)
class Side:
    """A tdls: its name, a Python, folders that precede installed modules in imports, and a folder of its own."""

    name: str
    python: str
    imported: tuple[Path, ...]
    folder: Path

    def tdls(self, *arguments: str) -> list[str]:
        """Return the command that starts tdls."""
        return [self.python, "-m", "tdls", *arguments]

    def server(self) -> Server:
        """Return its language server."""
        return Server(self.name, tuple(self.tdls("server")), self.environment("cache"))

    def environment(self, cache: str, *imported: Path) -> dict[str, str]:
        """Return the variables for its processes, which keep things in the folder `cache`."""
        given = {name: value for name, value in os.environ.items() if name not in _OTHERS}
        paths = os.pathsep.join(map(str, (*self.imported, *imported)))
        return {**given, "TDLS_CACHE_DIR": str(self.folder / cache), **({"PYTHONPATH": paths} if paths else {})}


def of_revision(revision: str, folder: Path) -> Side:
    """Unpack tdls as it was at a revision into `folder`. Raises RevisionError."""
    command = ["git", "archive", "--format=zip", revision, *_PARTS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode != 0:
        raise RevisionError(done.stderr.decode().strip())
    with zipfile.ZipFile(io.BytesIO(done.stdout)) as archive:
        archive.extractall(folder)
    return _of_checkout(revision, folder, folder)


def of_working_tree(folder: Path) -> Side:
    """Return tdls as it is in this checkout; it may use `folder`."""
    return _of_checkout("working tree", ROOT, folder)


def installed(python: str, folder: Path) -> Side:
    """Return the tdls that is installed for `python`, a path or a name; it may use `folder`."""
    return Side("installed", python, (), folder)


def _of_checkout(name: str, checkout: Path, folder: Path) -> Side:
    """Compile it first, as an installation is."""
    compileall.compile_dir(checkout / "server", quiet=2)
    return Side(name, sys.executable, (checkout / "server",), folder)
